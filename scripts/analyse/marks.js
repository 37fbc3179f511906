/** Marks of trials, as answers and comparisons of runs mind them. */
import { ABOUT } from './checks/index.js';
import { byBlock } from './figures.js';
import { limitOf } from './limits.js';
import { plural } from './words.js';

const checksThat = (trait) => new Set(Object.keys(ABOUT).filter((check) => ABOUT[check][trait]));

/** Checks by what their marks mean, as checks/index.js explains. */
export const GENERATOR_MARKS = checksThat('isOfGenerator');
export const DISTURBING = checksThat('isDisturbing');
const UNSENT = checksThat('isUnsent');

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

/**
 * What a check found in trials that it marked as suspect, where a sentence names it; tables have its name, as docs/methodology.md explains it.
 * @param {string} check or 'capacity', of a search @param {{text?: string, value?: number}[]} reasons of these trials
 */
export function foundText(check, reasons) {
  if (check === 'capacity') return 'a search that was cut short';
  const { finds = check } = ABOUT[check] ?? {};
  return typeof finds === 'function' ? finds(reasons) : finds;
}

/** 'all trials are marked: a load that grew or fell (6 of 6 of pooled), some: throughput that drifted (2 of 6 of pooled)' @param {string[]} marks checks @param {{name: string, cells: object[]}[]} sides */
export function marksText(marks, sides) {
  const countsOf = (check) =>
    sides.flatMap(({ name, cells }) => {
      const trials = trialsOf(cells);
      const marked = trials.filter((trial) => hasMark(trial, check)).length;
      return marked > 0 ? [`${marked} of ${trials.length}${sides.length > 1 ? ` of ${name}` : ''}`] : [];
    });
  const reasonsOf = (check) =>
    trialsOf(sides.flatMap(({ cells }) => cells)).flatMap(({ reasons }) =>
      reasons.filter((reason) => reason.check === check),
    );
  const textOf = (check) => `${foundText(check, reasonsOf(check))} (${countsOf(check).join(', ')})`;
  const [ofAll, ofSome] = [true, false].map((of) => marks.filter((check) => isOfAll(check, sides) === of).map(textOf));
  const first =
    ofAll.length > 0 ? `all trials are marked: ${ofAll.join(', ')}` : `some trials are marked: ${ofSome.join(', ')}`;
  return ofAll.length > 0 && ofSome.length > 0 ? `${first}, some: ${ofSome.join(', ')}` : first;
}

/** The same for a title: 'some trials marked'; of searches for capacities, which have one mark alone, 'some searches cut short'. */
export function marksInBrief(marks, sides) {
  const which = marks.some((check) => isOfAll(check, sides)) ? 'all' : 'some';
  return marks.every((check) => check === 'capacity') ? `${which} searches cut short` : `${which} trials marked`;
}

const trialsOf = (cells) => cells.flatMap((cell) => [...byBlock(cell).values()]);
const hasMark = ({ reasons }, check) => reasons.some((reason) => reason.check === check);

/** Whether a check marked all trials. */
const isOfAll = (check, sides) => trialsOf(sides.flatMap(({ cells }) => cells)).every((trial) => hasMark(trial, check));

/** The same text without what was found, where there is little room: 'some trials are marked'. */
export const withoutCounts = (text) =>
  text.replace(/\b(all|some) trials are marked: [^;()]+(?:\([^()]*\)(?:, [^;()]+(?=\())?)*/g, '$1 trials are marked');

/** Of how many cores a reason tells, which are those of the machine that it is about. @param {string} [text] */
const coresTold = (text) => {
  const [, cores] = / of the ([\d,]+) cores? /.exec(text ?? '') ?? [];
  return cores && Number(cores.replaceAll(',', ''));
};

/**
 * That other programs had so much of the processors that nothing is claimed: more than `disturbed_share` of them in any trial that counts.
 * @param {object[]} cells @returns {string|null} 'other programs took up to 1.06 of 2 cores'
 */
export function disturbedText(cells) {
  const taken = cells.flatMap(({ resources, trials }) =>
    trials
      .filter(({ verdict }) => verdict !== 'invalid')
      .flatMap(({ reasons }) => reasons.filter(({ check }) => check === 'other_programs'))
      .map(({ value, text }) => ({ value, cores: coresTold(text) ?? resources?.cores }))
      .filter(({ value, cores }) => value > limitOf('disturbed_share') * cores),
  );
  if (taken.length === 0) return null;
  const most = taken.reduce((a, b) => (b.value > a.value ? b : a));
  return `other programs took up to ${most.value.toFixed(2)} of ${plural(most.cores, 'core')}`;
}
