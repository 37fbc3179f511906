// The end-of-test summary of a run by hand. A script that defines handleSummary gets none from k6, so k6's table is made
// here, without remote imports; below it stand the two condensed lines that are easy to quote.
import { figure } from './format.js';

/** data as k6 gives it -> {stdout: text, [FILE]: JSON}, the latter with `-e out=FILE`: on one line where FILE ends in .ndjson. */
export function handleSummary(data) {
  if (!data.root_group) return undefined; // --new-machine-readable-summary: k6 prints its own text
  const began = data.metrics.iterations || data.metrics.vus;
  if (!began) return {}; // setup() ended the run, and k6 prints its reason
  const { out } = __ENV;
  const files = out ? { [out]: `${JSON.stringify(data, null, out.endsWith('.ndjson') ? 0 : 2)}\n` } : {};
  return {
    stdout: `\n${[...checks(data.root_group), '', ...table(data), '', ...condensed(data)].join('\n')}\n`,
    ...files,
  };
}

/** -> a line per check of a group and the groups within it. */
function checks(group) {
  const lines = group.checks.map(({ name, passes, fails }) => {
    if (fails === 0) return `     ✓ ${name}`;
    return `     ✗ ${name}\n      ↳  ${Math.floor((100 * passes) / (passes + fails))}% — ✓ ${passes} / ✗ ${fails}`;
  });
  return [...lines, ...group.groups.flatMap(checks)];
}

/** -> a line per metric, sub-metrics below their metric, columns aligned. */
function table({ metrics, options }) {
  const names = Object.keys(metrics).sort();
  const label = (name) => (name.includes('{') ? `  { ${name.slice(name.indexOf('{') + 1, -1)} }` : name);
  const width = Math.max(...names.map((name) => label(name).length)) + 3;
  const rows = names.map((name) => cells(metrics[name], options));
  const widths = { trend: columnWidths(names, rows, metrics, true), other: columnWidths(names, rows, metrics, false) };
  return names.map((name, i) => {
    const padded = rows[i].map((text, column) => text.padEnd(widths[kind(metrics[name])][column]));
    return `   ${mark(metrics[name])} ${label(name).padEnd(width, '.')}: ${padded.join(' ').trimEnd()}`;
  });
}

function kind(metric) {
  return metric.type === 'trend' ? 'trend' : 'other';
}

function columnWidths(names, rows, metrics, trends) {
  const chosen = rows.filter((_, i) => (kind(metrics[names[i]]) === 'trend') === trends);
  const columns = Math.max(0, ...chosen.map((row) => row.length));
  return Array.from({ length: columns }, (_, i) => Math.max(...chosen.map((row) => (row[i] ?? '').length)));
}

/** -> the columns of one metric, which depend on its type. */
function cells(metric, { summaryTrendStats, summaryTimeUnit }) {
  const { values } = metric;
  const text = (value) => figure(value, metric, summaryTimeUnit);
  if (metric.type === 'counter') return [text(values.count), `${text(values.rate)}/s`];
  if (metric.type === 'gauge') return [text(values.value), `min=${text(values.min)}`, `max=${text(values.max)}`];
  if (metric.type === 'rate') return [text(values.rate), `${values.passes} out of ${values.passes + values.fails}`];
  return summaryTrendStats.map((stat) => `${stat}=${stat === 'count' ? values.count : text(values[stat])}`);
}

function mark({ thresholds }) {
  if (!thresholds) return ' ';
  return Object.values(thresholds).every(({ ok }) => ok) ? '✓' : '✗';
}

/** -> p(90)= and p(95)= of the requests that were answered as expected, and how many were not, when some were not. */
function condensed({ metrics, options }) {
  const latency = metrics['http_req_duration{expected_response:true}'];
  const failed = metrics.http_req_failed;
  const quoted = ['p(90)', 'p(95)'].filter((stat) => latency?.values[stat] > 0);
  const lines = quoted.map((stat) => `${stat}=${figure(latency.values[stat], latency, options.summaryTimeUnit)}`);
  if (failed?.values.rate > 0)
    lines.push(`(${figure(failed.values.rate, failed)} of the requests failed; these are the others)`);
  return lines;
}
