import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { cautions } from '../../scripts/analyse/cautions.js';
import { csv } from '../../scripts/analyse/csv.js';
import { analyse } from '../../scripts/analyse/results.js';
import { openRun } from '../../scripts/analyse/run-folder.js';
import { reading } from '../../scripts/report/markdown.js';
import { analysed, asked, halfOfThePeak, late, root, STEADY, SWEEP, side, TARGETS, tablesOf } from './lib/analysed.js';
import { writeSyntheticRun } from './lib/synthetic.js';

test('true ratios lie in the intervals; an answer says what was asked', () => {
  const { results } = analysed({
    ...{ ...SWEEP, blocks: 6, ceiling_rps: 20_000 },
    questions: [asked([side('pooled'), side('raw')]), asked([side('pooled'), side('raw')], { metric: 'p95' })],
  });
  assert.deepEqual(results.verdicts, { valid: 57, suspect: 0, invalid: 0, planned: 57, not_run: 0 });
  assert.equal(results.comparisons.length, 9);
  const holding = results.comparisons.filter(({ throughput, numerator, denominator, level }) => {
    const truth = TARGETS[numerator](level) / TARGETS[denominator](level);
    assert.ok(Math.abs(throughput.ratio / truth - 1) < 0.08);
    return throughput.low <= truth && truth <= throughput.high;
  });
  assert.ok(holding.length >= 7, `${holding.length} of 9 intervals include the truth`);
  const [throughput, p95] = results.questions;
  const [, low, high] = throughput.text.match(
    /^With 50 users, a connection pool \(pooled\) served [\d.]+ times as many requests per second as a connection per request \(raw; 97.5 % interval ([\d.]+) to ([\d.]+)\)\.$/,
  );
  assert.ok(low <= 3 && high >= 3, throughput.text);
  assert.match(
    p95.text,
    /^With 50 users, the p95 of a connection pool was \d+(?:\.\d)? % lower than that of a connection per request \(97\.5 %/,
  );
  assert.deepEqual([throughput.confidence, throughput.claim, p95.claim], [0.975, true, true]);
  assert.equal(results.cells.find(({ id }) => id.includes('.raw.')).headroom > 150, true);
  const tested = results.comparisons.flatMap((entry) =>
    ['throughput', 'p50', 'p95', 'p99'].filter((key) => (entry[key]?.differs ?? null) !== null),
  );
  const byChance = results.cautions.find((text) => /^\d+ ratios/.test(text));
  assert.ok(byChance.startsWith(`${tested.length - 2} ratios`), `two of ${tested.length} were asked: ${byChance}`);
  assert.match(reading(results), /make 2 comparisons, so each of their intervals is a 97\.5 % interval/);
});

test('variants and databases can be asked about', () => {
  const cells = (database, variant) => [`${database}@1.raw.${variant}.analytics.k6.closed-0004`];
  const { results } = analysed({
    targets: { raw: (_level, { name }, database) => (name === 'slow' ? 100 : 200) * (database === 'durable' ? 1 : 3) },
    levels: [4],
    variants: ['base', 'slow'],
    databases: ['durable', 'careless'],
    questions: [
      asked(
        ['base', 'slow'].map((name) => ({ name, cells: cells('durable', name) })),
        { dimension: 'variant' },
      ),
      asked(
        ['careless', 'durable'].map((name) => ({ name, cells: cells(name, 'base') })),
        { dimension: 'database' },
      ),
    ],
  });
  const [variants, databases] = results.questions.map(({ text, context }) => `${text} ${context}`);
  assert.match(
    variants,
    /^With 4 users, a connection per request \(raw\) served .+ its variant slow \(.+\)\. Measured with .+, k6, durable scale 1\.$/,
  );
  assert.match(
    databases,
    /^With 4 users, careless served .+ as a server with durable commits \(.+\)\. Measured with .+, k6, a connection per request, scale 1\.$/,
  );
});

test('no claim is made of an interval that includes 1', () => {
  const { results } = analysed({
    ...{ ...SWEEP, targets: { one: () => 300, other: () => 302 }, trialSd: 0.1 },
    questions: [asked([side('one'), side('other')])],
  });
  const [{ claim, text }] = results.questions;
  assert.equal(claim, false);
  assert.match(
    text,
    /^With 50 users, no difference in requests per second was shown between one and other: the first over the second is .* a true difference of [\d.]+ % would be found in four such runs of five/,
  );
});

test('A/A: intervals include 1 about 95 times in 100', () => {
  const levels = Array.from({ length: 25 }, (_, i) => i + 1);
  const { results } = analysed({
    targets: { pooled: () => 500, raw: () => 300 },
    variants: ['base', 'again'],
    levels,
    blocks: 5,
    seed: 4,
  });
  const { throughput } = results.again.by_metric;
  assert.equal(throughput.comparisons, 50);
  assert.ok(throughput.hold_one >= 44, `${throughput.hold_one} of 50`);
  assert.ok(results.comparisons.every(({ kind, variant }) => kind === 'again' || variant === 'base'));
});

test('one block: ratios without interval, no claim', () => {
  const { results } = analysed({ ...SWEEP, blocks: 1, questions: [asked([side('pooled'), side('raw')])] });
  assert.ok(results.comparisons.every(({ throughput }) => throughput.low === null && throughput.differs === null));
  const [{ answered, claim, text }] = results.questions;
  assert.deepEqual([answered, claim, text], [false, false, 'No answer: one block has no interval.']);
  assert.ok(results.cautions.some((caution) => caution.startsWith('One block only')));
});

test('what was asked and not answered is none of the ratios that nobody asked for', () => {
  const { results } = analysed(SWEEP);
  const [{ numerator_cell, denominator_cell }] = results.comparisons;
  const comparisons = [{ numerator_cells: [numerator_cell], denominator_cells: [denominator_cell] }];
  const unasked = (questions) => Number(/^(\d+) ratios/m.exec(cautions({ ...results, questions }).join('\n'))[1]);
  assert.ok(unasked([]) > 20);
  assert.equal(unasked([{ answered: false, metric: 'throughput', comparisons }]), unasked([]) - 1);
});

test('a run whose cells have different numbers of blocks: curves and comparisons take those of all', () => {
  const folder = writeSyntheticRun(join(root, 'uneven'), { ...SWEEP, blocks: 6 });
  const file = join(folder, 'plan.json');
  const plan = JSON.parse(readFileSync(file, 'utf8'));
  for (const group of plan.groups)
    group.cells = group.cells.filter(({ level, block }) => level === 50 || block % 2 === 1);
  writeFileSync(file, JSON.stringify({ ...plan, groups: plan.groups.filter(({ cells }) => cells.length > 0) }));
  const { scaling, verdicts, comparisons, cells } = analyse(openRun(folder));
  assert.equal(verdicts.planned, 36);
  assert.deepEqual(cells.find(({ level, calibration }) => level === 10 && !calibration).blocks, [1, 3, 5]);
  assert.deepEqual(
    new Set(comparisons.map(({ level, throughput }) => `${level}: ${throughput.n}`)),
    new Set(['1: 3', '10: 3', '50: 6']),
  );
  assert.equal(scaling.find(({ target }) => target === 'rollup').knee.level, 50);
});

test('a single target: nothing to compare, everything else', () => {
  const { results } = analysed({ ...SWEEP, targets: { raw: () => 100 } });
  assert.deepEqual([results.comparisons, results.questions], [[], []]);
  assert.equal(results.cells.length, 3);
});

test('a ratio that was asked for and not answered has no star', () => {
  assert.match(tablesOf(halfOfThePeak(STEADY)), /\] \*"/);
  assert.doesNotMatch(tablesOf(halfOfThePeak({ ...STEADY, mutate: late })), /\] \*"/);
});

test('the same files give the same results', () => {
  const { folder, results } = analysed(SWEEP);
  assert.deepEqual(analyse(openRun(folder)), results);
});

test('CSV: a row per trial, fields quoted where they must be', () => {
  const { results } = analysed({ ...SWEEP, targets: { raw: () => 100 } });
  results.cells[0].trials[0].reasons.push({ check: 'errors', text: 'one, "two"' });
  const lines = csv(results).trimEnd().split('\n');
  assert.equal(lines.length, 10);
  assert.ok(lines[0].startsWith('trial,database,scale,target'));
  assert.equal(lines[1].split(',')[lines[0].split(',').indexOf('latency_kind')], 'closed');
  assert.ok(lines[1].includes('"errors: one, ""two"""'));
});
