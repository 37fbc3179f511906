/** What a tool printed besides its raw file: its own tables, and pgbench's latency of each statement. */
import { rounded, spread } from './numbers.js';

/**
 * Statements over trials, in the order of the script.
 * @param {object[]} printed summary.printed of trials of one cell
 * @returns {{text, latency_ms: {median, min, max}, failures}[]|null} null unless pgbench ran with -r; failures: of all trials, null before version 15
 */
export function statementsOf(printed) {
  const lists = printed.flatMap(({ statements, scripts }) => {
    const all = statements.length > 0 ? statements : (scripts ?? []).flatMap((script) => script.statements);
    return all.length > 0 ? [all] : [];
  });
  if (lists.length === 0) return null;
  return lists[0].map(({ text }, i) => {
    const same = lists.map((list) => list[i]).filter((statement) => statement?.text === text);
    const { median, min, max } = spread(same.map(({ latency_ms }) => latency_ms));
    const counted = same.every(({ failures }) => failures !== null);
    return {
      text,
      latency_ms: { median: rounded(median), min, max },
      failures: counted ? same.reduce((all, { failures }) => all + failures, 0) : null,
    };
  });
}

/**
 * The figures of a tool's own tables, over trials.
 * @param {object[]} figures summary.printed.figures of trials of one cell: microseconds, bytes, counts, shares, and per second, by quantity
 * @returns {Record<string, number[]>|null} the values of the trials that count, in their order, of what all have; null where none has any
 */
export function figuresOf(figures) {
  const [first, ...others] = figures;
  if (!first) return null;
  const names = Object.keys(first).filter((name) => others.every((other) => name in other));
  return Object.fromEntries(names.map((name) => [name, figures.map((of) => rounded(of[name]))]));
}
