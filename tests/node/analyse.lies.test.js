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
      const raised = reasons.find((reason) => reason.check === check);
      assert.equal(raised?.verdict, verdict, JSON.stringify(reasons));
      assert.ok(raised.text.length > 10 && 'value' in raised && 'limit' in raised);
    });
