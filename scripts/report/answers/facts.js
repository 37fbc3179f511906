/**
 * What the picture of an answer shows, from results.json alone. Its shape follows from what the question compares: lines over levels where both sides
 * were measured at three or more, else a row for each side; pools by size; kinds of query; what each promise lost; copies of one target.
 */

import { AGAIN, METRICS } from '../../analyse/figures.js';
import { levelOf } from '../../analyse/words.js';
import { ANSWERING } from '../../findings/index.js';
import { overLevels, pools } from './lines.js';
import { isAtPeak } from './marks.js';
import { atOneLevel } from './rows.js';

/**
 * @typedef {{name: string, series: string, role: 'reference'|'compared'|'beside', at?: number, value: number|null, low: number|null, high: number|null,
 *   over?: {ratio, low, high, confidence}, told?: {amount, interval, against: string}, cell?: string, trials: {value: number, verdict: string, trial: string|null}[]}} Mark in the units of the metric: answers per second, microseconds;
 *   value: null: unknown; series: whose colour it has, '' for ink; over: the ratio to the reference, of which low and high are the bounds where the question asks about it; told: a capacity in words; cell: whose trials they are, where they are a cell's; trial: null of what is no trial
 * @typedef {{metric: string, units: string, by: string, reference: string|null, confidence: number|null, absent?: string[]}} Common units: what is counted; by: what rows
 *   or lines differ in; reference: name of the mark that whiskers compare with; confidence: of the whiskers where the question asks, null where there are none;
 *   absent: names of rows that have no figure
 * @param {object} results results.json @param {object} question one of its answers
 * @returns {Common & {shape: 'rows', panels: {metric: string, units: string, rows: Mark[]}[]}
 *   |Common & {shape: 'lines', noun: string, asked: number|null, floor: number|null, lines: {name, series, role, points: Mark[]}[]}
 *   |{shape: 'copies', panels: {metric: string, intervals: {name, ratio, low, high, differs}[]}[]}|null} null where there is nothing to draw
 */
export function factsOf(results, question) {
  return question.answered ? (SHAPES[question.kind]?.(results, question) ?? null) : null;
}

const SHAPES = {
  pair: (results, question) => overLevels(results, question) ?? atOneLevel(results, question),
  rank: (results, question) => (isAtPeak(question) ? overLevels(results, question) : atOneLevel(results, question)),
  smallest: pools,
  again: copies,
  ...Object.fromEntries(
    ANSWERING.map(({ kind, facts }) => [kind, (results, question) => facts(results, question, costOf)]),
  ),
};

/** What each database costs, where a question ranks them. */
function costOf(results) {
  const ranked = results.questions.find(
    ({ kind, answered, comparisons, dimension = 'database' }) =>
      kind === 'rank' && answered && dimension === 'database' && comparisons.length > 0,
  );
  return ranked ? atOneLevel(results, ranked) : null;
}

/** 'echo, raw, wrk, 16' */
const copyName = ({ workload, target, tool, share, level }) =>
  [workload, target, tool, levelOf({ share, level })].join(', ');

/** The interval of each copy over what it is a copy of, by metric, from the lowest ratio to the highest. */
function copies({ comparisons }) {
  const again = comparisons.filter(({ kind }) => kind === AGAIN);
  const panels = Object.keys(METRICS).map((metric) => ({
    metric,
    intervals: again
      .filter(({ [metric]: result }) => result?.low)
      .map(({ [metric]: { ratio, low, high, differs }, ...pair }) => ({
        name: copyName(pair),
        ratio,
        low,
        high,
        differs,
      }))
      .toSorted((a, b) => a.ratio - b.ratio),
  }));
  const shown = panels.filter(({ intervals }) => intervals.length > 0);
  return shown.length > 0 ? { shape: 'copies', panels: shown } : null;
}
