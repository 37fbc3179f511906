/**
 * The gain from an index: k6/documents-index-pairs.js asks an indexed and an unindexed twin the same question, and keeps unindexed / indexed of each
 * pair in trends speedup_from_<n>, n being the least number of documents found (0, 1, 10, 100, 1000: the limit).
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MergedHistogram } from '../../analyse/histogram.js';
import { isCalibration, trialId } from '../../analyse/identity.js';
import { pairedRatio } from '../../analyse/intervals.js';
import { groupBy, rounded, sum } from '../../analyse/numbers.js';
import { readIfThere, readTrial } from '../../analyse/run-folder.js';

const TREND = /^speedup_from_(\d+)$/;

// Two answers are a tie when one took less than one per cent longer: less than the histogram and the clock can distinguish.
const TIE = Math.log(1.01);

/** The lines of k6's raw output that are of seconds, with the trends of each. */
const secondsIn = (ndjson) =>
  ndjson
    .split('\n')
    .filter((line) => line.startsWith('{"type":"second"'))
    .map((line) => JSON.parse(line))
    .map(({ t, trends, metrics }) => ({ t, trends: trends ?? metrics ?? {} }));

/**
 * How long answers of each twin took, in pairs of equal answers.
 * @param {string} ndjson as pairsIn @returns {{twin: string, answers: number, mean_us: number, min_us: number, max_us: number}[]}
 */
export function timesIn(ndjson) {
  const trends = secondsIn(ndjson).flatMap((second) => Object.entries(second.trends));
  return ['indexed', 'unindexed'].map((twin) => {
    const of = trends.filter(([name]) => name === twin).map(([, histogram]) => histogram);
    const answers = sum(of.map(({ count }) => count));
    return {
      twin,
      answers,
      mean_us: sum(of.map(({ sum_us }) => sum_us)) / answers,
      min_us: Math.min(...of.map(({ min_us }) => min_us)),
      max_us: Math.max(...of.map(({ max_us }) => max_us)),
    };
  });
}

/**
 * The pairs of one trial, from k6's raw output (NDJSON, lines for each second; non-time trends in thousandths).
 * @param {number} [from_s] @param {number} [to_s] seconds from the start of the load that count
 * @returns {Map<number, [number, number][]>} least number of documents found -> [[speed-up, pairs], ...] ascending
 */
export function pairsIn(ndjson, from_s = 0, to_s = Number.POSITIVE_INFINITY) {
  const merged = new Map();
  for (const { t, trends } of secondsIn(ndjson)) {
    if (t < from_s || t >= to_s) continue;
    for (const [name, { counts }] of Object.entries(trends)) {
      const from = TREND.exec(name)?.[1];
      if (from === undefined) continue;
      if (!merged.has(Number(from))) merged.set(Number(from), new MergedHistogram());
      merged.get(Number(from)).add(counts);
    }
  }
  return inOrder([...merged].map(([from, histogram]) => [from, histogram.counts()]));
}

const inOrder = (entries) =>
  new Map(entries.toSorted(([a], [b]) => a - b).map(([from, counts]) => [from, counts.map(([v, n]) => [v / 1000, n])]));

/** The same of a trial that was collected. @param {{trends?: Record<string, [number, number][]>}} summary summary.json */
const pairsOfTrial = ({ trends = {} }) =>
  inOrder(
    Object.entries(trends).flatMap(([name, counts]) =>
      TREND.test(name) ? [[Number(TREND.exec(name)[1]), counts]] : [],
    ),
  );

const pairsOf = (counts) => counts.reduce((all, [, n]) => all + n, 0);

/** Mean logarithm of the speed-ups of one trial; the trial is the unit of replication. */
const meanLog = (counts) => counts.reduce((all, [ratio, n]) => all + n * Math.log(ratio), 0) / pairsOf(counts);

/** Geometric mean with a 95 % Student-t interval over trials, of which there should be so many. */
const speedup = (trials, of) => pairedRatio(trials.filter((counts) => counts.length > 0).map(meanLog), { of });

/**
 * Merges the trials of one cell.
 * @param {Map<number, [number, number][]>[]} trials as pairsIn gives them @param {number} [of] how many were planned
 * @returns {{pairs, wins, losses, ties, speedup, speedups: (number|null)[], best, worst, by_results}|null} wins: the index was quicker; speedup as pairedRatio;
 *   speedups: the geometric mean of each trial, null of one without pairs;
 *   best, worst: {speedup, results} of one pair, results being its range [least, most] of documents found (most null: the limit)
 */
export function mergePairs(trials, of = trials.length) {
  const all = trials.flatMap((trial) =>
    [...trial].flatMap(([from, counts]) => counts.map(([r, n]) => ({ from, r, n }))),
  );
  if (all.length === 0) return null;
  const froms = [...new Set(all.map(({ from }) => from))].sort((a, b) => a - b);
  const results = (from) => [from, { 0: 0, 1: 9, 10: 99, 100: 999 }[from] ?? null];
  const count = (holds) => all.reduce((sum, { r, n }) => sum + (holds(Math.log(r)) ? n : 0), 0);
  const whole = trials.map((trial) => [...trial.values()].flat());
  const single = (pair) => ({ speedup: rounded(pair.r), results: results(pair.from) });
  return {
    pairs: count(() => true),
    wins: count((log) => log >= TIE),
    losses: count((log) => log <= -TIE),
    ties: count((log) => Math.abs(log) < TIE),
    speedup: speedup(whole, of),
    speedups: whole.map((counts) => (counts.length > 0 ? rounded(Math.exp(meanLog(counts))) : null)),
    best: single(all.reduce((a, b) => (b.r > a.r ? b : a))),
    worst: single(all.reduce((a, b) => (b.r < a.r ? b : a))),
    by_results: froms.map((from) => ({
      results: results(from),
      pairs: all.reduce((sum, pair) => sum + (pair.from === from ? pair.n : 0), 0),
      speedup: speedup(
        trials.map((trial) => trial.get(from) ?? []),
        of,
      ),
    })),
  };
}

/**
 * Every cell of workload documents-index-pairs of a run.
 * @param {object} run see openRun @param {object[]} cells of results.json
 * @returns {{cells: {id, level, ...mergePairs}[], plans: object[]|null}|null} null when the run has no such cell
 */
export function find(run, cells) {
  const asked = run.cells.filter(
    ({ target, workload, tool }) => !isCalibration({ target }) && workload === 'documents-index-pairs' && tool === 'k6',
  );
  if (asked.length === 0) return null;
  const read = (cell) => {
    const raw = join(cell.folder, 'raw.k6.ndjson');
    const summary = readTrial(cell)?.summary;
    if (summary?.trends || !summary || !existsSync(raw)) return pairsOfTrial(summary ?? {}); // those of before have none
    const from_s = summary.lead_in?.seconds ?? 0;
    return pairsIn(readFileSync(raw, 'utf8'), from_s, from_s + summary.window.seconds);
  };
  const isUsable = usableIn(cells);
  const merged = [...groupBy(asked, ({ id }) => id)].flatMap(([id, blocks]) => {
    const pairs = mergePairs(blocks.filter(isUsable).map(read), blocks.length);
    return pairs === null ? [] : [{ id, level: blocks[0].level, ...pairs }];
  });
  const plans = (workload) => readIfThere(join(run.folder, `explain-${workload}.json`));
  return { cells: merged, plans: plans('documents-index-pairs') ?? plans('index') }; // index: its name in earlier runs
}

/** Whether a planned cell left a trial that counts. */
function usableIn(cells) {
  const verdicts = new Map(cells.flatMap(({ trials }) => trials).map(({ id, verdict }) => [id, verdict]));
  return (planned) => (verdicts.get(trialId(planned)) ?? 'invalid') !== 'invalid';
}
