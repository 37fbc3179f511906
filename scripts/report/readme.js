/** What is known by now, for the README and the page of all runs: the answers of all that is published and current; and the README's picture. */
import { cellsAsked } from '../analyse/comparisons.js';
import { comparable, once } from '../analyse/figures.js';
import { datasetText } from '../analyse/names.js';
import { groupBy } from '../analyse/numbers.js';
import { capital } from '../analyse/phrases.js';
import { retold } from '../analyse/results.js';
import { byName, plural } from '../analyse/words.js';
import { heading, image, list, paragraph, table } from './blocks.js';
import { levelChart } from './charts/level.js';
import { inks, PAPER } from './charts/style.js';
import { machineParts } from './machine.js';
import { blocksOf } from './markdown.js';
import { currentPublished } from './published.js';
import { toSvg } from './render.js';
import { sectionsOf } from './section.js';
import { sentences } from './sentences.js';

/** The picture's place below results/published, the experiment that it is of, and its width, which a phone still shows legibly. */
export const PICTURE = 'overview.svg';
const PICTURED = 'cube-vs-postgres';
const PICTURE_WIDTH = 560;

/** The first look comes first, the control of the method last. */
const FIRST = 'baseline';
const LAST = 'aa';
const rank = ({ experiment }) => Number(experiment === LAST) - Number(experiment === FIRST);

/**
 * @param {string} root results/published
 * @returns {{machine: string, about: string, answers: {experiment, ask, text, brief, targets: string[], scope, date, current}[]}[]} by machine; about: what those
 *   of this name have in common, and when it was measured; scope: of the data and the blocks, and how the machine differed; targets: those
 *   that it compares; current: as in index.json
 */
export function currentAnswers(root) {
  const current = currentPublished(root).toSorted((a, b) => rank(a) - rank(b));
  const machines = [...groupBy(current, ({ machine }) => machine)].map(([machine, entries]) => {
    const parts = entries.map(({ results }) => machineParts(results));
    const isShared = (part) => parts.every((others) => others.includes(part));
    const answers = entries.flatMap((entry, i) => {
      const own = parts[i].filter((part) => !isShared(part));
      return answersOf(entry).map((answer) =>
        own.length > 0 ? { ...answer, scope: `${answer.scope}, on ${own.join(', ')}` } : answer,
      );
    });
    const dates = answers.map(({ date }) => date).sort();
    const when = [...new Set([dates[0], dates.at(-1)].filter(Boolean))].join(' to ');
    return {
      machine,
      about: `Measured on ${commonText(parts, parts[0].filter(isShared))}; ${when}.`,
      answers,
    };
  });
  return machines.toSorted((a, b) => b.answers.length - a.answers.length);
}

/** 'AMD EPYC, 2 cores'; '2 machines of 2 cores' where their processors differ. */
function commonText(parts, shared) {
  const machines = new Set(parts.map((own) => own.join()));
  if (shared[0] === parts[0][0]) return shared.join(', ');
  return [plural(machines.size, 'machine'), ...(shared.length > 0 ? [`of ${shared.join(', ')}`] : [])].join(' ');
}

const dateOf = ({ run }) => (run.started_at ?? '').slice(0, 10);

/**
 * The first answer of each experiment, but one of the same question, on the machine where most were measured; docs/answers.md has the others.
 * @param {string} root results/published @returns {object[]} blocks: a line about the machine, a table, a picture, and where the other machines are
 */
export function readmeResults(root) {
  const machines = currentAnswers(root);
  const [shown, ...others] = machines;
  if (!shown) return [];
  const { about, answers } = shown;
  const pictured = machines.some((machine) => machine.answers.some(({ experiment }) => experiment === PICTURED));
  return [
    paragraph(about),
    table('Findings', ['question', 'answer'], firstAnswers(answers.filter(isOurs)).map(rowOf)),
    others.length > 0 &&
      paragraph(`Some were measured on [${plural(others.length, 'other machine')}](docs/answers.md), too.`),
    pictured && image({ file: `results/published/${PICTURE}`, alt: PICTURE_TEXT }),
  ];
}

/** What repeats a write-up stands in docs/again.md. */
const isOurs = ({ experiment }) => !experiment.startsWith('again-');

const byExperiment = (answers) => [...groupBy(answers, ({ experiment }) => experiment).values()];

/** The first answer of each experiment, but where one before it has asked the same. */
function firstAnswers(answers) {
  const first = byExperiment(answers).map(([answer]) => answer);
  return first.filter(({ ask }, i) => first.findIndex((other) => other.ask === ask) === i);
}

/** What was asked of which data with which tool, as it stands behind an answer: 'With echo, k6, TPC-H scale 0.1; some trials marked.' */
const PLACE = /\. With (?:[^;.]|\.\d)+(?:; (\w+)|\.(?=$| ))/;

/** The experiment, its date and what was asked of which data stand in the link. */
function rowOf({ ask, brief, current }) {
  const text = brief.replace(PLACE, (_all, first) => (first ? `. ${capital(first)}` : '.'));
  return [`[${ask.replace(/[[\]]/g, '\\$&')}](results/published/${current}/post.md)`, text];
}

/** Every answer, experiment by experiment. @param {string} root results/published @returns {object[]} blocks of docs/answers.md */
export const allAnswers = (root) =>
  currentAnswers(root).flatMap(({ machine, about, answers }, i) => [
    paragraph(about),
    ...byExperiment(answers).flatMap((same) => {
      const [{ experiment, scope, date, current }] = same;
      return [
        heading(2, i === 0 ? experiment : `${experiment} on ${machine}`), // a heading is a link's aim, so no two are alike
        paragraph(`[Post](../results/published/${current}/post.md), ${date}; ${scope}.`),
        list(same.map(({ ask, text }) => `**${ask}** ${text}`)),
      ];
    }),
  ]);

const PICTURE_TEXT =
  'Throughput and 95th percentile by number of users, on log scales, of one analytical query by a connection per request (raw), a pool (pooled), a materialised view (rollup) and Cube (cube).';

/** Those to primary questions, or to all where none is; by today's rules, as answers of several days stand side by side. */
function answersOf({ results: published, current, earlier }) {
  const results = retold(published);
  const all = sentences(results, earlier);
  const primaries = new Set((results.questions ?? []).filter(({ primary }) => primary).map(({ ask }) => ask));
  const answers = all.filter(({ ask }) => ask && (primaries.size === 0 || primaries.has(ask)));
  const of = { experiment: results.run.experiment, scope: scope(results), date: dateOf(results), current };
  return answers.map(({ ask, text, brief }) => ({ ask, text, brief, targets: targetsIn(results, ask), ...of }));
}

/** Targets that an answer compares; all that were measured where it does not say. */
function targetsIn(results, ask) {
  const cells = comparable(results);
  const ids = new Set(cellsAsked(results.questions.filter((question) => question.ask === ask)));
  return targetsOf(cells.filter(({ id }) => ids.size === 0 || ids.has(id)));
}

/** @param {object[]} cells @returns {string[]} their targets, without what only calibrates */
export const targetsOf = (cells) =>
  [...new Set(cells.filter(({ calibration }) => !calibration).map(({ target }) => target))].sort(byName);

/** 'scale 1, 3 blocks' */
function scope({ cells, capacities = [], run, environment }) {
  const asked = capacities.length > 0 ? capacities : cells.filter(({ calibration }) => !calibration); // where searches begin is not what is asked
  const blocks = blocksOf(asked, run);
  return `scale ${environment?.scale ?? 'unknown'}, ${blocks} ${blocks === '1' ? 'block' : 'blocks'}`;
}

/** The picture as SVG, drawn anew from the current result; null where that experiment is not published. @returns {Promise<string|null>} */
export async function readmePicture(root) {
  const shown = currentPublished(root).find(({ experiment }) => experiment === PICTURED);
  if (!shown) return null;
  const { results } = shown;
  const [section] = sectionsOf(results);
  const { database, tool, workload } = section;
  const { scale } = results.environment ?? {};
  const title = {
    text: 'The same query, asked four ways',
    subtitle: `${[workload, tool, datasetText(database, scale), dateOf(results)].join(', ')}; lines: median throughput, p95 over all trials; small dots: single trials`,
  };
  const spec = levelChart(once(section.cells), { title, look: { ...PAPER, width: PICTURE_WIDTH } });
  return toSvg({ ...spec, config: { ...spec.config, background: inks(PAPER).ground, padding: 16 } });
}
