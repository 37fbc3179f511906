import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { listPublished, machineName } from '../../scripts/report/published.js';
import { readmeBlock, splitReadme } from '../../scripts/report/readme.js';
import { writeSyntheticRun } from './lib/synthetic.js';

const scripts = join(import.meta.dirname, '../../scripts');
const root = mkdtempSync(join(tmpdir(), 'publish-'));
const [published, readme] = [join(root, 'published'), join(root, 'README.md')];
const DAY = join(published, '20260105');
const NAME = 'synthetic-2-cores.synthetic';
const SWEEP = { targets: { raw: () => 60, rollup: (n) => 2000 * (n / (n + 4)) }, levels: [1, 10], tools: ['k6'] };
after(() => rmSync(root, { recursive: true }));

function run(script, ...args) {
  const env = { ...process.env, PUBLISHED: published, README: readme };
  const { status, stderr } = spawnSync(join(scripts, `${script}.sh`), args, { encoding: 'utf8', env });
  return { status, stderr };
}

function analysed(name, truth = {}) {
  const folder = writeSyntheticRun(join(root, name), { ...SWEEP, ...truth });
  assert.equal(run('stages/analyse', folder).status, 0);
  return folder;
}

before(() => writeFileSync(readme, '# Title\n<!-- results:begin -->\nold\n<!-- results:end -->\nrest\n'));

test('a run: its JSON to the byte, a post whose links lead somewhere, the README', () => {
  const folder = analysed('first');
  const { status, stderr } = run('publish', folder);
  assert.equal(status, 0, stderr);
  assert.deepEqual(readFileSync(join(DAY, `${NAME}.json`)), readFileSync(join(folder, 'results.json')));
  const post = readFileSync(join(DAY, NAME, 'post.md'), 'utf8');
  const links = [...post.matchAll(/\]\(([^)]+)\)/g)].map(([, link]) => link);
  assert.deepEqual(links, ['charts/tpch.analytics.k6.svg']);
  for (const kind of ['svg', 'png']) assert.ok(existsSync(join(DAY, NAME, `charts/tpch.analytics.k6.${kind}`)), kind);
  assert.match(post, /!\[rollup answers .+ Two line charts/);
  assert.match(post, /rollup, 10 users: p\(90\)=[\d.]+ms p\(95\)=/);
  assert.match(post, /k6 run -e vus=10 -e duration=5s k6\/analytics\.js/);
  assert.ok(!post.includes('<details>') && !post.includes('Not a clean run'));
  const text = readFileSync(readme, 'utf8');
  assert.match(text, /^# Title\n.+\nrest\n$/s);
  assert.match(text, /At 10 users rollup answered/);
  assert.ok(!text.includes('old'));
  for (const [, link] of text.matchAll(/\]\(results\/published\/([^)]+)\)/g))
    assert.ok(existsSync(join(published, link)), link);
});

test('what is published is never rewritten: the same run is refused, another of that day gets a number', () => {
  const before = readFileSync(join(DAY, `${NAME}.json`));
  const again = run('publish', join(root, 'first'));
  assert.equal(again.status, 2);
  assert.match(again.stderr, /^error: .+published already.+\n$/);
  for (const number of [2, 3]) {
    assert.equal(run('publish', analysed(`later-${number}`, { seed: number })).status, 0);
    assert.ok(existsSync(join(DAY, `${NAME}.${number}.json`)));
    assert.ok(existsSync(join(DAY, `${NAME}.${number}`, 'post.md')));
  }
  assert.deepEqual(readFileSync(join(DAY, `${NAME}.json`)), before);
  assert.deepEqual(
    listPublished(published).map(({ again: number }) => number),
    [1, 2, 3],
  );
  assert.match(readFileSync(readme, 'utf8'), /synthetic\.3\/post\.md/, 'the README shows the newest');
});

test('the README has the first look first, with its table open, and the control last', () => {
  const source = JSON.parse(readFileSync(join(DAY, `${NAME}.json`)));
  const [folder, experiments] = [join(root, 'ordered'), ['aa', 'baseline', 'cube']];
  mkdirSync(join(folder, '20260105'), { recursive: true });
  for (const experiment of experiments) {
    const results = { ...source, run: { ...source.run, experiment } };
    writeFileSync(join(folder, `20260105/m.${experiment}.json`), JSON.stringify(results));
  }
  const parts = readmeBlock(folder).split('### ').slice(1);
  assert.deepEqual(
    parts.map((part) => part.split('\n')[0]),
    ['baseline', 'cube', 'aa'],
  );
  assert.deepEqual(
    parts.map((part) => part.includes('<details>')),
    [false, true, true],
  );
});

test('invalid trials: refused, published only when asked to, and then said first', () => {
  const mutate = (summary) =>
    summary.cell.block === 1 ? { ...summary, status: { ...summary.status, exit_code: 1 } } : summary;
  const folder = analysed('invalid', { mutate, seed: 9 });
  const files = readdirSync(DAY).sort();
  const refused = run('publish', folder);
  assert.equal(refused.status, 2);
  assert.match(refused.stderr, /^error: .+4 invalid trials; --with-invalid publishes it all the same.+\n$/);
  assert.deepEqual(readdirSync(DAY).sort(), files);
  assert.equal(run('publish', folder, '--with-invalid').status, 0);
  const post = readFileSync(join(DAY, `${NAME}.4`, 'post.md'), 'utf8');
  assert.match(post, /\*\*Not a clean run: 4 invalid trials, in no figure\.\*\*/);
  assert.match(readFileSync(readme, 'utf8'), /4 invalid/);
});

test('a run without a usable trial, a README without marks, bad usage', () => {
  const nothing = analysed('nothing', {
    mutate: (summary) => ({ ...summary, status: { ...summary.status, exit_code: 1 } }),
  });
  assert.match(run('publish', nothing, '--with-invalid').stderr, /no usable trial/);
  for (const args of [[], ['a', 'b'], ['--what'], ['--readme', 'a']]) assert.equal(run('publish', ...args).status, 64);
  assert.equal(run('publish', join(root, 'absent')).status, 2);
  const text = readFileSync(readme, 'utf8');
  writeFileSync(readme, '# Title\n');
  assert.match(run('publish', '--readme').stderr, /^error: README\.md: wants the lines/);
  writeFileSync(readme, text);
});

test('readme.test.js turns red when one digit of the results in the README is changed', () => {
  const drift = (text) => {
    const copy = join(root, 'copy.md');
    writeFileSync(copy, text);
    const { NODE_TEST_CONTEXT, ...env } = process.env;
    const file = join(import.meta.dirname, 'readme.test.js');
    const options = ['--test-name-pattern', 'results in the README', file];
    return spawnSync(process.execPath, options, { env: { ...env, README: copy } }).status;
  };
  const { before, block, after } = splitReadme(readFileSync(join(scripts, '../README.md'), 'utf8'));
  const digit = /\d(?!.*\d)/s.exec(block);
  const changed = `${block.slice(0, digit.index)}${(Number(digit[0]) + 1) % 10}${block.slice(digit.index + 1)}`;
  assert.equal(drift(before + block + after), 0);
  assert.equal(drift(before + changed + after), 1);
});

test('machines are named after their processor and cores', () => {
  const name = (cpu, cores) => machineName({ machine: { cpu, cores } });
  assert.equal(name('AMD EPYC 7451 24-Core Processor', 2), 'amd-epyc-7451-24-core-2-cores');
  assert.equal(name('Intel(R) Core(TM) i5 CPU       M 520  @ 2.40GHz', 4), 'intel-core-i5-m-520-4-cores');
  assert.equal(name(null, null), 'unknown-machine');
  assert.equal(machineName(null), 'unknown-machine');
});
