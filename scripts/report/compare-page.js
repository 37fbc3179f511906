/** What scripts/compare.sh --html writes: two runs side by side, and their cells over time. One file, without a network. */

import { withCurrentName } from '../analyse/renamed.js';
import { readResults } from '../analyse/run-folder.js';
import { heading, paragraph } from './blocks.js';
import { bundled, styled } from './bundle.js';
import { comparisonChart } from './charts/comparison.js';
import { PAPER } from './charts/style.js';
import { trendChart } from './charts/trend.js';
import { htmlPage, THEME_BUTTON } from './page.js';
import { palette } from './palette.js';
import { listPublished, machineName } from './published.js';
import { toSvg } from './render.js';
import { escaped, toHtml } from './to-html.js';
import { pointsOf } from './trend.js';

const MOST_TRENDS = 6;
const LEAST_RUNS = 3; // two runs over time are the comparison once more
const STYLE =
  'figure.paper { margin: 0 0 24px; overflow-x: auto } figure.paper img { background: #fff; max-width: 100% }';

/**
 * @param {object[]} blocks see comparisonBlocks
 * @param {{comparison, runs: object[], published: string}} compared comparison: see compareRuns; runs: both; published: the folder of published results
 * @returns {Promise<string>} HTML
 */
export async function comparisonPage([title, finding, ...blocks], { comparison, runs, published }) {
  const [style, script] = await Promise.all([styled('page.css'), bundled('compare.js')]);
  const chart = comparisonChart(comparison.cells);
  return htmlPage({
    title: title.text,
    body: `<a class="skip" href="#main">Skip to the comparison</a>
<header class="top"><div class="wide"><strong>pglab</strong> <span class="muted">two runs</span>${THEME_BUTTON}</div></header>
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
  const ofMachine = listPublished(published)
    .filter((found) => found.machine === machine)
    .map(({ file }) => readResults(file))
    .map((results) => ({ ...results, cells: results.cells.map((cell) => withCurrentName(cell, results.environment)) }));
  const here = [before, after].filter(({ environment }) => machineName(environment) === machine);
  const runs = [...new Map([...ofMachine, ...here].map((results) => [results.run.id, results])).values()];
  runs.sort((a, b) => (a.run.started_at < b.run.started_at ? -1 : 1));
  const drawn = askedAbout(after)
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
  const why = `Published results of ${machine}, and these runs of it. A step may come from the code, the settings or other load on the machine.`;
  return [toHtml([heading(2, 'Over time'), paragraph(why)]), ...(await Promise.all(figures))].join('\n');
}

function askedAbout({ questions = [] }) {
  const comparisons = questions.filter(({ primary }) => primary).flatMap((question) => question.comparisons);
  return [...new Set(comparisons.flatMap((one) => [...one.numerator_cells, ...one.denominator_cells]))];
}
