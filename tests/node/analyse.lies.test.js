import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AB, BY_NUMBER, CELL, LIES, OPEN, verdictOf, WRK } from './lib/lies.js';

test('an honest trial is valid, closed and open, by k6, wrk and ab', () => {
  for (const cell of [CELL, OPEN, WRK, AB, BY_NUMBER]) {
    const { verdict, reasons } = verdictOf(() => {}, cell);
    assert.equal(verdict, 'valid', JSON.stringify(reasons));
  }
});

for (const [lie, [check, verdict, change, cell]] of Object.entries(LIES)) {
  test(`${lie}: ${verdict} by ${check}`, () => {
    const { reasons } = verdictOf((trial) => void change(trial), cell);
    const found = reasons.find((reason) => reason.check === check);
    assert.equal(found?.verdict, verdict, JSON.stringify(reasons));
    assert.ok(found.text.length > 10 && 'value' in found && 'limit' in found);
  });
}
