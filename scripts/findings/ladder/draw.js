/** A ladder as a waterfall: each bar begins where what it stands on ends. */
import { msText } from '../../report/charts/parts.js';
import { PAPER } from '../../report/charts/style.js';
import { waterfallChart } from '../../report/charts/waterfall.js';
import { alt, title } from './tell.js';

/** Kinds of rungs. */
const [DATABASE, SQL, HTTP, ALL] = [
  'the database itself, asked by pgbench',
  'the same SQL, asked by k6',
  'HTTP alone, which asks the database nothing',
  'over HTTP, with target and database',
];

/** What a rung's cell asks. @param {object} cell @param {object} ground the lowest rung's @param {string} question workload */
function kindOf({ target, tool, workload }, ground, question) {
  if (target === ground.target) return tool === ground.tool ? DATABASE : SQL;
  return workload === question ? ALL : HTTP;
}

/**
 * What each rung adds to that below it: ways to ask the database by pgbench to one another, the same SQL by k6 to the first of them, targets to the same
 * tool's HTTP alone. HTTP alone stands on nothing, and the database does not stand on it.
 * @param {object} ladder of results.json @param {object[]} cells of results.json
 * @returns {{name, kind, from: number, to: number, low: number, high: number, text: string}[]} see waterfallChart; low, high: of the trials
 */
export function steps({ question, level, rungs }, cells) {
  const byId = new Map(cells.map((cell) => [cell.id, cell]));
  const ground = byId.get(rungs[0].cell);
  const all = rungs.map(({ name, cell: id, request_ms, throughput_rps: { min, max } }) => {
    const cell = byId.get(id);
    return {
      name,
      kind: kindOf(cell, ground, question),
      tool: cell.tool,
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
export function picture(ladder, cells, look = PAPER) {
  const paper = {
    text: title(ladder),
    subtitle: 'bars start where what they add to ends: HTTP targets at HTTP alone, SQL at the database',
  };
  const spec = waterfallChart(steps(ladder, cells), {
    kinds: [DATABASE, SQL, HTTP, ALL],
    heading: 'What a request takes',
    unit: 'users / answers per second; in brackets: how much more than where the bar starts; whiskers span the trials',
    look,
    ...(look.width === null ? { title: paper } : {}),
  });
  return { spec, alt: alt(ladder) };
}
