/**
 * The sentences about figures: what report, page, terminal, README and charts say of them. Figures and names come in, English goes out.
 * A name is {label, note}, see names.js. Findings have sentences of their own, see ../findings/.
 */
import { objectiveText } from './capacity/sentences.js';
import { above, grouped, intervalText, lower, more, ordered, percent, rangeText, TIMES_FROM } from './effects.js';
import { isMoreBetter } from './figures.js';
import { TOOLS } from './tools.js';
import { bound, factor, inverted, levelNoun, plural } from './words.js';

/** ' (one; two)', or nothing. */
export const bracketed = (...notes) => {
  const text = notes.filter(Boolean).join('; ');
  return text && ` (${text})`;
};
const named = ({ label, note }, ...notes) => `${label}${bracketed(note, ...notes)}`;

/** A text as a sentence begins: 'some trials marked' gets its capital; k6, wrk and p95 are written small everywhere. */
export const capital = (text) => {
  const [first] = text.split(/\W/, 1);
  return first in TOOLS || /^p\d/.test(first) ? text : text[0].toUpperCase() + text.slice(1);
};

/** What a workload does: 'requests'; 'transactions' of pgbench; 'document writes', where a request writes many. @param {{tool, unit?: string}} facts */
export const unitsOf = ({ tool, unit }) => `${unit || (TOOLS[tool]?.unit ?? 'request')}s`;
/** 'requests per second' */
export const unitOf = (facts) => `${unitsOf(facts)} per second`;

/** 'with 10 users', 'at 50 requests per second', 'with each at 50 % of its own peak', 'each at its peak', 'as long as p95 stays below 50 ms' */
export function levelPhrase({ tool, model, level, share, objective }) {
  if (objective) return `as long as ${objectiveText(objective.parts)}`;
  if (level === 'peak') return 'with each at its peak';
  if (share) return `with each at ${share.replace('%', ' %')} of its own peak`;
  return model === 'open'
    ? `at ${plural(level, 'request')} per second`
    : `with ${level} ${levelNoun({ tool, model }, level)}`;
}

/** What is lower where a metric is better, as a sentence names it. */
const LOWER = {
  p50: 'the median latency',
  p95: 'the p95',
  p99: 'the p99',
  cpu_per_request: 'the processor time per request',
};

/**
 * That two sides differ, and a title that says the same without what a picture says itself.
 * @param {object} facts {tool, model, level, share, unit, metric}; rates: [{name, rps}] of the sides, at a share; result: numerator over denominator,
 *   which differs
 * @param {(side: 'numerator'|'denominator') => {label, note}} nameOf called in the order in which the sentence names them
 * @param {string} [mark] what else stands in brackets in the title
 * @returns {{text: string, title: string}}
 */
export function difference(facts, nameOf, mark = '') {
  const { metric, result } = facts;
  const sides = ['numerator', 'denominator'];
  if (isMoreBetter(metric)) {
    const [fast, slow, gain] = ordered(...sides, result);
    const { much, than, range, interval } = more(gain);
    const [winner, loser] = [fast, slow].map((side) => nameOf(side));
    const served = (...notes) => `${named(winner)} served ${much} ${unitOf(facts)} ${than} ${named(loser, ...notes)}`;
    return sentences(facts, served(interval), served(range, mark));
  }
  const [shorter, taller, reduction] = ordered(...sides, inverted(result));
  const { much, part: of, range, interval } = lower(reduction);
  const [low, high] = [shorter, taller].map((side) => nameOf(side));
  const less = (...notes) =>
    `${LOWER[metric]} of ${named(low)} was ${much} than that of ${named(high, ...notes)}${of ? `, ${of} of it` : ''}`;
  return sentences(facts, less(interval), less(range, mark));
}

/** 'requests per second', 'p95': what a comparison is about. */
const figureText = (facts) => (isMoreBetter(facts.metric) ? unitOf(facts) : LOWER[facts.metric].replace(/^the /, ''));

/**
 * That two cells do not differ as far as one can tell, or that they are the same within a margin.
 * @param {object} facts as of difference, with a result that does not differ; within: the margin that equality was tested for
 */
export function noDifference(facts, nameOf, mark = '') {
  const { result, within } = facts;
  const [one, other] = [nameOf('numerator'), nameOf('denominator')];
  const ratio = `the first over the second is ${bound(result.ratio)} (${intervalText(result)})`;
  if (result.equal) {
    const same = `${named(one)} and ${named(other)} were equal in ${figureText(facts)} to within ${percent(within, true)} %`;
    return sentences(facts, `${same}: ${ratio}`, same + bracketed(mark));
  }
  const unshown = (...notes) =>
    `no difference in ${figureText(facts)} was shown between ${named(one)} and ${named(other, ...notes)}`;
  const text = `${unshown()}: ${ratio}${foundText(result)}`;
  return sentences(facts, text, unshown(`ratio ${rangeText(result)}`, mark));
}

/** '; a true difference of 20 % would be found in four such runs of five' */
function foundText({ finds = null }) {
  if (finds === null) return '';
  const size =
    finds < TIMES_FROM
      ? `${Number((100 * (finds - 1)).toPrecision(2))} %`
      : `a factor of ${Number(finds.toPrecision(2))}`;
  return `; a true difference of ${size} would be found in four such runs of five`;
}

/**
 * What was found where something forbids to claim it: 'Not claimed, as other programs were at work: with 4 clients, ...'; a title without why.
 * @param {{text, title, brief, context}} told @param {string} why @returns {object} the same with each text so begun
 */
export const notClaimed = ({ text, title, brief, context }, why) => {
  const begun = (sentence, because) => `Not claimed${because}: ${sentence[0].toLowerCase()}${sentence.slice(1)}`;
  return { text: begun(text, `, as ${why}`), title: begun(title, ''), brief: begun(brief, ''), context };
};

/** What an answer is of, and what speaks against it, as a sentence of its own. @param {string} context see contextOf */
export const measuredText = (context) => `Measured with ${context}.`;

/** That a question has no answer in this run. @param {string} why */
export const noAnswer = (why) => ({ text: `No answer: ${why}.`, title: 'No answer' });

/** That two cells cannot be compared, as an open load was not sent as planned. */
export function notComparable(facts, nameOf) {
  const both = `${named(nameOf('numerator'))} and ${named(nameOf('denominator'))} cannot be compared`;
  return sentences(facts, `${both}: not every request was sent when it was due`, both);
}

/** ' and 10 database connections each': the variant that all compared sides have. */
function sharedText(variant) {
  const [, size] = /^pool-(\d+)$/.exec(variant) ?? [];
  return size ? ` and ${plural(Number(size), 'database connection')} each` : ` and variant ${variant} of each`;
}

/** A sentence of all that is said, and a title, each begun with the load. @param {object} facts as of difference @returns {{text: string, title: string}} */
export const sentences = (facts, text, title) => {
  const where = capital(levelPhrase(facts)) + (facts.shared ? sharedText(facts.shared) : '');
  const rates = facts.rates
    ?.map(({ name, rps }) => `${name} at ${Number.isInteger(rps) ? grouped(rps) : factor(rps)}/s`)
    .join(', ');
  return { text: `${where}${bracketed(rates)}, ${text}.`, title: `${where}, ${title}` };
};

/** What an interval at shares of peaks leaves out. @param {object} spread see spreadOf */
export const ofRates = (spread) =>
  `the interval is for these rates: a peak was searched to within ${percent(spread.within, true)} %, so that ${equalMayDiffer(spread)}`;

/** The same where there is little room. */
export const equalMayDiffer = ({ times }) =>
  `two equal targets may differ ${Number.isFinite(times) ? `up to ${Number(times.toPrecision(2))} times` : 'by any factor'}`;

/**
 * Which of several did best.
 * @param {object} facts {tool, model, level, share, unit, metric} @param {{label, note}} best @param {number} of how many were compared
 * @param {{name: {label, note}, result}[]} others by how far they are from the best; result: the better over the other, so above 1
 * @returns {{text: string, title: string}}
 */
export function ranking(facts, best, others, of, mark = '') {
  const byThroughput = isMoreBetter(facts.metric);
  const told = others.filter(({ result }) => result.differs);
  const untold = others.filter(({ result }) => !result.differs);
  const did = byThroughput ? `served the most ${unitOf(facts)}` : `had the lowest ${figureText(facts)}`;
  const head = `${named(best)} ${did} of ${of}${untold.length > 0 ? ' on average' : ''}`;
  const size = ({ name, result }) => {
    if (!byThroughput) {
      const { much, interval } = higher(result);
      return `that of ${named(name)} was ${much} (${interval})`;
    }
    const { much, than, interval } = more(result);
    return `${much} ${than} ${named(name, interval)}`;
  };
  const alike = ({ name, result }) => named(name, `ratio ${bound(result.ratio)}, ${intervalText(result)}`);
  const parts = [
    told.length > 0 && told.map(size).join(', '),
    untold.length > 0 && `not told apart from ${listed(untold.map(alike))}`,
  ].filter(Boolean);
  if (told.length === 0) {
    const unshown = `no difference in ${figureText(facts)} was shown between ${named(best)}, on average the best of ${of}, and ${of > 2 ? 'any other' : 'the other'}`;
    const widest = Math.max(...untold.map(({ result }) => result.high));
    return sentences(
      facts,
      `${unshown}: ${listed(untold.map(alike))}`,
      unshown + bracketed(`ratios of ${widest > 1000 ? 'any size' : `up to ${bound(widest)}`} are not ruled out`, mark),
    );
  }
  const title = [head, apartText(told, untold)].filter(Boolean).join(', ');
  const { much, than, interval } = byThroughput ? more(told[0].result) : higher(told[0].result);
  const next = byThroughput ? `${much} ${than} the next` : `that of the next was ${much}`;
  const lead = untold.length === 0 && `${next}, ${interval}`;
  return sentences(facts, `${head}: ${parts.join('; ')}`, title + bracketed(lead, mark));
}

/** What the best is told apart from, by the shorter list. */
function apartText(told, untold) {
  const names = (others) => listed(others.map(({ name }) => named(name)));
  if (untold.length === 0) return null;
  return told.length < untold.length ? `told apart from ${names(told)} alone` : `not told apart from ${names(untold)}`;
}

/** 'twice as high', '18 % higher'. @param {object} result of 1 or above */
const higher = (result) => above(result, ['high', 'higher']);

/** 'a', 'a and b', 'a, b and c' */
export const listed = (items) =>
  items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;

/** A/A: how many intervals include 1, and how many should by chance; of one pair the figures depend on one another. @param {object} summary results.again @param {string[]} [fewer] metrics of which more exclude 1 than chance explains */
export function controlText({ comparisons, hold_one, visible = null, by_metric = null }, fewer = []) {
  const single = by_metric?.throughput.comparisons === 1;
  const { including, only } = controlCounts({ comparisons, hold_one, by_metric }, fewer);
  const expected = single
    ? ''
    : `; about ${Math.round(0.95 * comparisons)} of ${comparisons} would if nothing differed`;
  const seen =
    visible === null
      ? ''
      : ` ${single ? 'A' : 'In half of the pairs, a'} true difference of ${percent(visible - 1, true)} % in throughput would be found in four such runs of five.`;
  const of = single
    ? '; they come from one pair, so they are not independent'
    : comparisons > 1
      ? ' (those of one pair depend on one another)'
      : '';
  return `${MEASURED_TWICE}: ${including}${of}${only}${expected}.${seen}`;
}

export const MEASURED_TWICE = 'The same target measured twice (A/A)';

/** '44 of 50 intervals include 1', and ', but only 10 of 14 of p95 and 5 of 8 of p99'. @param {object} counts @param {string[]} fewer as of controlText @returns {{including: string, only: string}} */
export function controlCounts({ comparisons, hold_one, by_metric }, fewer) {
  const metrics = fewer.map(
    (metric) => `${by_metric[metric].hold_one} of ${by_metric[metric].comparisons} of ${metric}`,
  );
  return {
    including: `${hold_one} of ${plural(comparisons, 'interval')} ${hold_one === 1 ? 'includes' : 'include'} 1`,
    only: metrics.length > 0 ? `, but only ${listed(metrics)}` : '',
  };
}

/* Chart titles, and what charts show for those who cannot see them. */

/** Of a section: 'echo: throughput and latency by users'. */
export function levelTitle({ cells, workload, tool, model }) {
  const [level, ...others] = new Set(cells.map((cell) => cell.level));
  return others.length > 0
    ? `${workload}: throughput and latency by ${model === 'open' ? 'arrivals per second' : levelNoun({ tool, model })}`
    : `${workload}: throughput and latency ${levelPhrase({ tool, model, level })}`;
}

/** @param {string} title of the chart @param {string[]} names of its lines */
export const levelAlt = (title, section, names) =>
  `${title}. Two line charts by ${levelNoun(section)}, throughput and 95th percentile, for ${names.join(', ')}.`;
