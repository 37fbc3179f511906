/** Entry of scripts/stages/print.sh: a run's answers, its figures and first cautions, for a terminal of any width. */

import { busiestOf } from '../analyse/figures.js';
import { NOTHING, percentile, rate } from '../analyse/format.js';
import { groupBy } from '../analyse/numbers.js';
import { fail, readResults } from '../analyse/run-folder.js';
import { levelNoun, plural, seriesName, wrapped } from '../analyse/words.js';
import { AGAINST, searchesText, sideBySide } from '../findings/capacity/table.js';
import { capacityTexts } from '../findings/capacity/tell.js';
import { sectionsOf } from './section.js';
import { sentences } from './sentences.js';

/** Elsewhere than on a terminal, and at most. */
const WIDTH = 100;
const NARROWEST = 24;
const CAUTIONS = 3;
const FINDINGS = 3;
const CROWDED = 2; // targets per section from which each section has its title
const SHORTEST = 4; // characters of a name
const KEPT = Number.POSITIVE_INFINITY; // the worth of a column that is never dropped
const BARS = '▁▂▃▄▅▆▇█';
const VERDICTS = { valid: 'green', suspect: 'yellow', invalid: 'red', 'not run': 'red' };
const STYLES = { bold: 1, red: 31, yellow: 33, green: 32 };

/** Throughput by level as bars of a target's own peak; a gap where nothing was measured. @param {(number|null)[]} values */
export function sparkline(values) {
  const peak = Math.max(...values.map((value) => value ?? 0));
  const bar = (value) => BARS[Math.min(BARS.length - 1, Math.floor((value / peak) * BARS.length))];
  return values.map((value) => (value > 0 ? bar(value) : ' ')).join('');
}

/** Names differ at either end. */
const withoutMiddle = (text, size) =>
  `${text.slice(0, Math.ceil((size - 1) / 2))}…${text.slice(text.length - Math.floor((size - 1) / 2))}`;

/**
 * Lays out rows in columns; where they do not fit, the columns of least worth are dropped, then names are cut, the longest first.
 * @param {string[][]} rows @param {{right?: boolean, worth: number}[]} columns worth: lowest goes first, KEPT never
 */
export function layOut(rows, columns, width) {
  let kept = columns.map((column, i) => ({ ...column, i, size: Math.max(...rows.map((row) => row[i].length)) }));
  const total = () => kept.reduce((all, { size }) => all + size + 2, -2);
  while (total() > width && kept.some(({ worth }) => worth !== KEPT)) {
    const least = Math.min(...kept.map(({ worth }) => worth));
    kept = kept.filter(({ worth }) => worth !== least);
  }
  const names = kept.filter(({ right }) => !right);
  while (total() > width && names.some(({ size }) => size > SHORTEST)) {
    const longest = names.reduce((a, b) => (b.size > a.size ? b : a));
    longest.size -= 1;
  }
  const cell = (text, { size, right }) => {
    const cut = text.length > size ? withoutMiddle(text, size) : text;
    return right ? cut.padStart(size) : cut.padEnd(size);
  };
  return rows.map((row) =>
    kept
      .map((column) => cell(row[column.i], column))
      .join('  ')
      .trimEnd(),
  );
}

/**
 * @param {object} results results.json @param {string} folder as the user named it
 * @param {{width?: number, colour?: boolean}} [terminal]
 */
export function summary(results, folder, { width = WIDTH, colour = false } = {}) {
  const room = Math.min(WIDTH, Math.max(NARROWEST, width));
  const paint = (style, text) => (colour ? `\u001b[${STYLES[style]}m${text}\u001b[0m` : text);
  const { valid, suspect, invalid, not_run } = results.verdicts;
  const counts = `${valid} valid, ${suspect} suspect, ${invalid} invalid${not_run > 0 ? `, ${not_run} not run` : ''}`;
  const trials = wrapped(
    [`${results.run.experiment}: ${counts}`, searchesText(results)].filter(Boolean).join('; '),
    room,
    '  ',
  );
  const lines = [];
  const told = primaryFirst(results, sentences(results));
  for (const { ask, text } of told.slice(0, FINDINGS))
    lines.push('', ...(ask ? [paint('bold', wrapped(ask, room))] : []), wrapped(text, room));
  if (told.length === 0) for (const text of capacityTexts(results)) lines.push('', wrapped(text, room));
  if (told.length > FINDINGS)
    lines.push('', wrapped(`${plural(told.length - FINDINGS, 'more finding')} in the report.`, room));
  for (const { title, header, rows, doubts } of sideBySide(results)) {
    const columns = layOut([header, ...rows], CAPACITY_COLUMNS, room);
    lines.push('', paint('bold', wrapped(title, room, '  ')), ...columns);
    if (!columns[0].includes(AGAINST)) lines.push(...againstLines(rows, room));
    if (told.length === 0) lines.push(...doubts.map((text) => wrapped(text, room))); // answers tell them themselves
  }
  lines.push(...sectionsLines(sectionsOf(results), room, paint));
  if (told.some(({ ask }) => ask))
    lines.push(wrapped('A ratio is of trials of the same block: two medians may have another.', room));
  lines.push(
    '',
    trials.replace(/[1-9]\d* (valid|suspect|invalid|not run)/g, (text, of) => paint(VERDICTS[of], text)),
  );
  if (results.cautions.length > 0) lines.push('', paint('bold', 'Before you quote this'));
  const { cautions } = results;
  for (const caution of cautions.slice(0, CAUTIONS)) lines.push(wrapped(`- ${caution}`, room, '  '));
  if (cautions.length > CAUTIONS)
    lines.push(wrapped(`${plural(cautions.length - CAUTIONS, 'more caution')} in the report.`, room));
  lines.push('', paint('bold', 'Report'), `${folder}/report.html`, `${folder}/report.md`);
  return `${lines.join('\n')}\n`;
}

function primaryFirst({ questions = [] }, told) {
  const primary = new Set(questions.filter((question) => question.primary).map(({ ask }) => ask));
  return told.toSorted((a, b) => Number(primary.has(b.ask)) - Number(primary.has(a.ask)));
}

/** Of targetRow; worth: which column stays where not all fit. */
const COLUMNS = [
  { worth: KEPT },
  { worth: 3 },
  { worth: KEPT, right: true },
  { worth: 5 },
  { worth: 6, right: true },
  { worth: 7 },
];

/** Of sideBySide. */
const CAPACITY_COLUMNS = [
  { worth: KEPT },
  { worth: KEPT, right: true },
  { worth: 2, right: true },
  { worth: 1, right: true },
  { worth: 0 },
];

/** What speaks against each, where there is no room for a column of it. @param {string[][]} rows of sideBySide */
const againstLines = (rows, room) =>
  rows
    .map((row) => [row[0], row.at(-1)])
    .filter(([, against]) => against !== NOTHING)
    .map(([name, against]) => wrapped(`${name}: ${against}`, room, '  '));

const levelsOf = (cells) => [...new Set(cells.map(({ level }) => level))].sort((a, b) => a - b);

/** Under a title each, or, where most hold a single target, as one table, without latencies: those of k6, wrk and pgbench are of different kinds. */
function sectionsLines(sections, width, paint) {
  const rows = sections.map((section) => targetRows(section));
  if (rows.flat().length >= CROWDED * sections.length)
    return sections.flatMap((section, i) => [
      '',
      paint('bold', titleOf(section, width)),
      ...layOut(rows[i], COLUMNS, width),
    ]);
  const isOne = new Set(sections.map(({ database }) => database)).size === 1;
  const bars = rows.flat().some(([, drawn]) => drawn) ? ', and by load (bars)' : '';
  const named = sections.flatMap(({ workload, tool, database, model }, i) =>
    rows[i].map(([target, bars, throughput, level, , marked]) => [
      `${workload} ${tool}${model === 'open' ? ' open' : ''}`,
      target === database || isOne ? target : `${target} on ${database}`,
      bars,
      throughput,
      level,
      marked,
    ]),
  );
  return [
    '',
    paint('bold', wrapped(`Highest median throughput of each${bars}; the report says which differ`, width)),
    ...layOut(
      named,
      [{ worth: KEPT }, { worth: KEPT }, { worth: 3 }, { worth: KEPT, right: true }, { worth: 5 }, { worth: 7 }],
      width,
    ),
  ];
}

function titleOf({ cells, workload, tool, model, database }, width) {
  const levels = levelsOf(cells);
  const noun = levelNoun({ tool, model }, levels.at(-1));
  const bars = levels.length > 1 ? ' (bars), the highest in figures' : '';
  return wrapped(
    `${workload}, ${tool}, ${model}, ${database}: medians at ${levels.join(', ')} ${noun}${bars}`,
    width,
    '  ',
  );
}

/** A row per target: its throughput by level, its peak, and p95 and marks there. */
function targetRows({ cells }) {
  return [...groupBy(cells, seriesName)].map(([name, same]) => {
    const at = new Map(same.map((cell) => [cell.level, cell.throughput_rps?.median ?? null]));
    const peak = busiestOf(same);
    return [
      name,
      levelsOf(cells).length > 1 ? sparkline(levelsOf(cells).map((level) => at.get(level) ?? null)) : '',
      `${rate(peak.throughput_rps?.median)}/s`,
      `at ${peak.level}`,
      `p95 ${percentile(peak.latency_us, 'p95')}`,
      marks([peak]),
    ];
  });
}

function marks(cells) {
  const trials = cells.flatMap((cell) => cell.trials);
  return ['invalid', 'suspect']
    .map((verdict) => [verdict, trials.filter((trial) => trial.verdict === verdict).length])
    .filter(([, count]) => count > 0)
    .map(([verdict, count]) => `${count} ${verdict}`)
    .join(', ');
}

if (process.argv[1] === import.meta.filename) {
  try {
    const [folder] = process.argv.slice(2);
    const colour = Boolean(process.stdout.isTTY) && !process.env.NO_COLOR && process.env.TERM !== 'dumb';
    const width = process.stdout.columns ?? WIDTH;
    process.stdout.write(summary(readResults(folder), folder.replace(/\/+$/, ''), { width, colour }));
  } catch (error) {
    fail(error);
  }
}
