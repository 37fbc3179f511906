/** What the page shows beyond results.json, read from the trials' files and kept small. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { countOf, MergedHistogram, percentiles } from '../analyse/histogram.js';
import { samplesOf } from '../analyse/latency.js';
import { rounded } from '../analyse/numbers.js';
import { readIfThere, readTrial } from '../analyse/run-folder.js';

const SECONDS_SHOWN = 60;
const STEPS_PER_DECADE = 12;
const SAMPLES_BEYOND = 10;

/**
 * @param {string} folder the run @param {object} results results.json
 * @returns {{curves, timelines, files: string[][], filesOf: Record<string, number>, argv: Record<string, string[]>}}
 *   curves by cell: [1 / (1 - p), us]; timelines by trial: {step_s, rps, p95_us}; files: lists of names, filesOf: which list a trial has;
 *   argv by cell: the command as the driver ran it
 */
export function detailsOf(folder, results) {
  const details = { curves: {}, timelines: {}, files: [], filesOf: {}, argv: {} };
  const lists = new Map();
  for (const cell of results.cells) {
    const merged = new MergedHistogram();
    let samples = 0;
    for (const trial of cell.trials) {
      const path = join(folder, 'cells', trial.id);
      if (!existsSync(path)) continue;
      const names = readdirSync(path).sort().join(' ');
      if (!lists.has(names)) lists.set(names, lists.size);
      details.filesOf[trial.id] = lists.get(names);
      details.argv[cell.id] ??= readIfThere(join(path, 'cell.json'))?.argv;
      const summary = readTrial({ folder: path })?.summary;
      if (!summary) continue;
      if (summary.timeline?.length > 0) details.timelines[trial.id] = timeline(summary.timeline);
      if (trial.verdict === 'invalid' || cell.calibration) continue;
      merged.add(summary.latency_us?.histogram?.counts ?? []);
      samples += samplesOf(summary.latency_us);
    }
    const points = curve(merged.counts(), samples);
    if (points.length > 0 && cell.latency_us?.p50 !== null) details.curves[cell.id] = points; // as tables do of too few answers
  }
  details.files = [...lists.keys()].map((names) => names.split(' '));
  return details;
}

/** [1 / (1 - p), us] from p0 to where ten samples are left, or no answer. @param {[number, number][]} counts ascending */
export function curve(counts, total = countOf(counts)) {
  const last = total / SAMPLES_BEYOND;
  if (last < 2) return [];
  const marks = [1, 2];
  for (let step = 0; 10 ** (step / STEPS_PER_DECADE) <= last; step += 1) marks.push(10 ** (step / STEPS_PER_DECADE));
  const at = [...new Set([...marks, last].map((mark) => rounded(mark, 5)))].sort((a, b) => a - b);
  const shares = at.map((mark) => Math.max(1 - 1 / mark, Number.EPSILON));
  const values = percentiles(counts, shares, total);
  return at.map((mark, i) => [mark, values[i]]).filter(([, value]) => value !== null);
}

/** A second's p95, as any, has ten answers beyond it. */
const isQuotable = ({ requests, p95_us }) => (p95_us ?? null) !== null && requests * (1 - 0.95) >= SAMPLES_BEYOND;

/**
 * A trial's seconds, at most 60 points: of longer trials the mean rate and the highest p95 of every few seconds.
 * @param {{requests, errors, p95_us}[]} seconds
 */
export function timeline(seconds) {
  const step_s = Math.ceil(seconds.length / SECONDS_SHOWN);
  const [rps, p95_us] = [[], []];
  for (let at = 0; at < seconds.length; at += step_s) {
    const together = seconds.slice(at, at + step_s);
    const answers = together.reduce((all, { requests, errors }) => all + requests - errors, 0);
    const p95s = together.filter(isQuotable).map(({ p95_us }) => p95_us);
    rps.push(rounded(answers / together.length, 4));
    p95_us.push(p95s.length > 0 ? rounded(Math.max(...p95s), 3) : null);
  }
  return { step_s, rps, p95_us: p95_us.some((value) => value !== null) ? p95_us : [] };
}
