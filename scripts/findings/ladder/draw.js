/** A ladder as a waterfall: each bar begins where what it stands on ends. */
import { msText } from '../../report/charts/parts.js';
import { PAPER } from '../../report/charts/style.js';
import { waterfallChart } from '../../report/charts/waterfall.js';
import { alt, title } from './tell.js';

/** Rungs that stand on one another, by their names (see find.js). */
const KINDS = [
  { kind: 'the database itself, asked by pgbench', has: (name) => name.startsWith('pgbench') },
  { kind: 'the same SQL, asked by k6', has: (name) => name.endsWith(' SQL') },
  { kind: 'HTTP alone, which asks the database nothing', has: (name) => name.endsWith(' HTTP alone') },
  { kind: 'over HTTP, with target and database', has: () => true },
];
const [DATABASE, SQL, HTTP] = KINDS.map(({ kind }) => kind);

/**
 * What each rung adds to that below it: ways to ask the database by pgbench to one another, the same SQL by k6 to the first of them, targets to the same
 * tool's HTTP alone. HTTP alone stands on nothing, and the database does not stand on it.
 * @returns {{name, kind, from: number, to: number, low: number, high: number, text: string}[]} see waterfallChart; low, high: of the trials
 */
export function steps({ level, rungs }) {
  const all = rungs.map(({ name, request_ms, throughput_rps: { min, max } }) => {
    const { kind } = KINDS.find(({ has }) => has(name));
    return {
      name,
      kind,
      tool: name.split(' ')[0],
      to: request_ms,
      low: (1000 * level) / max,
      high: (1000 * level) / min,
    };
  });
  const asked = all.filter(({ kind }) => kind === DATABASE);
  const below = (rung) => {
    if (rung.kind === DATABASE) return asked[asked.indexOf(rung) - 1];
    if (rung.kind === SQL) return asked[0];
    return rung.kind === HTTP ? undefined : all.find(({ kind, tool }) => kind === HTTP && tool === rung.tool);
  };
  return all.map((rung) => {
    const { tool: _tool, ...step } = rung;
    const from = below(rung)?.to ?? 0;
    const added = rung.to - from;
    const more = from > 0 ? ` (${added < 0 ? '−' : '+'}${msText(Math.abs(added))})` : '';
    return { ...step, from, text: `${msText(rung.to)}${more}` };
  });
}

/** @returns {{spec: object, alt: string}} Vega-Lite specification @param {object} ladder of results.json @param {object} [look] see style.js */
export function picture(ladder, _cells, look = PAPER) {
  const paper = {
    text: title(ladder),
    subtitle: 'bars start where what they add to ends: HTTP targets at HTTP alone, SQL at the database',
  };
  const spec = waterfallChart(steps(ladder), {
    kinds: KINDS.map(({ kind }) => kind),
    heading: 'What a request takes',
    unit: 'users / answers per second; in brackets: how much more than where the bar starts; whiskers span the trials',
    look,
    ...(look.width === null ? { title: paper } : {}),
  });
  return { spec, alt: alt(ladder) };
}
