// Target cluster: several processes that serve one port, over a real PostgreSQL with TPC-H.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { workers } from '../../apps/cluster/db.js';
import { together } from '../../apps/lib/workers.js';
import { privateDatabase } from '../lib/database.js';
import { answering, eventually, freePort, outcome, start } from '../lib/process.js';

const CLUSTER = ['apps/lib/main.js', 'cluster'];

let database;
before(async () => {
  database = await privateDatabase('tpch');
});
after(() => database?.remove());

/** The pids of a process's children, by /proc. */
const childrenOf = (pid) =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        return readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1].split(' ')[1] === String(pid);
      } catch {
        return false; // it has just ended
      }
    })
    .map(Number);

function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Starts the target: {child, output, url, exit: its end, env}. */
async function up(t, variables = {}) {
  const env = { ...database.settings, PORT: String(await freePort()), POOL_SIZE: '4', ...variables };
  const { child, output } = start(CLUSTER, env);
  const exit = once(child, 'close');
  t.after(() => child.kill('SIGKILL'));
  const url = `http://127.0.0.1:${env.PORT}`;
  await answering(`${url}/healthz`);
  return { child, output, url, exit, env };
}

test('a worker for each core, the connections split among them; none without a connection', () => {
  const sizes = (POOL_SIZE, cores) => workers({ POOL_SIZE }, cores).map((variables) => Number(variables.POOL_SIZE));
  assert.deepEqual(sizes(10, 2), [5, 5]);
  assert.deepEqual(sizes(10, 4), [3, 3, 2, 2]);
  assert.deepEqual(sizes(1, 2), [1]);
  assert.deepEqual(sizes(3, 64), [1, 1, 1]);
});

test('the accounts of several processes become one: sums, and the worst event loop', () => {
  const reading = (n) => ({
    interval_s: n,
    event_loop_utilization: n / 10,
    event_loop_delay_mean_us: n,
    event_loop_delay_p99_us: n === 2 ? null : n,
    event_loop_delay_max_us: n,
    rss_bytes: n,
    heap_used_bytes: n,
    cpu_user_s: n,
    cpu_system_s: n,
    pool: { total: n, idle: n, waiting: n },
  });
  assert.deepEqual(together([reading(1), reading(2)]), {
    interval_s: 2,
    event_loop_utilization: 0.2,
    event_loop_delay_mean_us: 2,
    event_loop_delay_p99_us: null,
    event_loop_delay_max_us: 2,
    rss_bytes: 3,
    heap_used_bytes: 3,
    cpu_user_s: 3,
    cpu_system_s: 3,
    pool: { total: 3, idle: 3, waiting: 3 },
  });
});

for (const variables of [{}, { CONNECTIONS: 'pipelined' }, { FRAMEWORK: 'express' }]) {
  test(`cluster ${JSON.stringify(variables)}: right answers, one account of all workers, SIGTERM closes it: exit 0`, async (t) => {
    const { child, url, exit } = await up(t, variables);
    const values = Array.from({ length: 40 }, (_, i) => `v${i}`);
    const echoed = await Promise.all(values.map(async (value) => (await fetch(`${url}/echo/${value}`)).json()));
    assert.deepEqual(
      echoed,
      values.map((value) => ({ value })),
    );
    const stats = await (await fetch(`${url}/stats`)).json();
    assert.equal(stats.target, 'cluster');
    assert.deepEqual(stats.pool, { total: 4, idle: 4, waiting: 0 });
    assert.ok(stats.event_loop_utilization >= 0 && stats.event_loop_utilization <= 1);
    assert.ok(stats.rss_bytes > 1e6 && stats.cpu_user_s > 0 && stats.interval_s > 0 && stats.uptime_s > 0);
    const children = childrenOf(child.pid);
    assert.equal(children.length, workers({ POOL_SIZE: 4 }).length);
    child.kill('SIGTERM');
    assert.deepEqual(await exit, [0, null]);
    assert.ok(!children.some(isAlive));
  });
}

test('a port that is taken: one line, exit 2', async (t) => {
  const { env } = await up(t);
  const { code, stderr } = await outcome(CLUSTER, env);
  assert.match(stderr, /^error: 127.0.0.1:\d+ is taken: [^\n]*\n$/);
  assert.equal(code, 2);
});

test('a worker that dies takes the target with it, which says so', async (t) => {
  const { child, output, exit } = await up(t);
  const [first, ...others] = childrenOf(child.pid);
  const ended = once(child, 'exit');
  process.kill(first, 'SIGKILL');
  assert.deepEqual(await ended, [2, null]);
  assert.ok(!others.some(isAlive), 'it ended before its workers');
  await exit;
  assert.match(output.stderr, /^error: a worker was ended by SIGKILL\n$/);
});

test('an end that nobody announced ends the workers too', async (t) => {
  const { child, exit } = await up(t);
  const children = childrenOf(child.pid);
  child.kill('SIGKILL');
  await exit;
  await eventually(() => !children.some(isAlive));
});
