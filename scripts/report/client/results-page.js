/** Entry of index.html's script. */
import { compareRuns } from '../../analyse/two-runs.js';
import { plural } from '../../analyse/words.js';
import { trendChart } from '../charts/trend.js';
import { palette } from '../palette.js';
import { toHtml } from '../to-html.js';
import { pointsOf } from '../trend.js';
import { twoRunsBlocks } from '../two-runs.js';
import { make } from './dom.js';
import { drawChart } from './library.js';
import { sortable } from './sort.js';
import { theme, watchTheme } from './theme.js';
import { unpack } from './unpack.js';

const $ = (id) => document.getElementById(id);
const RESIZE_MS = 150;

for (const table of document.querySelectorAll('table.sortable')) sortable(table);
unpack('data').then(async (text) => {
  const runs = JSON.parse(text);
  search();
  about();
  if (runs.length > 0) {
    twoRuns(runs);
    await trends(runs);
  }
  document.documentElement.dataset.ready = 'yes';
});

/** The target that the address names; null: all. */
const target = () => new URLSearchParams(location.hash.slice(1)).get('target') || null;

const isAbout = (row) => target() === null || row.dataset.targets.split(' ').includes(target());

/** Runs that have the words that were typed, of the chosen target. */
function search() {
  const rows = [...$('runs').tBodies[0].rows];
  const show = () => {
    const typed = $('search').value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const row of rows) row.hidden = !isAbout(row) || !typed.every((word) => row.dataset.text.includes(word));
    const shown = rows.filter((row) => !row.hidden).length;
    $('count').textContent = shown === rows.length ? plural(shown, 'run') : `${shown} of ${plural(rows.length, 'run')}`;
  };
  $('search').addEventListener('input', show);
  addEventListener('hashchange', show);
  show();
}

/** Answers about the chosen target, and what the page then says of itself. */
function about() {
  if (!$('about')) return;
  const show = () => {
    for (const row of document.querySelectorAll('table.answers tbody tr')) row.hidden = !isAbout(row);
    $('about').textContent =
      target() === null ? '' : `Only what is known of ${target()}: answers, runs and cells over time.`;
    for (const link of document.querySelectorAll('nav a')) {
      if (link.hash === `#target=${encodeURIComponent(target() ?? '')}`) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
    }
  };
  addEventListener('hashchange', () => {
    show();
    $('about').scrollIntoView({ block: 'center' });
  });
  show();
}

/** Fills a select. @param {[value: string, text: string][]} options */
function fill(select, options, chosen) {
  select.replaceChildren(...options.map(([value, text]) => make('option', { value }, text)));
  if (options.some(([value]) => value === chosen)) select.value = chosen;
}

async function trends(runs) {
  const isShown = (cell) => target() === null || cell.target === target();
  const here = () => runs.filter(({ machine }) => machine === $('machine').value);
  const machines = () => {
    const names = runs.filter(({ cells: measured }) => measured.some(isShown)).map(({ machine }) => machine);
    fill(
      $('machine'),
      [...new Set(names)].map((name) => [name, name]),
      $('machine').value,
    );
  };
  const cells = () => {
    const counts = new Map();
    for (const { id } of here().flatMap(({ cells: measured }) => measured.filter(isShown)))
      counts.set(id, (counts.get(id) ?? 0) + 1);
    const often = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
    fill(
      $('cell'),
      often.map(([id, count]) => [id, `${id} (${count})`]),
      $('cell').value,
    );
  };
  const draw = async () => {
    const canvas = $('trend');
    const look = { theme: theme(), width: canvas.clientWidth, font: getComputedStyle(document.body).fontFamily };
    const [{ colour }] = palette(['cell'], look.theme).values();
    const spec = trendChart(pointsOf(here(), $('cell').value), { look, colour });
    if (spec === null) canvas.replaceChildren();
    else await drawChart(canvas, spec);
  };
  machines();
  cells();
  addEventListener('hashchange', () => {
    machines();
    cells();
    draw();
  });
  $('machine').addEventListener('change', () => {
    cells();
    draw();
  });
  $('cell').addEventListener('change', draw);
  let timer = null;
  addEventListener('resize', () => {
    clearTimeout(timer);
    timer = setTimeout(draw, RESIZE_MS);
  });
  watchTheme(draw);
  await draw();
}

function twoRuns(runs) {
  const options = runs.map(({ run }, i) => [String(i), run.id]);
  const show = () => {
    const pair = [runs[$('first').value], runs[$('second').value]];
    const threshold = Number($('threshold').value) / 100;
    const [, ...blocks] = twoRunsBlocks(compareRuns(...pair, threshold), pair, threshold);
    $('comparison').innerHTML = toHtml(blocks);
    for (const table of $('comparison').querySelectorAll('table')) sortable(table);
  };
  fill($('first'), options, pairOf(runs));
  fill($('second'), options, '0');
  for (const id of ['first', 'second', 'threshold']) $(id).addEventListener('input', show);
  show();
}

/** The run before the newest that measured the same experiment on the same machine, else the one before it. */
function pairOf([newest, ...older]) {
  const same = older.findIndex(
    ({ run, machine }) => run.experiment === newest.run.experiment && machine === newest.machine,
  );
  return String(Math.max(0, same) + Math.min(1, older.length));
}
