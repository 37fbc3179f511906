/** docs/again.md: what the write-ups published that this project grew from, number by number, beside what is published of the same here. */
import { readdirSync, readFileSync } from 'node:fs';
import { groupBy } from '../../analyse/numbers.js';
import { byName, factor, plural, seriesName } from '../../analyse/words.js';
import { folded, heading, list, paragraph, table } from '../blocks.js';
import { NOTHING, times } from '../format.js';
import { currentPublished } from '../published.js';
import { claimHere, comparedHere } from './checks.js';
import { besideText, cellsOf, inOurUnit, quantityOf, resultOf, written } from './figures.js';

const FOLDER = new URL('../../declared/again/', import.meta.url);

/** Each write-up (scripts/declared/schema/again.json), by its name. */
const writeUps = () =>
  readdirSync(FOLDER)
    .toSorted(byName)
    .map((file) => ({ name: file.replace('.json', ''), ...JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) }));

/** @param {string} root results/published @returns {object[]} blocks */
export function againBlocks(root) {
  const published = ofOneMachine(root);
  const told = writeUps().map((writeUp) => toldBeside(writeUp, published));
  const counts = told.map(({ counts }) => counts);
  return [
    table('What of each write-up was measured here', COUNTED, [...counts, totalOf(counts)].map(Object.values)),
    ...told.flatMap(({ blocks }) => blocks),
  ];
}

const COUNTED = [
  'write-up',
  '>numbers',
  '>measured here',
  '>not',
  '>claims',
  '>hold in its figures',
  '>hold here',
  '>targets',
  '>met here',
];

/** @param {object[]} counts by write-up */
const totalOf = (counts) =>
  Object.fromEntries(
    Object.keys(counts[0]).map((key) => [key, key === 'name' ? 'all' : counts.reduce((sum, one) => sum + one[key], 0)]),
  );

/** Current results by experiment, of the machine on which most were measured. */
function ofOneMachine(root) {
  const machines = [...groupBy(currentPublished(root), ({ machine }) => machine).values()];
  const most = machines.toSorted((a, b) => b.length - a.length)[0] ?? [];
  return new Map(most.map(({ experiment, results }) => [experiment, results]));
}

function toldBeside(writeUp, published) {
  const { name, source, runs, figures } = writeUp;
  const of = Object.entries(runs).map(([key, run]) => runOf(key, run, figures, published));
  const rows = of.flatMap((run) => run.rows);
  const claims = writeUp.claims.map((claim) => ({ ...claim, here: claimHere(claim, writeUp, published) }));
  const targets = writeUp.targets.map((target) => ({ ...target, here: targetHere(target, published) }));
  const count = (items, is) => items.filter(is).length;
  return {
    counts: {
      name,
      numbers: rows.length,
      beside: count(rows, isBeside),
      not: count(rows, (row) => !isBeside(row)),
      claims: claims.length,
      hold: count(claims, ({ holds_in_its_own_figures: holds }) => holds),
      here: count(claims, ({ here }) => here?.holds),
      targets: targets.length,
      met: count(targets, ({ here }) => here?.met),
    },
    blocks: [
      heading(2, name),
      paragraph(`${source}.`),
      table(
        `What figures of ${name} say of each other, and the same here`,
        ['what', 'over what', '>theirs', '>here', 'direction'],
        comparedHere(writeUp, published).map(comparedRow),
      ),
      folded(`What it claims (${claims.length})`, list(claims.map(claimText))),
      folded(`What it aims at (${targets.length})`, table(`Targets of ${name}`, TARGETS, targets.map(targetRow))),
      ...of.flatMap(({ blocks }) => blocks),
    ],
  };
}

const comparedRow = ({ above, below, theirs, experiment, result, direction }) => [
  placed(above),
  placed(below),
  `${factor(theirs)}×`,
  `${times(result, '×')}, ${experiment}`,
  direction,
];
const placed = ({ id }) => `${wordsOf(id)} of ${id.split('.')[0]}`;

const HOLDS = {
  true: 'holds in its own figures',
  false: 'does not hold in its own figures',
  null: 'cannot be told from its figures',
};
const HOLDS_HERE = {
  true: 'It holds here',
  false: 'It does not hold here',
  null: 'Figures here do not decide it',
  undefined: 'Here',
};

function claimText({ says, holds_in_its_own_figures: holds, why, here }) {
  const ours = here ? ` **${HOLDS_HERE[here.holds]}** (${here.experiments.join(', ')}): ${here.texts.join(', ')}.` : '';
  return `${says} **${HOLDS[holds]}**: ${why}${ours}`;
}

const TARGETS = ['target', 'what', '>limit', '>here', 'met'];
const TARGET_METRICS = {
  throughput: 'throughput_rps',
  p95: 'p95_us',
  errors: 'error_share',
  size: 'rss_max_bytes',
  share: 'cpu_share',
  rate: 'disk_read_bytes_per_s',
};
/** Thresholds of the write-up's scripts, in our words for a cell. */
const THRESHOLDS = { p95: 'latency.p95', errors: 'errors.share' };

/** What a target's objective came to, or its script's threshold in the cells with its ramp. @returns {{value: number, met: boolean|null}|null} */
function targetHere({ id, metric, is, value, unit, objective, threshold }, published) {
  if (objective) {
    const judged = published
      .get('documents')
      ?.objectives.find((one) => one.name === objective && one.metric === TARGET_METRICS[metric]);
    return judged ? { value: judged.measured, met: value === null ? null : judged.met } : null;
  }
  const cell = published
    .get('again-documents')
    ?.cells.find(({ workload, variant }) => workload === threshold && variant === 'ramp');
  const result = cell ? resultOf({ id: `${id.split('.')[0]}.${THRESHOLDS[metric]}` }, cell) : null;
  return (
    result && {
      value: result.ratio,
      met: is === 'below' ? result.ratio < inOurUnit({ value, unit }) : result.ratio > inOurUnit({ value, unit }),
    }
  );
}

const targetRow = ({ says, metric, is, value, unit, here }) => [
  says,
  metric,
  value === null ? 'none given' : `${is} ${value.toLocaleString('en-US')} ${unit}`,
  here && here.value !== null ? written(here.value, unit ?? 'B/s') : NOTHING,
  { true: 'yes', false: 'no' }[here?.met] ?? NOTHING,
];

const isBeside = ({ ours }) => ours.some((result) => result !== null);

/** One run of theirs: a row for each figure that it has and that is measured here, the others folded. */
function runOf(key, { what, measures, here, absent }, figures, published) {
  const cells = cellsOf(here, published);
  const rows = figures
    .filter(({ id }) => id.split('.')[0] === key)
    .map((figure) => ({ figure, ours: cells.map(({ cell }) => resultOf(figure, cell)) }));
  const header = ['figure', '>published', ...cells.map(({ place }) => `>${labelOf(place)}`)];
  const rowOf = ({ figure, ours }) => [
    wordsOf(figure.id),
    publishedText(figure),
    ...ours.map((result) => besideText(figure, result)),
  ];
  const others = rows.filter((row) => !isBeside(row));
  const { tool, target, workload, level } = what;
  return {
    rows,
    blocks: [
      heading(3, [key, level && `${level} at once`].filter(Boolean).join(', ')),
      paragraph(`Theirs: ${[tool, target, workload].join('; ')}. ${measures}`),
      table(`Figures of ${key}`, header, rows.filter(isBeside).map(rowOf)),
      list(here.filter(({ command }) => command).map(({ command }) => `Here: \`${command}\`.`)),
      folded(
        `${plural(others.length, 'figure')} without a counterpart`,
        others.length > 0 && paragraph(absent),
        table(
          `Other figures of ${key}`,
          ['figure', '>published'],
          others.map((row) => rowOf(row).slice(0, 2)),
        ),
      ),
    ],
  };
}

const labelOf = ({ experiment, target, variant = 'base', level, tool, database }) =>
  `${seriesName({ target, variant })}, ${tool} ${level}, ${experiment}${target === 'postgres' ? `, ${database}` : ''}`;

const wordsOf = (id) => quantityOf(id).replaceAll('-', ' ').replace('.', ', ');

const publishedText = ({ value, unit }) => `${value.toLocaleString('en-US')} ${unit === 'us' ? 'µs' : unit}`;
