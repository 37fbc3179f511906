// The targets over a real PostgreSQL with TPC-H.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { readEnvironment } from '../../apps/lib/environment.js';
import { statusOf } from '../../apps/lib/errors.js';
import * as queries from '../../apps/lib/queries.js';
import { buildServer } from '../../apps/lib/server.js';
import * as native from '../../apps/native/db.js';
import pg from '../../apps/node_modules/pg/esm/index.mjs';
import { Connection } from '../../apps/pipelined/connection.js';
import * as pipelined from '../../apps/pipelined/db.js';
import * as pooled from '../../apps/pooled/db.js';
import * as postgresjs from '../../apps/postgresjs/db.js';
import * as raw from '../../apps/raw/db.js';
import * as rollup from '../../apps/rollup/db.js';
import { privateDatabase } from '../lib/database.js';
import { eventually } from '../lib/process.js';

const ADDON = new URL('../../apps/node_modules/libpq/build/Release/addon.node', import.meta.url);
const PREPARE = readFileSync(new URL('../../apps/rollup/prepare.sql', import.meta.url), 'utf8');
const ROUTES = ['/echo/x', '/analytics', '/healthz'];

/** What is tested alike: its name, its module, variables beyond the database's, sessions between requests. */
const TARGETS = [
  ['raw', raw, {}, 0],
  ['pooled', pooled, {}, 3],
  ['pooled, unnamed statements', pooled, { STATEMENTS: 'unnamed' }, 3],
  ['pipelined', pipelined, {}, 3],
  ['postgresjs', postgresjs, {}, 3],
  ...(existsSync(ADDON) ? [['native', native, {}, 3]] : []), // skipped as in an experiment: set-up says what it needs
];

let database;
before(async () => {
  database = await privateDatabase('tpch');
});
after(() => database?.remove());

const configOf = (target, name, variables) => ({
  ...readEnvironment(target.environment, { ...database.settings, POOL_SIZE: '3', ...variables }),
  name,
});

/** The target's db, its sessions named `name`. */
async function open(t, target, name, variables) {
  const db = await target.connect(configOf(target, name, variables));
  t.after(() => db.close());
  return db;
}

/** Runs SQL in a session of its own; resolves to the rows. */
async function sql(text, values) {
  const { PGHOST: host, PGPORT, PGUSER: user, PGPASSWORD: password, PGDATABASE } = database.settings;
  const client = new pg.Client({ host, port: Number(PGPORT), user, password, database: PGDATABASE });
  await client.connect();
  try {
    return (await client.query(text, values)).rows;
  } finally {
    await client.end();
  }
}

const endSessions = (name) =>
  sql('select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1', [name]);

const sessions = async (name) =>
  (await sql('select count(*)::int as n from pg_stat_activity where application_name = $1', [name]))[0].n;

for (const [name, target, variables, kept] of TARGETS) {
  test(`${name} echoes, and has ${kept} sessions between requests`, async (t) => {
    const db = await open(t, target, 'echoes', variables);
    for (const value of ['x', 'é漢🐘', `'"\\; --`, '\t\n', '1', 'null', '{}'])
      assert.equal(await db.echo(value), value);
    const values = Array.from({ length: 10 }, (_, i) => String(i));
    assert.deepEqual(await Promise.all(values.map((value) => db.echo(value))), values);
    await eventually(async () => (await sessions('echoes')) === kept);
  });

  test(`${name} fails what was under way when its sessions are ended by the server, and recovers`, async (t) => {
    const db = await open(t, target, 'recovers', variables);
    await db.echo('x');
    const underWay = target === native ? 0 : 20; // the add-on may take a minute to notice: native/db.js
    const slow = Promise.allSettled(Array.from({ length: underWay }, () => db.analytics()));
    await endSessions('recovers');
    for (const { status, reason } of await slow)
      if (status === 'rejected') assert.equal(statusOf(reason), 503, reason.message);
    await endSessions('recovers'); // idle ones this time
    await eventually(() =>
      db.echo('again').then(
        (value) => value === 'again',
        () => false,
      ),
    );
  });
}

test('all give the same rows, of the types of the contract', async (t) => {
  await sql(PREPARE);
  const [first, ...others] = [...TARGETS, ['rollup', rollup, {}]];
  const expected = await (await open(t, first[1], 'rows', first[2])).analytics();
  for (const [name, target, variables] of others) {
    const db = await open(t, target, 'rows', variables);
    assert.deepEqual([...(await db.analytics())], expected, name);
  }
  const [{ status, year, orders, total }] = expected;
  assert.equal(typeof status, 'string');
  assert.ok(Number.isInteger(year) && Number.isInteger(orders));
  assert.match(total, /^\d+\.\d\d$/);
});

test('pooled prepares each statement once in a session, and with unnamed statements none', async (t) => {
  const analytics = 'select name from pg_prepared_statements order by name';
  for (const [STATEMENTS, expected] of [
    ['unnamed', []],
    ['named', ['analytics', 'echo']],
  ]) {
    const config = configOf(pooled, 'prepares', { STATEMENTS, POOL_SIZE: '1' });
    const db = await pooled.connect(config, { analytics });
    t.after(() => db.close());
    await db.echo('x');
    await db.echo('y');
    assert.deepEqual(
      (await db.analytics()).map(({ name }) => name),
      expected,
    );
  }
});

test('a pipelined connection takes requests before it has answered others, and answers each with its own', async (t) => {
  const connection = new Connection(configOf(pipelined, 'in-flight'));
  await connection.open();
  t.after(() => connection.close());
  const echoOf = (value) => connection.query({ name: 'echo', text: queries.echo, values: [value] });
  const asked = [
    connection.query('select pg_sleep(0.3)'),
    echoOf('first'),
    connection.query({ text: 'select $1::int', values: ['not a number'] }),
    echoOf('last'),
  ];
  assert.equal(connection.unanswered, 4);
  const [, first, wrong, last] = await Promise.allSettled(asked);
  assert.equal(first.value.rows[0].value, 'first');
  assert.equal(wrong.reason.code, '22P02');
  assert.equal(last.value.rows[0].value, 'last');
  assert.equal(connection.unanswered, 0);
});

test('pipelined spreads requests evenly, and tells how many are behind others', async (t) => {
  const db = await open(t, pipelined, 'spreads');
  assert.deepEqual(db.stats().pool, { total: 3, idle: 3, waiting: 0 });
  const asked = Array.from({ length: 8 }, () => db.analytics());
  assert.deepEqual(db.stats().pool, { total: 3, idle: 0, waiting: 5 });
  await Promise.all(asked);
  assert.deepEqual(db.stats().pool, { total: 3, idle: 3, waiting: 0 });
});

test('without the database every route is 503; when it is back all heal by themselves', async (t) => {
  const apps = [];
  for (const [name, target, variables] of TARGETS) {
    const db = await target.connect(configOf(target, 'outage', variables));
    const app = buildServer({ name, db, readProcess: () => ({}) });
    t.after(() => app.close());
    apps.push([name, app]);
  }
  const ask = async (app) => Promise.all(ROUTES.map(async (url) => (await app.inject({ url })).statusCode));
  const all = (status) => ROUTES.map(() => status);
  for (const [name, app] of apps) assert.deepEqual(await ask(app), all(200), name);
  await database.down();
  for (const [name, app] of apps) {
    assert.deepEqual(await ask(app), all(503), name);
    assert.deepEqual(await ask(app), all(503), `${name}, asked again`);
  }
  await database.up();
  for (const [name, app] of apps) assert.deepEqual(await ask(app), all(200), name);
});
