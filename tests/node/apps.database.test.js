// The targets over a real PostgreSQL with TPC-H: PGHOST, PGPORT, PGUSER, PGPASSWORD and PGDATABASE say which.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { readEnvironment } from '../../apps/lib/environment.js';
import pg from '../../apps/node_modules/pg/esm/index.mjs';
import * as pooled from '../../apps/pooled/db.js';
import * as raw from '../../apps/raw/db.js';
import * as rollup from '../../apps/rollup/db.js';

const PREPARE = readFileSync(new URL('../../apps/rollup/prepare.sql', import.meta.url), 'utf8');
const options = { skip: process.env.PGHOST ? false : 'PGHOST is not set: no database to ask' };

/** The target's db, its sessions named after the test's process. */
async function open(t, target, name) {
  const config = { ...readEnvironment(target.environment, { ...process.env, POOL_SIZE: '3' }), name };
  const db = await target.connect(config);
  t.after(() => db.close());
  return db;
}

/** Runs SQL in a session of its own; resolves to the rows. */
async function sql(text, values) {
  const client = new pg.Client();
  await client.connect();
  try {
    return (await client.query(text, values)).rows;
  } finally {
    await client.end();
  }
}

async function sessions(name) {
  return (await sql('select count(*)::int as n from pg_stat_activity where application_name = $1', [name]))[0].n;
}

for (const [name, target, open_sessions] of [
  ['raw', raw, 0],
  ['pooled', pooled, 3],
]) {
  test(`${name} echoes, and has ${open_sessions} sessions between requests`, options, async (t) => {
    const marked = `test-${name}-${process.pid}`;
    const db = await open(t, target, marked);
    for (const value of ['x', 'é漢🐘', `'"\\; --`, '\t\n']) assert.equal(await db.echo(value), value);
    await Promise.all(Array.from({ length: 10 }, (_, i) => db.echo(String(i))));
    assert.equal(await sessions(marked), open_sessions);
  });

  test(`${name} recovers when its sessions are ended by the server`, options, async (t) => {
    const marked = `test-${name}-lost-${process.pid}`;
    const db = await open(t, target, marked);
    const slow = Promise.allSettled([db.analytics(), db.analytics()]);
    await sql('select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1', [marked]);
    await slow;
    await pause(100);
    assert.equal(await db.echo('again'), 'again');
  });
}

test('raw, pooled and rollup give the same rows, of the types of the contract', options, async (t) => {
  await sql(PREPARE);
  const answers = [];
  for (const [name, target] of Object.entries({ raw, pooled, rollup })) {
    const db = await open(t, target, `test-${name}-rows-${process.pid}`);
    answers.push(await db.analytics());
  }
  assert.deepEqual(answers[1], answers[0]);
  assert.deepEqual(answers[2], answers[0]);
  const [{ status, year, orders, total }] = answers[0];
  assert.equal(typeof status, 'string');
  assert.ok(Number.isInteger(year) && Number.isInteger(orders));
  assert.match(total, /^\d+\.\d\d$/);
});
