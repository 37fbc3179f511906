/**
 * Adds the raw files of several k6 processes that shared one load (k6/build/README.md, "Merging"): node scripts/generators/merge.js FILE... prints one
 * file of the same kind. Seconds count from the instant that all had agreed to begin at, so those of one number are added; histograms
 * bin by bin, so that percentiles are those of all requests together. Each second also has `each`, the requests of every file, and the total
 *   generators   [{number, file, requests, began_after_ms, complete, bad_lines}], number by place among the files
 * A file without an end, with a damaged line or with another beginning is not complete; what it has is added all the same.
 */
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { MergedHistogram } from '../analyse/histogram.js';
import { histogramsIn, linesOf } from './lines.js';

const HISTOGRAMS = ['latency', 'latency_from_send', 'dispatch_lag', 'connect'];
const SUMS = ['due', 'arrivals', 'requests', 'answers', 'checked', 'in_flight'];

/** Shares of lives have six decimals. */
const rounded = (value) => Math.round(value * 1e6) / 1e6;

/** The sum of histograms as k6's output writes them, of times or of other units. */
class Histograms {
  #merged = new MergedHistogram();
  #sums = {};

  add({ counts, ...sums }) {
    this.#merged.addPairs(counts);
    for (const [key, value] of Object.entries(sums)) {
      const [of] = key.split('_');
      const known = this.#sums[key];
      if (known === undefined) this.#sums[key] = value;
      else
        this.#sums[key] = of === 'min' ? Math.min(known, value) : of === 'max' ? Math.max(known, value) : known + value;
    }
  }

  toJSON() {
    return { ...this.#sums, counts: this.#merged.counts() };
  }
}

/** Those of a name, which are there from then on. @param {Object<string, Histograms>} histograms */
function histogramOf(histograms, name) {
  histograms[name] ??= new Histograms();
  return histograms[name];
}

/** All lines of one second, of all files. */
class Second {
  #sums = {};
  #errors = {};
  #histograms = {};
  #trends = {};
  #unanswered = null;
  #each = []; // requests of each file
  pauses = []; // of each file, where it had one
  pause = null; // the longest of all of them together that ended here

  constructor(t) {
    this.t = t;
  }

  add(line, file) {
    for (const key of SUMS) if (line[key] !== undefined) this.#sums[key] = (this.#sums[key] ?? 0) + line[key];
    this.#each[file] = rounded((this.#each[file] ?? 0) + line.requests);
    for (const [name, count] of Object.entries(line.errors)) this.#errors[name] = (this.#errors[name] ?? 0) + count;
    for (const key of HISTOGRAMS) if (line[key]) histogramOf(this.#histograms, key).add(line[key]);
    for (const [name, trend] of Object.entries(line.trends ?? {})) histogramOf(this.#trends, name).add(trend);
    if (line.unanswered) this.#addUnanswered(line.unanswered);
    if (line.pause) this.pauses.push({ file, from_ms: line.pause.from_ms, to_ms: line.pause.from_ms + line.pause.ms });
  }

  longest(pause) {
    if (!this.pause || pause.ms > this.pause.ms) this.pause = pause;
  }

  #addUnanswered({ count, least_us, most_us }) {
    const known = this.#unanswered ?? { count: 0, least_us, most_us };
    this.#unanswered = {
      count: known.count + count,
      least_us: Math.min(known.least_us, least_us),
      most_us: Math.max(known.most_us, most_us),
    };
  }

  toJSON() {
    const sums = Object.fromEntries(Object.entries(this.#sums).map(([key, value]) => [key, rounded(value)]));
    const errors = Object.fromEntries(Object.entries(this.#errors).map(([name, count]) => [name, rounded(count)]));
    const { pause } = this;
    return {
      type: 'second',
      t: this.t,
      ...sums,
      each: Array.from(this.#each, (requests) => requests ?? 0),
      errors,
      ...(pause && { pause }),
      ...(this.#unanswered && { unanswered: this.#unanswered }),
      ...this.#histograms,
      ...(Object.keys(this.#trends).length > 0 && { trends: this.#trends }),
    };
  }
}

/** The files' seconds, added as they are read. */
class Merged {
  #seconds = new Map();
  meta = null;

  second(t) {
    if (!this.#seconds.has(t)) this.#seconds.set(t, new Second(t));
    return this.#seconds.get(t);
  }

  /** @returns {Promise<object>} the account of one file, its total among it, null where it has none */
  async read(path, file) {
    const account = { file: basename(path), total: null, requests: 0, lines: 0, bad_lines: 0 };
    if (!existsSync(path)) return account; // it never came so far
    for await (const line of linesOf(path)) {
      if (!isLine(line)) account.bad_lines += 1;
      else if (line.type === 'meta') {
        this.meta ??= line;
        account.version = line.version;
      } else if (line.type === 'total') account.total = line;
      else if (line.type === 'second') {
        this.second(line.t).add(line, file);
        account.requests += line.requests;
        account.lines += 1;
      }
    }
    return account;
  }

  /** In order. @param {number} files how many shared the load @returns {Second[]} */
  seconds(files) {
    const seconds = [...this.#seconds.values()].sort((a, b) => a.t - b.t);
    const pauses = seconds.flatMap((second) => second.pauses);
    for (const pause of commonPauses(pauses, files))
      this.second(Math.floor((pause.from_ms + pause.ms) / 1000)).longest(pause);
    return seconds;
  }
}

/** Whether a line is one of k6's, whole. */
function isLine(line) {
  if (line === null || !histogramsIn(line).every(isWhole)) return false;
  return line.type === 'meta' || (typeof line.requests === 'number' && isObject(line.errors));
}

const isObject = (value) => typeof value === 'object' && value !== null;

/** Whether a histogram holds as many values as it says, and of the sum that it says: as summary-k6.jq asks of one file. */
function isWhole({ count, counts, sum_us, sum_milli }) {
  const sum = sum_us ?? sum_milli ?? 0;
  let [held, added] = [0, 0];
  for (let i = 0; i < counts.length; i += 2) {
    held += counts[i + 1];
    added += counts[i] * counts[i + 1];
  }
  return held === count && Math.abs(added - sum) <= 0.001 * sum + count;
}

/** Shorter ones are none, as in each file. */
const LEAST_PAUSE_MS = 30;

/**
 * Times in which no generator had an answer: what lies in a pause of each of them.
 * @param {{file: number, from_ms: number, to_ms: number}[]} pauses @param {number} files @returns {{from_ms: number, ms: number}[]}
 */
function commonPauses(pauses, files) {
  const edges = pauses.flatMap(({ file, from_ms, to_ms }) => [
    { at: from_ms, file, by: 1 },
    { at: to_ms, file, by: -1 },
  ]);
  edges.sort((a, b) => a.at - b.at || a.by - b.by);
  const open = new Array(files).fill(0); // of each file, how many of its pauses are under way
  const common = [];
  let paused = 0;
  let from_ms = null;
  for (const { at, file, by } of edges) {
    if (paused === files && by < 0 && at - from_ms >= LEAST_PAUSE_MS) common.push({ from_ms, ms: at - from_ms });
    const before = open[file] > 0;
    open[file] += by;
    paused += Number(open[file] > 0) - Number(before);
    if (paused === files && by > 0) from_ms = at;
  }
  return common;
}

/** The line of totals. @param {object[]} accounts of the files @param {number} lines of seconds */
function totalOf(accounts, lines) {
  const totals = accounts.map(({ total }) => total).filter(Boolean);
  const sum = (key) => totals.reduce((all, total) => all + (total[key] ?? 0), 0);
  const most = (key) => Math.max(0, ...totals.map((total) => total[key] ?? 0));
  const anchors = totals.map(({ anchor }) => anchor).filter(Boolean);
  const errors = {};
  for (const [name, count] of totals.flatMap((total) => Object.entries(total.errors)))
    errors[name] = (errors[name] ?? 0) + count;
  const texts = accounts.map(({ total, version }) => JSON.stringify({ total, version }));
  // the same file twice, or one of another k6
  const isOwn = (i) => texts.indexOf(texts[i]) === i && accounts[i].version === accounts[0].version;
  const interrupted = totals.find((total) => total.interrupted)?.interrupted;
  return {
    type: 'total',
    ...(anchors.length > 0 && {
      anchor: anchors[0],
      ended: totals
        .map(({ ended }) => ended)
        .filter(Boolean)
        .sort()
        .at(-1),
    }),
    seconds: most('seconds'),
    lines,
    // of one that was killed, as many as its seconds tell
    requests: accounts.reduce((all, { total, requests }) => all + (total?.requests ?? Math.round(requests)), 0),
    errors,
    users: sum('users'),
    users_answered: sum('users_answered'),
    answered_by_s: most('answered_by_s'),
    keep_alive: totals.every(({ keep_alive }) => keep_alive),
    ...Object.fromEntries(['connections', 'repeated', 'interrupted_iterations'].map((key) => [key, sum(key)])),
    ...(interrupted && { interrupted }),
    generators: accounts.map(({ file, total, requests, lines: own, bad_lines }, i) => ({
      number: i + 1,
      file,
      requests: total?.requests ?? Math.round(requests),
      began_after_ms: total?.began_after_ms ?? null,
      complete:
        bad_lines === 0 &&
        total?.lines === own &&
        total.requests === Math.round(requests) &&
        total.anchor === anchors[0] &&
        isOwn(i),
      bad_lines,
    })),
  };
}

async function main(paths) {
  if (paths.length === 0 || paths[0].startsWith('-')) {
    console.error('usage: node scripts/generators/merge.js FILE...');
    process.exit(64);
  }
  const merged = new Merged();
  const accounts = [];
  for (const [file, path] of paths.entries()) accounts.push(await merged.read(path, file));
  const seconds = merged.seconds(paths.length);
  const lines = [merged.meta, ...seconds, totalOf(accounts, seconds.length)].filter(Boolean);
  for (const line of lines) process.stdout.write(`${JSON.stringify(line)}\n`);
}

await main(process.argv.slice(2));
