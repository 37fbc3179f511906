import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LIES } from './lib/lies.js';
import { AB, BY_NUMBER, CELL, OPEN, verdictOf, WRK } from './lib/verdict.js';

test('an honest trial is valid, closed and open, by k6, wrk and ab', () => {
  for (const cell of [CELL, OPEN, WRK, AB, BY_NUMBER]) {
    const { verdict, reasons } = verdictOf(() => {}, cell);
    assert.equal(verdict, 'valid', JSON.stringify(reasons));
  }
});

for (const [check, lies] of Object.entries(LIES))
  for (const [lie, [verdict, change, cell]] of Object.entries(lies))
    test(`${lie}: ${verdict} by ${check}`, () => {
      const { reasons } = verdictOf((trial) => void change(trial), cell);
      const found = reasons.find((reason) => reason.check === check);
      assert.equal(found?.verdict, verdict, JSON.stringify(reasons));
      assert.ok(found.text.length > 10 && 'value' in found && 'limit' in found);
    });
