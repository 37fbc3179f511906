/** What the figures of a write-up say of each other, asked of what was measured here: do they point the same way, and do its claims hold? */
import { blocksOfAll, ratioOf } from '../../analyse/figures.js';
import { times } from '../../analyse/format.js';
import { pairedRatio } from '../../analyse/intervals.js';
import { byBlockOf, cellsOf, dimensionOf, inOurUnit, marksText, quantityOf, resultOf, written } from './figures.js';

/** Quantities of which two cells are compared block by block. */
const PAIRED = { throughput: 'throughput', 'latency.p50': 'p50', 'latency.p95': 'p95', 'latency.p99': 'p99' };
const runOf = (id) => id.split('.')[0];

/** Pairs that say something of a system: numbers of requests were chosen, and the time between answers is the latency over the users. */
const areComparable = (sides) =>
  Object.values(sides).every(
    ({ id, unit }) => ['time', 'rate'].includes(dimensionOf(unit)) && !quantityOf(id).startsWith('interval.'),
  );

/** Two of a write-up's figures that a check sets against each other, if it does: the first over the second. */
function sidesOf({ figure, plus, over, to }, figures) {
  const other = over ?? (typeof to === 'string' ? to : null);
  if (plus || other === null) return null;
  const [above, below] = [figure, other].map((id) => figures.get(id));
  return dimensionOf(above.unit) === dimensionOf(below.unit) ? { above, below } : null;
}

/** Cells of one experiment that differ in what the write-up compares, and not also in what ours were given beside it. */
const isLike = (one, other) => ['experiment', 'tool', 'workload'].every((key) => one[key] === other[key]);

/**
 * The same two figures here, of the first experiment that has both.
 * @returns {{counterparts: object[], experiment: string, result: {ratio, low, high}, marks: string|null}|null} counterparts: the first and the second; marks: see marksText
 */
function ratioHere({ above, below }, runs, published) {
  const [ones, others] = [above, below].map(({ id }) => cellsOf(runs[runOf(id)].here, published));
  for (const { counterpart, cell } of ones) {
    const other = others.find((one) => isLike(one.counterpart, counterpart));
    const result = other && ratioOfCells(above, cell, below, other.cell);
    if (result)
      return {
        ...{ counterparts: [counterpart, other.counterpart], experiment: counterpart.experiment, result },
        marks: marksText([cell, other.cell]),
      };
  }
  return null;
}

function ratioOfCells(above, cell, below, other) {
  const quantity = quantityOf(above.id);
  if (quantity in PAIRED && quantity === quantityOf(below.id)) return ratioOf(PAIRED[quantity], cell, other);
  const [ones, twos] = [byBlockOf(above, cell), byBlockOf(below, other)];
  if (ones && twos) return pairedRatio(logsOf(ones, twos), { of: blocksOfAll([cell, other]).length });
  const [one, two] = [resultOf(above, cell), resultOf(below, other)];
  return one && two?.ratio > 0 ? { ratio: one.ratio / two.ratio, low: null, high: null } : null;
}

/** Logarithms of the ratios of what both have, block by block. */
const logsOf = (ones, others) =>
  [...ones].filter(([block]) => others.has(block)).map(([block, value]) => Math.log(value / others.get(block)));

/** -1, 0 or 1: below, not told from, or above a value. Without an interval it is the ratio's own side. */
const sideOf = ({ ratio, low, high }, value = 1) => ((low ?? ratio) > value ? 1 : (high ?? ratio) < value ? -1 : 0);

/**
 * Pairs of their figures, each beside the same pair here.
 * @returns {{above, below, theirs: number, counterparts: object[], experiment: string, result, marks: string|null, direction: string}[]}
 */
export function comparedHere({ runs, claims, figures }, published) {
  const byId = new Map(figures.map((figure) => [figure.id, figure]));
  const checks = [...Object.values(runs), ...claims].flatMap((part) => part.checks ?? []);
  const pairs = new Map();
  const comparable = checks.map((check) => sidesOf(check, byId)).filter((sides) => sides && areComparable(sides));
  const asked = comparable.filter((sides) => !isThroughputAgain(sides, comparable));
  for (const sides of asked) {
    const key = [sides.above.id, sides.below.id].toSorted().join();
    const here = pairs.has(key) ? null : ratioHere(sides, runs, published);
    if (!here) continue;
    const theirs = inOurUnit(sides.above) / inOurUnit(sides.below);
    pairs.set(key, { ...sides, theirs, ...here, direction: directionOf(theirs, here.result) });
  }
  return [...pairs.values()];
}

/** In a closed loop the mean latency is the users over the throughput: where both are set against each other, it is one pair. */
const isThroughputAgain = ({ above, below }, pairs) =>
  [above, below].every(({ id }) => quantityOf(id) === 'latency.mean') &&
  pairs.some(
    (pair) =>
      quantityOf(pair.above.id) === 'throughput' &&
      [pair.above, pair.below]
        .map(({ id }) => runOf(id))
        .sort()
        .join() ===
        [above, below]
          .map(({ id }) => runOf(id))
          .sort()
          .join(),
  );

function directionOf(theirs, result) {
  const [there, here] = [Math.sign(theirs - 1), sideOf(result)];
  if (here === 0) return there === 0 ? 'the same' : 'no difference shown here';
  return `${there === here ? 'the same' : there === 0 ? 'a difference here' : 'the other'}${result.low === null ? ', without an interval' : ''}`;
}

/**
 * What a claim comes to here: whether all of its checks hold, and the figures that decide it. Where checks do not decide it there, nor do they here.
 * @returns {{holds: boolean|null|undefined, texts: string[], experiments: string[]}|null} null: not all of it was measured; holds is null where an
 *   interval does not decide, undefined where a part of the claim is about its machine
 */
export function claimHere({ checks = [], holds_in_its_own_figures: there }, { runs, figures }, published) {
  const byId = new Map(figures.map((figure) => [figure.id, figure]));
  const checked = checks.map((check) => checkHere(check, byId, runs, published));
  if (there === null || checked.length === 0 || checked.includes(null)) return null;
  const verdicts = checked.map(({ holds }) => holds);
  return {
    holds: verdictOf(verdicts),
    texts: [...new Set(checked.map(({ text }) => text))],
    experiments: [...new Set(checked.map(({ experiment }) => experiment))],
  };
}

/** Of all checks of a claim. @param {(boolean|null|undefined)[]} verdicts see claimHere */
function verdictOf(verdicts) {
  if (verdicts.includes(undefined)) return undefined;
  if (verdicts.includes(false)) return false;
  return verdicts.includes(null) ? null : true;
}

function checkHere(check, byId, runs, published) {
  const { figure: id, over, to, plus } = check;
  const figure = byId.get(id);
  const sides = sidesOf(check, byId);
  if (sides) {
    const here = ratioHere(sides, runs, published);
    if (!here) return null;
    const bound = over && typeof to === 'string' ? inOurUnit(byId.get(to)) : over ? to : 1;
    const { experiment, result, marks } = here;
    const holds = result.low === null ? null : holdsHere(check, result, bound);
    return {
      holds,
      text: `${sidesText(sides)} ${times(result, '×')}${missedText(check, result, bound, holds)}${marks ? `, ${marks}` : ''}`,
      experiment,
    };
  }
  if (over || plus || typeof to === 'string') return null;
  const [{ counterpart, cell } = {}] = cellsOf(runs[runOf(id)].here, published);
  const result = cell ? resultOf(figure, cell) : null;
  if (result === null) return null;
  const [value, ...bounds] = [result.ratio, result.low, result.high].map(
    (one) => one === null || written(one, figure.unit),
  );
  return {
    holds: isOfItsMachine(figure) ? undefined : holdsHere(check, result, inOurUnit({ value: to, unit: figure.unit })),
    text: `${nameOf(id)} of ${runOf(id)} ${value}${result.low === null ? '' : ` [${bounds.join(', ')}]`}`,
    experiment: counterpart.experiment,
  };
}

/** How much a machine does, or how long it takes, is no claim that another could hold. */
const isOfItsMachine = ({ unit }) => ['rate', 'time'].includes(dimensionOf(unit));

const nameOf = (id) => quantityOf(id).replace('.', ' ').replace('latency ', '');

/** 'throughput of cube-10 over that of postgres-10' */
function sidesText({ above, below }) {
  const [one, other] = [above, below].map(({ id }) => ({ name: nameOf(id), run: runOf(id) }));
  if (one.run === other.run) return `${one.name} over ${other.name} of ${one.run}`;
  return `${one.name} of ${one.run} over ${one.name === other.name ? 'that' : other.name} of ${other.run}`;
}

/** Of what is not about as large as it is claimed to be: on which side it is. */
const missedText = ({ is }, { ratio }, bound, holds) =>
  is === 'about' && holds === false ? ` (${ratio > bound ? 'more' : 'less'})` : '';

/** What is about as large as claimed lies within a quarter of it here; a claim's own tolerance is that of its arithmetic. What is equal has no other. */
const ABOUT = 0.25;

/** Does a result stand to a bound as a check says? null: its interval does not decide it. */
export function holdsHere({ is, within = 0 }, { ratio, low, high }, bound) {
  const [least, most] = [low ?? ratio, high ?? ratio];
  if (is === 'above') return least > bound ? true : most <= bound ? false : null;
  if (is === 'below') return most < bound ? true : least >= bound ? false : null;
  const by = is === 'about' ? Math.max(within, ABOUT) : within;
  const [from, to] = [bound * (1 - by), bound * (1 + by)];
  return least >= from && most <= to ? true : most < from || least > to ? false : null;
}
