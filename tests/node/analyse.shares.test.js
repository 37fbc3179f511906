import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { analyse } from '../../scripts/analyse/results.js';
import { openRun } from '../../scripts/analyse/run-folder.js';
import { analysed, halfOfThePeak, late, STEADY, SWEEP, tablesOf } from './lib/analysed.js';

test('open cells meet at the same share of their own peaks', () => {
  const results = halfOfThePeak(STEADY);
  assert.deepEqual(
    results.comparisons.map(({ share, throughput, p95 }) => [share, throughput, p95.n]),
    [['50%', null, 3]],
  );
  const [{ text, context, title }] = results.questions;
  assert.match(
    text,
    /^Not claimed, as two equal targets may differ up to 1\.2 times at rates that were searched for: with each at 50 % of its own peak \(pooled at 150\/s, raw at 50\/s\), /,
  );
  assert.match(
    context,
    /; the interval is for these rates: a peak was searched to within 10 %, so that two equal targets may differ up to 1\.2 times\.$/,
  );
  assert.match(title, /^Not claimed: with each at 50 % of its own peak, /);
});

test('a share of a low peak that is no whole rate: the answer names what it became, or that the sides are apart', () => {
  const textOf = (became) => halfOfThePeak(STEADY, became).questions[0].text;
  assert.match(
    textOf({ raw: '44%', pooled: '44%' }),
    /^Not claimed, as two equal targets may differ up to 1\.1 times at rates that were searched for: with each at 44 % of its own peak \(pooled at 150\/s, raw at 50\/s\), /,
  );
  assert.equal(
    textOf({ raw: '44%' }),
    'No answer: the peaks are so low that their nearest whole rates are 50% and 44% of them.',
  );
});

test('the rates stand beside a share, and what a search found in a table', () => {
  const place = { database: 'tpch', target: 'raw', variant: 'base', workload: 'analytics', tool: 'k6' };
  const peaks = [{ ...place, closed_rps: 120, rate_rps: 101, failed_rps: 109, probes: 7 }];
  const tables = tablesOf({ ...halfOfThePeak(), peaks });
  assert.match(tables, /"(pooled \/ raw|raw \/ pooled)","50% \((150 \/ 50|50 \/ 150)\)"/);
  assert.match(tables, /"raw",101,109,7/);
});

test('a target that sustained no rate is named, first of all', () => {
  const { folder } = analysed({ ...SWEEP, levels: [10] });
  const plan = JSON.parse(readFileSync(join(folder, 'plan.json'), 'utf8'));
  const cell = {
    database: 'tpch',
    target: 'raw',
    variant: 'base',
    workload: 'analytics',
    tool: 'k6',
    model: 'open',
    level: '50%',
  };
  writeFileSync(join(folder, 'plan.json'), JSON.stringify({ ...plan, open: [{ variant: { name: 'base' }, cell }] }));
  assert.deepEqual(analyse(openRun(folder)).unsustained, [], 'it was not planned yet');
  const { level: _, model: __, ...place } = cell;
  const peaks = [{ ...place, closed_rps: 50, rate_rps: null, failed_rps: 1, probes: 12 }];
  writeFileSync(join(folder, 'plan-open.json'), JSON.stringify({ groups: [], peaks }));
  const results = analyse(openRun(folder));
  assert.deepEqual(results.peaks, peaks);
  assert.deepEqual(results.unsustained, [
    { database: 'tpch', target: 'raw', variant: 'base', workload: 'analytics', tool: 'k6' },
  ]);
  assert.match(
    results.cautions[0],
    /^No figures of the open model, as no rate was found .+: raw \(analytics, k6, tpch\)\.$/,
  );
  writeFileSync(join(folder, 'plan-open.json'), JSON.stringify({ groups: [], peaks: [] }));
  assert.match(
    analyse(openRun(folder)).cautions[0],
    /, as they have no throughput in the closed one, .+: raw \(analytics, k6, tpch\)\.$/,
  );
});

test('an open load that was not sent as planned is no claim, whatever its interval says', () => {
  const [headline] = halfOfThePeak({ mutate: late }).questions;
  assert.match(headline.text, /cannot be compared: not every request was sent when it was due\.$/);
  assert.match(headline.context, /; some trials are marked: requests sent late/);
  assert.deepEqual([headline.claim, headline.answered], [false, false]);
});
