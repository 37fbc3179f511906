// The pooled target with a lie: node tests/liars/liar/server.js, LIE names one of LIES or is "none". A lie about answers begins
// with the 50th request, so that the liar passes verification, as liars do. Each answer takes ANSWER_MS, lie or not: the machine is then
// nearly idle, and how fast it happens to be shows in no trial.
import { spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { integer, listener, readEnvironment, text } from '../../../apps/lib/environment.js';
import { run } from '../../../apps/lib/fault.js';
import { closeOnSignal, listen } from '../../../apps/lib/lifecycle.js';
import { watchProcess } from '../../../apps/lib/process-stats.js';
import { buildServer } from '../../../apps/lib/server.js';
import * as pooled from '../../../apps/pooled/db.js';

const HONEST_REQUESTS = 50;
const COLD_S = 0.8; // of a lead-in of one second
const SETUP = '/echo/setup'; // k6 asks it once, right before the load: a lie there ends the trial, and none would be left to see through

/** Each lie replaces functions of the honest db; `lying` says when, see schedule(). */
const LIES = {
  none: () => ({}),
  frozen: () => {
    setInterval(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2000), 5000);
    return {};
  },
  freezes: () => {
    setInterval(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 700), 1000);
    return {};
  },
  wrong: (db, lying) => ({
    echo: async (value) => (lying(100) ? `${await db.echo(value)}?` : db.echo(value)),
  }),
  reversed: (db) => ({ echo: async (value) => [...(await db.echo(value))].reverse().join('') }),
  cached: (db, lying) => ({ echo: async (value) => (lying(1) ? value : db.echo(value)) }),
  slower: (db, lying) => ({
    echo: async (value) => {
      if (lying(1)) await pause(40 + 3 * lying.seconds());
      return db.echo(value);
    },
  }),
  behind: (db, lying) => ({
    echo: async (value) => {
      if (!lying(1)) return db.echo(value);
      setTimeout(() => db.echo(value), 3000); // the answer comes first, the work later
      return value;
    },
  }),
  'select-1': (db, lying) => ({
    echo: async (value) => {
      if (!lying(1)) return db.echo(value);
      await db.ping(); // the database counts a statement, but not the one that was asked for
      return value;
    },
  }),
  late: (db, lying) => ({ echo: async (value) => (lying(33) ? await pause(20_000) : null) ?? db.echo(value) }),
  'once-late': (db, lying) => {
    let told = false;
    return {
      echo: async (value) => {
        if (lying(1) && !told) {
          told = true;
          await pause(10_000);
        }
        return db.echo(value);
      },
    };
  },
  grows: (db, lying) => ({
    echo: async (value) => `${await db.echo(value)}${lying(1) ? ' '.repeat(Math.ceil(lying.seconds())) : ''}`,
  }),
  'lost-worker': (db, lying) => {
    const worker = spawn(process.execPath, ['-e', 'process.stdin.resume()']); // its stdin ends with us, and it then
    return {
      echo: (value) => {
        if (lying(1) && lying.seconds() > 3) worker.kill();
        return db.echo(value);
      },
    };
  },
  slow: (db) => ({ echo: async (value) => (await pause(150)) ?? db.echo(value) }),
  killed: (db, lying) => ({
    echo: (value) => {
      if (lying(1) && lying.seconds() > 2) process.kill(process.pid, 'SIGKILL');
      return db.echo(value);
    },
  }),
};

/** Lies told by the server rather than the database layer: when, and what is sent instead of the answer to /echo. */
const REPLIES = {
  'not-found': {
    when: (lying) => lying(10),
    send: (reply) => reply.code(404).send({ error: 'Not Found', message: 'no such value', code: 'NOT_FOUND' }),
  },
  'redirects-wrk': {
    when: (lying, { headers }) => lying(1) && headers['user-agent'] === undefined,
    send: (reply) => reply.code(302).header('location', '/healthz').send(),
  },
  'garbage-for-wrk': {
    when: (lying, { headers }) => lying(1) && headers['user-agent'] === undefined,
    send: (reply) => reply.code(200).send({ value: 'something else' }),
  },
  dropped: { when: (lying) => lying(200), send: (reply) => reply.hijack().raw.destroy() },
  'ok-error': { when: (lying) => lying(10), send: (reply) => reply.code(200).send({ error: 'Continue wait' }) },
  cold: {
    when: (lying) => lying(1) && lying.seconds() < COLD_S,
    send: (reply) => reply.code(503).send({ error: 'Service Unavailable', message: 'starting', code: 'STARTING' }),
  },
};

/** lying(n): true for every nth request after the honest ones; lying.seconds(): since lying.begin(), which the load begins with. */
function schedule() {
  let count = 0;
  let began = performance.now();
  let last = began;
  const lying = (every) => {
    last = performance.now();
    count += 1;
    return count > HONEST_REQUESTS && count % every === 0;
  };
  lying.begin = () => {
    began = performance.now();
    last = began;
  };
  lying.seconds = () => (last - began) / 1000;
  return lying;
}

run(async () => {
  const settings = readEnvironment({
    ...listener,
    ...pooled.environment,
    LIE: text('none'),
    ANSWER_MS: integer(0, 60_000, 20),
  });
  const database = await pooled.connect({ ...settings, name: 'liar' });
  const late = async (value) => (await pause(settings.ANSWER_MS)) ?? database.echo(value);
  const honest = settings.ANSWER_MS > 0 ? { ...database, echo: late } : database;
  const lying = schedule();
  const reply = REPLIES[settings.LIE];
  const db = { ...honest, ...(reply ? {} : LIES[settings.LIE](honest, lying)) };
  const app = buildServer({ name: 'liar', db, readProcess: watchProcess() });
  app.addHook('onRequest', (request, answer, done) => {
    if (request.url === SETUP) lying.begin();
    const lies = reply && request.url.startsWith('/echo/') && request.url !== SETUP && reply.when(lying, request);
    if (lies) reply.send(answer);
    else done();
  });
  closeOnSignal(() => app.close());
  await listen((options) => app.listen(options), settings);
});
