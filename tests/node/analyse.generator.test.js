import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ceilings } from '../../scripts/analyse/generator.js';

const cell = (changes) => ({ tool: 'wrk', workload: 'echo', model: 'closed', level: 16, variant: 'base', ...changes });

test('a variant that changes the tool has its own ceiling, any other that of base', () => {
  const ceilings = new Ceilings();
  ceilings.add(cell(), 1000);
  ceilings.add(cell({ variant: 'close' }), 100);
  assert.equal(ceilings.of(cell()).high, 1000);
  assert.equal(ceilings.of(cell({ variant: 'pool-10' })).high, 1000);
  assert.equal(ceilings.of(cell({ variant: 'close' })).high, 100);
  assert.equal(ceilings.of(cell({ level: 4 })), null);
});

test('a low draw lowers no ceiling, and shows in its range; an arrival rate has that of the highest closed level', () => {
  const ceilings = new Ceilings();
  for (const rps of [1000, 400]) ceilings.add(cell(), rps);
  ceilings.add(cell({ level: 4 }), 900);
  assert.deepEqual(ceilings.of(cell()), { low: 400, high: 1000 });
  assert.deepEqual(ceilings.of(cell({ model: 'open', level: 3000 })), { low: 400, high: 1000 });
  assert.equal(new Ceilings().of(cell({ model: 'open', level: 3000 })), null);
});

test('a variant whose own ceiling could not be measured has none, not that of base', () => {
  const ceilings = new Ceilings();
  ceilings.add(cell(), 80_000);
  for (const rps of [null, null]) ceilings.add(cell({ variant: 'close' }), rps);
  assert.equal(ceilings.of(cell({ variant: 'close' })), null);
  assert.equal(ceilings.of(cell({ variant: 'close-again' })), null);
  assert.equal(ceilings.of(cell({ variant: 'close', model: 'open', level: 500 })), null);
  assert.equal(ceilings.of(cell({ variant: 'pool-10' })).high, 80_000);
  ceilings.add(cell({ variant: 'close' }), 13_000);
  assert.deepEqual(ceilings.of(cell({ variant: 'close', model: 'open', level: 500 })), { low: 13_000, high: 13_000 });
});
