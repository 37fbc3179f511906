import assert from 'node:assert/strict';
import { test } from 'node:test';
import { search } from '../../scripts/analyse/open-peaks.js';
import { seededRandom } from '../../scripts/analyse/random.js';

/** Searches against a target that sustains up to `capacity`. -> {rate, probes} */
function searched(closed_rps, capacity) {
  const probes = [];
  for (;;) {
    const found = search(closed_rps, probes);
    if (found.next === undefined) return { ...found, probes };
    assert.ok(Number.isInteger(found.next) && found.next >= 1 && !probes.some(({ rate }) => rate === found.next));
    probes.push({ rate: found.next, sustained: found.next <= capacity });
  }
}

test('the peak is found within 10 %, from below, in few probes, wherever it lies', () => {
  const random = seededRandom(5);
  for (let i = 0; i < 1000; i += 1) {
    const closed = 10 ** (1 + 3 * random());
    const capacity = closed * 10 ** (1.4 * random() - 1.1); // a 13th to twice as much
    const { rate, probes } = searched(closed, capacity);
    assert.ok(rate <= capacity && (rate * 1.1 >= capacity || capacity - rate < 1), `${rate} of ${capacity}`);
    assert.ok(probes.length <= 9, `${probes.length} probes`);
  }
});

test('a target that sustains nothing has no peak', () => {
  const { rate, probes } = searched(1000, 0);
  assert.equal(rate, null);
  assert.ok(probes.length <= 6);
  assert.equal(searched(1, 0).rate, null);
  assert.equal(searched(3, 1).rate, 1);
});

test('a rate above one that failed counts for nothing', () => {
  const probes = [
    { rate: 500, sustained: true },
    { rate: 1000, sustained: false },
    { rate: 1050, sustained: true },
  ];
  assert.equal(search(1000, probes).next, 707);
});
