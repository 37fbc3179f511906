/** One workload with one tool on one database, in one load model: percentiles of different tools never share a table. */
import { askedBy } from '../analyse/comparisons.js';
import { COMPARED } from '../analyse/figures.js';
import { duration, marksText, NOTHING, percentile, rate, rateSpread, ratio, share } from '../analyse/format.js';
import { limitOf } from '../analyse/limits.js';
import { groupBy } from '../analyse/numbers.js';
import { levelPhrase, listed } from '../analyse/phrases.js';
import { TOOLS } from '../analyse/tools.js';
import { AGAINST_NULL, byName, levelNoun, MAY_BE_LIMIT, plural, seriesName } from '../analyse/words.js';
import { code, folded, heading, image, paragraph, table } from './blocks.js';

const FOLD_FROM = 16;

/** What the columns of the first table mean. */
const TERMS = `Headroom: how many times as fast the same load ran ${AGAINST_NULL}; below ${limitOf('headroom')} by its fastest run there, ${MAY_BE_LIMIT}. Marks: what the checks found, with the number of trials. –: not measured, or too few answers for that percentile.`;

/** How a table of ratios is read. */
export const RATIOS_TEXT =
  'Each ratio divides the first by the second within every block; shown are the geometric mean and its 95 % interval. `~`: the interval includes 1, so no difference was shown. `*`: asked before the run, and answered above, with a wider interval where several questions share its error. The others were explored, or asked and not answered: of such intervals one in twenty misses the truth by chance.';

const KIND_TEXT = {
  closed:
    'Closed model: each user waits for the answer before sending the next request. Latency runs from asking for a connection to the answer.',
  pgbench:
    'Closed model: each client waits for the answer before it begins the next transaction. Latency runs from the start of a transaction to its end; where each connects anew, connecting is part of it.',
  'open-from-schedule':
    'Open model: requests arrive on a schedule. Latency runs from when a request was due, because a user also waits for a late send. Requests that were never answered count as slower than all others.',
  wrk: 'Closed model. Percentiles are of the answers that wrk measured, without the samples that its correction adds, and without connecting.',
  ab: 'Closed model. Latency runs from asking for a connection to the answer, as ab counted it, in HTTP/1.0: exact at each percentile up to p99 and to the millisecond beyond, which is no p99.9.',
  'wrk-corrected':
    'Closed model. wrk corrects its percentiles for requests that a stall delayed: never compare them with those of k6.',
};

/** Sections of a run: cells that may stand in one table and one chart. @returns {{key, cells, database, workload, tool, model}[]} */
export function sectionsOf(results) {
  const measured = results.cells.filter((cell) => !cell.calibration);
  const groups = groupBy(measured, ({ database, workload, tool, model }) =>
    [database, workload, tool, model].join(' '),
  );
  return [...groups.values()].map((cells) => {
    const { database, workload, tool, model } = cells[0];
    const key = [database, workload, tool, ...(model === 'closed' ? [] : [model])].join('.');
    const ordered = cells.toSorted((a, b) => byName(seriesName(a), seriesName(b)) || a.level - b.level);
    return { key, cells: ordered, database, workload, tool, model };
  });
}

/** 'analytics, k6, closed model, tpch' */
export const sectionTitle = ({ workload, tool, model, database }) =>
  `${workload}, ${tool}, ${model} model, ${database}`;

/** What the latencies of a section mean. */
export function kindText({ cells, model, tool }) {
  const kind =
    cells.find((cell) => cell.latency_us)?.latency_us.kind ?? (model === 'open' ? 'open-from-schedule' : model);
  return KIND_TEXT[kind === 'closed' && tool === 'pgbench' ? tool : kind];
}

/** @returns {object[]} blocks @param chart {file, alt}, or undefined */
export function sectionBlocks(results, section, chart) {
  const { cells } = section;
  const title = [heading(2, sectionTitle(section)), paragraph(kindText(section))];
  return [...title, cells.length > 1 && image(chart), ...figures(results, section)]; // one point is a number, not a chart
}

/** The tables of a section: what was measured, how it compares, and how to measure it again. */
export function figures(results, section) {
  return [
    cellTable(section),
    sectionsOf(results)[0].key === section.key && paragraph(TERMS),
    generatorNote(section.cells),
    operations(section.cells),
    ...ratios(results, section),
    peaks(results, section),
    results.environment?.stack !== 'kubernetes' && byHand(section.cells), // pods are reached from the cluster alone
  ];
}

function cellTable({ cells, tool, model }) {
  const open = model === 'open';
  const header = [
    'target',
    `>${open ? 'arrivals/s' : levelNoun({ tool, model })}`,
    'marks',
    '>answers/s, median [range]',
    '>p50',
    '>p90',
    '>p95',
    '>p99',
  ];
  if (open) header.push('>p95 from send');
  header.push('>errors', '>trials', '>headroom');
  const rows = cells.map((cell) => {
    return [
      seriesName(cell),
      cell.share ? `${cell.level} (${cell.share})` : cell.level,
      marksText(cell),
      rateSpread(cell.throughput_rps),
      ...['p50', 'p90', 'p95', 'p99'].map((key) => percentile(cell.latency_us, key)),
      ...(open ? [percentile(cell.latency_from_send_us, 'p95')] : []),
      share(cell.errors.share),
      cell.trials_used === cell.trials.length ? cell.trials.length : `${cell.trials_used} of ${cell.trials.length}`,
      headroomText(cell),
    ];
  });
  return table(
    'Cells: throughput and latency',
    header,
    rows,
    cells.map(({ id }) => id),
  );
}

/** '2.1×', or '1.4–2.1×' where calibrations differ by a tenth or more. */
function headroomText({ headroom, ceiling_rps }) {
  if (headroom === null) return NOTHING;
  const low = (headroom * ceiling_rps.low) / ceiling_rps.high;
  const text = (value) => Number(value < 3 ? value.toFixed(2) : value.toPrecision(2));
  return `${low < 0.9 * headroom ? `${text(low)}–` : ''}${text(headroom)}×`;
}

function generatorNote(cells) {
  const bound = cells.filter((cell) => cell.headroom !== null && cell.headroom < limitOf('headroom'));
  if (bound.length === 0) return null;
  const which = bound.map((cell) => `${seriesName(cell)} ${levelPhrase(cell)}`).join(', ');
  return paragraph(
    `**In ${plural(bound.length, 'row')} ${MAY_BE_LIMIT}, not the target** (headroom below ${limitOf('headroom')}×): ${which}.`,
  );
}

function operations(cells) {
  const rows = cells.flatMap((cell) =>
    Object.entries(cell.operations ?? {}).map(([name, latency]) => [
      seriesName(cell),
      cell.level,
      name,
      latency?.count.toLocaleString('en-US') ?? NOTHING,
      ...['p50', 'p95', 'p99'].map((key) => duration(latency?.[key])),
    ]),
  );
  const header = ['target', '>level', 'operation', '>count', '>p50', '>p95', '>p99'];
  return folded('Operations', table('Latency of named operations', header, rows));
}

/** What is compared within a section. */
const comparisonsOf = ({ comparisons }, section) =>
  comparisons.filter(
    ({ kind, ...entry }) =>
      kind !== 'database' && ['database', 'workload', 'tool', 'model'].every((key) => entry[key] === section[key]),
  );

/** A section's ratios; the first in a report come with an explanation. */
function ratios(results, section) {
  const { key, tool, model } = section;
  const here = comparisonsOf(results, section);
  if (here.length === 0) return [];
  const first = sectionsOf(results).find((other) => comparisonsOf(results, other).length > 0).key === key;
  const asked = askedBy(results.questions?.filter(({ answered }) => answered));
  const levels = new Map(results.cells.map(({ id, level }) => [id, level]));
  const rates = (entry) => `${levels.get(entry.numerator_cell)} / ${levels.get(entry.denominator_cell)}`;
  const rows = here.map((entry) => {
    const of = entry.kind === 'target' ? (entry.variant === 'base' ? '' : ` (${entry.variant})`) : ` (${entry.target})`;
    const judged = model === 'open' ? entry.p95 : entry.throughput;
    return [
      `${entry.numerator} / ${entry.denominator}${of}`,
      entry.share ? `${entry.share} (${rates(entry)})` : entry.level,
      ...COMPARED.map((metric) => ratio(entry[metric], asked(entry, metric))),
      blocksText(judged ?? entry.p95),
      judged?.finds ? `${judged.finds.toFixed(2)}×` : NOTHING,
    ];
  });
  const header = [
    'ratio',
    `>${model === 'open' ? 'share (arrivals/s)' : levelNoun({ tool, model })}`,
    '>answers/s',
    '>p50',
    '>p95',
    '>p99',
    '>blocks',
    `>detectable, ${model === 'open' ? 'p95' : 'answers/s'}`,
  ];
  const blocks = [
    first && paragraph(`${RATIOS_TEXT} Detectable: the true difference that such a run would find with 80 % power.`),
    table('Ratios between targets', header, rows),
  ];
  return rows.length > FOLD_FROM ? [folded(`Ratios (${rows.length})`, ...blocks)] : blocks;
}

/** Blocks that a ratio is from: '5', or '4 of 5' where some are missing. */
function blocksText(result) {
  if (!result) return 0;
  const { n, of = n } = result; // results of before do not say of how many
  return n === of ? n : `${n} of ${of}`;
}

function peaks(results, { database, workload, tool, model }) {
  const here = (model === 'closed' ? results.scaling : results.peaks)?.filter(
    (entry) => entry.database === database && entry.workload === workload && entry.tool === tool,
  );
  if (!here?.length) return null;
  if (model === 'open') return openPeaks(here);
  const noun = levelNoun({ tool, model });
  const rows = here.map(({ points, peak, knee, undecided = [], ...entry }) => [
    seriesName(entry),
    rate(peak.throughput_rps),
    `${peak.level}${peak.level === points.at(-1).level ? ' or more' : ''}`,
    knee ? `${knee.level}${undecided.length > 0 ? ` (${listed(undecided)} may do)` : ''}` : NOTHING,
  ]);
  const header = [
    'target',
    '>highest, answers/s',
    `>${noun}`,
    `>fewest ${noun} shown to reach ${Math.round(100 * (1 - limitOf('pool_share')))} % of the best`,
  ];
  return folded('Peaks', table('Highest throughput measured', header, rows));
}

/** What shares are shares of. */
function openPeaks(here) {
  const rows = here.map(({ rate_rps, failed_rps, probes, ...entry }) => [
    seriesName(entry),
    rate_rps ?? NOTHING,
    failed_rps,
    probes,
  ]);
  const header = ['target', '>highest that held, requests/s', '>lowest that failed', '>probes'];
  return folded('Peaks', table('Rates that probes of 3 s were sent at', header, rows));
}

/** A command for each load, whatever the seconds and the seed of its trials; before them, how to bring a target up. */
function byHand(cells) {
  const commands = new Map();
  const longestLast = cells.toSorted((a, b) => a.level - b.level || a.duration_s - b.duration_s);
  for (const { by_hand } of longestLast.filter((cell) => cell.by_hand))
    commands.set(by_hand.replace(/ (-d|-T |--random-seed=|-e duration=)\d+s?/g, ''), by_hand);
  if (commands.size === 0) return null;
  return folded('The same load by hand', code('sh', [...targetUp(cells), ...commands.values()].join('\n')));
}

/** What brings up each target with its settings, or the database that the tool asks itself; nothing where it was there before. */
function targetUp(cells) {
  const [{ database, scale }] = cells;
  if (['none', 'external'].includes(database)) return [];
  const at = (scale ?? null) === null ? [] : [`SCALE=${scale}`];
  const ups = cells.map(({ target, tool, settings = {} }) =>
    TOOLS[tool]?.over_http === false
      ? `scripts/database.sh up ${database}${at.length > 0 ? ` --scale ${scale}` : ''}; eval "$(scripts/database.sh env app)"`
      : [...Object.entries(settings).map(setText), ...at, `scripts/stack.sh up ${target} ${database}`].join(' '),
  );
  return [...new Set(ups)].map((up, i) => (i === 0 ? up : `# or ${up}`));
}

const setText = ([name, value]) => (/^[\w./:=,+-]*$/.test(value) ? `${name}=${value}` : `${name}='${value}'`);
