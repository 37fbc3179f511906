/** What scripts/compare.sh --html writes: two runs side by side, and their cells over time. One file, without a network. */

import { cellsAsked } from '../analyse/comparisons.js';
import { withCurrentName } from '../analyse/renamed.js';
import { DamagedRun, readResults } from '../analyse/run-folder.js';
import { heading, paragraph } from './blocks.js';
import { bundled, styled } from './bundle.js';
import { PAPER } from './charts/style.js';
import { trendChart } from './charts/trend.js';
import { twoRunsChart } from './charts/two-runs.js';
import { machineName } from './machine.js';
import { htmlPage, masthead } from './page.js';
import { palette } from './palette.js';
import { listPublished } from './published.js';
import { toSvg } from './render.js';
import { escaped, toHtml } from './to-html.js';
import { pointsOf } from './trend.js';

const MOST_TRENDS = 6;
const LEAST_RUNS = 3; // two runs over time are the comparison once more
const STYLE =
  'figure.paper { margin: 0 0 24px; overflow-x: auto } figure.paper img { background: #fff; max-width: 100% }';

/**
 * @param {object[]} blocks see twoRunsBlocks
 * @param {{comparison, runs: object[], threshold: number, published: string}} compared comparison, threshold: see compareRuns; runs: both; published: the
 *   folder of published results
 * @returns {Promise<string>} HTML
 */
export async function twoRunsPage([title, finding, ...blocks], { comparison, runs, threshold, published }) {
  const [style, script] = await Promise.all([styled('page.css'), bundled('two-runs.js')]);
  const ids = runs.map(({ run }) => run.id);
  const chart = twoRunsChart(comparison.cells, ids, threshold);
  return htmlPage({
    title: title.text,
    body: `${masthead('two runs', 'comparison')}
<main id="main" class="wide">
${toHtml([title, finding])}
${chart ? await figure(chart) : ''}
${toHtml(blocks)}
${await trends(runs, published)}
</main>`,
    style: `${style}\n${STYLE}`,
    script,
  });
}

/** As on paper, in either theme. */
async function figure({ spec, alt }) {
  const svg = Buffer.from(await toSvg(spec)).toString('base64');
  return `<figure class="paper"><img src="data:image/svg+xml;base64,${svg}" alt="${escaped(alt)}"></figure>`;
}

/** The cells that the primary questions of the second run ask about, over the published runs of its machine and these two. */
async function trends([before, after], published) {
  const machine = machineName(after.environment);
  const left = [];
  const ofMachine = listPublished(published)
    .filter((file) => file.machine === machine)
    .flatMap(({ file }) => readable(file, left))
    .map((results) => ({ ...results, cells: results.cells.map((cell) => withCurrentName(cell, results.environment)) }));
  const here = [before, after].filter(({ environment }) => machineName(environment) === machine);
  const runs = [...new Map([...ofMachine, ...here].map((results) => [results.run.id, results])).values()];
  runs.sort((a, b) => (a.run.started_at < b.run.started_at ? -1 : 1));
  const drawn = cellsAsked((after.questions ?? []).filter(({ primary }) => primary))
    .map((id) => ({ id, points: pointsOf(runs, id) }))
    .filter(({ points }) => points.length >= LEAST_RUNS)
    .slice(0, MOST_TRENDS);
  if (drawn.length === 0) return '';
  const [{ colour }] = palette(['cell']).values();
  const figures = drawn.map(async ({ id, points }) => {
    const spec = trendChart(points, { look: PAPER, colour });
    const alt = `Throughput and 95th percentile of ${id} over ${points.length} runs, with the range of their trials.`;
    return `${toHtml([heading(3, id)])}${spec === null ? '' : await figure({ spec, alt })}`;
  });
  const without = left.length > 0 ? ` Left out: ${left.join('; ')}.` : '';
  const why = `Published results from ${machine}, and these two runs. A step may come from the code, the settings or other load on the machine.${without}`;
  return [toHtml([heading(2, 'Over time'), paragraph(why)]), ...(await Promise.all(figures))].join('\n');
}

/** One result as a list; none of a damaged one, with the reason in `left`. */
function readable(file, left) {
  try {
    return [readResults(file)];
  } catch (error) {
    if (!(error instanceof DamagedRun)) throw error;
    left.push(error.message);
    return [];
  }
}
