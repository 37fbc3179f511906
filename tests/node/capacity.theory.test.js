/** The theory that tests/bench/capacity.js holds the search against. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { near, runsOf, truthOf } from './lib/capacity.js';
import {
  beyondDDc,
  beyondDM1,
  beyondMDc,
  beyondMMc,
  beyondThinking,
  capacityOf,
  erlangC,
  usersWithin,
} from './lib/queues.js';
import { longRandom, responder } from './lib/responder.js';

test('known values: Erlang C, M/M/1, D/M/1, M/D/1', () => {
  near(erlangC(0.7, 1), 0.7, 1e-12);
  near(erlangC(2, 3), 4 / 9, 1e-12); // Kleinrock's P0 = 1/9, C = (8/6 * 3) P0
  near(beyondMMc(0.5, 1, 6), Math.exp(-3), 1e-12);
  near(capacityOf(beyondMMc, { places: 1, limit: 6, allowed: 0.05 }), 1 - Math.log(20) / 6, 1e-5);
  near(beyondMMc(2, 3, 4), beyondMMc(2 + 1e-7, 3, 4), 1e-5); // waits drain as fast as services end
  near(1 - beyondMDc(0.6, 1, 1), 0.4, 1e-9); // P(no wait) = 1 - load
  // Erlang 1909: P(wait <= x) for 1 <= x < 2
  const erlang = (a, x) => (1 - a) * (Math.exp(a * x) + Math.exp(a * (x - 1)) * -a * (x - 1));
  near(1 - beyondMDc(0.6, 1, 2.5), erlang(0.6, 1.5), 1e-9);
  const s = 1 + Math.log(beyondDM1(0.5, 1, 1));
  near(s, Math.exp(-(1 - s) / 0.5), 1e-9);
  assert.deepEqual([beyondDDc(3.9, 4, 2), beyondDDc(4.1, 4, 2)], [0, 1]);
  assert.equal(capacityOf(beyondMMc, { places: 1, limit: 2, allowed: 0.05 }), null); // a service alone takes longer
});

test('users who think: two have the answer by hand, many that of the open model', () => {
  // the other one is at the place with 1 / (1 + think)
  const two = (think, limit) => Math.exp(-limit) * (1 + limit / (1 + think));
  near(beyondThinking(2, 9, 3), two(9, 3), 1e-12);
  near(beyondThinking(1, 9, 3), Math.exp(-3), 1e-12);
  const rate = 0.5;
  const think = 1e5;
  near(beyondThinking(Math.round(rate * think), think, 6), beyondMMc(rate, 1, 6), 1e-3);
  assert.equal(beyondThinking(usersWithin({ think: 100, limit: 6, allowed: 0.05 }) + 1, 100, 6) > 0.05, true);
});

test('the simulated responder has the shares that theory gives', () => {
  for (const [places, arrivals, service, beyond, rate, limit] of [
    [1, 'poisson', 'exponential', beyondMMc, 0.5, 6],
    [4, 'poisson', 'exponential', beyondMMc, 2.8, 5],
    [1, 'poisson', 'fixed', beyondMDc, 0.6, 3],
    [4, 'poisson', 'fixed', beyondMDc, 2.8, 2],
    [1, 'schedule', 'exponential', beyondDM1, 0.6, 5],
  ]) {
    const share = responder({ places, arrivals, service, random: longRandom(4) })(rate, {
      warmup: 1000,
      samples: 400_000,
      limit,
    });
    near(share, beyond(rate, places, limit), 0.06, `${arrivals} ${service} ${places}`);
  }
});

// The small twin of tests/bench/capacity.js.
test('the interval of five blocks holds the true capacity about as often as it says', () => {
  const setting = { arrivals: 'poisson', service: 'exponential', places: 1, objective: 'p95<6ms' };
  const truth = truthOf(setting);
  const measurements = [...runsOf({ ...setting, times: 10, blocks: 5, runs: 150 })];
  const held = measurements.filter(({ answer: { low, high } }) => low <= truth && truth <= high).length;
  assert.ok(held >= 134, `${held} of 150`); // 95 % but for one such test in a thousand: 134
  assert.ok(measurements.every(({ blocks }) => blocks.every(({ probes }) => probes.length <= 14)));
});
