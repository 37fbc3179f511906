import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { cautions } from '../../scripts/analyse/cautions.js';
import { medianOfShape } from '../../scripts/analyse/cell.js';
import { stepVariance } from '../../scripts/analyse/figures.js';
import { differ, missedByChance, pairedRatio, shownWithin, unpairedRatio } from '../../scripts/analyse/intervals.js';
import { step, trend } from '../../scripts/analyse/trend.js';
import { normals } from './lib/synthetic.js';

const near = (actual, expected, share = 1e-3) =>
  assert.ok(Math.abs(actual / expected - 1) <= share, `${actual} is not ${expected}`);

test('paired ratio: geometric mean with the Student-t interval', () => {
  const { ratio, low, high, n, differs } = pairedRatio([0.1, 0.2, 0.3]); // sd 0.1, t(0.975, 2) = 4.3027
  near(ratio, Math.exp(0.2));
  near(low, Math.exp(0.2 - (4.3027 * 0.1) / Math.sqrt(3)));
  near(high, Math.exp(0.2 + (4.3027 * 0.1) / Math.sqrt(3)));
  assert.deepEqual([n, differs], [3, false]);
});

test('one block has a ratio and no interval, none has nothing', () => {
  const { ratio, low, high, differs, finds, equal } = pairedRatio([Math.log(2)], { within: 0.05 });
  assert.deepEqual([ratio, low, high, differs, finds, equal], [2, null, null, null, null, null]);
  assert.equal(pairedRatio([]), null);
});

test('with a block missing there is a ratio and no claim', () => {
  const { low, high, n, of, differs } = pairedRatio([0.11, 0.12, 0.115], { of: 4 });
  assert.deepEqual([low, high, n, of, differs], [null, null, 3, 4, null]);
  assert.equal(unpairedRatio([100, 101, 102], [200, 201, 202], [0, 0], false).differs, null);
});

test("a histogram's step is a microsecond below 1 ms, and a thousandth above", () => {
  assert.ok(Math.abs(stepVariance('p50', { p50_us: 200 }) / (0.005 ** 2 / 12) - 1) < 1e-9);
  assert.ok(Math.abs(stepVariance('p50', { p50_us: 200_000 }) / (1e-6 / 12) - 1) < 1e-9);
  assert.ok(Math.abs(stepVariance('throughput', { successes: 50 }) / (4e-4 / 12) - 1) < 1e-9);
  const tick = stepVariance('cpu_per_request', { cpu_us_per_request: 2000, successes: 50 });
  assert.ok(
    Math.abs(tick / ((48 * 0.1 ** 2) / 12) - 1) < 1e-9,
    'ten ticks in all, each of 48 counts off by one at most',
  );
});

test('medians over trials: what no session waited for is 0, what was not measured is left out', () => {
  const resources = (lock, elu) => ({ roles: { target: { elu } }, waits: lock ? { 'active:Lock': lock } : {} });
  const { roles, waits } = medianOfShape([resources(3, 0.5), resources(0, null), resources(0, 0.7)]);
  assert.deepEqual(waits, { 'active:Lock': 0 });
  assert.deepEqual(roles.target, { elu: 0.6 });
});

test('blocks that agree by the coarseness of counting do not pass for certainty', () => {
  const { low, high } = pairedRatio([0.2, 0.2, 0.2], { resolution: 1e-4 });
  assert.ok(low < Math.exp(0.2) && high > Math.exp(0.2));
});

test('of 95 % intervals about 95 in 100 hold the truth, with 3 blocks and with 10', () => {
  for (const blocks of [3, 10]) {
    const normal = normals(blocks);
    let holds = 0;
    for (let i = 0; i < 4000; i += 1) {
      const { low, high } = pairedRatio(Array.from({ length: blocks }, () => Math.log(1.5) + 0.1 * normal()));
      if (low <= 1.5 && high >= 1.5) holds += 1;
    }
    assert.ok(Math.abs(holds / 4000 - 0.95) < 0.012, `${holds} of 4000`);
  }
});

test('several intervals that hold together are wider', () => {
  const logs = [0.1, 0.2, 0.3];
  const { low } = pairedRatio(logs, { confidence: 1 - 0.05 / 3 }); // t(1 - 0.05/6, 2) = 7.6488
  near(low, Math.exp(0.2 - (7.6488 * 0.1) / Math.sqrt(3)));
});

test('the difference that such a run finds in four cases of five is found in four cases of five', () => {
  for (const blocks of [3, 6, 10]) {
    const normal = normals(blocks);
    const draw = (log) => pairedRatio(Array.from({ length: blocks }, () => log + 0.1 * normal()));
    const logs = Array.from({ length: 3000 }, () => Math.log(draw(0).finds));
    // finds grows with the deviation that was measured; the truth has that of its expectation
    const t = { 3: 5.653, 6: 3.514, 10: 3.15 }; // shifts of the noncentral t distribution with 80 % power
    const middle = logs.sort((a, b) => a - b)[1500];
    assert.ok(Math.abs(middle / ((t[blocks] * 0.1) / Math.sqrt(blocks)) - 1) < 0.25, `${blocks} blocks`);
    let times = 0;
    for (let i = 0; i < 4000; i += 1) times += draw((t[blocks] * 0.1) / Math.sqrt(blocks)).differs ? 1 : 0;
    assert.ok(Math.abs(times / 4000 - 0.8) < 0.03, `${times} of 4000 with ${blocks} blocks`);
  }
});

test('equal: two one-sided tests within the margin', () => {
  // margin log 1.05 = 0.04879; t(0.95, 2) = 2.92, so the mean may be off by 0.04879 - 2.92 * 0.01 / sqrt 3 = 0.0319
  assert.equal(pairedRatio([0.02, 0.03, 0.04], { within: 0.05 }).equal, true);
  assert.equal(pairedRatio([0.023, 0.033, 0.043], { within: 0.05 }).equal, false);
  assert.equal(pairedRatio([0.02, 0.03, 0.04], { within: 0.05, confidence: 0.99 }).equal, false, 't(0.99, 2) = 6.96');
  assert.equal(pairedRatio([0.02, 0.03, 0.04]).equal, undefined);
});

test('enough: one one-sided test', () => {
  // log 0.95 = -0.0513
  assert.equal(shownWithin([-0.02, -0.03, -0.04], { within: 0.05 }), true);
  assert.equal(shownWithin([-0.025, -0.035, -0.045], { within: 0.05 }), false);
  assert.equal(shownWithin([0], { within: 0.05 }), false, 'one block shows nothing');
});

test("unpaired ratio: Welch's interval on logarithms", () => {
  const [a, b] = [
    [1, 2, 3, 4],
    [2, 4, 9],
  ];
  const { ratio, low, high } = unpairedRatio(a.map(Math.exp), b.map(Math.exp));
  // By hand: means 2.5 and 5; variances 5/3 and 13; se^2 = 5/12 + 13/3 = 4.75; df = 4.75^2 / ((5/12)^2/3 + (13/3)^2/2) = 2.3887
  near(ratio, Math.exp(2.5));
  near(Math.log(high) + Math.log(low), 5, 1e-3);
  const t = (Math.log(high) - 2.5) / Math.sqrt(4.75);
  assert.ok(t > 3.6 && t < 3.75, `t quantile at 2.39 degrees of freedom lies between those of 2 and 3: ${t}`);
  assert.equal(unpairedRatio([5], [6, 7]).low, null);
  assert.equal(unpairedRatio([], [1]), null);
});

test('two ratios differ by more than chance where the interval of unpaired blocks leaves out 1', () => {
  const one = [0.1, 0.3, 0.2, 0.25];
  const confidence = 0.95;
  const judged = [0.05, 0.1, 0.15, 0.2, 0.3, 0.4].map((by) => {
    const other = [0, 0.02, 0.05, 0.03, 0.01, 0.04].map((value) => value + 0.2 + by);
    const wider = { ...pairedRatio(other, { confidence: 0.99 }), confidence: 0.99 };
    const { differs } = unpairedRatio(one.map(Math.exp), other.map(Math.exp));
    assert.equal(differ([{ ...pairedRatio(one), confidence }, wider], confidence), differs, `${by}`);
    return differs;
  });
  assert.deepEqual(judged, [false, false, true, true, true, true]);
});

test('trend: exact for few seconds, sized and signed', () => {
  near(trend([1, 2, 3, 4, 5]).p, 2 / 120);
  near(trend([5, 5, 5, 5, 5]).p, 1);
  near(trend([50, 40, 30, 20, 10]).change, -40 / 30);
});

test('step: the clearest split, sized by the means on both sides', () => {
  const { change, from, to, p } = step([1000, 950, 960, 600, 500]); // 970 and 550, pooled sd 46.5, t = 9.9 with 3 degrees of freedom; two splits
  near(change, 550 / 970 - 1);
  assert.deepEqual([from, to], [970, 550]);
  assert.ok(p > 0.003 && p < 0.006, `${p}`);
  assert.deepEqual(step([7, 7, 7, 7]), { change: 0, from: 0, to: 0, p: 1 });
  assert.equal(step([9, 9, 7, 7]).p, 0);
});

test('trend: honest noise, also when neighbouring seconds resemble each other, seldom looks like a drift', () => {
  const normal = normals(11);
  let drifting = 0;
  for (let i = 0; i < 1000; i += 1) {
    let state = 0;
    const series = Array.from({ length: 25 }, () => {
      state = 0.5 * state + normal();
      return 1000 + 20 * state;
    });
    if (trend(series).p <= 0.02) drifting += 1;
  }
  assert.ok(drifting <= 80, `${drifting} of 1000 steady series look drifting`);
  const falling = Array.from({ length: 25 }, (_, t) => 1000 - 20 * t + 20 * normal());
  assert.ok(trend(falling).p < 1e-4);
});

test('copies that differ are blamed on the machine where chance does that in less than one run of a hundred', () => {
  assert.deepEqual(
    [
      [0, 4],
      [1, 4],
      [2, 4],
      [8, 50],
      [9, 50],
    ].map(([misses, n]) => Number(missedByChance(misses, n).toPrecision(3))),
    [1, 0.185, 0.014, 0.00319, 0.000756],
  );
  const blamed = (path) => {
    const file = new URL(`../../results/published/${path}.json`, import.meta.url);
    return cautions(JSON.parse(readFileSync(file, 'utf8')))
      .find((text) => /second copies/.test(text))
      ?.split(':')[0];
  };
  const replication = '20261124-58f926cf76c2/amd-epyc-2-cores.replication';
  assert.equal(blamed(replication), 'Only 1 of 4 intervals of second copies includes 1');
  assert.equal(blamed('20261123-58f926cf76c2/amd-epyc-2-cores.drivers'), undefined, '2 of 4');
  assert.equal(blamed('20261123-53216de0619d/amd-epyc-2-cores.aa'), undefined, '49 of 50');
  const second = '20261124-c2ba9d249927/amd-epyc-2-cores.aa';
  assert.equal(blamed(second), 'Only 10 of 14 intervals of second copies of p95 include 1');
});
