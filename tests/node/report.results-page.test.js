import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { writeCatalogue } from '../../scripts/report/published.js';
import { axe, launch, open, VIEWS } from '../lib/browser.js';
import { writeSyntheticRun } from './lib/synthetic.js';

const scripts = join(import.meta.dirname, '../../scripts');
const root = mkdtempSync(join(tmpdir(), 'index-'));
const QUESTION = {
  ...{ ask: 'What does a rollup gain?', primary: true, metric: 'throughput', kind: 'pair', dimension: 'target' },
  ...{ where: {}, why: null },
  sides: ['rollup', 'raw'].map((name) => ({ name, cells: [`tpch@1.${name}.base.analytics.k6.closed-0010`] })),
};
const SWEEP = { levels: [1, 10], tools: ['k6'], blocks: 5, blockSd: 0.02, questions: [QUESTION] };
let browser;

function run(script, ...args) {
  const { status, stdout, stderr } = spawnSync(join(scripts, `${script}.sh`), args, { encoding: 'utf8' });
  return { status, stdout, stderr };
}

before(async () => {
  for (const [name, rps] of Object.entries({ '1-before': 60, '2-slower': 45 })) {
    const targets = { raw: () => rps, rollup: (n) => 2000 * (n / (n + 4)), ...(rps === 45 ? { other: () => 50 } : {}) };
    const folder = writeSyntheticRun(join(root, 'runs', name), { ...SWEEP, targets, seed: rps });
    assert.equal(run('stages/analyse', folder).status, 0);
  }
  mkdirSync(join(root, 'runs/4-suite'));
  renameSync(join(root, 'runs/2-slower'), join(root, 'runs/4-suite/2-slower'));
  writeFileSync(join(root, 'runs/4-suite/suite.json'), '{"name": "suite", "why": "test", "runs": ["2-slower"]}');
  mkdirSync(join(root, 'runs/3-unfinished'));
  mkdirSync(join(root, 'published/20260105'), { recursive: true });
  const results = JSON.parse(readFileSync(join(root, 'runs/1-before/results.json'), 'utf8'));
  results.run.id = '0-elsewhere';
  results.environment.machine.cpu = 'Other CPU';
  const other = join(root, 'published/20260105/other-2-cores.synthetic');
  writeFileSync(`${other}.json`, JSON.stringify(results));
  mkdirSync(other);
  writeFileSync(join(other, 'post.html'), '');
  const current = '20260105/other-2-cores.synthetic';
  writeCatalogue(join(root, 'published'), [
    { experiment: 'synthetic', machine: 'other-2-cores', current, supersedes: [] },
  ]);
  const { status, stderr } = run('stages/results-page', root);
  assert.equal(status, 0, stderr);
  assert.match(stderr, /left out: .+3-unfinished/);
  browser = await launch();
});
after(async () => {
  await browser.close();
  rmSync(root, { recursive: true });
});

test('runs are found, in both themes and on a phone, without a fault', async () => {
  for (const view of Object.values(VIEWS)) {
    const { page, faults } = await open(browser, join(root, 'index.html'), view);
    await page.waitForSelector('#trend svg');
    const known = page.locator('table.answers tbody tr');
    assert.match(
      await known.innerText(),
      /^What does a rollup gain\?\s+With 10 users, the rollup .+\s+synthetic\s+2026-01-05$/,
    );
    assert.equal(
      await known.locator('a').first().getAttribute('href'),
      'published/20260105/other-2-cores.synthetic/post.html',
    );
    assert.equal(await page.locator('#runs tbody tr:visible').count(), 3);
    await page.locator('#search').fill('other-2');
    assert.equal(await page.locator('#runs tbody tr:visible').count(), 1);
    assert.match(await page.locator('#count').innerText(), /^1 of 3 runs$/);
    assert.equal(await page.locator('#runs tbody tr:visible a[href$="other-2-cores.synthetic/post.html"]').count(), 1);
    assert.deepEqual(await axe(page), []);
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0);
    assert.deepEqual(faults, []);
    await page.context().close();
  }
});

test('the name of a target leads to its answers, its runs and its cells over time', async () => {
  const { page, faults } = await open(browser, join(root, 'index.html'));
  const names = await page.locator('nav[aria-label="Targets"] a').allTextContents();
  assert.deepEqual(names, ['all targets', 'other', 'raw', 'rollup']);
  const targets = page.locator('table.answers tbody a[href^="#target="]');
  assert.deepEqual(await targets.allTextContents(), ['raw', 'rollup']);
  await targets.last().click();
  await page.locator('#about', { hasText: /^Only what is known of rollup/ }).waitFor(); // the page hears of its hash later
  assert.equal(await page.locator('table.answers tbody tr:visible').count(), 1);
  assert.equal(await page.locator('#runs tbody tr:visible').count(), 3);
  const cells = await page.locator('#cell option').allTextContents();
  assert.ok(cells.length > 0 && cells.every((text) => text.includes('.rollup.')), cells.join(' '));
  assert.equal(await page.locator('nav a[aria-current]').innerText(), 'rollup');
  await page.goBack();
  await page.locator('#about', { hasText: /^$/ }).waitFor({ state: 'attached' });
  await page.locator('nav a', { hasText: /^other$/ }).click();
  await page.locator('#about', { hasText: /^Only what is known of other/ }).waitFor();
  assert.equal(await page.locator('table.answers tbody tr:visible').count(), 0);
  assert.match(await page.locator('#count').innerText(), /^1 of 3 runs$/);
  assert.deepEqual(await axe(page), []);
  assert.deepEqual(faults, []);
  await page.context().close();
});

test('a trend holds the runs of one machine; two runs stand side by side as compare.sh prints them', async () => {
  const { page, faults } = await open(browser, join(root, 'index.html'));
  await page.locator('#machine').selectOption('synthetic-2-cores');
  await page.waitForSelector('#trend svg');
  assert.match(await page.locator('#cell option').first().innerText(), / \(2\)$/);
  await page.locator('#first').selectOption({ label: '1-before' });
  await page.locator('#second').selectOption({ label: '2-slower' });
  const { status, stdout } = run('compare', join(root, 'runs/1-before'), join(root, 'runs/4-suite/2-slower'));
  assert.equal(status, 1);
  const printed = stdout
    .split('\n')
    .filter((line) => /^\| tpch/.test(line))
    .map((line) =>
      line
        .slice(2, -2)
        .split(' | ')
        .map((cell) => cell.trim())
        .join('|'),
    );
  const shown = await page.$$eval('#comparison tbody tr', (rows) =>
    rows.map((row) => [...row.cells].map((cell) => cell.textContent.trim()).join('|')),
  );
  assert.deepEqual(shown, printed);
  assert.match(await page.locator('#comparison').innerText(), /worse: throughput/);
  await page.locator('#threshold').fill('60');
  assert.match(await page.locator('#comparison').innerText(), /No figure was shown to be worse by more than 60\s%/);
  assert.deepEqual(faults, []);
  await page.context().close();
});

test('compare.sh --html: both runs, their ratios and the cells over time, without a fault in any view', async () => {
  const pages = join(root, 'compared');
  mkdirSync(join(pages, '20260101'), { recursive: true });
  for (const [i, name] of ['a', 'b'].entries()) {
    const results = JSON.parse(readFileSync(join(root, 'runs/1-before/results.json'), 'utf8'));
    Object.assign(results.run, { id: name, started_at: `2026-01-0${i + 1}T10:00:00.000Z` });
    writeFileSync(join(pages, `20260101/synthetic-2-cores.${name}.json`), JSON.stringify(results));
  }
  process.env.PUBLISHED = pages;
  const file = join(root, 'compared.html');
  const sides = [join(root, 'runs/1-before'), join(root, 'runs/4-suite/2-slower')];
  const { status, stderr } = run('compare', '--html', file, ...sides);
  delete process.env.PUBLISHED;
  assert.equal(status, 1, stderr);
  for (const view of Object.values(VIEWS)) {
    const { page, faults } = await open(browser, file, view);
    assert.equal(await page.locator('h1').innerText(), '2-slower against 1-before');
    assert.equal(await page.locator('tbody tr', { hasText: 'worse: throughput' }).count(), 2);
    assert.deepEqual(await page.locator('h3').allInnerTexts(), [
      'tpch@1.rollup.base.analytics.k6.closed-0010',
      'tpch@1.raw.base.analytics.k6.closed-0010',
    ]);
    const loaded = await page.$$eval('figure img', (images) =>
      images.map((one) => one.complete && one.naturalWidth > 0),
    );
    assert.deepEqual(loaded, [true, true, true]);
    assert.deepEqual(await axe(page), []);
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0);
    assert.deepEqual(faults, []);
    await page.context().close();
  }
});
