/** A post: the answers to a run's primary questions, to be pasted. The whole report is in details.md. */

import { lengths, NOTHING } from '../analyse/format.js';
import { DISTURBING, foundText } from '../analyse/marks.js';
import { groupBy } from '../analyse/numbers.js';
import { bracketed, capital, listed } from '../analyse/phrases.js';
import { levelNoun, plural, seriesName } from '../analyse/words.js';
import { tables as capacityTables } from '../findings/capacity/table.js';
import { answerBlocks } from './answers/table.js';
import { heading, list, paragraph } from './blocks.js';
import { machineText } from './machine.js';
import { blocksOf, findings, reading } from './markdown.js';
import { nodeRows } from './nodes.js';
import { toMarkdown } from './to-markdown.js';

/** What a post may weigh as Markdown, and what it leaves out to get there, step by step: cautions, its tables, then the figures of long rankings. */
export const MOST_BYTES = 6000;
const STEPS = [
  { cautions: 4 },
  { cautions: 2 },
  { cautions: 2, tables: false },
  { cautions: 1, tables: false },
  { cautions: 1, tables: false, brief: true },
];

/** As seen from where a post is published. */
const METHODOLOGY = '../../../../docs/methodology.md';

/** @param {object[]} answers see answersOf @returns {object[]} the primary ones; of a run that has none, the first three */
export function asked(answers) {
  const primary = answers.filter((answer) => answer.primary);
  return primary.length > 0 ? primary : answers.slice(0, 3);
}

/**
 * @param {object} results results.json @param {object[]} answers see asked @param {Map<string, {file, alt}>} charts by key of an answer
 * @returns {object[]} blocks of the whole post
 */
export const post = (results, answers, charts) =>
  fitting((step) => [
    heading(1, `Load test: ${results.run.experiment}`),
    paragraph(results.run.why),
    ...answeredBlocks(results, answers, charts, { ...step, rest: '[details.md](details.md)' }),
    paragraph(
      `[Every table, ratio and percentile](details.md), and what each mark means in [the methodology](${METHODOLOGY}#verdicts); the figures of the pictures as [CSV](post.csv).`,
    ),
  ]);

/** One answer alone, with what is needed to judge it. @returns {object[]} blocks */
export const answerPost = (results, answer, charts) =>
  fitting((step) => answeredBlocks(results, [answer], charts, { ...step, rest: 'the report' }));

/** The first step within the weight, else the last. */
function fitting(blocksOfStep) {
  const small = STEPS.find((step) => Buffer.byteLength(toMarkdown(blocksOfStep(step))) <= MOST_BYTES);
  return blocksOfStep(small ?? STEPS.at(-1));
}

/** @param {{cautions: number, tables?: boolean, brief?: boolean, rest: string}} step what it leaves out; rest: where the other cautions stand */
function answeredBlocks(results, answers, charts, { cautions, tables = true, brief = false, rest }) {
  const left = results.cautions.length - cautions;
  return [
    notClean(results),
    ...(answers.length > 0
      ? answers.flatMap((answer) =>
          answerBlocks(brief ? { ...answer, text: answer.brief, beside: '' } : answer, charts.get(answer.key)),
        )
      : findings(results)
    ).filter((block) => tables || block?.type !== 'table'),
    ...(tables ? capacityTables(results, answers) : []),
    heading(2, 'How it was measured'),
    list(measured(results)),
    ...(results.cautions.length > 0 ? [heading(2, 'What not to conclude')] : []),
    list([
      ...results.cautions.slice(0, cautions),
      ...(left > 0 ? [`${plural(left, 'more caution')} in ${rest}.`] : []),
    ]),
  ];
}

/** What comes before anything else: trials that no figure includes. */
function notClean({ verdicts }) {
  const parts = [
    verdicts.invalid > 0 && `${plural(verdicts.invalid, 'invalid trial')}, left out of every figure`,
    verdicts.valid === 0 && 'no trial is without a mark',
    verdicts.not_run > 0 && `${plural(verdicts.not_run, 'planned trial')} did not run`,
  ].filter(Boolean);
  return parts.length > 0 ? paragraph(`**Not a clean run: ${parts.join('; ')}.**`) : null;
}

/** Machine, versions, data and load, trials, how to read: a line each. */
function measured(results) {
  const { run, environment, cells, verdicts } = results;
  const own = cells.filter(({ calibration }) => !calibration);
  const { seconds, requests } = lengths(own);
  const time = [...(seconds.length > 0 ? [`${either(seconds)} s`] : []), ...requests];
  const loads = [...new Set(own.map((cell) => `${cell.tool} with ${levelsOf(own, cell)}`))].join('; ');
  const searches = searchesText(results);
  return [
    `${machineText(results)}; ${(run.started_at ?? '').slice(0, 10)}, commit ${run.git_commit?.slice(0, 12) ?? NOTHING}${environment?.git?.dirty ? ', with changes that are in no commit' : ''}${results.told_again ? '; figures as measured then, sentences by a newer pglab' : ''}.`,
    ...nodeRows(results).map(([what, text]) => `${capital(what)}: ${text}.`),
    `${versionsText(environment, own)}.`,
    `${environment?.scale ? `Data at scale ${environment.scale}; ` : ''}${searches ?? loads}.`,
    `${searches ? `Where the searches begin: ${loads}, ` : ''}${blocksOf(own, run)} ${blocksOf(own, run) === '1' ? 'block' : 'blocks'}, each cell once in a block, in random order, for ${either(time)}: ${plural(verdicts.valid, 'valid trial')}, ${verdicts.suspect} suspect (marked), ${verdicts.invalid} invalid (left out).`,
    `${reading(results)} An answer in bold is claimed; trials that are marked count in it.`,
  ].filter(Boolean);
}

/** What the searches for capacities took, and what disturbed their probes; nothing where there are none. */
function searchesText({ capacities = [], run }) {
  const probes = capacities.flatMap((capacity) =>
    capacity.trials.flatMap((search) => search.probes.map((probe) => ({ ...probe, name: seriesName(capacity) }))),
  );
  if (probes.length === 0) return null;
  const disturbed = probes.filter(({ outcome }) => outcome === 'disturbed');
  const checks = disturbed.flatMap(({ reasons }) => reasons.filter(({ check }) => DISTURBING.has(check)));
  const by = [...new Set(checks.map(({ check }) => foundText(check)))];
  const [most] = [...groupBy(disturbed, ({ name }) => name)].toSorted(([, a], [, b]) => b.length - a.length);
  const notes = [...by, most && disturbed.length > 1 && `${most[1].length} of them of ${most[0]}`].filter(Boolean);
  const were = `${disturbed.length} ${disturbed.length === 1 ? 'was' : 'were'} disturbed${bracketed(...notes)}`;
  const how = capacities.every(({ model }) => model === 'open') ? ' by arrivals on a schedule' : '';
  return `${plural(run.blocks, 'block')}, in each of which every capacity is searched for: ${plural(probes.length, 'probe')}${how}${disturbed.length > 0 ? `, of which ${were} and failed, and so decided nothing` : ''}`;
}

function levelsOf(cells, { tool, model }) {
  const same = cells.filter((cell) => cell.tool === tool && cell.model === model);
  const shares = [...new Set(same.map(({ share }) => share).filter(Boolean))].sort();
  if (shares.length > 0)
    return `arrivals at ${shares.map((share) => share.replace('%', ' %')).join(', ')} of each one's peak`;
  const levels = [...new Set(same.map(({ level }) => level))].sort((a, b) => a - b);
  return `${levels.join(', ')} ${levelNoun({ tool, model }, levels.at(-1))}`;
}

/** '5', '5, 25 or 60' */
const either = (seconds) => listed(seconds.map(String)).replace(' and ', ' or ');

/** '15.18' of '15.18 (Debian 15.18-0+deb12u1)', '1.8.1' of 'k6 v1.8.1 (go1.26.8, linux/amd64)'. */
const numberIn = (text) => /(?<![\w.])v?(\d+(?:\.\d+)+)/.exec(text.replace(/^\D+\//, ''))?.[1] ?? text;

/** What asks the database for a target: where its version stands among those of the environment, and how it is called. */
const LIBRARIES = {
  cube: ['npm', 'cube', 'Cube'],
  postgresjs: ['npm', 'postgres', 'postgres.js'],
  native: ['npm', 'pg-native', 'pg-native'],
  jdbc: ['jars', 'postgresql', 'pgjdbc'],
  adba: ['jars', 'pgadba', 'pgadba'],
  vertx: ['jars', 'vertx-pg-client', 'Vert.x PostgreSQL client'],
  postgres: null, // is asked without any
};
const NODE_POSTGRES = ['npm', 'pg', 'node-postgres'];

/** Of the server, Node.js, the libraries and the tools that were used. */
function versionsText(environment, cells) {
  const { versions = {}, databases = {} } = environment ?? {};
  const servers = Object.values(databases ?? {}).map((database) => database?.version);
  const libraries = cells
    .map(({ target }) => (target in LIBRARIES ? LIBRARIES[target] : NODE_POSTGRES))
    .filter(Boolean)
    .map(([of, key, name]) => [name, versions[of]?.[key]]);
  const named = [
    ...servers.map((version) => ['PostgreSQL', version]),
    ['Node.js', versions.node],
    ...libraries,
    ...cells.map(({ tool }) => [tool, versions[tool]]),
  ].filter(([, version]) => typeof version === 'string');
  const texts = named.map(([name, version]) => `${name} ${numberIn(version)}`);
  return [...new Set(texts)].join(', ') || 'Versions not recorded';
}
