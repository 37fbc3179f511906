/** Sentences that follow from the numbers. Never a claim whose interval includes 1. */
import { AGAIN } from './comparisons.js';
import { limitOf } from './limits.js';
import { datasetText, Names } from './names.js';
import { groupBy } from './numbers.js';
import { difference, noDifference, notComparable, ordered } from './phrases.js';
import { inverted, seriesName } from './words.js';

const GENERATOR_MARKS = new Set(['headroom', 'generator_cpu']);
/** Marks of an open load that was not sent as planned: what the target would have made of it is unknown. */
const UNSENT = new Set(['dropped', 'dispatch_lag', 'offered']);
const CONTEXT = ['kind', 'database', 'target', 'variant', 'workload', 'tool', 'model'];

/**
 * For targets, variants and databases that differ in nothing else: the fastest against the slowest, then neighbours in the order of
 * speed; each variant against base, where there is one. Each at the highest level that both were measured at without a mark; where there
 * is none, the sentence names the marks. A/A comparisons are left out: they judge the method, not the targets.
 * @param {object[]} comparisons see compareAll
 * @param {object[]} cells of results.json
 * @param {number} [scale] of the data
 * @returns {{text, title, claim, database, workload, tool, model, numerator, denominator, numerator_cell, denominator_cell}[]}
 *   text: the sentence with its interval; title: the finding alone; claim: a difference was shown; database: null where databases are
 *   compared; numerator, denominator: as tables and charts name them
 */
export function headlines(comparisons, cells, scale) {
  const byId = new Map(cells.map((cell) => [cell.id, cell]));
  const usable = comparisons.filter((comparison) => comparison.kind !== AGAIN && hasInterval(comparison));
  const contexts = groupBy(usable, (comparison) => CONTEXT.map((key) => comparison[key]).join(' '));
  const chosen = [...contexts.values()].flatMap((members) => choose(members, byId));
  const names = new Names();
  return chosen.map((comparison) => {
    const { database = null, workload, tool, model, numerator_cell, denominator_cell } = comparison;
    const { numerator, denominator } = seriesNames(comparison);
    return {
      ...sentence(comparison, byId, { scale, names }),
      ...{ database, workload, tool, model, numerator, denominator, numerator_cell, denominator_cell },
    };
  });
}

/** The headlines of results of any age, worded as today; what they compare and claim stays. @param {object} results results.json */
export function retold({ headlines: told, comparisons, cells, environment }) {
  const byId = new Map(cells.map((cell) => [cell.id, cell]));
  const names = new Names();
  return told.map((headline) => {
    const comparison = comparisons.find(
      ({ numerator_cell, denominator_cell }) =>
        numerator_cell === headline.numerator_cell && denominator_cell === headline.denominator_cell,
    );
    return { ...headline, ...sentence(comparison, byId, { scale: environment?.scale, names }) };
  });
}

/** Both sides as tables and charts name them. */
function seriesNames({ kind, target, variant, numerator, denominator }) {
  const name = (side) => {
    if (kind === 'database') return side;
    return seriesName(kind === 'target' ? { target: side, variant } : { target, variant: side });
  };
  return { numerator: name(numerator), denominator: name(denominator) };
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
  const shown = highest.filter(({ numerator, denominator }) => {
    const [a, b] = [rank(numerator), rank(denominator)];
    return Math.abs(a - b) === 1 || (Math.min(a, b) === 0 && Math.max(a, b) === last);
  });
  return shown.sort((a, b) => rank(a.numerator) - rank(b.numerator) || rank(b.denominator) - rank(a.denominator));
}

/** Above 1 where the numerator is faster. */
const speedOf = ({ throughput, p95 }) => throughput ?? inverted(p95);

/** Names by how many others they beat, fastest first. */
function bySpeed(pairs) {
  const wins = new Map();
  for (const { numerator, denominator, throughput, p95 } of pairs) {
    const [fast, slow] = ordered(numerator, denominator, speedOf({ throughput, p95 }));
    wins.set(fast, (wins.get(fast) ?? 0) + 1);
    wins.set(slow, wins.get(slow) ?? 0);
  }
  return [...wins].sort((a, b) => b[1] - a[1]).map(([name]) => name);
}

/** Names each side of a comparison, in the order in which the sentence does. @param {Names} names */
function namesOf({ kind, target, variant, ...sides }, names) {
  if (kind === 'database') return (side) => names.database(sides[side]);
  if (kind === 'target') return (side) => names.target(sides[side], variant);
  let first = true;
  return (side) => {
    const name = first ? names.target(target, sides[side]) : names.variant(sides[side]);
    first = false;
    return name;
  };
}

function sentence(comparison, byId, { scale, names }) {
  const { kind, level, share, target, variant, workload, tool, model, database, p95 } = comparison;
  const throughput = model === 'closed' ? comparison.throughput : null;
  const marks = marksOf(comparison, byId);
  const unsent = marks.some((check) => UNSENT.has(check));
  const shown = (result) => (result?.differs ? result : null);
  const claim = !unsent && Boolean(shown(throughput) ?? shown(p95));
  const facts = {
    ...{ level, share, tool, model },
    throughput: shown(throughput),
    p95: shown(p95),
    result: throughput ?? p95,
  };
  const phrase = unsent ? notComparable : claim ? difference : noDifference;
  const told = (among) => {
    const data =
      kind === 'database'
        ? [...Object.values(among.target(target, variant)), scale && `scale ${scale}`]
        : [datasetText(database, scale)];
    const marked = marks.length > 0 && `some trials are marked: ${marks.join(', ')}`;
    const limit = claim && generatorLimit(comparison, throughput, byId);
    const context = [[workload, tool, ...data].filter(Boolean).join(', '), limit, marked].filter(Boolean).join('; ');
    return phrase(facts, namesOf(comparison, among), context);
  };
  return { text: told(names).text, title: told(new Names()).title, claim };
}

/** What a load generator near its ceiling makes of a ratio: of the faster alone, and the ratio may be larger; of both, and it shows little; or null. */
function generatorLimit({ tool, numerator, numerator_cell, denominator, denominator_cell }, throughput, byId) {
  if (!throughput) return null;
  const limited = (id) => (byId.get(id).headroom ?? Infinity) < limitOf('headroom');
  const [fast] = ordered(numerator, denominator, throughput);
  const [fastLimited, slowLimited] = [numerator_cell, denominator_cell].map(limited);
  if (fastLimited && slowLimited) return `${tool} was near its own limit on both sides`;
  return (fast === numerator ? fastLimited : slowLimited) ? `${tool} was near its own limit, so it may be more` : null;
}
