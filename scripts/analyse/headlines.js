/** Sentences that follow from the numbers. Never a claim whose interval holds 1. */
import { AGAIN } from './comparisons.js';
import { limitOf } from './limits.js';
import { groupBy } from './numbers.js';
import { factor, inverted, levelNoun, seriesName, withInterval } from './words.js';

const GENERATOR_MARKS = new Set(['headroom', 'generator_cpu']);
/** Marks of an open load that was not sent as planned: what the target would have made of it is unknown. */
const UNSENT = new Set(['dropped', 'dispatch_lag', 'offered']);
const CONTEXT = ['kind', 'database', 'target', 'variant', 'workload', 'tool', 'model'];

/**
 * For targets, variants and databases that differ in nothing else: the fastest against the slowest, then neighbours in the order of
 * speed; each variant against base, where there is one. Each at the highest level that both were measured at without a mark; where there
 * is none, the sentence names the marks. A/A comparisons tell of the method, not of these.
 * @param {object[]} comparisons see compareAll
 * @param {object[]} cells of results.json
 * @returns {{text, title, claim, database, workload, tool, model, numerator, denominator, numerator_cell, denominator_cell}[]}
 *   text: the sentence with its interval; title: the finding alone; claim: a difference was shown; database: null where databases are
 *   compared; numerator, denominator: as the sentence names them
 */
export function headlines(comparisons, cells) {
  const byId = new Map(cells.map((cell) => [cell.id, cell]));
  const usable = comparisons.filter((comparison) => comparison.kind !== AGAIN && hasInterval(comparison)).map(named);
  const contexts = groupBy(usable, (comparison) => CONTEXT.map((key) => comparison[key]).join(' '));
  return [...contexts.values()].flatMap((members) =>
    choose(members, byId).map((comparison) => sentence(comparison, byId)),
  );
}

/** The comparison with its two sides named as tables and charts name them; of: what databases are compared by, else the database. */
function named(comparison) {
  const { kind, database = null, target, variant, numerator, denominator } = comparison;
  if (kind === 'database') return { ...comparison, database, of: seriesName({ target, variant }) };
  const name = (side) => seriesName(kind === 'target' ? { target: side, variant } : { target, variant: side });
  return { ...comparison, numerator: name(numerator), denominator: name(denominator), of: database };
}

/** Whether what the load model leaves open to measure has an interval: throughput, or p95 where the rate is given. */
function hasInterval({ model, throughput, p95 }) {
  return ((model === 'closed' ? throughput : p95)?.differs ?? null) !== null;
}

/** Checks that marked a trial of either side, but for those of the generator's ceiling, which only make a ratio a lower bound. */
function marksOf({ numerator_cell, denominator_cell }, byId) {
  const trials = [numerator_cell, denominator_cell].flatMap((id) => byId.get(id).trials);
  const checks = new Set(trials.flatMap(({ reasons }) => reasons.map(({ check }) => check)));
  return [...checks].filter((check) => !GENERATOR_MARKS.has(check));
}

/** One comparison per pair, of neighbours and of the two ends. */
function choose(members, byId) {
  const clean = (comparison) => marksOf(comparison, byId).length === 0;
  const pairs = [...groupBy(members, ({ numerator, denominator }) => `${numerator} ${denominator}`).values()];
  const highest = pairs.map((levels) => levels.findLast(clean) ?? levels.at(-1));
  const [{ denominator }] = highest;
  if (highest.every((comparison) => comparison.denominator === denominator))
    // each with base, or two in all
    return highest.toSorted((a, b) => speedOf(b).ratio - speedOf(a).ratio);
  const order = bySpeed(highest);
  const rank = (name) => order.indexOf(name);
  const last = order.length - 1;
  const wanted = highest.filter(({ numerator, denominator }) => {
    const [a, b] = [rank(numerator), rank(denominator)];
    return Math.abs(a - b) === 1 || (Math.min(a, b) === 0 && Math.max(a, b) === last);
  });
  return wanted.sort((a, b) => rank(a.numerator) - rank(b.numerator) || rank(b.denominator) - rank(a.denominator));
}

/** Above 1 where the numerator is faster. */
const speedOf = ({ throughput, p95 }) => throughput ?? inverted(p95);

/** Names by how many others they outrun, fastest first. */
function bySpeed(pairs) {
  const wins = new Map();
  for (const { numerator, denominator, throughput, p95 } of pairs) {
    const [fast, slow] = fasterOf(numerator, denominator, speedOf({ throughput, p95 }));
    wins.set(fast, (wins.get(fast) ?? 0) + 1);
    wins.set(slow, wins.get(slow) ?? 0);
  }
  return [...wins].sort((a, b) => b[1] - a[1]).map(([name]) => name);
}

function sentence(comparison, byId) {
  const { numerator, denominator, numerator_cell, denominator_cell, p95 } = comparison;
  const throughput = comparison.model === 'closed' ? comparison.throughput : null;
  const limits = generatorLimits(comparison, throughput, byId);
  const faster = throughputPart(comparison, throughput, limits);
  const sooner = latencyPart(comparison, throughput, p95);
  const marks = marksOf(comparison, byId);
  const unsent = marks.some((check) => UNSENT.has(check));
  const claim = !unsent && Boolean(faster || sooner);
  const text = claim ? [faster, sooner].filter(Boolean).join(', and ') : noClaim(comparison, throughput ?? p95, unsent);
  const where = place(comparison);
  const { database, of, workload, tool, model } = comparison;
  const context = `${workload}, ${tool}, ${of}${marks.length > 0 ? `; marked: ${marks.join(', ')}` : ''}`;
  const untold = `${numerator} and ${denominator} cannot be ${unsent ? 'compared' : 'told apart'} ${where}`;
  return {
    text: `${where[0].toUpperCase()}${where.slice(1)} ${text} (${context}).`,
    title: claim ? shortTitle(comparison, throughput, { where, limits }) : untold,
    claim,
    ...{ database, workload, tool, model, numerator, denominator, numerator_cell, denominator_cell },
  };
}

/** A generator at its ceiling holds a row down: the faster alone, and the ratio is a lower bound; both, and it says little. */
function generatorLimits({ numerator, numerator_cell, denominator, denominator_cell }, throughput, byId) {
  if (!throughput) return { before: '', after: '' };
  const bound = (id) => (byId.get(id).headroom ?? Infinity) < limitOf('headroom');
  const [fast] = fasterOf(numerator, denominator, throughput);
  const [fastBound, slowBound] = [numerator_cell, denominator_cell].map(bound);
  if (fastBound && slowBound) return { before: '', after: ' as far as the load generator could tell' };
  return { before: (fast === numerator ? fastBound : slowBound) ? 'at least ' : '', after: '' };
}

function place(comparison) {
  if (comparison.share) return `at ${comparison.share} of each one's own peak`;
  return `at ${comparison.level} ${levelNoun(comparison, comparison.level)}`;
}

/** For a chart: the finding without its interval, which stands in the report. */
function shortTitle({ numerator, denominator, p95 }, throughput, { where, limits }) {
  if (throughput?.differs) {
    const [fast, slow, { ratio }] = fasterOf(numerator, denominator, throughput);
    return `${fast} answers ${limits.before}${factor(ratio)}× the requests per second of ${slow} ${where}`;
  }
  const [low, high, { ratio }] = fasterOf(numerator, denominator, inverted(p95));
  return `p95 of ${low} is ${factor(ratio)}× lower than that of ${high} ${where}`;
}

/** [the faster, the slower, their ratio above 1] */
function fasterOf(numerator, denominator, result) {
  return result.ratio >= 1 ? [numerator, denominator, result] : [denominator, numerator, inverted(result)];
}

function throughputPart({ numerator, denominator }, throughput, { before, after }) {
  if (!throughput?.differs) return null;
  const [fast, slow, ratio] = fasterOf(numerator, denominator, throughput);
  return `${fast} answered ${before}${withInterval(ratio)} the requests per second of ${slow}${after}`;
}

function latencyPart({ numerator, denominator }, throughput, p95) {
  if (!p95?.differs) return null;
  const [low, high, ratio] = fasterOf(numerator, denominator, inverted(p95));
  const alreadyNamed = throughput?.differs && throughput.ratio >= 1 === p95.ratio <= 1;
  return alreadyNamed
    ? `its p95 was ${withInterval(ratio)} lower`
    : `the p95 of ${low} was ${withInterval(ratio)} lower than that of ${high}`;
}

function noClaim({ numerator, denominator }, result, unsent) {
  if (unsent) return `${numerator} and ${denominator} cannot be compared: not every request was sent when it was due`;
  const seen =
    result.detectable === null ? '' : `; a difference below ${factor(result.detectable)}× could not have been seen`;
  return `${numerator} and ${denominator} cannot be told apart: ${withInterval(result)}${seen}`;
}
