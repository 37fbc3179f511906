import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { reported, root, run, SWEEP } from './lib/reported.js';

/** The Markdown between a section's heading and the next. */
const sectionOf = (text, heading) => text.split(/^## /m).find((part) => part.startsWith(heading));

test('a whole run: findings, tables, charts, cautions', () => {
  const { folder, text } = reported('whole', { ...SWEEP, ceiling_rps: 3000 });
  assert.match(
    text,
    /\n## What does a rollup gain\?\n\n\*\*With 100 users, the rollup served [\d.]+ times as many requests per second as a connection per request \(raw; 95 % interval [\d.]+ to [\d.]+\)\.\*\* Measured with analytics/,
  );
  assert.match(text, /Load generator, target and database share 2 cores/);
  assert.match(text, /In \d+ rows? the load generator may be the limit, not the target\*\*/);
  assert.ok(!text.includes('p(95)='), 'each percentile stands once');
  assert.match(
    text,
    /\nSCALE=\S+ scripts\/stack\.sh up raw tpch\n# or SCALE=\S+ scripts\/stack\.sh up rollup tpch\n.*k6 run -e vus=1 -e duration=5s k6\/analytics\.js\n.+vus=10 /,
  );
  assert.match(text, /highest, answers\/s.+\n.+\n(\| .+\n)*\| \w+ \| [\d,.]+ \| \d+ or more \|/);
  assert.match(text, /\| rollup \/ raw \| 100 \| [\d.]+× \[[\d., ]+\] \* \|/, 'what was asked');
  assert.equal(text.match(/\] \*/g).length, 1, 'and nothing else');
  assert.doesNotMatch(text, /primary questions make/);
  assert.deepEqual(
    readdirSync(join(folder, 'charts')).sort(),
    ['answer-1', 'tpch.analytics.k6', 'tpch.analytics.wrk'].flatMap((name) => [`${name}.png`, `${name}.svg`]),
  );
  for (const line of text.matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)) assert.ok(existsSync(join(folder, line[1])), line[1]);
  const png = readFileSync(join(folder, 'charts/tpch.analytics.k6.png'));
  assert.equal(png.subarray(1, 4).toString(), 'PNG');
  assert.ok(png.readUInt32BE(16) > 1800, 'twice the size');
});

test('the same load by hand brings up each variant with its settings', () => {
  const variants = ['base', { name: 'express', env: { FRAMEWORK: 'express', JDK_JAVA_OPTIONS: '-Xms1g -Xmx1g' } }];
  const { text } = reported('variants', {
    ...SWEEP,
    targets: { raw: () => 60 },
    levels: [1],
    tools: ['k6'],
    variants,
    questions: [],
  });
  assert.match(
    text,
    /\nSCALE=\S+ scripts\/stack\.sh up raw tpch\n# or FRAMEWORK=express JDK_JAVA_OPTIONS='-Xms1g -Xmx1g' SCALE=\S+ scripts\/stack\.sh up raw tpch\n/,
  );
});

test('percentiles of wrk and k6 never share a table', () => {
  const { text } = reported('two-tools', SWEEP);
  for (const part of text.split(/^## /m)) assert.ok(!(/\| users \|/.test(part) && /\| HTTP connections \|/.test(part)));
  assert.match(sectionOf(text, 'analytics, wrk'), /never compare them with those of k6/);
});

test('no usable trial, one block, a single target: a report all the same, with a plain line', () => {
  const broken = (summary) => ({ ...summary, status: { ...summary.status, exit_code: 1 } });
  assert.match(reported('broken', { ...SWEEP, mutate: broken }).text, /No usable trial, so no result/);
  assert.match(
    reported('one-block', { ...SWEEP, blocks: 1 }).text,
    /What does a rollup gain\? No answer: one block has no interval\./,
  );
  assert.match(
    reported('alone', { ...SWEEP, targets: { raw: () => 60 }, levels: [10], questions: [] }).text,
    /No question compares what was measured, so nothing is claimed/,
  );
});

test('an invalid trial is named with its reason, and its figure is in no median', () => {
  const broken = (summary) =>
    summary.cell.block === 1 ? { ...summary, status: { ...summary.status, timed_out: true } } : summary;
  const { text } = reported('timed-out', { ...SWEEP, mutate: broken });
  assert.match(text, /exit_status: the tool was stopped at its time limit/);
  assert.match(text, /\| 2 of 3 \|/);
});

test('a damaged run folder: one line, exit 2, nothing deleted', () => {
  const { folder } = reported('damaged', SWEEP);
  const before = readdirSync(folder).sort();
  writeFileSync(join(folder, 'plan.json'), '{"groups": [');
  for (const [script, args] of [
    ['stages/analyse', [folder]],
    ['stages/analyse', [join(root, 'absent')]],
    ['stages/report', [join(root, 'absent')]],
  ]) {
    const { status, stderr } = run(script, ...args);
    assert.equal(status, 2);
    assert.match(stderr, /^error: .+\n$/);
  }
  assert.deepEqual(readdirSync(folder).sort(), before);
  mkdirSync(join(root, 'empty'));
  assert.match(
    run('stages/report', join(root, 'empty')).stderr,
    /is missing: \.\/run-all-tests\.sh --resume .* --from analyse /,
  );
  writeFileSync(join(root, 'empty/results.json'), '{"schema": "results/1"}');
  const { status, stderr } = run('compare', folder, join(root, 'empty'));
  assert.deepEqual([status, stderr.trim().split('\n').length], [2, 1], stderr);
});

test('usage: exit 64', () => {
  for (const [script, ...args] of [
    ['stages/analyse'],
    ['stages/report'],
    ['compare', root],
    ['compare', '--threshold', 'much', root, root],
    ['compare', '--what', root, root],
    ['compare', '--html'],
  ]) {
    assert.equal(run(script, ...args).status, 64, script);
  }
  assert.equal(run('compare', '--help').status, 0);
});
