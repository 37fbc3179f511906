/** The search for a capacity, and the fit that answers. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seeded } from '../../k6/lib/random.js';
import { crossing } from '../../scripts/analyse/capacity/crossing.js';
import { lowestFailed, probeOf, search, startOf, WITHIN } from '../../scripts/analyse/capacity/search.js';
import { near, searched } from './lib/capacity.js';

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
  const random = seeded(3);
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

/** Probes as '217h 434f 307d 258u': a rate that held, failed, was disturbed or was not sent. */
const probesOf = (text) =>
  text.split(' ').map((one) => {
    const is = one.at(-1);
    const more = { disturbed: is === 'd', limited: is === 'u' ? 'generator' : null };
    return told(Number.parseInt(one, 10), is === 'h' ? 0.001 : 0.5, more);
  });
const after = (text, budget) => search(probesOf(text), { start: 100, least: 4, ...(budget && { budget }) });

test('what held only before the target was overloaded is no answer, and is asked again while there are probes', () => {
  for (const [why, text] of [
    // of four places that tire under overload, on a machine whose processors were taken
    ['probes', '217h 434d 434f 307f 258d 258f 237f 227d 227d 227d 222d 222d 222f 217d'],
    // dead once it was overloaded
    ['overload', '100h 200h 400f 283f 238f 218f 209f 204f 200f 200f 141f 119f 109f 104f'],
    ['overload', '217f 108h 153h 182h 198h 207h 212h 212h 217h 217h 434f 307f 258d 258f'],
    ['overload', '537h 1074h 2148f 1519f 1277f 1171f 1121f 1097f 1074f 1074f 759f 638u 585f 560u'],
    ['overload', '217h 434d 434d 434d 307d 307d 307d 258d 258d 258d 237d 237d 237d 227d'],
  ])
    assert.deepEqual(after(text), { kind: 'unknown', why }, text);
  assert.equal(after('217h 434d 434f 307f 258d 258f 237f 227f 222f 217h', 10).kind, 'rate', 'that held afterwards');
  assert.equal(after('100h 200h 400f 283f 238f').next, 200);
  assert.equal(after('100h 200h 400f 283f 238f 200f 200f').next, 100);
  assert.equal(after('100h 200h 400f 283f 238f 200h').next, 218, 'one that recovered');
});

test('a target that dies of overload is credited with nothing, wherever the search starts', () => {
  for (const cold of [0, 1])
    for (let start = 20; start <= 400; start += 1) {
      let isDead = false;
      const ask = (rate, n) => {
        const share = isDead || rate > 300 || n < cold ? 0.9 : 0.001;
        isDead ||= rate > 300;
        return told(rate, share);
      };
      const { answer } = searched(ask, { start, least: 4 });
      assert.ok(['none', 'unknown'].includes(answer.kind), `from ${start}: ${JSON.stringify(answer)}`);
    }
});

test('a first probe that fails, as the target is cold, costs no answer', () => {
  for (let start = 100; start <= 600; start += 10) {
    const { answer, probes } = searched((rate, n) => told(rate, n === 0 ? 0.9 : shareAt(rate, 600)), { start });
    const text = `from ${start}: ${JSON.stringify(answer)} ${probes.map(({ rate }) => rate).join(' ')}`;
    assert.ok(answer.kind === 'rate' && answer.low <= 600 && 600 <= answer.high * (1 + WITHIN), text);
  }
});

test('where one probe failed while the target was cold, the rate is asked again when what failed with it holds', () => {
  assert.equal(after('326f 163f 81f 40h 57h 68h 81h 81h').next, 163);
  assert.deepEqual(after('326f 163f 81f 40h 57h 68h 81h 81h', 8), { kind: 'at least', rate: 81, why: 'probes' });
  // from a rate that failed once and holds now, small steps lead up
  assert.equal(after('100f 50h 71h 84h 92h 96h 98h 98h 100h 100h').next, 106);
});

test('not at any rate is said of the lowest rate alone, where it failed twice', () => {
  assert.deepEqual(after('209h 209f 209f 209f', 4), { kind: 'unknown', why: 'probes' });
  assert.deepEqual(after('209f 209f 209f', 3), { kind: 'unknown', why: 'probes' });
  assert.deepEqual(after('5000f 2500d 2500f 1250d 1250f 625d 625f 312d 312f 156d 156f 78d 78f 39d'), {
    kind: 'unknown',
    why: 'probes',
  });
  assert.deepEqual(after('8f 4f 4f'), { kind: 'none', rate: 4 });
  assert.deepEqual(after('8h 16f 11f 9f 8f 8f 4f 4f'), { kind: 'unknown', why: 'overload' }, 'a higher one held once');
});

test('a rate holds where more of its probes did than did not, disturbed ones included', () => {
  assert.equal(after('100h 200f 141h 168h 183h 191d 191h').next, 191);
  assert.equal(after('100h 200f 141h 168h 183h 191d 191h 191h').next, 195);
  assert.equal(after('100h 200f 141h 168h 183h 191d 191h 191d 191d').next, 187, 'three disturbed');
  // a generator that is late where something else took the processors says nothing either
  assert.equal(probeOf(5, { outcome: 'fails' }, { disturbed: true, limited: 'generator' }).limited, null);
});

test('the lowest rate that failed is one at which most probes did, or as many as held', () => {
  assert.equal(lowestFailed(probesOf('153h 306f 306h 306h 612f'), 153), 612);
  assert.equal(lowestFailed(probesOf('153h 306f 306h 612f'), 153), 306);
  assert.equal(lowestFailed(probesOf('153h 306u 306u 306f'), 153), null, 'not sent');
});

test('where what lies between was disturbed, a rate that failed close above bounds the answer all the same', () => {
  const text = '217h 434d 434d 434d 307h 365h 398h 416f 407d 407d 407d 398h';
  const { kind, why, low, high, resolution } = after(text, 12);
  assert.deepEqual([kind, why, low, high], ['rate', 'disturbed', 398, 416]);
  near(resolution, Math.log(416 / 398) ** 2 / 12, 1e-9);
  assert.equal(after('217h 434f 307d 307d 307d 217h', 6).kind, 'at least', 'far above');
});

test('a search that was cut short says how wide its bracket is, also where there is a fit', () => {
  const { answer } = searched(upTo(700), { start: 100, budget: 9 });
  assert.ok(answer.fitted > 0);
  near(answer.resolution, Math.log(answer.high / answer.low) ** 2 / 12, 1e-9);
});

test('where the probes were spent on both sides of a wide bracket, the fit tells more than its middle, and may be off by more', () => {
  const rates = [134, 268, 190, 160, 134, 146, 153, 156, 153, 153, 156, 156, 160, 160];
  const shares = [0.02, 0.8, 0.09, 0.058, 0.018, 0.017, 0.02, 0.08, 0.065, 0.04, 0.03, 0.04, 0.045, 0.02];
  const probes = rates.map((rate, i) => told(rate, shares[i], { samples: 2000 }));
  const { kind, rate, low, high, why, resolution } = search(probes, { start: 134 });
  assert.deepEqual([kind, low, high, why], ['rate', 160, 190, 'probes']);
  assert.ok(rate > 160 / (1 + WITHIN) && rate < 169, `${rate}`);
  assert.ok(resolution > Math.log(190 / 160) ** 2 / 6 && resolution < Math.log(190 / 155) ** 2 / 3, `${resolution}`);
});

test('a fit stays within 3 % of the bracket, wherever its curve crosses', () => {
  const shares = new Map([
    [241, [0.0006]],
    [252, [0, 0]],
    [257, [0, 0]],
    [263, [0.27, 0, 0]],
    [313, [0.0006]],
    [327, [0.02, 0.02]],
    [334, [0.36, 0.36]],
    [341, [1]],
  ]);
  const highestFirst = [...shares].reverse();
  const probes = highestFirst.flatMap(([rate, found]) => found.map((share) => told(rate, share, { samples: 3000 })));
  const unbound = crossing(probes, { low: 327, high: 334 });
  assert.ok(unbound.rate < 300, `the curve crosses at ${unbound.rate}`);
  const { kind, rate, low, high, resolution } = search(probes, { start: 200, budget: probes.length });
  assert.deepEqual([kind, low, high], ['rate', 327, 334]);
  near(rate, 327 / (1 + WITHIN), 1e-9);
  near(resolution, Math.log(334 / rate) ** 2 / 3, 1e-9, 'it may be off as far as the other end');
});

test('at least N: what the generator could not send bounds the search, and says nothing of the target', () => {
  const slow = (rate) => told(rate, rate > 900 ? 0.5 : 0.001, { limited: rate > 900 ? 'generator' : null });
  const { answer, probes } = searched(slow, { start: 100 });
  assert.deepEqual([answer.kind, answer.why], ['at least', 'generator']);
  assert.ok(answer.rate <= 900 && answer.rate > 900 / (1 + WITHIN), `${answer.rate}`);
  assert.ok(probes.length <= 14);
  // the target's own limit below that is a rate
  const both = (rate) => told(rate, shareAt(rate, 800), { limited: rate > 900 ? 'generator' : null });
  const least = searched(both, { start: 100 }).answer;
  assert.equal(least.kind, 'rate');
  near(least.rate, 800, 0.01);
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
    const { rate, fitted, ...rest } = answer;
    near(rate, quiet.answer.rate, 1e-9, `probe ${n}:`);
    assert.deepEqual({ rate: quiet.answer.rate, fitted: quiet.answer.fitted, ...rest }, quiet.answer, `probe ${n}`);
    assert.equal(probes[n + 1].rate, probes[n].rate);
    // a rate that holds is asked once more, so that more did than did not; and the lower one, which must hold after the upper was asked
    assert.ok(probes.length - quiet.probes.length <= 3, `${probes.length} probes`);
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
  assert.equal(next([0.04, 0.06, 0.04], [0.06, 0.04, 0.04]), 108); // 102 has held
  assert.equal(next([0.04, 0.06, 0.04], [0.06, 0.06]), undefined);
});

test('a failure by chance, wherever it comes, moves the answer by little', () => {
  const quiet = searched(upTo(700), { start: 100 });
  for (let n = 3; n < quiet.probes.length; n += 1) {
    const { answer } = searched((rate, at) => told(rate, at === n ? 0.07 : shareAt(rate, 700)), { start: 100 });
    assert.equal(answer.kind, 'rate');
    near(answer.rate, 700, answer.why === null ? 0.02 : 0.06, `probe ${n}:`);
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

test('a jump from few that miss the objective to twice as many as may is a cliff: no line is laid through it', () => {
  for (const [below, beyond] of [
    [0, 0.11],
    [0.01, 0.2],
  ]) {
    const { answer } = searched((rate) => told(rate, rate > 700 ? beyond : below), { start: 400 });
    assert.deepEqual([answer.kind, answer.fitted], ['rate', 0]);
    assert.ok(answer.low <= 700 && 700 <= answer.high, `${answer.low} to ${answer.high}`);
  }
});
