/** report.html: one file without a network, readable before its scripts have run. */
import { askedBy } from '../analyse/comparisons.js';
import { COMPARED, once } from '../analyse/figures.js';
import { ratio } from '../analyse/format.js';
import { plural } from '../analyse/words.js';
import { tables as capacityTables } from '../findings/capacity/table.js';
import { besideBlocks } from './again/beside.js';
import { withoutTrials } from './answers/trials.js';
import { heading, list, paragraph } from './blocks.js';
import { bundled, packed, styled } from './bundle.js';
import { databases } from './counted.js';
import { databaseBlocks } from './database.js';
import { machineText } from './machine.js';
import { compared, environment, findings, reading } from './markdown.js';
import { answerHtml, pictureHtml, sectionHtml, withFigures } from './page-section.js';
import { picturedIn, picturesOf, tablesOf } from './pictures.js';
import { sectionsOf } from './section.js';
import { sentences } from './sentences.js';
import { escaped, inline, toHtml } from './to-html.js';
import { again, calibration, generators, limits, verdicts } from './trust.js';

const HEADLINES_FIRST = 6;
const CAUTIONS_FIRST = 3;

/** The page itself refuses everything from elsewhere. Charts compile expressions, which needs eval. */
const POLICY =
  "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; style-src 'unsafe-inline'; img-src data: blob:";

/**
 * A whole page.
 * @param {{title: string, body: string, style: string, packs?: Record<string, string>, script: string}} parts packs: texts that the
 *   script unpacks, by id
 * @returns {Promise<string>} HTML
 */
export async function htmlPage({ title, body, style, packs = {}, script }) {
  const data = Object.entries({ ...packs, script }).map(
    ([id, text]) => `<script type="text/plain" id="${id}">${packed(text)}</script>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<title>${escaped(title)}</title>
<link rel="icon" href="data:,">
<style>${style}</style>
<script>try { const theme = localStorage.getItem('theme'); if (theme) document.documentElement.dataset.theme = theme; } catch { /* storage is off: the system's theme */ }</script>
</head>
<body>
${body}
${data.join('\n')}
<script>${await bundled('start.js')}</script>
</body>
</html>
`;
}

/** It changes the theme. */
const THEME_BUTTON = '<button type="button" id="theme" class="quiet">Dark theme</button>';

/** What each page begins with, before its `main`. @param {string} what the page is @param {string} content what its `main` holds */
export const masthead = (what, content) => `<a class="skip" href="#main">Skip to the ${content}</a>
<header class="top"><div class="wide"><strong>pglab</strong> <span class="muted">${what}</span>${THEME_BUTTON}</div></header>`;

/**
 * @param {object} results results.json @param {object} details see detailsOf
 * @returns {Promise<string>} HTML
 */
export async function reportPage(results, details) {
  const sections = sectionsOf(results);
  const [style, script, charts] = await Promise.all([styled('page.css'), bundled('report.js'), bundled('charts.js')]);
  const data = {
    ...{ cells: results.cells, ...picturedIn(results), details },
    answers: results.answers.map(({ key, facts }) => ({ key, facts: withoutTrials(facts) })),
    sections: sections.map(({ key, cells: of }) => ({ key, ids: once(of).map(({ id }) => id) })),
    ratios: ratiosOf(results),
  };
  return htmlPage({
    title: `${results.run.experiment}: load test report`,
    body: bodyOf(results, sections),
    style,
    script,
    packs: { data: JSON.stringify(data), 'chart-library': charts },
  });
}

/** What the page shows of two cells that were compared: both, and the ratios as tables show them. @returns {string[][]} */
function ratiosOf({ comparisons, questions }) {
  const asked = askedBy(questions?.filter(({ answered }) => answered));
  return comparisons.map((entry) => [
    entry.numerator_cell,
    entry.denominator_cell,
    ...COMPARED.map((metric) => ratio(entry[metric], asked(entry, metric))),
  ]);
}

function bodyOf(results, sections) {
  const drawn = drawnAnswers(results);
  const own = new Set(drawn.map(({ key }) => key));
  const pictures = picturesOf(results).filter(({ key }) => !own.has(key));
  const beyond = [...tablesOf(results), ...databaseBlocks(results), ...besideBlocks(results)].filter(Boolean);
  const links = [
    ...pictures.map(({ key, link }) => [key, link]),
    ...sections.map((section) => [section.key, `${section.workload}, ${section.tool}${openly(section)}`]),
    ['cells', 'All cells'],
    ['trials', 'All trials'],
    ['method', 'Method and limits'],
  ];
  return `${masthead('load test report', 'results')}
<main id="main" class="wide">
${hero(results)}
${toHtml(capacityTables(results, results.answers))}
${drawn.map(answerHtml).join('\n')}
${cautionsHtml(results)}
<nav aria-label="Sections"><ul>${links.map(([id, text]) => `<li><a href="#${escaped(id)}">${escaped(text)}</a></li>`).join('')}</ul></nav>
${pictures.map(pictureHtml).join('\n')}
${sections.map((section) => sectionHtml(results, section)).join('\n')}
${beyond.length > 0 ? `<section class="workload">${toHtml(beyond)}</section>` : ''}
<section aria-labelledby="cells"><h2 id="cells">All cells</h2>
<p>Choose two to see them side by side.</p>
<div id="cell-table"><noscript>This table needs JavaScript; the sections above have the same rows.</noscript></div>
<div id="pair" aria-live="polite"></div></section>
<section aria-labelledby="trials"><h2 id="trials">All trials</h2>
<p>Every trial that ran. Open one for its seconds, its command, its files and what the checks found.</p>
<div id="trial-table"><noscript>This table needs JavaScript; results.csv has the same rows.</noscript></div></section>
<section aria-labelledby="method"><h2 id="method">Method and limits</h2>
${toHtml([
  heading(3, 'What was compared'),
  ...compared(results),
  heading(3, 'Verdicts'),
  ...verdicts(results),
  ...[calibration(results), generators(results), databases(results), again(results)].flat().map(oneDown),
  heading(3, 'Cautions'),
  list(results.cautions),
  limits(),
  environment(results),
])}</section>
</main>
<dialog id="trial" aria-labelledby="trial-title"></dialog>
<footer class="wide"><p class="muted">${escaped(results.run.id)}. Raw files are next to this page: <a href="results.json">results.json</a>, <a href="results.csv">results.csv</a>, <a href="report.md">report.md</a>, <a href="plan.json">plan.json</a>.</p></footer>`;
}

/** Those that have a picture. */
const drawnAnswers = ({ answers }) => answers.filter(({ facts }) => facts !== null);

/** Headings within the page's sections are one level below those of the Markdown. */
const oneDown = (block) => (block?.type === 'heading' ? { ...block, level: block.level + 1 } : block);

const openly = ({ model }) => (model === 'open' ? ', open' : '');

function hero(results) {
  const { run, verdicts: counts } = results;
  const badges = ['valid', 'suspect', 'invalid'].map(
    (verdict) =>
      `<li class="badge ${counts[verdict] > 0 ? verdict : 'none'}"><span>${counts[verdict].toLocaleString('en-US')}</span> ${verdict}</li>`,
  );
  if (counts.not_run > 0) badges.push(`<li class="badge invalid"><span>${counts.not_run}</span> not run</li>`);
  return `<section class="hero" aria-labelledby="title"><h1 id="title">${escaped(run.experiment)}</h1>
${toHtml([paragraph(run.why)])}
<ul class="badges" aria-label="Trials by verdict">${badges.join('')}</ul>
<div class="findings">${headlinesHtml(results)}</div>
<p class="muted">${escaped(machineText(results))}. ${plural(run.blocks, 'block')}, ${escaped((run.started_at ?? '').slice(0, 16).replace('T', ' '))} UTC, commit ${escaped(run.git_commit?.slice(0, 12) ?? 'unknown')}.</p></section>`;
}

/** What speaks against the figures: the first few, the rest folded away. */
function cautionsHtml({ cautions }) {
  const [first, rest] = [cautions.slice(0, CAUTIONS_FIRST), cautions.slice(CAUTIONS_FIRST)];
  const more =
    rest.length > 0 ? [`<details><summary>${plural(rest.length, 'more caution')}</summary>`, '</details>'] : ['', ''];
  return `<aside aria-label="Cautions"><h2>Before you quote this</h2>${toHtml([list(first)])}${more.join(toHtml([list(rest)]))}</aside>`;
}

/** The findings that have no picture, their figures in bold; those after the first few are folded away. */
function headlinesHtml(results) {
  const drawn = new Set(drawnAnswers(results).map(({ ask }) => ask));
  const all = sentences(results);
  if (all.length === 0) return toHtml(findings(results));
  const lines = all.filter(({ ask }) => !drawn.has(ask));
  const items = lines.map(
    ({ ask, text, claim }) =>
      `<li${claim ? ' class="claim"' : ''}>${ask ? `<span class="ask">${escaped(ask)}</span> ` : ''}${claim ? withFigures(text) : inline(text)}</li>`,
  );
  const listed = (shown) => (shown.length > 0 ? `<ul class="headlines">${shown.join('')}</ul>` : '');
  const rest = items.slice(HEADLINES_FIRST);
  return `${listed(items.slice(0, HEADLINES_FIRST))}${
    rest.length > 0 ? `<details><summary>${plural(rest.length, 'more finding')}</summary>${listed(rest)}</details>` : ''
  }<p class="muted">${escaped(reading(results))}</p>`;
}
