/** What the page shows beyond results.json, read from the trials' files and kept small. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { cellsAsked } from '../analyse/comparisons.js';
import { countOf, MergedHistogram, percentiles, SAMPLES_BEYOND } from '../analyse/histogram.js';
import { samplesOf } from '../analyse/latency.js';
import { rounded } from '../analyse/numbers.js';
import { readIfThere, readTrial } from '../analyse/run-folder.js';
import { secondsOf } from './seconds.js';

const STEPS_PER_DECADE = 12;
/** From more trials on, the page shows closely only those of cells that a question compares, or it would weigh too much. */
const MOST_CLOSELY = 500;

/**
 * @param {string} folder the run @param {object} results results.json
 * @returns {{latencies, timelines, closely: 'all'|'asked', files: string[][], filesOf: Record<string, number>, argv: Record<string, string[][]>}}
 *   latencies by cell: [1 / (1 - p), us]; timelines by trial: see secondsOf; closely: which of them, all or those of cells that a question compares;
 *   files: lists of names, filesOf: which list a trial has; argv by cell: the commands as the driver ran them, of several load generators one each
 */
export function detailsOf(folder, results) {
  const many = results.cells.flatMap(({ trials }) => trials).length > MOST_CLOSELY;
  const asked = new Set(cellsAsked(results.questions ?? []));
  const details = { latencies: {}, timelines: {}, closely: many ? 'asked' : 'all', files: [], filesOf: {}, argv: {} };
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
      details.argv[cell.id] ??= argvsOf(readIfThere(join(path, 'cell.json')));
      const summary = readTrial({ folder: path })?.summary;
      if (!summary) continue;
      const seconds = secondsOf(path, summary, !many || asked.has(cell.id));
      if (seconds) details.timelines[trial.id] = seconds;
      if (trial.verdict === 'invalid' || cell.calibration) continue;
      merged.add(summary.latency_us?.histogram?.counts ?? []);
      samples += samplesOf(summary.latency_us);
    }
    const points = curve(merged.counts(), samples);
    if (points.length > 0 && cell.latency_us?.p50 !== null) details.latencies[cell.id] = points; // as tables do of too few answers
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

/** @param {object|null} cell cell.json */
const argvsOf = (cell) => cell?.argvs ?? (cell?.argv && [cell.argv]);
