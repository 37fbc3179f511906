/** results/index.html: what is known by now, of all targets or of one; find a run, follow a cell over time, compare two runs. */
import { withCurrentName } from '../analyse/renamed.js';
import { byName, plural } from '../analyse/words.js';
import { list } from './blocks.js';
import { bundled, styled } from './bundle.js';
import { htmlPage, masthead } from './page.js';
import { targetsOf } from './readme.js';
import { sentences } from './sentences.js';
import { escaped, inline, toHtml } from './to-html.js';

const TRIAL = ['verdict', 'throughput_rps', 'requests', 'successes', 'p95_us', 'capacity', 'kind', 'resolution'];
const CELL = [
  'id',
  'database',
  'scale',
  'target',
  'variant',
  'workload',
  'tool',
  'model',
  'level',
  'share',
  'duration_s',
  'calibration',
  'trials_planned',
  'trials_used',
  'objective',
  'think_s',
  'answer',
];

const only = (keys, object) => Object.fromEntries(keys.map((key) => [key, object[key]]));

/** What compareRuns and the trends need of a run. */
function reduced({ results, machine }) {
  const reducedCell = (cell) => ({
    ...only(CELL, cell),
    latency_us: cell.latency_us && only(['kind', 'p95'], cell.latency_us),
    trials: cell.trials.map(({ reasons, ...trial }) => ({
      ...only(TRIAL, trial),
      reasons: reasons.map(({ check }) => ({ check })),
    })),
  });
  const { run, environment, capacities = [] } = results;
  const cells = results.cells
    .map((cell) => withCurrentName(cell, environment))
    .filter((cell) => !cell.calibration)
    .map(reducedCell);
  return { run, machine, environment, cells, capacities: capacities.map(reducedCell) };
}

/**
 * @param {{results, machine, published, link}[]} entries newest first @param {string[]} left why runs were left out
 * @param {{about: string, answers: {ask, text, targets: string[], experiment, date, link}[]}[]} current see currentAnswers
 * @returns {Promise<string>} HTML
 */
export async function resultsPage(entries, left, current) {
  const [style, script, charts] = await Promise.all([
    styled('page.css'),
    bundled('results-page.js'),
    bundled('charts.js'),
  ]);
  return htmlPage({
    title: 'Load tests: all runs',
    body: bodyOf(entries, left, current),
    style,
    script,
    packs: { data: JSON.stringify(entries.map(reduced)), 'chart-library': charts },
  });
}

function bodyOf(entries, left, current) {
  const rows = entries.map(runRow);
  const head = ['started', 'experiment', 'machine', 'trials', 'suspect', 'invalid', 'blocks', 'published', 'finding'];
  const numbers = new Set(['trials', 'suspect', 'invalid', 'blocks']);
  const heads = head.map((name) => `<th scope="col"${numbers.has(name) ? ' class="number"' : ''}>${name}</th>`);
  return `${masthead('all runs', 'runs')}
<main id="main" class="wide">${targetsHtml(entries)}${current.length > 0 ? `<h1>What is known by now</h1>\n${current.map(machineHtml).join('\n')}` : ''}
<h${current.length > 0 ? 2 : 1}>All runs</h${current.length > 0 ? 2 : 1}>
${entries.length === 0 ? '<p>No runs yet: <code>./run-all-tests.sh</code> makes one.</p>' : ''}
<section aria-label="Runs"><div class="filters"><label>Find <input type="search" id="search" placeholder="cube amd 2026-11 …"></label><p role="status" id="count" class="muted">${plural(entries.length, 'run')}</p></div>
<div class="scroll" role="group" tabindex="0" aria-label="All runs"><table class="sortable" id="runs"><thead><tr>${heads.join('')}</tr></thead><tbody>${rows.join('\n')}</tbody></table></div>
${left.length > 0 ? `<details><summary>${plural(left.length, 'folder')} left out</summary>${toHtml([list(left)])}</details>` : ''}</section>
<section aria-labelledby="trends" class="workload"><h2 id="trends">One cell over time</h2>
<p class="muted">Runs of one machine; figures of different machines do not make a line. A step may come from the code, the settings or other load on the machine: two runs side by side show which settings changed.</p>
<div class="filters"><label>Machine <select id="machine"></select></label><label>Cell <select id="cell"></select></label></div>
<figure><div class="canvas" id="trend" role="img" aria-label="Line charts: throughput and 95th percentile of the chosen cell, run by run"></div></figure></section>
<section aria-labelledby="sides" class="workload"><h2 id="sides">Two runs side by side</h2>
<p class="muted">The same as <code>scripts/compare.sh</code> prints.</p>
<div class="filters"><label>First <select id="first"></select></label><label>Second <select id="second"></select></label><label>Regression above <input type="number" id="threshold" value="5" min="0" step="0.5"> %</label></div>
<div id="comparison" aria-live="polite"></div></section></main>`;
}

/** A target leads to what is known of it: the page then shows that alone. */
const targetLink = (name) => `<a href="#target=${escaped(encodeURIComponent(name))}">${escaped(name)}</a>`;

/** For the script: whom a row is about. */
const about = (targets) => ` data-targets="${escaped(targets.join(' '))}"`;

function targetsHtml(entries) {
  const names = [...new Set(entries.flatMap(({ results }) => targetsOf(results.cells)))].sort(byName);
  if (names.length === 0) return '';
  const links = names.map((name) => `<li>${targetLink(name)}</li>`);
  return `<nav aria-label="Targets"><ul><li><a href="#target=">all targets</a></li>${links.join('')}</ul></nav>
<p role="status" id="about"></p>
`;
}

function machineHtml({ about: machine, answers }) {
  const rows = answers.map(
    ({ ask, text, targets, experiment, date, link }) =>
      `<tr${about(targets)}><td><a href="${escaped(link)}">${escaped(ask)}</a></td><td>${inline(text)}</td><td>${targets.map(targetLink).join(', ')}</td><td>${escaped(experiment)}</td><td>${date}</td></tr>`,
  );
  const heads = ['question', 'answer', 'targets', 'experiment', 'date'].map((name) => `<th scope="col">${name}</th>`);
  return `<p class="muted">${escaped(machine)}</p>
<div class="scroll" role="group" tabindex="0" aria-label="Answers"><table class="sortable answers"><thead><tr>${heads.join('')}</tr></thead><tbody>${rows.join('\n')}</tbody></table></div>`;
}

function runRow({ results, machine, published, link }) {
  const { run, verdicts } = results;
  const told = sentences(results);
  const started = escaped((run.started_at ?? '').slice(0, 16).replace('T', ' '));
  const finding = (told.find(({ claim }) => claim) ?? told[0])?.text ?? '–';
  const text = [run.id, machine, run.git_commit, ...told.map((line) => line.text)].join(' ');
  const number = (value) => `<td class="number">${value.toLocaleString('en-US')}</td>`;
  return `<tr data-text="${escaped(text.toLowerCase())}"${about(targetsOf(results.cells))}><td>${link ? `<a href="${escaped(link)}">${started}</a>` : started}</td><td>${escaped(run.experiment)}</td><td>${escaped(machine)}</td>${number(verdicts.planned - verdicts.not_run)}${number(verdicts.suspect)}${number(verdicts.invalid)}${number(run.blocks)}<td>${published ? 'yes' : ''}</td><td>${escaped(finding)}</td></tr>`;
}
