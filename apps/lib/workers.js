import cluster from 'node:cluster';
import { once } from 'node:events';

// Only the primary process and its workers speak here:
//   worker  -> primary   {connected: true}          it could listen now
//   primary -> worker    {listen: true}             it may; the cluster module tells the primary when it does
//   worker  -> primary   {ask: n}                   what do all say of themselves?
//   primary -> workers   {read: m}; worker -> primary {read: m, reading}
//   primary -> worker    {ask: n, readings}

/**
 * In the primary process: starts a worker for each of `environments` (variables beyond this process's own), one after
 * another, and has them listen when the last is connected, so that the port answers with all of them or not at all.
 * -> {close()}, which sends SIGTERM to all and resolves when they have ended, or throws when one failed. A worker that ends by
 * itself, also while starting, ends this process with the same exit code; it has said why.
 */
export async function startWorkers(environments) {
  const workers = [];
  let closing = false;
  const end = async () => {
    closing = true;
    const ended = workers.filter((worker) => !worker.isDead()).map((worker) => once(worker, 'exit'));
    for (const worker of workers) worker.process.kill('SIGTERM');
    return (await Promise.all(ended)).map(([code]) => code);
  };
  const close = async () => {
    const codes = await end();
    if (codes.some((code) => code !== 0)) throw new Error('a worker failed to close');
  };
  const leave = async (code, signal) => {
    if (closing) return;
    if (signal) console.error(`error: a worker was ended by ${signal}`);
    await end(); // a worker that closes speaks to this process
    process.exit(code || 2);
  };
  for (const environment of environments) {
    const worker = cluster.fork(environment);
    workers.push(worker);
    worker.once('exit', leave);
    await message(worker, ({ connected }) => connected);
  }
  answerReadings(workers);
  for (const worker of workers) {
    worker.send({ listen: true });
    await once(worker, 'listening');
  }
  return { close };
}

/** In a worker: resolves when all workers are connected and this one may listen. */
export async function allConnected() {
  process.send({ connected: true });
  await message(process, ({ listen }) => listen);
}

/**
 * In a worker: read() gives its account of itself, see process-stats.js, with {pool}. -> a function that resolves to the
 * account of all workers together, see `together`.
 */
export function readAll(read) {
  let asked = 0;
  process.on('message', ({ read: number }) => {
    if (number !== undefined) process.send({ read: number, reading: read() });
  });
  return async () => {
    asked += 1;
    const mine = asked;
    process.send({ ask: mine });
    const { readings } = await message(process, ({ ask }) => ask === mine);
    return together(readings);
  };
}

/**
 * Several processes' accounts as one: sums, of pools as well; of the event loops the one that fares worst, which is the one
 * that limits the whole. The time since the last reading is the longest.
 */
export function together(readings) {
  const all = (key) => readings.map((reading) => reading[key]);
  const sum = (values) => values.reduce((a, b) => a + b, 0);
  const worst = (values) => (values.includes(null) ? null : Math.max(...values));
  const pools = all('pool');
  return {
    interval_s: Math.max(...all('interval_s')),
    event_loop_utilization: Math.max(...all('event_loop_utilization')),
    event_loop_delay_mean_us: worst(all('event_loop_delay_mean_us')),
    event_loop_delay_p99_us: worst(all('event_loop_delay_p99_us')),
    event_loop_delay_max_us: worst(all('event_loop_delay_max_us')),
    rss_bytes: sum(all('rss_bytes')),
    heap_used_bytes: sum(all('heap_used_bytes')),
    cpu_user_s: sum(all('cpu_user_s')),
    cpu_system_s: sum(all('cpu_system_s')),
    pool: {
      total: sum(pools.map(({ total }) => total)),
      idle: sum(pools.map(({ idle }) => idle)),
      waiting: sum(pools.map(({ waiting }) => waiting)),
    },
  };
}

/** In the primary process: collects what all workers say of themselves, for whichever asks. */
function answerReadings(workers) {
  let number = 0;
  for (const asker of workers) {
    asker.on('message', async ({ ask }) => {
      if (ask === undefined) return;
      number += 1;
      const mine = number;
      const answers = workers.map((worker) => message(worker, ({ read }) => read === mine));
      for (const worker of workers) worker.send({ read: mine });
      asker.send({ ask, readings: (await Promise.all(answers)).map(({ reading }) => reading) });
    });
  }
}

/** Resolves to the next message of that channel for which holds(message) is true. */
function message(channel, holds) {
  return new Promise((resolve) => {
    channel.on('message', function look(answer) {
      if (!holds(answer)) return;
      channel.off('message', look);
      resolve(answer);
    });
  });
}
