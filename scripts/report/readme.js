/** What was found, for the README: a row per published experiment, and one picture. */
import { retoldPair } from '../analyse/headlines.js';
import { groupBy } from '../analyse/numbers.js';
import { levelNoun } from '../analyse/words.js';
import { image, paragraph, table } from './blocks.js';
import { levelChart } from './charts/level.js';
import { inks, PAPER } from './charts/style.js';
import { blocksOf, machineText } from './markdown.js';
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

/** @param {string} root results/published @returns {object[]} blocks: for each machine a line about it and a table */
export function readmeResults(root) {
  const current = currentPublished(root).toSorted((a, b) => rank(a) - rank(b));
  const pictured = current.some(({ experiment }) => experiment === PICTURED);
  return [
    ...[...groupBy(current, ({ machine }) => machine).values()].flatMap(machineBlocks),
    pictured && image({ file: `results/published/${PICTURE}`, alt: PICTURE_TEXT }),
  ];
}

const PICTURE_TEXT =
  'Throughput and 95th percentile by number of users, both on log scales, for the same analytical query asked four ways: by a connection per request (raw), a pool (pooled), a materialised view (rollup) and Cube (cube).';

function machineBlocks(entries) {
  const dates = entries.map(({ results }) => (results.run.started_at ?? '').slice(0, 10)).sort();
  const when = [...new Set([dates[0], dates.at(-1)])].join(' to ');
  return [
    paragraph(`Measured on ${machineText(entries[0].results.environment)}; ${when}.`),
    table('Findings', ['question', 'answer'], entries.flatMap(rows)),
  ];
}

/** A row for each primary question, or for each where none is; one for a run that was made before experiments declared any. */
function rows({ results, question, answer, current, earlier }) {
  const report = `results/published/${current}/post.md`;
  const said = sentences(results, earlier);
  const primaries = new Set((results.questions ?? []).filter(({ primary }) => primary).map(({ ask }) => ask));
  const answers = results.questions
    ? said.filter(({ ask }) => ask && (primaries.size === 0 || primaries.has(ask)))
    : [{ ask: question, text: answer ? retoldPair(results, answer).text : said[0].text }];
  const from = `<br><sub>${results.run.experiment}: ${scope(results)}</sub>`;
  return answers.map(({ ask, text }) => [`[${ask}](${report})`, `${text}${from}`]);
}

/** 'scale 1, 1 to 50 users, 16 connections, 3 blocks' */
function scope({ cells, run, environment }) {
  const measured = cells.filter(({ calibration, model }) => !calibration && model === 'closed');
  const loads = [...groupBy(measured, levelNoun)].map(([, same]) => {
    const levels = same.map(({ level }) => level);
    const [least, most] = [Math.min(...levels), Math.max(...levels)];
    return `${least === most ? '' : `${least} to `}${most} ${levelNoun(same[0], most)}`;
  });
  const blocks = blocksOf(
    cells.filter(({ calibration }) => !calibration),
    run,
  );
  return [
    `scale ${environment?.scale ?? 'unknown'}`,
    ...loads,
    `${blocks} ${blocks === '1' ? 'block' : 'blocks'}`,
  ].join(', ');
}

/** The picture as SVG, drawn anew from the current result; null where that experiment is not published. @returns {Promise<string|null>} */
export async function readmePicture(root) {
  const shown = currentPublished(root).find(({ experiment }) => experiment === PICTURED);
  if (!shown) return null;
  const [section] = sectionsOf(shown.results);
  const title = {
    text: 'The same query, asked four ways',
    subtitle: 'lines: median throughput, p95 over all trials; small dots: single trials',
  };
  const spec = levelChart(section.cells, { title, look: { ...PAPER, width: PICTURE_WIDTH } });
  return toSvg({ ...spec, config: { ...spec.config, background: inks(PAPER).ground, padding: 16 } });
}
