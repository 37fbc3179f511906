import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { analyse } from '../../scripts/analyse/results.js';
import { openRun } from '../../scripts/analyse/run-folder.js';
import { judge } from '../../scripts/findings/objectives/find.js';
import { analysed, asked, SWEEP, side } from './lib/analysed.js';

test('no usable trial: figures are null, verdicts remain', () => {
  const broken = (summary) => ({ ...summary, status: { ...summary.status, exit_code: 1 } });
  const { results } = analysed({ ...SWEEP, mutate: broken });
  assert.equal(results.verdicts.invalid, 27);
  assert.ok(
    results.cells.every((cell) => cell.throughput_rps === null && cell.latency_us === null && cell.trials.length === 3),
  );
  assert.deepEqual([results.comparisons, results.questions], [[], []]);
});

test('a level at which wrk had too few answers for a throughput has no ratio; the others say which is faster', () => {
  const { results } = analysed({
    ...SWEEP,
    targets: { raw: () => 100, pooled: () => 300 },
    tools: ['wrk'],
    levels: [1, 16],
    mutate: (summary) => (summary.cell.level === 16 ? { ...summary, throughput_rps: null, latency_us: null } : summary),
  });
  const ratios = results.comparisons.map(({ numerator, level, throughput }) => [numerator, level, throughput?.n]);
  assert.deepEqual(ratios, [
    ['pooled', 1, 3],
    ['pooled', 16, undefined],
  ]);
});

test('invalid trials are shown, never averaged or ranked; without their block nothing is claimed', () => {
  const broken = (summary) => {
    if (summary.cell.block !== 2 || summary.cell.target !== 'raw') return summary;
    return {
      ...summary,
      throughput_rps: 1e6,
      successes: 1e7,
      requests: 1e7,
      status: { ...summary.status, exit_code: 1 },
    };
  };
  const { results } = analysed({ ...SWEEP, mutate: broken, questions: [asked([side('pooled', 10), side('raw', 10)])] });
  const raw = results.cells.find(({ target, level }) => target === 'raw' && level === 10);
  assert.deepEqual([raw.trials.length, raw.trials_used], [3, 2]);
  assert.ok(raw.throughput_rps.max < 200);
  const { n, of, differs } = results.comparisons.find(({ denominator_cell }) => denominator_cell === raw.id).throughput;
  assert.deepEqual([n, of, differs], [2, 3, null]);
  assert.equal(results.questions[0].text, 'No answer: only 2 of 3 blocks have both sides.');
  assert.ok(results.cautions.some((text) => /^In \d+ comparisons some blocks are missing on one side\./.test(text)));
});

test('a target that fails exactly when it is slow wins nothing by it; its errors count towards the objective', () => {
  const slow = ({ cell: { block, target } }) => target === 'odd' && block > 3;
  const fails = (summary) =>
    slow(summary)
      ? {
          ...summary,
          errors: { total: summary.requests / 2, by_class: { status_5xx: 1 } },
          successes: summary.requests / 2,
        }
      : summary;
  const { results } = analysed({
    targets: { odd: () => 112, even: () => 100 },
    levels: [4],
    blocks: 5,
    duration_s: 20,
    mutate: fails,
  });
  const [{ throughput }] = results.comparisons;
  assert.deepEqual([throughput.n, throughput.of, throughput.differs], [3, 5, null]);
  const odd = results.cells.find(({ target }) => target === 'odd');
  assert.equal(odd.errors.share, 0);
  const { target, variant, workload, tool, model, level } = odd;
  const asked = { target, variant, workload, tool, model, level, operation: null, metric: 'error_share' };
  const [{ met, measured }] = judge([{ ...asked, must_be: 'below', limit: 0.001 }], results.cells);
  assert.equal(met, false);
  assert.ok(Math.abs(measured - 0.2) < 0.01, `${measured} of all requests failed`);
});

test('a trial with too few answers for a percentile leaves no ratio of it, however many the cell has', () => {
  const { results } = analysed({
    targets: { raw: () => 100, pooled: () => 300 },
    levels: [1],
    blocks: 4,
    duration_s: 5,
  });
  const [{ p50, p95, p99 }] = results.comparisons;
  assert.deepEqual([p50.of, p95.of, p99], [4, 4, null]); // 500 answers of raw in a trial; p99 takes 1,000
  assert.ok(results.cells.every(({ latency_us }) => latency_us.p99 !== null));
});

test('missing, damaged and incomplete summaries: invalid with the reason, or not run', () => {
  const gone = ({ cell }) => cell.block === 1 && cell.id === 'tpch@1.raw.base.analytics.k6.closed-0001';
  const { folder } = analysed({ ...SWEEP, mutate: (summary) => (gone(summary) ? null : summary) });
  const [first, second, third] = readdirSync(join(folder, 'cells/02')).map((id) =>
    join(folder, 'cells/02', id, 'summary.json'),
  );
  rmSync(first);
  writeFileSync(second, '{"schema": "summ');
  writeFileSync(third, JSON.stringify({ cell: {}, complete: false, window: null }));
  const { verdicts, reasons, not_run } = analyse(openRun(folder));
  assert.deepEqual(verdicts, { valid: 23, suspect: 0, invalid: 3, planned: 27, not_run: 1 });
  assert.deepEqual(not_run, ['01/tpch@1.raw.base.analytics.k6.closed-0001']);
  assert.deepEqual(reasons, [
    { check: 'summary', verdict: 'invalid', trials: 2 },
    { check: 'complete', verdict: 'invalid', trials: 1 },
  ]);
});

test('a summary of another plan, or of another run of the same plan, is invalid', () => {
  const { folder } = analysed({ ...SWEEP, levels: [10] });
  const provenance = (digit, run = 'synthetic') =>
    writeFileSync(join(folder, 'provenance.json'), JSON.stringify({ run, plan_hash: digit.repeat(64) }));
  provenance('a');
  assert.equal(analyse(openRun(folder)).verdicts.invalid, 0);
  provenance('b');
  const { verdicts, reasons } = analyse(openRun(folder));
  assert.deepEqual([verdicts.valid, reasons], [0, [{ check: 'summary', verdict: 'invalid', trials: 9 }]]);
  provenance('a', 'the-next-day');
  const { cells } = analyse(openRun(folder));
  assert.equal(cells[0].trials[0].reasons[0].text, 'summary.json is of another run, synthetic');
});

test('a summary of another trial is invalid, whoever put it there', () => {
  const { folder } = analysed({ ...SWEEP, levels: [10] });
  const place = (target, block) => join(folder, 'cells', `0${block}`, side(target, 10).cells[0], 'summary.json');
  const [raw, pooled] = [place('raw', 1), place('pooled', 1)].map((file) => readFileSync(file));
  writeFileSync(place('raw', 1), pooled);
  writeFileSync(place('raw', 2), raw);
  const { verdicts, cells } = analyse(openRun(folder));
  assert.equal(verdicts.invalid, 2);
  const [{ trials }] = cells.filter(({ target }) => target === 'raw');
  assert.deepEqual(
    trials.slice(0, 2).map(({ reasons }) => reasons[0].text),
    ['pooled', 'raw'].map((target) => `summary.json is of another trial, 01/${side(target, 10).cells[0]}`),
  );
});

test('what reads a run folder pulls in no checks and no statistics', () => {
  const analyse = new URL('../../scripts/analyse/', import.meta.url);
  const importedBy = (file) =>
    [...readFileSync(new URL(file, analyse), 'utf8').matchAll(/from '\.\/(.+)'/g)].map(([, name]) => name);
  const read = new Set(['run-folder.js']);
  for (const file of read) for (const name of importedBy(file)) read.add(name);
  assert.deepEqual([...read].sort(), ['identity.js', 'renamed.js', 'run-folder.js', 'tools.js']); // the last reads what is declared
});
