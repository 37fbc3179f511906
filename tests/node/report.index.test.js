import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { axe, launch, open, VIEWS } from '../lib/browser.js';
import { writeSyntheticRun } from './lib/synthetic.js';

const scripts = join(import.meta.dirname, '../../scripts');
const root = mkdtempSync(join(tmpdir(), 'index-'));
const SWEEP = { levels: [1, 10], tools: ['k6'], blocks: 5, blockSd: 0.02 };
let browser;

function run(script, ...args) {
  const { status, stdout, stderr } = spawnSync(join(scripts, `${script}.sh`), args, { encoding: 'utf8' });
  return { status, stdout, stderr };
}

before(async () => {
  for (const [name, rps] of Object.entries({ '1-before': 60, '2-slower': 45 })) {
    const targets = { raw: () => rps, rollup: (n) => 2000 * (n / (n + 4)) };
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
  writeFileSync(join(root, 'published/20260105/other-2-cores.synthetic.json'), JSON.stringify(results));
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
    assert.equal(await page.locator('#runs tbody tr:visible').count(), 3);
    await page.locator('#search').fill('other-2');
    assert.equal(await page.locator('#runs tbody tr:visible').count(), 1);
    assert.match(await page.locator('#count').innerText(), /^1 of 3 runs$/);
    assert.deepEqual(await axe(page), []);
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0);
    assert.deepEqual(faults, []);
    await page.context().close();
  }
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
  assert.match(await page.locator('#comparison').innerText(), /No figure is worse by more than 60\s%/);
  assert.deepEqual(faults, []);
  await page.context().close();
});
