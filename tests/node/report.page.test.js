import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { percentile, rateSpread, ratio } from '../../scripts/analyse/format.js';
import { compareValues, sortValue } from '../../scripts/report/client/sort.js';
import { axe, launch, open, VIEWS } from '../lib/browser.js';
import { PANELS, writeRaw } from './lib/raw-seconds.js';
import { LARGE, stage, writeRichRun } from './lib/rich-run.js';

const root = mkdtempSync(join(tmpdir(), 'report-page-'));
const SHOTS = process.env.SCREENSHOTS; // a folder: leaves pictures of the page there
const MEGABYTE = 1e6;
let browser;

function reported(name, truth, prepare = () => {}) {
  const folder = writeRichRun(join(root, name), truth);
  prepare(folder);
  stage('analyse', folder);
  addLadder(join(folder, 'results.json'));
  stage('report', folder);
  return folder;
}

/** A ladder of the run's own cells: its shape is what the page is tested with, not its sense. */
function addLadder(file) {
  const results = JSON.parse(readFileSync(file, 'utf8'));
  const cells = results.cells.filter(({ calibration, tool, level }) => !calibration && tool === 'k6' && level === 10);
  const rungs = cells.map(({ id, target, throughput_rps }, i) => ({
    name: `rung ${i} ${target}`,
    cell: id,
    throughput_rps,
    db_efficiency: null,
    request_ms: 1,
    added_ms: i,
  }));
  results.ladders = [{ database: 'tpch', question: 'analytics', level: 10, rungs }];
  writeFileSync(file, JSON.stringify(results));
}

/** Waits, without scrolling, until every figure is drawn, or hidden as there is nothing to draw. */
async function drawAll(page) {
  await page.waitForSelector('html[data-drawn]');
  const blank = await page.$$eval(
    'figure[data-chart]',
    (all) => all.filter((figure) => !figure.hidden && !figure.querySelector('svg')).length,
  );
  assert.equal(blank, 0);
}

/** A trial with all that a trial may have by the second. */
const WATCHED = '01/tpch@1.pooled.base.echo.k6.closed-0050';

const ASKED = ['analytics', 'echo'].map((workload) => ({
  ...{
    ask: `What does a rollup gain for ${workload}?`,
    primary: true,
    metric: 'throughput',
    kind: 'pair',
    dimension: 'target',
  },
  ...{ where: {}, why: null },
  sides: ['rollup', 'raw'].map((name) => ({ name, cells: [`tpch@1.${name}.base.${workload}.wrk.closed-0010`] })),
}));

before(async () => {
  browser = await launch();
});
after(async () => {
  await browser.close();
  rmSync(root, { recursive: true });
});

test('the page in both themes and on a phone: charts drawn, no fault, no request, axe finds nothing', async () => {
  const folder = reported('rich', { questions: ASKED }, (run) => writeRaw(join(run, 'cells', WATCHED)));
  const bytes = statSync(join(folder, 'report.html')).size;
  assert.ok(bytes < 0.6 * MEGABYTE, `${bytes} bytes`);
  for (const [name, view] of Object.entries(VIEWS)) {
    const { page, faults } = await open(browser, join(folder, 'report.html'), view);
    await drawAll(page);
    const drawn = await page.$$eval('figure[data-chart] svg', (all) => all.length);
    assert.ok(drawn >= 16, `${drawn} charts`);
    assert.equal(await page.locator('.answer svg').count(), 1);
    assert.equal(await page.locator('figure[data-chart="picture"] svg').count(), 2, 'an answer and a ladder');
    assert.equal(await page.locator('figure .canvas:not([aria-label])').count(), 0, 'each chart says what it shows');
    assert.deepEqual(await axe(page), []);
    const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(wider <= 0, `${name}: the page is wider than the window by ${wider} pixels`);
    if (SHOTS) {
      mkdirSync(SHOTS, { recursive: true });
      await page.evaluate(() => scrollTo(0, 0));
      await page.screenshot({ path: join(SHOTS, `report-${name}.png`), fullPage: true });
    }
    await page.locator('#trial-table tbody button').first().click();
    await page.waitForSelector('dialog[open] svg');
    assert.deepEqual(await axe(page, 'dialog[open]'), []);
    await page.evaluate((id) => {
      location.hash = id;
    }, WATCHED);
    await page.waitForFunction((id) => document.querySelector('dialog').innerText.includes(id), WATCHED);
    const panels = page.locator('dialog[open] svg .role-title-text text');
    await panels.first().waitFor({ state: 'attached' });
    const titles = await panels.allTextContents();
    for (const title of PANELS) assert.ok(titles.includes(title), `${title}: ${titles}`);
    assert.equal(await page.locator('dialog[open] .canvas').getAttribute('role'), 'img');
    assert.match(await page.locator('dialog[open] .canvas').getAttribute('aria-label'), /over time/);
    assert.deepEqual(await axe(page, 'dialog[open]'), []);
    if (SHOTS) await page.locator('dialog[open] .canvas').screenshot({ path: join(SHOTS, `trial-${name}.png`) });
    assert.deepEqual(faults, []);
    await page.context().close();
  }
});

test('curves and pool maps on the page, in both themes and on a phone; a dot of a curve opens its trial', async () => {
  const folder = reported('pools', {
    targets: { pooled: (n, { env }) => (300 * Math.min(n, env.POOL_SIZE)) / (1 + 0.01 * n), raw: (n) => 90 * n },
    variants: [1, 10].map((size) => ({ name: `pool-${size}`, env: { POOL_SIZE: String(size) } })),
    experiment: { report: ['curves', 'pool-map'] },
    ...{ levels: [1, 10, 20], tools: ['k6'], workloads: ['echo'], mutate: (summary) => summary },
  });
  for (const [name, view] of Object.entries(VIEWS)) {
    const { page, faults } = await open(browser, join(folder, 'report.html'), view);
    await drawAll(page);
    const pictures = page.locator('figure[data-chart="picture"]');
    assert.equal(await pictures.locator('svg').count(), 5, 'a ladder, two sets of curves, two maps');
    assert.deepEqual(await axe(page), []);
    const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(wider <= 0, `${name}: the page is wider than the window by ${wider} pixels`);
    if (SHOTS) await pictures.nth(1).screenshot({ path: join(SHOTS, `curves-${name}.png`) });
    if (SHOTS) await pictures.nth(4).screenshot({ path: join(SHOTS, `pool-map-${name}.png`) });
    if (name === 'light') {
      await pictures.nth(1).locator('svg .mark-symbol path').first().dispatchEvent('click');
      await page.waitForSelector('dialog[open]');
    }
    assert.deepEqual(faults, []);
    await page.context().close();
  }
});

test('the page opens with what was asked, found and drawn; a link leads to a cell', async () => {
  const file = join(root, 'rich/report.html');
  const { page, faults } = await open(browser, file);
  const headings = await page.$$eval('main h2', (all) => all.slice(0, 2).map((one) => one.textContent));
  assert.deepEqual(headings, [ASKED[0].ask, 'Before you quote this']);
  assert.match(
    await page.locator('.hero .headlines').innerText(),
    /for echo\?\s+No answer/,
    'one of its trials is invalid',
  );
  assert.match(
    await page.locator('.answer figcaption').first().innerText(),
    /^With 10 HTTP connections; analytics, wrk, /,
  );
  await drawAll(page);
  await page
    .locator('.answer svg path[aria-roledescription="point"], .answer svg .mark-symbol path')
    .first()
    .dispatchEvent('click');
  await page.waitForSelector('dialog[open]');
  await page.locator('dialog[open] a[href^="#tpch"]').click();
  const target = await page
    .locator('tr:target')
    .evaluate((row) => [row.id, row.getBoundingClientRect().top > 0, row.getBoundingClientRect().bottom < innerHeight]);
  assert.match(target[0], /^tpch@1\.\w+\.base\.analytics\.wrk\.closed-\d{4}$/);
  assert.deepEqual(target.slice(1), [true, true]);
  await page.waitForSelector('dialog:not([open])', { state: 'attached' });
  assert.equal(decodeURIComponent(await page.evaluate(() => location.hash)), `#${target[0]}`);
  assert.deepEqual(faults, []);
  await page.context().close();
});

test('on paper all is there, and light, whatever the theme', async () => {
  const { page, faults } = await open(browser, join(root, 'rich/report.html'), VIEWS.dark);
  await drawAll(page);
  const titles = () =>
    page.$$eval('.answer .role-title-text text', (all) => all.map((one) => getComputedStyle(one).fill));
  const before = await titles();
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  const printed = await titles();
  assert.ok(printed.length > 0 && printed.every((fill, i) => fill !== before[i]), `${before} ${printed}`);
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  await drawAll(page);
  const pdf = await page.pdf({
    format: 'A4',
    printBackground: true,
    ...(SHOTS ? { path: join(SHOTS, 'report.pdf') } : {}),
  });
  assert.ok(pdf.length > 50_000, `${pdf.length} bytes`);
  assert.deepEqual(faults, []);
  await page.context().close();
});

test('a trial opens by keyboard to its command, files and reasons, by link too, and closes by Escape', async () => {
  const folder = join(root, 'rich');
  const { page, faults } = await open(browser, join(folder, 'report.html'));
  await page.locator('#trial-table tbody button.invalid').first().focus();
  await page.keyboard.press('Enter');
  const dialog = page.locator('dialog[open]');
  assert.match(await dialog.innerText(), /exit_status|littles_law/);
  assert.match(await dialog.locator('pre').first().innerText(), /^(k6 run|wrk) /);
  const links = await dialog.locator('.files a').evaluateAll((all) => all.map((link) => link.getAttribute('href')));
  assert.ok(links.length > 0 && links.every((link) => existsSync(join(folder, link))), links.join(' '));
  const hash = await page.evaluate(() => location.hash);
  await page.keyboard.press('Escape');
  assert.equal(await page.locator('dialog[open]').count(), 0);
  await page.evaluate((to) => {
    location.hash = to;
  }, hash);
  await page.waitForSelector('dialog[open]');
  assert.deepEqual(faults, []);
  await page.context().close();
});

test('themes: the system decides, the button overrules it; every table sorts', async () => {
  const { page, faults } = await open(browser, join(root, 'rich/report.html'), VIEWS.dark);
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const dark = await ground();
  await page.getByRole('button', { name: 'Light theme' }).click();
  assert.notEqual(await ground(), dark);
  const column = () =>
    page.$$eval('table.sortable >> nth=0 >> tbody td:nth-child(3)', (cells) => cells.map((c) => c.textContent));
  const heading = page.locator('table.sortable').first().locator('th').nth(2);
  for (const [direction, sign] of [
    ['ascending', 1],
    ['descending', -1],
  ]) {
    await heading.locator('button').click();
    assert.equal(await heading.getAttribute('aria-sort'), direction);
    const values = (await column()).map(sortValue);
    assert.ok(
      values.every((value, i) => i === 0 || compareValues(values[i - 1], value, sign) <= 0),
      values.join(' '),
    );
  }
  const unsortable = await page.$$eval(
    'table',
    (tables) => tables.filter((t) => !t.tHead.querySelector('button') && !t.matches('.strip')).length,
  );
  assert.equal(unsortable, 0);
  assert.deepEqual(faults, []);
  await page.context().close();
});

test('two cells side by side: their figures, the ratio that the run has, both commands; a third takes the place of the first', async () => {
  const folder = join(root, 'rich');
  const { cells, comparisons } = JSON.parse(readFileSync(join(folder, 'results.json'), 'utf8'));
  const [raw, pooled, other] = [
    'tpch@1.raw.base.analytics.k6.closed-0010',
    'tpch@1.pooled.base.analytics.k6.closed-0010',
    'tpch@1.pooled.base.echo.k6.closed-0050',
  ];
  const { page, faults } = await open(browser, join(folder, 'report.html'));
  const choose = async (id) => {
    await page.locator('#cell-table input[type="search"]').fill(id.replaceAll('.', ' '));
    await page.getByLabel(`compare ${id}`, { exact: true }).check();
  };
  await choose(raw);
  assert.equal(await page.locator('#pair table').count(), 0);
  await choose(pooled);
  const entry = comparisons.find((one) =>
    [raw, pooled].every((id) => [one.numerator_cell, one.denominator_cell].includes(id)),
  );
  const head = await page.locator('#pair thead th').allTextContents();
  assert.deepEqual(head, [entry.numerator_cell, entry.denominator_cell, 'ratio']);
  const row = (name) => page.locator('#pair tbody tr', { hasText: name }).locator('td').allTextContents();
  const figures = (metric, key) => head.slice(0, 2).map((id) => metric(cells.find((cell) => cell.id === id)[key]));
  assert.deepEqual(await row('answers/s'), [...figures(rateSpread, 'throughput_rps'), ratio(entry.throughput)]);
  assert.deepEqual(await row('p95'), [
    ...figures((latency) => percentile(latency, 'p95'), 'latency_us'),
    ratio(entry.p95),
  ]);
  const commands = await page.locator('#pair pre').allTextContents();
  assert.equal(commands.filter((text) => /^k6 run -e vus=10 /.test(text)).length, 2);
  assert.deepEqual(await axe(page, 'section[aria-labelledby="cells"]'), []);
  await choose(other);
  assert.deepEqual(await page.locator('#pair thead th').allTextContents(), [pooled, other]);
  assert.match(await page.locator('#pair').innerText(), /The run has no ratio of these two/);
  await page.locator('#cell-table input[type="search"]').fill('');
  assert.equal(await page.getByLabel(`compare ${raw}`, { exact: true }).isChecked(), false);
  assert.deepEqual(faults, []);
  await page.context().close();
});

test('what the reader chose stands in the address: filter, verdict, order, level, two cells, open trial', async () => {
  const { page, faults } = await open(browser, join(root, 'rich/report.html'));
  await drawAll(page);
  await page.locator('#trial-table input').fill('raw echo');
  await page.locator('#trial-table select').selectOption('valid');
  for (let i = 0; i < 2; i += 1) await page.locator('#trial-table th', { hasText: 'p95' }).locator('button').click();
  const level = page.locator('select[data-section="tpch.echo.k6"]');
  await level.selectOption('10');
  for (const box of [0, 1]) await page.locator('#cell-table tbody input').nth(box).check();
  const shown = () =>
    page.evaluate(() => ({
      trials: [...document.querySelectorAll('#trial-table tbody tr')].map((row) => row.innerText),
      order: document.querySelector('#trial-table th[aria-sort]')?.getAttribute('aria-sort'),
      level: document.querySelector('select[data-section="tpch.echo.k6"]').value,
      pair: document.querySelector('#pair').innerText,
    }));
  const before = await shown();
  assert.deepEqual([before.order, before.level, before.trials.length > 1], ['descending', '10', true]);
  await page.locator('#trial-table tbody button').first().click();
  const address = await page.evaluate(() => location.href);
  assert.match(
    address,
    /\?.*trials\.find=raw\+echo&trials\.only=valid&trials\.sort=-p95&level\.tpch\.echo\.k6=10&compare=.+#\d\d/,
  );
  await page.goto('about:blank');
  await page.goto(address);
  await page.waitForSelector('dialog[open]');
  assert.deepEqual(await shown(), before);
  await page.keyboard.press('Escape');
  await page.locator('#trial-table input').fill('');
  assert.doesNotMatch(await page.evaluate(() => location.href), /trials\.find|#/);
  assert.deepEqual(faults, []);
  await page.context().close();
});

test('2,000 trials: under 1 MB, found by typing and sorted by a click', async () => {
  const file = join(reported('large', LARGE), 'report.html');
  const bytes = statSync(file).size;
  assert.ok(bytes < MEGABYTE, `${bytes} bytes`);
  const { page, faults } = await open(browser, file);
  await page.locator('#trial-table input').fill('cube wrk 0400');
  assert.match(await page.locator('#trial-table .pages p').innerText(), /^20 trials$/);
  await page.locator('#trial-table th:nth-child(6) button').click();
  const values = (await page.locator('#trial-table tbody td:nth-child(6)').allTextContents()).map(sortValue);
  assert.ok(values.length > 9 && values.every((value, i) => i === 0 || compareValues(values[i - 1], value, 1) <= 0));
  assert.deepEqual(faults, []);
  await page.context().close();
});
