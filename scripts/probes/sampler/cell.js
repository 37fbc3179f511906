import { closeSync, openSync, writeSync } from 'node:fs';
import { readHost } from './host.js';
import { openRole } from './roles.js';
import { TargetStats } from './target-stats.js';

const INTERVAL_MS = 1000;

/**
 * Samples one cell into <cell>/sampler.ndjson: a line now (the baseline of the cumulative counters), one at each whole second
 * after it, and one when stopped. Seconds count from the baseline, so even a short cell has the same readings each time,
 * and a late reading does not make the next one late.
 *
 * A line: {"t": ISO 8601, "clock_s": a clock that is never set, in seconds, "roles": {role: see ProcessTree, or null},
 * "host": see readHost, "stats": see TargetStats, "activity": see Activity, "sampler": {"cpu_s": its own}}
 */
export class Cell {
  #timer;
  #written = Promise.resolve();

  /** watched: {cell, roles, stats_url?}; activity: the Activity that all cells share. Throws when the cell's folder cannot be written. */
  constructor({ cell, roles, stats_url }, activity) {
    this.path = `${cell}/sampler.ndjson`;
    this.generator = roles.generator;
    this.roles = Object.entries(roles).map(([name, role]) => [name, openRole(role)]);
    this.stats = new TargetStats(stats_url);
    this.activity = activity;
    this.file = openSync(this.path, 'a');
  }

  start() {
    this.startedAt = performance.now();
    this.#tick();
  }

  /** Writes the last line; resolves when all is on file. */
  async stop() {
    clearTimeout(this.#timer);
    this.#sample();
    await this.#written;
    for (const [, role] of this.roles) role.close();
    this.stats.close();
    closeSync(this.file);
  }

  // When the tool has gone there is nothing left to measure: a watch file that a dead run left behind yields one line, not millions.
  #tick() {
    this.#sample();
    if (isGone(this.generator)) return;
    const elapsed = performance.now() - this.startedAt;
    const next = (Math.round(elapsed / INTERVAL_MS) + 1) * INTERVAL_MS; // rounded, since a timer may be early
    this.#timer = setTimeout(() => this.#tick(), next - elapsed);
  }

  // What can be read at once is read now; pods, the target and the database answer when they can; lines keep their order.
  #sample() {
    const line = { t: new Date().toISOString(), clock_s: Math.round(performance.now()) / 1000 };
    const readings = this.roles.map(async ([name, role]) => [name, await role.read()]);
    const host = readHost();
    const answers = Promise.all([Promise.all(readings), this.stats.read(), this.activity.read(), this.#written]);
    this.#written = answers.then(([roles, stats, activity]) =>
      this.#write({ ...line, roles: Object.fromEntries(roles), host, stats, activity, sampler: readSelf() }),
    );
  }

  #write(line) {
    try {
      writeSync(this.file, `${JSON.stringify(line)}\n`);
    } catch (error) {
      console.error(`warning: ${this.path}: ${error.message}: this second is lost`);
    }
  }
}

function readSelf() {
  const { user, system } = process.cpuUsage();
  return { cpu_s: (user + system) / 1e6 };
}

function isGone(role) {
  if (Array.isArray(role)) return role.every(isGone);
  if (!Number.isInteger(role)) return false;
  try {
    process.kill(role, 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}
