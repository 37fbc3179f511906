/** Marks of trials, as answers and comparisons of runs mind them. */
import { byBlock } from './figures.js';
import { limitOf } from './limits.js';
import { plural } from './words.js';

/** The generator's ceiling: such a mark only makes a ratio a lower bound. */
export const GENERATOR_MARKS = new Set(['headroom', 'generator_cpu', 'generators_cpu']);
/** Something else than the target was at work, or the load was not that of the level: a probe so marked that failed says nothing. */
export const DISTURBING = new Set([
  ...['processor_taken', 'other_programs'],
  ...['generators_ended', 'generators_began', 'generators_clocks', 'generators_shared'],
]);
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

/** Checks by what they found, where a sentence names them; tables have their names, as docs/methodology.md explains them. */
const FOUND = {
  capacity: 'a search that was cut short',
  samples: 'too few answers',
  duration: 'trials too short',
  errors: 'failed requests',
  wrong_answers: 'wrong answers',
  answer_size: 'answers of another length',
  connections: 'connections that were not kept',
  users: 'users without an answer',
  littles_law: 'time that the load generator took between requests',
  ramp: 'a load that grew or fell',
  dropped: 'requests never sent',
  dispatch_lag: 'requests sent late',
  offered: 'requests not kept up with',
  asks: 'iterations that ask more or less often than they did',
  warm_up: 'a lead-in that failed',
  processes: 'a process that ended',
  settled: 'answers slower than a trial is long',
  wall_clock: 'a time that disagrees with the plan',
  frozen: 'seconds almost without answers',
  paused: 'a pause without answers',
  watched: 'resources not watched',
  generators_ended: 'a load generator that failed',
  generators_began: 'load generators that did not begin together',
  generators_clocks: 'a load generator whose clock is off',
  generators_shared: 'a load generator that made less than its share',
  generators_cpu: 'a load generator without processor time left',
  stopped: 'processes stopped for a time',
  processor_taken: 'processor time that the hypervisor took',
  other_programs: 'other programs at work',
  statements: 'more or fewer statements than declared',
  sessions: 'more or fewer database sessions than declared',
  other_statements: 'statements that nobody declared',
};

/** What a check found in trials that it marked as suspect. @param {{text?: string, value?: number}[]} reasons of these trials */
export const foundText = (check, reasons) => FOUND_AS[check]?.(reasons) ?? FOUND[check] ?? check;

/** Checks that find the one or the other. */
const FOUND_AS = {
  drift: driftText,
  latency_law: (reasons) =>
    [
      reasons.some(({ value }) => !(value > 0)) && 'users who waited for answers only part of the time',
      reasons.some(({ value }) => value > 0) && 'latencies that add up to more than the users’ time',
    ]
      .filter(Boolean)
      .join(' or '),
};

/** 'throughput that rose', or 'rose or fell' where some did the one and some the other. */
function driftText(reasons) {
  const matches = reasons.map(({ text = '' }) => /^(.+?) (rose|fell) /.exec(text)).filter(Boolean);
  const [what, ways] = [1, 2].map((part) => [...new Set(matches.map((match) => match[part]))].sort().reverse());
  return `${what.join(' or ') || 'throughput'} that ${ways.join(' or ') || 'drifted'}`;
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
