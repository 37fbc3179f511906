import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { overBlocks, usersOf } from '../../scripts/analyse/capacity/answer.js';
import { crossing } from '../../scripts/analyse/capacity/crossing.js';
import { figuresOf, judge, samplesFor } from '../../scripts/analyse/capacity/objective.js';
import { courseOf, OVERLOAD_S } from '../../scripts/analyse/capacity/overload.js';
import { probeIn, secondsOf } from '../../scripts/analyse/capacity/probes.js';
import { probeOf, search, startOf, WITHIN } from '../../scripts/analyse/capacity/search.js';
import { answerText, lawText, objectiveText } from '../../scripts/analyse/capacity/sentences.js';
import { seededRandom } from '../../scripts/analyse/random.js';
import { sideBySide } from '../../scripts/findings/capacity/table.js';
import { runsOf, searched, truthOf } from './lib/capacity.js';
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

const near = (actual, expected, share, what = '') =>
  assert.ok(Math.abs(actual - expected) <= share * Math.abs(expected), `${what} ${actual}, not ${expected}`);

// --- objectives

const JQ = join(import.meta.dirname, '../../scripts/jq');

/** An objective as a plan has it. @throws {Error} with its fault */
function partsOf(text) {
  const { parts, fault } = JSON.parse(
    execFileSync('jq', ['-n', '-L', JQ, '--arg', 'text', text, 'include "objective"; $text | objective']),
  );
  if (fault) throw new Error(fault);
  return parts;
}

test('an objective is one to four limits, with units', () => {
  assert.deepEqual(partsOf('p95<50ms, errors<0.1%'), [
    { metric: 'p95_us', limit: 50_000 },
    { metric: 'error_share', limit: 0.001 },
  ]);
  assert.deepEqual(partsOf(' p50 < 800us,p90<1.5ms,p99 <2s , p99.9<10s'), [
    { metric: 'p50_us', limit: 800 },
    { metric: 'p90_us', limit: 1500 },
    { metric: 'p99_us', limit: 2_000_000 },
    { metric: 'p99_9_us', limit: 10_000_000 },
  ]);
});

test('each fault of an objective is one line that names the part and what to write', () => {
  for (const [text, part, what] of [
    ['', '', 'METRIC<LIMIT'],
    ['p95<50ms,', '', 'METRIC<LIMIT'],
    ['p95=50ms', 'p95=50ms', 'METRIC<LIMIT'],
    ['p95>50ms', 'p95>50ms', 'METRIC<LIMIT'],
    ['p95<=50ms', 'p95<=50ms', 'METRIC<LIMIT'],
    ['errors<0.1%, p97<50ms', 'p97<50ms', 'p97 is not known'],
    ['p95<61s', 'p95<61s', 'the limit must be 60s or less'],
    ['errors<0.001%', 'errors<0.001%', 'the limit must be 0.01% or more'],
    ['max<50ms', 'max<50ms', 'max is not known'],
    ['constructor<50ms', 'constructor<50ms', 'constructor is not known'],
    ['p95<50', 'p95<50', 'us, ms or s'],
    ['p95<50m', 'p95<50m', 'us, ms or s'],
    ['p95<-5ms', 'p95<-5ms', 'us, ms or s'],
    ['p95<5%', 'p95<5%', 'us, ms or s'],
    ['p95<0ms', 'p95<0ms', 'above 0'],
    ['errors<0.1', 'errors<0.1', 'percentage'],
    ['errors<5ms', 'errors<5ms', 'percentage'],
    ['errors<0%', 'errors<0%', 'above 0%'],
    ['errors<100%', 'errors<100%', 'below 100%'],
    ['p95<50ms, p95<60ms', 'p95<60ms', 'has a limit already'],
  ])
    assert.throws(
      () => partsOf(text),
      ({ message }) =>
        message.startsWith(`objective ${JSON.stringify(part)}: `) && message.includes(what) && !message.includes('\n'),
      text,
    );
  assert.throws(() => partsOf('p50<1s,p90<1s,p95<1s,p99<1s,errors<1%'), /has 5 parts, and may have 4/);
});

test('a probe needs as many samples as its strictest part', () => {
  assert.equal(samplesFor(partsOf('p95<50ms')), 200);
  assert.equal(samplesFor(partsOf('p95<50ms, p99<80ms')), 1000);
  assert.equal(samplesFor(partsOf('p95<50ms, errors<0.1%')), 3000);
});

/** A summary of so many answers of each time, [[us, count]], and of so many requests without one. */
const summary = (counts, unanswered = 0, errors = unanswered) => ({
  latency_us: { histogram: { counts }, beyond: unanswered > 0 ? { count: unanswered, more_than_us: 60e6 } : null },
  requests: counts.reduce((all, [, count]) => all + count, unanswered),
  errors,
});
const judged = (objective, found) => {
  const parts = partsOf(objective);
  return judge(parts, figuresOf(parts, found));
};

test('a percentile holds below its limit and fails at it; the margin is the worst figure over its limit', () => {
  const held = judged(
    'p95<50ms',
    summary([
      [20_000, 950],
      [50_000, 50],
    ]),
  );
  assert.equal(held.outcome, 'holds');
  near(held.margin, 0.4, 1e-9);
  near(held.excess.share, 0.05, 1e-9);
  near(held.excess.allowed, 0.05, 1e-9);
  const failed = judged(
    'p95<50ms',
    summary([
      [20_000, 949],
      [50_000, 51],
    ]),
  );
  assert.deepEqual([failed.outcome, failed.margin], ['fails', 1]);
  const both = judged(
    'p50<25ms, p95<100ms',
    summary([
      [20_000, 950],
      [50_000, 50],
    ]),
  );
  near(both.margin, 0.8, 1e-9);
  for (const p of ['p50', 'p90', 'p95', 'p99', 'p99.9']) {
    const allowed = Math.round(100_000 * (1 - Number(p.slice(1)) / 100));
    const outcome = (beyond) =>
      judged(
        `${p}<50ms`,
        summary([
          [49_999, 100_000 - beyond],
          [50_000, beyond],
        ]),
      ).outcome;
    assert.deepEqual([outcome(allowed), outcome(allowed + 1)], ['holds', 'fails'], p);
  }
});

test('requests without an answer are slower than any limit, and errors are a share of all', () => {
  const failed = judged('p95<50ms', summary([[20_000, 940]], 60));
  assert.deepEqual([failed.outcome, failed.margin], ['fails', Number.POSITIVE_INFINITY]);
  near(failed.excess.share, 0.06, 1e-9);
  const errors = (count) => judged('p95<50ms, errors<0.1%', summary([[20_000, 20_000 - count]], count)).outcome;
  assert.deepEqual([errors(19), errors(20)], ['holds', 'fails']);
});

test('the part that comes closest to its limit is the one that is followed', () => {
  const { excess } = judged(
    'p95<50ms, errors<1%',
    summary(
      [
        [20_000, 9900],
        [60_000, 20],
      ],
      80,
    ),
  );
  assert.deepEqual([excess.share, excess.allowed], [0.008, 0.01]);
});

test('too few samples decide nothing, unless the failures are more than enough samples may have', () => {
  assert.equal(judged('p95<50ms', summary([[20_000, 199]])).outcome, 'undecided');
  assert.equal(judged('p95<50ms', summary([[20_000, 200]])).outcome, 'holds');
  assert.equal(
    judged(
      'p95<50ms',
      summary([
        [20_000, 60],
        [90_000, 10],
      ]),
    ).outcome,
    'undecided',
  );
  assert.equal(
    judged(
      'p95<50ms',
      summary([
        [20_000, 60],
        [90_000, 11],
      ]),
    ).outcome,
    'fails',
  );
  assert.equal(judged('p95<50ms, errors<0.1%', summary([[20_000, 2000]])).outcome, 'undecided');
  assert.equal(judged('p95<50ms, errors<0.1%', summary([[20_000, 1989]], 11)).outcome, 'fails');
  const nothing = judged('p95<50ms, errors<0.1%', { latency_us: null, requests: 0, errors: 0 });
  assert.deepEqual(nothing, { outcome: 'undecided', margin: null, excess: null });
});

// --- the search

/** A target whose share of slow requests rises through 5 % at the capacity: exactly, whatever the probe. */
const shareAt = (rate, capacity, steep = 10) => 1 / (1 + 19 * Math.exp(-steep * (rate / capacity - 1)));
const told = (rate, share, more) => {
  const outcome = share <= 0.05 ? 'holds' : 'fails';
  return probeOf(rate, { outcome, margin: null, excess: { share, allowed: 0.05 } }, more);
};
const upTo = (capacity) => (rate) => told(rate, shareAt(rate, capacity));
const ratesOf = ({ probes }) => probes.map(({ rate }) => rate);

test('doubles until it fails, then halves the bracket as ratios go, then makes sure of its ends', () => {
  const rates = ratesOf(searched(upTo(700), { start: 100 }));
  assert.deepEqual(rates, [100, 200, 400, 800, 566, 673, 734, 703, 688, 688, 703]);
});

test('halves until it holds', () => {
  const rates = ratesOf(searched(upTo(300), { start: 2000 }));
  assert.deepEqual(rates.slice(0, 5), [2000, 1000, 500, 250, 354]);
});

test('without noise the answer is exact, wherever the search starts, in at most 14 probes', () => {
  const random = seededRandom(3);
  for (let i = 0; i < 300; i += 1) {
    const capacity = 10 ** (2 + 2 * random());
    const { answer, probes } = searched(upTo(capacity), { start: Math.ceil(capacity * 8 ** (2 * random() - 1)) });
    assert.equal(answer.kind, 'rate');
    assert.ok(answer.low <= capacity && capacity <= answer.high, `${capacity} in ${answer.low} to ${answer.high}`);
    assert.ok(answer.high <= (1 + WITHIN) * answer.low || answer.high - answer.low === 1);
    near(answer.rate, capacity, 0.002);
    assert.ok(probes.length <= 14, `${probes.length} probes`);
  }
});

test('when even the lowest rate fails twice, there is none', () => {
  const { answer, probes } = searched(upTo(0.5), { start: 8 });
  assert.deepEqual(answer, { kind: 'none', rate: 1 });
  assert.deepEqual(ratesOf({ probes }), [8, 4, 2, 1, 1]);
  assert.deepEqual(searched(upTo(90), { start: 400, least: 100 }).answer, { kind: 'none', rate: 100 });
});

test('a failure at the lowest rate by chance is not the end', () => {
  const { answer, probes } = searched((rate, n) => (n === 3 ? told(rate, 0.9) : upTo(1.5)(rate)), { start: 8 });
  assert.deepEqual(ratesOf({ probes }).slice(0, 6), [8, 4, 2, 1, 1, 1]);
  assert.equal(answer.kind, 'rate');
});

test('at least N: the highest rate that was to be tried holds twice, or the probes are spent', () => {
  assert.deepEqual(searched(upTo(1e9), { start: 300, most: 1000 }).answer, {
    kind: 'at least',
    rate: 1000,
    why: 'bound',
  });
  const spent = searched(upTo(1e9), { start: 1, budget: 5 });
  assert.deepEqual(spent.answer, { kind: 'at least', rate: 16, why: 'probes' });
});

test('a rate whose probes are all disturbed is left after three: lower ones are looked at, and the answer is at least what held', () => {
  const disturbed = (rate) => told(rate, rate > 390 ? 0.9 : 0.001, { disturbed: rate > 390 });
  const { answer, probes } = searched(disturbed, { start: 200 });
  assert.deepEqual(ratesOf({ probes }).slice(0, 5), [200, 400, 400, 400, 283]);
  assert.deepEqual([answer.kind, answer.why], ['at least', 'disturbed']);
  assert.ok(answer.rate > 390 / (1 + WITHIN) && answer.rate <= 390, `${answer.rate}`);
  // one that passes is looked at again when the others are done
  let left = 4;
  const passing = (rate) => told(rate, shareAt(rate, 700), { disturbed: rate === 400 && left-- > 0 });
  assert.equal(searched(passing, { start: 200, budget: 30 }).answer.kind, 'rate');
});

test('a rate that the search would have looked at further says that its probes were spent', () => {
  const { answer } = searched(upTo(700), { start: 100, budget: 6 });
  assert.deepEqual([answer.kind, answer.why, answer.low, answer.high], ['rate', 'probes', 673, 800]);
  assert.equal(searched(upTo(700), { start: 100 }).answer.why, null);
});

test('a fit stays within 3 % of the bracket, wherever its curve crosses', () => {
  const shares = new Map([
    [241, [0.0006]],
    [252, [0, 0]],
    [257, [0, 0]],
    [263, [0.27, 0, 0]],
    [313, [0.0006]],
    [327, [0.0009, 0.0009]],
    [334, [0.36, 0.36]],
    [341, [1]],
  ]);
  const probes = [...shares].flatMap(([rate, found]) => found.map((share) => told(rate, share, { samples: 3000 })));
  const unbound = crossing(probes, { low: 327, high: 334 });
  assert.ok(unbound.rate < 300, `the curve crosses at ${unbound.rate}`);
  const { kind, rate, low, high } = search(probes, { start: 200, budget: probes.length });
  assert.deepEqual([kind, low, high], ['rate', 327, 334]);
  near(rate, 327 / (1 + WITHIN), 1e-9);
});

test('at least N: what the generator could not send bounds the search, and says nothing of the target', () => {
  const slow = (rate) => told(rate, rate > 900 ? 0.5 : 0.001, { limited: rate > 900 ? 'generator' : null });
  const { answer, probes } = searched(slow, { start: 100 });
  assert.deepEqual([answer.kind, answer.why], ['at least', 'generator']);
  assert.ok(answer.rate <= 900 && answer.rate > 900 / (1 + WITHIN), `${answer.rate}`);
  assert.ok(probes.length <= 14);
  // the target's own limit below that is a rate
  const both = (rate) => told(rate, shareAt(rate, 800), { limited: rate > 900 ? 'generator' : null });
  const found = searched(both, { start: 100 }).answer;
  assert.equal(found.kind, 'rate');
  near(found.rate, 800, 0.01);
  assert.deepEqual(
    search([told(1, 0.9, { limited: 'generator' }), told(1, 0.9, { limited: 'generator' })], { start: 1 }),
    {
      kind: 'unknown',
      why: 'generator',
    },
  );
});

test('a disturbed probe is made again, decides nothing, and is in no fit', () => {
  const quiet = searched(upTo(700), { start: 100 });
  for (let n = 0; n < quiet.probes.length; n += 1) {
    const lie = (rate, at) => (at === n ? told(rate, 0.99, { disturbed: true }) : upTo(700)(rate));
    const { answer, probes } = searched(lie, { start: 100 });
    assert.deepEqual(answer, quiet.answer, `probe ${n}`);
    assert.equal(probes[n + 1].rate, probes[n].rate);
    assert.equal(probes.length, quiet.probes.length + 1);
  }
  const never = searched((rate) => told(rate, 0.01, { disturbed: true }), { start: 100 });
  assert.deepEqual([never.answer, never.probes.length], [{ kind: 'unknown', why: 'disturbed' }, 14]);
});

test('a probe with too few samples is made again, too', () => {
  assert.equal(probeOf(5, { outcome: 'undecided', margin: null, excess: null }).outcome, 'disturbed');
});

test('near the limit the majority of up to three counts', () => {
  const bounds = { start: 100 };
  const ends = (low, high) => [...low.map((share) => told(100, share)), ...high.map((share) => told(102, share))];
  const next = (low, high) => search(ends(low, high), bounds).next;
  assert.equal(next([0.04], [0.06]), 100);
  assert.equal(next([0.04, 0.04], [0.06]), 102);
  assert.equal(next([0.04, 0.06], [0.06]), 100); // one each: a third decides
  assert.equal(next([0.04, 0.06, 0.06], [0.06]), 50); // 100 has failed
  assert.equal(next([0.04, 0.06, 0.04], [0.06, 0.04, 0.04]), 204); // 102 has held
  assert.equal(next([0.04, 0.06, 0.04], [0.06, 0.06]), undefined);
});

test('a failure by chance, wherever it comes, moves the answer by little', () => {
  const quiet = searched(upTo(700), { start: 100 });
  for (let n = 3; n < quiet.probes.length; n += 1) {
    const { answer } = searched((rate, at) => told(rate, at === n ? 0.07 : shareAt(rate, 700)), { start: 100 });
    assert.equal(answer.kind, 'rate');
    near(answer.rate, 700, 0.05, `probe ${n}:`);
  }
});

test('a target that breaks off at once has the middle of the bracket, and says how wide it is', () => {
  const { answer } = searched((rate) => told(rate, rate > 700 ? 0.95 : 0), { start: 100 });
  assert.deepEqual([answer.fitted, answer.rate], [0, Math.sqrt(answer.low * answer.high)]);
  near(answer.resolution, Math.log(answer.high / answer.low) ** 2 / 12, 1e-9);
});

test('starts of blocks are spread over a factor of two around the guess', () => {
  const starts = Array.from({ length: 20 }, (_, i) => startOf(1000, i + 1));
  assert.ok(starts.every((start) => start >= 707 && start <= 1415));
  assert.equal(new Set(starts).size, 20);
  assert.ok(Math.max(...starts) / Math.min(...starts) > 1.85);
  assert.equal(startOf(0.2, 1), 1);
});

// --- the fit

test('a fit finds where the share crosses what is allowed, each probe by its own part', () => {
  const line = (rate, allowed) => {
    const odds = (allowed / (1 - allowed)) * Math.exp(12 * (rate / 500 - 1));
    return { rate, excess: { share: odds / (1 + odds), allowed }, samples: 1000 };
  };
  const probes = [400, 450, 480, 490, 490, 510, 510, 520, 600].map((rate, i) => line(rate, i % 2 === 0 ? 0.05 : 0.001));
  const { rate, fitted } = crossing(probes, { low: 490, high: 510 });
  near(rate, 500, 1e-6);
  assert.ok(fitted >= 8);
});

test('there is no fit of too few probes, of a share that does not rise, or beyond the rates that were probed', () => {
  const at = (rate, share) => ({ rate, excess: { share, allowed: 0.05 }, samples: 1000 });
  const bracket = { low: 490, high: 510 };
  const asked = [400, 450, 480, 490, 500, 510, 520, 550, 600];
  const rises = (rate) => at(rate, shareAt(rate, 500) * (rate % 20 === 0 ? 1.1 : 0.9));
  near(crossing(asked.map(rises), bracket).rate, 500, 0.01);
  assert.equal(crossing(asked.slice(0, 7).map(rises), bracket), null);
  assert.equal(
    crossing(
      asked.map((rate, i) => at(rate, 0.06 - 0.004 * i)),
      bracket,
    ),
    null,
  );
  assert.equal(
    crossing(
      asked.map((rate) => at(rate, shareAt(rate, 900))),
      bracket,
    ),
    null,
  );
  assert.equal(crossing([], bracket), null);
});

// --- what a trial says of its rate

/** A probe of p95<50ms with 1,000 answers of 10 ms, or of 100 ms, and marks. @param {string[]} marks checks that marked it @param {object} [more] of the trial */
function probed({
  ms,
  sent_ms = null,
  marks = [],
  verdict = 'suspect',
  cell = { level: 400, model: 'open' },
  in_flight_mean = 4,
}) {
  const took = (value) => value && { histogram: { counts: [[value * 1000, 1000]] }, beyond: null };
  const summary = {
    latency_us: took(ms),
    latency_from_send_us: took(sent_ms),
    requests: 1000,
    errors: { total: 0 },
  };
  const trial = { reasons: marks.map((check) => ({ check, verdict })), in_flight_mean };
  const { outcome, limited } = probeIn(partsOf('p95<50ms'), cell, trial, summary);
  return limited ? `${outcome}, ${limited}` : outcome;
}

test('a probe that failed while something else was at work, or not all generators were, decides nothing', () => {
  assert.deepEqual([probed({ ms: 10 }), probed({ ms: 100 })], ['held', 'failed']);
  for (const mark of ['other_programs', 'processor_taken', 'generators_ended', 'generators_began', 'generators_shared'])
    assert.deepEqual([mark, probed({ ms: 100, marks: [mark] })], [mark, 'disturbed']);
  assert.equal(probed({ ms: 10, marks: ['other_programs'] }), 'held');
  assert.equal(probed({ ms: 10, marks: ['complete'], verdict: 'invalid' }), 'disturbed');
});

test('a lead-in that failed: what held after it is not known to hold, and what failed has failed', () => {
  assert.equal(probed({ ms: 10, marks: ['warm_up'], verdict: 'invalid' }), 'disturbed');
  assert.equal(probed({ ms: 100, marks: ['warm_up'], verdict: 'invalid' }), 'failed');
});

test('requests that were sent late are the generator’s fault while it had users to spare, and answers that fell behind the target’s', () => {
  assert.equal(probed({ ms: 100, sent_ms: 10, marks: ['dispatch_lag'] }), 'failed, generator');
  assert.equal(probed({ ms: 100, sent_ms: 90, marks: ['dropped'] }), 'failed');
  assert.equal(probed({ ms: 100, marks: ['dispatch_lag'], in_flight_mean: 390 }), 'failed');
  assert.equal(probed({ ms: 10, marks: ['settled'] }), 'failed');
});

test('users who think: the generator is at fault where it was at its ceiling, or did not make the load', () => {
  const cell = { level: 400, model: 'closed', think_s: 1 };
  assert.equal(probed({ ms: 100, marks: ['connections'], cell }), 'failed');
  assert.equal(probed({ ms: 100, marks: ['generator_cpu'], cell }), 'failed, generator');
  assert.equal(probed({ ms: 10, marks: ['littles_law'], verdict: 'invalid', cell }), 'failed, generator');
});

test('a probe is long enough for its samples, its limit and its pauses', () => {
  const p95 = partsOf('p95<50ms');
  const least = samplesFor(p95);
  assert.equal(secondsOf(p95, 10, { duration_s: 8 }), Math.ceil(least / 10));
  assert.equal(secondsOf(p95, 10_000, { duration_s: 8 }), 5);
  assert.equal(secondsOf(partsOf('p95<2s'), 10_000, { duration_s: 8 }), 20);
  assert.equal(secondsOf(p95, 10_000, { duration_s: 8, think_s: 5 }), 20);
});

// --- over blocks

const rates = (...found) => found.map((rate) => ({ kind: 'rate', rate, resolution: 0 }));
const atLeast = (...found) => found.map((rate) => ({ kind: 'at least', rate, why: 'generator' }));
const none = (...found) => found.map((rate) => ({ kind: 'none', rate }));

test("rates in every block: geometric mean and Student's interval", () => {
  const { kind, rate, low, high } = overBlocks(rates(380, 400, 421, 443));
  assert.equal(kind, 'rate');
  near(rate, 410.3, 1e-3);
  // mean log 6.01696, sd 0.06602, t(3) 3.18245
  near(low, 369.4, 1e-3);
  near(high, 455.8, 1e-3);
});

test('one block, or fewer than planned, has no interval; steps that agree are not certain', () => {
  assert.deepEqual(overBlocks(rates(400)).low, null);
  const lost = overBlocks([...rates(400, 410, 405), { kind: 'unknown', why: 'disturbed' }]);
  assert.deepEqual([lost.kind, lost.low, lost.blocks, lost.of], ['rate', null, 3, 4]);
  const steps = Array.from({ length: 5 }, () => ({ kind: 'rate', rate: 400, resolution: Math.log(1.03) ** 2 / 12 }));
  const { low, high } = overBlocks(steps);
  assert.ok(low < 397 && high > 403);
  assert.equal(overBlocks([{ kind: 'unknown', why: 'disturbed' }]).kind, 'unknown');
});

test('blocks that were cut off are N or more: the median where it is known, and an interval without an end', () => {
  const few = overBlocks([...rates(380, 400, 390, 410, 420), ...atLeast(500)]);
  assert.deepEqual([few.kind, few.low, few.high], ['rate', 380, null]);
  near(few.rate, Math.sqrt(400 * 410), 1e-9);
  const low = overBlocks([...rates(400, 390, 410, 420, 430), ...atLeast(300)]); // may be anywhere above 300
  assert.deepEqual([low.kind, low.low, low.high, low.why], ['at least', 300, null, 'generator']);
  const all = overBlocks(atLeast(500, 500, 480, 500, 500, 500));
  assert.deepEqual([all.kind, all.rate, all.low, all.high], ['at least', 500, 480, null]);
  assert.deepEqual(overBlocks([...rates(400, 401), ...atLeast(500)]).low, null); // three blocks have no interval of ranks
});

test('blocks that found no rate are below any', () => {
  const some = overBlocks([...rates(5, 6, 7, 8, 9), ...none(1)]);
  assert.deepEqual([some.kind, some.low, some.high], ['rate', 0, 9]);
  const most = overBlocks([...rates(5), ...none(2, 1, 1, 1, 1)]);
  assert.deepEqual([most.kind, most.rate, most.low, most.high], ['none', 1, 0, 5]);
  const half = overBlocks([...rates(400, 402), ...none(10, 12)]);
  assert.deepEqual([half.kind, half.why, half.blocks], ['unknown', 'divided', 4]);
  for (const blocks of [
    [...none(4, 4), ...rates(400)],
    [...rates(400, 410), ...none(4)],
  ])
    assert.deepEqual([overBlocks(blocks).kind, overBlocks(blocks).why], ['unknown', 'divided']);
});

const PARTS = partsOf('p95<50ms, errors<0.1%');

test('the answer in words', () => {
  const p95 = partsOf('p95<50ms');
  const whole = { kind: 'rate', rate: 412.3, low: 398.2, high: 431.4, blocks: 5, of: 5, why: null };
  assert.equal(answerText(p95, whole), 'p95 stays below 50 ms up to 412 requests/s (95 % interval 398 to 431)');
  assert.equal(
    answerText(PARTS, { ...whole, low: null, high: null, blocks: 1, of: 1 }),
    'p95 stays below 50 ms and errors below 0.1 % up to 412 requests/s (no interval: 1 of 1 block)',
  );
  assert.equal(
    answerText(p95, { ...whole, kind: 'at least', rate: 5000, low: 4800, high: null, why: 'generator' }),
    'p95 stays below 50 ms up to at least 5,000 requests/s (the load generator could not send more; 95 % interval from 4,800 up)',
  );
  assert.equal(
    answerText(PARTS, { kind: 'none', rate: 1, low: 0, high: 0, why: null }),
    'p95 does not stay below 50 ms and errors below 0.1 % at any rate that was tried, down to 1 request/s',
  );
  assert.equal(
    answerText(p95, { kind: 'unknown', rate: null, low: null, high: null, why: 'disturbed' }),
    'not known at which rates p95 stays below 50 ms: probes were disturbed',
  );
  assert.equal(
    answerText(
      p95,
      { ...whole, kind: 'at least', rate: 4000, low: null, high: null, blocks: 1, of: 1, why: 'bound' },
      { think_s: 5 },
    ),
    'p95 stays below 50 ms up to at least 4,000 users who think for 5 s between an answer and the next request (no more were to be tried; no interval: 1 of 1 block)',
  );
  assert.equal(
    answerText(p95, { ...whole, rate: 251, low: 14.5, high: 4350 }),
    'hardly known at which rates p95 stays below 50 ms: about 251 requests/s (95 % interval 14.5 to 4,350)',
  );
  assert.equal(
    answerText(p95, whole, { iteration_requests: 3 }),
    'p95 stays below 50 ms up to 412 iterations/s of 3 requests each (95 % interval 398 to 431)',
  );
  assert.equal(
    lawText({ kind: 'rate', rate: 2050 }, { rate_rps: 400, mean_us: 20_000, users: 2008 }),
    'By Little’s law 400 requests/s, each answered in 20 ms on average, are asked by 2,010 such users; found were 2,050, 102 % of that.',
  );
  assert.equal(objectiveText(partsOf('errors<1%')), 'errors stay below 1 %');
  assert.equal(
    objectiveText(partsOf('p50<1ms, p99.9<2s, errors<1%')),
    'p50 stays below 1 ms, p99.9 below 2 s and errors below 1 %',
  );
});

test('users: rate times response and thinking', () => {
  near(usersOf(400, { mean_us: 20_000, think_s: 5 }), 2008, 1e-12);
  assert.throws(() => usersOf(400, { mean_us: 20_000, think_s: -1 }), /think_s must be a number from 0 up/);
  assert.throws(() => usersOf(400, { mean_us: null, think_s: Number.NaN }), /think_s/);
});

// --- overload

/** The seconds of an overload of 100 requests/s that is normal but for what is said. @param {(t_s: number) => object} [unlike] by second */
const course = (unlike = () => ({}), limit_us = 100_000, requests = 1) =>
  courseOf(
    Array.from({ length: OVERLOAD_S }, (_, t_s) => ({
      ...{ t_s, requests: 50, answers: 100, errors: 0, p50_us: 10_000, p95_us: 20_000, in_flight: 2 },
      ...unlike(t_s),
    })),
    { limit_us, wrong_share: 0.01 },
    requests,
  );
const slow = (from, to) => (t_s) => (t_s >= from && t_s < to ? { p95_us: 300_000 } : {});

test('overload: how long p95 takes to be normal for good, and whether it was before', () => {
  const told = ({ normal_before, normal_after_s }) => [normal_before, normal_after_s];
  assert.deepEqual(told(course()), [true, 0]);
  assert.deepEqual(told(course(slow(10, 23))), [true, 3]);
  assert.deepEqual(told(course((t_s) => (t_s === 22 ? {} : slow(10, 26)(t_s)))), [true, 6]);
  assert.deepEqual(told(course(slow(10, 40))), [true, null]);
  assert.deepEqual(told(course(slow(2, 9))), [false, 0]);
  assert.deepEqual(told(course(slow(10, 30), null)), [true, null]);
});

test('overload: a second without a p95 is normal when it was quiet, and not when too many had no answer', () => {
  const unanswered = (t_s) => (t_s >= 10 && t_s < 27 ? { p95_us: null } : {});
  assert.equal(course(unanswered).normal_after_s, 7);
  assert.equal(course((t_s) => (t_s === 30 ? { p95_us: null, requests: 0, in_flight: 300 } : {})).normal_after_s, 11);
  assert.equal(course((t_s) => (t_s === 30 ? { p95_us: null, requests: 0, in_flight: 0 } : {})).normal_after_s, 0);
});

test('overload: in how many of its seconds p95 was below the limit all the same', () => {
  assert.equal(course(slow(10, 20)).held_share, 0);
  assert.equal(course(slow(14, 20)).held_share, 1 / 3); // the first second does not count
  assert.equal(course(slow(14, 20), null).held_share, null);
});

test('overload: fast wrong answers are not normal', () => {
  assert.equal(course((t_s) => (t_s >= 20 && t_s < 30 ? { errors: 90, p95_us: 500 } : {})).normal_after_s, 10);
});

test('overload: right answers, of a script with several requests iterations', () => {
  assert.equal(course((t_s) => (t_s < 20 ? { answers: 120, errors: 30 } : {})).good_rps, 90);
  assert.equal(course(undefined, 100_000, 4).good_rps, 25);
});

test('side by side: the best answer first, rates and numbers of users apart', () => {
  const answer = (kind, rate, low = null, high = null) => ({ kind, rate, low, high, blocks: 4, of: 4, why: null });
  const of = (target, found, more) => ({
    ...{ target, variant: 'base', workload: 'analytics', tool: 'k6', database: 'tpch' },
    ...{ objective: { parts: PARTS }, answer: found, ...more },
  });
  const [rate, users] = sideBySide({
    capacities: [
      of('raw', answer('none', 5, 0, 0)),
      of('pooled', answer('rate', 341, 330, 352)),
      of('rollup', answer('at least', 6400, 6300)),
      of('pooled', answer('unknown', null), { think_s: 5 }),
    ],
  });
  assert.deepEqual(rate.rows, [
    ['rollup', 'at least 6,400', 'from 6,300 up', '4 of 4'],
    ['pooled', '341', '330 to 352', '4 of 4'],
    ['raw', 'none, down to 5', '–', '4 of 4'],
  ]);
  assert.deepEqual(users.rows, [['pooled', 'not known', '–', '4 of 4']]);
  assert.match(users.title, /^With how many users, who think for 5 s/);
  assert.deepEqual(sideBySide({}), []);
});

// --- the theory that tests/bench/capacity.js holds the search against

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
  const found = [...runsOf({ ...setting, times: 10, blocks: 5, runs: 150 })];
  const held = found.filter(({ answer: { low, high } }) => low <= truth && truth <= high).length;
  assert.ok(held >= 134, `${held} of 150`); // 95 % but for one such test in a thousand: 134
  assert.ok(found.every(({ blocks }) => blocks.every(({ probes }) => probes.length <= 14)));
});
