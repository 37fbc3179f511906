/** post.csv: what the pictures of answers show, a row for each mark. Empty: not measured, or no interval. */
import { row } from '../analyse/csv.js';

const HEADER = ['question', 'name', 'role', 'at', 'axis', 'metric', 'unit', 'value', 'low', 'high', 'trials'];

const UNITS = {
  throughput: 'answers/s',
  p50: 'us',
  p95: 'us',
  p99: 'us',
  cpu_per_request: 'us/request',
  speedup: 'times',
  lost: 'documents/kill',
};

/** @param {object[]} answers see answersOf @returns {string} CSV with a header; low, high: where its ratio to the reference ends, laid on the reference */
export function answersCsv(answers) {
  const rows = answers.flatMap(({ ask, facts }) =>
    marksOf(facts).map((mark) => HEADER.map((key) => (key === 'question' ? ask : mark[key]))),
  );
  return [HEADER, ...rows].map(row).join('');
}

const MARKS = {
  rows: ({ panels }) => panels.flatMap(({ metric, rows }) => rows.map((mark) => figures(mark, metric))),
  lines: ({ metric, noun, lines }) =>
    lines.flatMap(({ name, role, points }) =>
      points.map((point) => ({ ...figures(point, metric), name, role, at: point.at, axis: noun })),
    ),
  copies: ({ panels }) =>
    panels.flatMap(({ metric, intervals }) =>
      intervals.map(({ ratio, low, high }) => ({
        name: 'copy / copied',
        metric,
        unit: 'ratio',
        value: ratio,
        low,
        high,
      })),
    ),
};

const marksOf = (facts) => (facts === null ? [] : (MARKS[facts.shape]?.(facts) ?? []));

const figures = ({ name, role, value, low, high, trials }, metric) => ({
  ...{ name, role, metric, unit: UNITS[metric], value, low, high },
  trials: trials.length,
});
