/** Ladders: what each layer above the database costs. */
import { ladderAlt, ladderTitle } from '../analyse/phrases.js';
import { heading, image, paragraph, table } from './blocks.js';
import { msText } from './charts/parts.js';
import { PAPER } from './charts/style.js';
import { waterfallChart } from './charts/waterfall.js';
import { marksText, NOTHING, rateSpread, ratio } from './format.js';

/** Its name among the charts. */
export const ladderKey = ({ database, question, level }) => `ladder.${database}.${question}.${level}`;

/** Rungs that stand on one another, by their names (see analyse/ladder.js). */
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
export function ladderSteps({ level, rungs }) {
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
export function ladderPicture(ladder, look = PAPER) {
  const paper = { text: ladderTitle(ladder), subtitle: 'each bar starts where the step below it ends' };
  const spec = waterfallChart(ladderSteps(ladder), {
    kinds: KINDS.map(({ kind }) => kind),
    heading: 'What a request takes',
    unit: 'users / answers per second; in brackets: what the layer adds; whiskers span the trials',
    look,
    ...(look.width === null ? { title: paper } : {}),
  });
  return { spec, alt: ladderAlt(ladder) };
}

/** @param {{ladders: object[], cells?: object[]}} results @param {Map<string, {file, alt}>} charts by key; without a picture there is the table alone */
export function ladderBlocks({ ladders, cells = [] }, charts = new Map()) {
  const byId = new Map(cells.map((cell) => [cell.id, cell]));
  return (ladders ?? []).flatMap((ladder) => [
    heading(2, ladderTitle(ladder)),
    paragraph(
      'The same question from the same number of users, each row another way to the database; HTTP alone asks it nothing, and of one target, from k6 to wrk, only the load generator changes. Figures are of the blocks that all rows have; the share compares a row with the first, block by block. Milliseconds are users divided by answers per second, their geometric mean over blocks as that of the shares: what a request takes, with what the load generator needs before the next. In the picture each bar begins where what it stands on ends: a way of asking on the one before, a target on HTTP alone.',
    ),
    image(charts.get(ladderKey(ladder))),
    table(
      ladderTitle(ladder),
      [
        'rung',
        '>answers/s, median [range]',
        '>share of the first',
        '>ms per request',
        '>ms more than the first',
        'marks',
      ],
      ladder.rungs.map(({ name, cell, throughput_rps, db_efficiency, request_ms, added_ms }, i) => [
        name,
        rateSpread(throughput_rps),
        i === 0 ? NOTHING : ratio(db_efficiency),
        request_ms,
        i === 0 ? NOTHING : added_ms,
        byId.has(cell) ? marksText(byId.get(cell)) : '',
      ]),
    ),
  ]);
}
