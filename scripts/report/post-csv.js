/** post.csv: what the pictures of answers show, a row for each mark, and after it one for each of its small dots. Empty: not measured, or no interval. */
import { row } from '../analyse/csv.js';
import { isMoreBetter } from '../analyse/figures.js';
import { CONFIDENCE } from '../analyse/intervals.js';

const HEADER = [
  ...['question', 'claimed', 'name', 'role', 'at', 'axis', 'metric', 'unit', 'value', 'low', 'high', 'confidence'],
  ...['reference', 'ratio', 'ratio_low', 'ratio_high', 'ratio_confidence', 'trials', 'suspect', 'invalid'],
  ...['cell', 'trial'],
];

const UNITS = {
  p50: 'us',
  p95: 'us',
  p99: 'us',
  cpu_per_request: 'us/request',
  speedup: 'times',
  lost: 'share of acknowledged',
};

/**
 * @param {object[]} answers see answersOf
 * @returns {string} CSV with a header; low, high, confidence: the interval of the value, where it has one of its own; ratio to ratio_confidence: to the reference; suspect, invalid: of the trials; cell: of which they are; trial: of a row that is one
 */
export function answersCsv(answers) {
  const rows = answers.flatMap(({ ask, claim, facts }) =>
    marksOf(facts)
      .flatMap(withDots)
      .map((mark) => HEADER.map((key) => ({ ...mark, question: ask, claimed: claim ? 'yes' : 'no' })[key])),
  );
  return [HEADER, ...rows].map(row).join('');
}

/** A mark, and each trial behind it. */
function withDots({ dots = [], ...mark }) {
  const { name, at, axis, metric, unit, cell } = mark;
  const own = { name, role: 'trial', at, axis, metric, unit, cell };
  return [mark, ...dots.map(({ value, verdict, trial }) => ({ ...own, value, ...counted([{ verdict }]), trial }))];
}

/** How many trials, and how they were judged. */
function counted(trials) {
  const judged = (as) => trials.filter(({ verdict }) => verdict === as).length;
  return { trials: trials.length, suspect: judged('suspect'), invalid: judged('invalid') };
}

const MARKS = {
  rows: ({ panels, reference, confidence }) =>
    panels.flatMap(({ metric, units, rows }) =>
      rows.map((mark) => figures(mark, { metric, units, reference, confidence })),
    ),
  lines: ({ metric, units, noun, reference, lines }) =>
    lines.flatMap(({ name, role, points }) =>
      points.map(({ at, ...point }) => ({
        ...figures(point, { metric, units, reference }),
        name,
        role: point.role ?? role,
        at,
        axis: noun,
      })),
    ),
  copies: ({ panels }) =>
    panels.flatMap(({ metric, intervals }) =>
      intervals.map(({ name, ratio, low, high }) => ({
        name: `${name}: copy / original`,
        metric,
        unit: 'ratio',
        value: ratio,
        low,
        high,
        confidence: CONFIDENCE,
      })),
    ),
};

const marksOf = (facts) => (facts === null ? [] : MARKS[facts.shape](facts));

function figures({ name, role, value, low, high, over, cell, trials }, { metric, units, reference, confidence }) {
  const unit = isMoreBetter(metric) ? `${units}/s` : UNITS[metric];
  const ratios = over && {
    reference,
    ratio: over.ratio,
    ratio_low: over.low,
    ratio_high: over.high,
    ratio_confidence: over.confidence,
  };
  const isOwn = metric === 'capacity' || !over;
  const ofOwn = metric === 'capacity' || role === 'beside' ? CONFIDENCE : confidence;
  const own = isOwn ? { low, high, ...(low !== null && { confidence: ofOwn }) } : {};
  return { name, role, metric, unit, value, ...own, ...ratios, ...counted(trials), cell, dots: trials };
}
