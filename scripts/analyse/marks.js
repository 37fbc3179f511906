/** Marks of trials, as answers and comparisons of runs mind them. */
import { byBlock } from './figures.js';
import { limitOf } from './limits.js';
import { plural } from './words.js';

/** The generator's ceiling: such a mark only makes a ratio a lower bound. */
export const GENERATOR_MARKS = new Set(['headroom', 'generator_cpu']);
/** Marks of an open load that was not sent as planned: what the target would have made of it is unknown. */
const UNSENT = new Set(['dropped', 'dispatch_lag', 'offered']);

/**
 * Checks that marked a trial which counts, but for those of the generator's ceiling, which only make a ratio a lower bound. @param {object[]} cells
 */
export function marksOf(cells) {
  const used = cells.flatMap(({ trials }) => trials).filter(({ verdict }) => verdict !== 'invalid');
  const checks = new Set(used.flatMap(({ reasons }) => reasons.map(({ check }) => check)));
  return [...checks].filter((check) => !GENERATOR_MARKS.has(check));
}

/** Whether an open load was not sent as planned: not in more trials of a cell, invalid ones included, than a share allows. @param {object[]} cells @param {number} [allowed] */
export const isUnsent = (cells, allowed = 0) =>
  cells.some(({ trials }) => {
    const unsent = trials.filter(({ reasons }) => reasons.some(({ check }) => UNSENT.has(check)));
    return unsent.length > allowed * trials.length;
  });

/** 'all trials are marked: latency_law (6 of 6 of pooled), some: drift (2 of 6 of pooled)' @param {string[]} marks checks @param {{name: string, cells: object[]}[]} sides */
export function marksText(marks, sides) {
  const countsOf = (check) =>
    sides.flatMap(({ name, cells }) => {
      const trials = trialsOf(cells);
      const marked = trials.filter((trial) => hasMark(trial, check)).length;
      return marked > 0 ? [`${marked} of ${trials.length}${sides.length > 1 ? ` of ${name}` : ''}`] : [];
    });
  return allAndSome(marks, sides, 'are marked', (check) => `${check} (${countsOf(check).join(', ')})`);
}

/** The same for a title: 'some trials marked: drift'. */
export const marksInBrief = (marks, sides) => allAndSome(marks, sides, 'marked', (check) => check);

const trialsOf = (cells) => cells.flatMap((cell) => [...byBlock(cell).values()]);
const hasMark = ({ reasons }, check) => reasons.some((reason) => reason.check === check);

/** Which checks marked all trials, and which some of them. */
function allAndSome(marks, sides, are, textOf) {
  const trials = trialsOf(sides.flatMap(({ cells }) => cells));
  const isOfAll = (check) => trials.every((trial) => hasMark(trial, check));
  const all = marks.filter(isOfAll).map(textOf);
  const some = marks.filter((check) => !isOfAll(check)).map(textOf);
  const first = all.length > 0 ? `all trials ${are}: ${all.join(', ')}` : `some trials ${are}: ${some.join(', ')}`;
  return all.length > 0 && some.length > 0 ? `${first}, some: ${some.join(', ')}` : first;
}

/** The same text with the checks alone, where there is little room: 'some trials are marked: drift'. */
export const withoutCounts = (text) =>
  text.replace(/(\w+) \(\d+ of \d+(?: of [^(),;]+)?(?:, \d+ of \d+ of [^(),;]+)*\)/g, '$1');

/**
 * That other programs had so much of the processors that nothing is claimed: more than `disturbed_share` of them in any trial that counts.
 * @param {object[]} cells @returns {string|null} 'other programs took up to 1.06 of 2 cores'
 */
export function disturbedText(cells) {
  const taken = cells.flatMap(({ resources, trials }) =>
    trials
      .filter(({ verdict }) => verdict !== 'invalid')
      .flatMap(({ reasons }) => reasons.filter(({ check }) => check === 'other_programs'))
      .filter(({ value }) => value > limitOf('disturbed_share') * resources?.cores)
      .map(({ value }) => ({ value, cores: resources.cores })),
  );
  if (taken.length === 0) return null;
  const most = taken.reduce((a, b) => (b.value > a.value ? b : a));
  return `other programs took up to ${most.value.toFixed(2)} of ${plural(most.cores, 'core')}`;
}
