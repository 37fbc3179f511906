import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { reconcile } from '../../scripts/analyse/reconcile.js';
import { sumSessions } from '../../scripts/analyse/sessions.js';

const reading = (counts) => ({
  postmaster_started: 'then',
  sessions: 10,
  xact_commit: 100,
  xact_rollback: 5,
  deadlocks: 0,
  temp_bytes: 0,
  ...counts,
});
const time = (before, after) => ({
  database: 'tpch',
  target: 'pooled',
  variant: 'base',
  before: reading(before),
  after: reading(after),
});

test('what sessions published is summed over the times that a target was up', () => {
  const [sums] = sumSessions([
    time({}, { sessions: 22, xact_commit: 1100, xact_rollback: 6, deadlocks: 1 }),
    time({}, { sessions: 12, xact_commit: 300, temp_bytes: 8192 }),
  ]);
  assert.deepEqual(sums, {
    database: 'tpch',
    target: 'pooled',
    variant: 'base',
    times_up: 2,
    sessions: 14,
    transactions: 1201,
    rollbacks: 1,
    deadlocks: 1,
    temp_bytes: 8192,
  });
});

test('a reading that failed, a restart, or a server that does not count sessions: null, never zero', () => {
  const fine = time({}, { sessions: 12 });
  assert.equal(sumSessions([fine, { ...fine, after: null }])[0].sessions, null);
  assert.equal(sumSessions([fine, time({}, { postmaster_started: 'since' })])[0].transactions, null);
  const [old] = sumSessions([time({ sessions: null }, { sessions: null, xact_commit: 101 })]);
  assert.deepEqual([old.sessions, old.transactions], [null, 1]);
});

test('what the database counted is told for each request, where there was one', () => {
  const database = JSON.parse(readFileSync(new URL('../jq/database-difference/out.json', import.meta.url)));
  const per = (counts, requests) => {
    const reconciled = reconcile({ database: { ...database, ...counts }, requests_total: requests }, 'echo');
    return [reconciled.statements_per_request, reconciled.sessions_per_request];
  };
  assert.deepEqual(per({}, 400), [2.005, 0.015]);
  assert.deepEqual(per({}, 0), [null, null]);
  assert.deepEqual(per({ statements: null }, 400), [null, 0.015]);
  assert.deepEqual(per({ sessions: null }, 400), [2.005, null]);
});
