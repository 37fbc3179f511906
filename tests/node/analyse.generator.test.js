import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ceilings } from '../../scripts/analyse/generator.js';

const cell = (changes) => ({ tool: 'wrk', workload: 'echo', model: 'closed', level: 16, variant: 'base', ...changes });

test('a variant that changes the tool has its own ceiling, any other that of base', () => {
  const ceilings = new Ceilings();
  ceilings.add(cell(), 1000);
  ceilings.add(cell({ variant: 'close' }), 100);
  assert.equal(ceilings.of(cell()), 1000);
  assert.equal(ceilings.of(cell({ variant: 'pool-10' })), 1000);
  assert.equal(ceilings.of(cell({ variant: 'close' })), 100);
  assert.equal(ceilings.of(cell({ level: 4 })), null);
});
