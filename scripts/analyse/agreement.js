/** Whether two runs of one experiment give the same answer. */

import { confidenceOfPairs } from './answers/smallest.js';
import { metricsThatMiss } from './comparisons.js';
import { intervalText } from './effects.js';
import { differ } from './intervals.js';
import { sum } from './numbers.js';
import { controlCounts, controlText, listed, MEASURED_TWICE } from './phrases.js';
import { bound, inverted } from './words.js';

/**
 * An answer beside that of the newest earlier run that asked the same of the same cells.
 * @param {object} question of results.json, with the capacities of its run where it is about these @param {object[]} earlier results.json of other runs, the newest first
 * @returns {{is: 'same'|'compatible'|'contradicted', apart: boolean, run: object, before: object, pairs: [result: object, before: object][], moved: number[]}|null} same:
 *   both show the same, a difference in one direction or none; contradicted: they do not, and differ by more than chance explains; apart: whether some ratios
 *   do, whatever they show; before: that run's answer; moved: its capacities over those of this one; null where there is no such run, or one of both has no interval
 */
export function agreement(question, earlier) {
  const confidence = confidenceIn(question);
  for (const { questions = [], run, capacities = [] } of earlier) {
    const before = questions.find((other) => other.answered && isSame(other, question));
    const pairs = (question.comparisons ?? []).flatMap((entry) => {
      const [above, below] = sidesOf(entry);
      const comparisonOf = (sides) =>
        before?.comparisons.find((other) => sidesOf(other).join(' / ') === sides.join(' / '));
      const [same, turned] = [comparisonOf([above, below]), comparisonOf([below, above])];
      const other = same?.result ?? (turned?.result && inverted(turned.result));
      const pair = [{ ...entry.result, confidence }, other && { ...other, confidence: confidenceIn(before) }];
      return pair.every((result) => result?.low) ? [pair] : [];
    });
    if (pairs.length === 0) continue;
    const apart = pairs.filter((pair) => differ(pair, confidence));
    const is = !apart.every(showTheSame) ? 'contradicted' : pairs.every(showTheSame) ? 'same' : 'compatible';
    return { is, apart: apart.length > 0, run, before, pairs, moved: movedIn(question, capacities) };
  }
  return null;
}

/** @returns {number[]} an earlier run's capacities over those of this one */
function movedIn({ sides = [], capacities = [] }, before) {
  const known = (all) => all.filter(({ answer }) => answer.kind === 'rate');
  const rates = new Map(known(before).map(({ id, answer }) => [id, answer.rate]));
  const ids = new Set(sides.flatMap(({ cells }) => cells));
  return known(capacities)
    .filter(({ id }) => ids.has(id) && rates.has(id))
    .map(({ id, answer }) => rates.get(id) / answer.rate);
}

/** The level of the intervals of an answer's ratios. */
const confidenceIn = ({ kind, sides, confidence }) =>
  kind === 'smallest' && sides ? confidenceOfPairs({ confidence, sides }) : confidence;

/** 1, -1 or, where no difference is shown, 0. */
const directionOf = ({ low, high }) => Number(low > 1) - Number(high < 1);
const showTheSame = ([one, other]) => directionOf(one) === directionOf(other);

/** What a ranking found on top. */
const bestOf = ({ metric, comparisons: [{ numerator, denominator }] }) =>
  metric === 'throughput' ? numerator : denominator;

const isSame = (one, other) => ['ask', 'metric', 'kind'].every((key) => one[key] === other[key]);

/** What is compared with what, at which load, on how much data: runs that differ in that were not asked the same. */
const sidesOf = ({ numerator, denominator, numerator_cells, denominator_cells }) => [
  [numerator, ...numerator_cells.toSorted()].join(' '),
  [denominator, ...denominator_cells.toSorted()].join(' '),
];

const dayOf = ({ started_at }) => (started_at ?? 'an earlier day').slice(0, 10);

/** Which size the newest earlier run found, of the same cells; sizes have no interval that could overlap. */
function sizeText(question, earlier) {
  const cellsOf = ({ sides = [] }) => sides.flatMap(({ cells }) => cells).join(' ');
  for (const { questions = [], run } of earlier) {
    const before = questions.find(
      (other) => other.enough && isSame(other, question) && cellsOf(other) === cellsOf(question),
    );
    if (before && question.enough.of_best && before.enough.of_best)
      return `A run of ${dayOf(run)} found ${before.enough.size}${before.enough.size === question.enough.size ? ', too' : ''}.`;
  }
  return null;
}

/** The other run's ratio, turned as this one's is told: the greater over the lesser. */
function ratioText([result, other]) {
  const told = result.ratio < 1 ? inverted(other) : other;
  return `${bound(told.ratio)}, ${intervalText(told)}`;
}

/**
 * A control as told of all runs that asked for it, since one alone may be lucky or unlucky: how many intervals of two copies include 1.
 * @param {object} question of results.json @param {object} results of its run @param {object[]} earlier as of agreement
 * @returns {object} the question with such text and title; as it is where it is no control, or no earlier run had it
 */
export function controlOfRuns(question, results, earlier) {
  const hasIt = ({ again, questions = [] }) => again?.by_metric && questions.some((other) => isSame(other, question));
  const runs =
    question.kind === 'again' && question.answered && results.again?.by_metric
      ? [results, ...earlier.filter(hasIt)]
      : [];
  if (runs.length < 2) return question;
  const all = runs.map(({ again }) => again);
  const together = (counts) => ({
    comparisons: sum(counts.map(({ comparisons }) => comparisons)),
    hold_one: sum(counts.map(({ hold_one }) => hold_one)),
  });
  const metrics = [...new Set(all.flatMap(({ by_metric }) => Object.keys(by_metric)))];
  const by_metric = Object.fromEntries(
    metrics.map((key) => [key, together(all.map((one) => one.by_metric[key]).filter(Boolean))]),
  );
  const fewer = metricsThatMiss({ by_metric });
  const counts = { ...together(all), by_metric };
  const [sentence] = controlText(counts, fewer).split('.');
  const { including, only } = controlCounts(counts, fewer);
  const [here, ...others] = all.map((one) => {
    const missed = controlCounts(one, metricsThatMiss(one)).only.replace(', but', '');
    return `${one.hold_one} of ${one.comparisons}${missed && ` (${missed.trim()})`}`;
  });
  const each = others.map((other, i) => `${other} on ${dayOf(runs[i + 1].run)}`);
  const detail = question.text
    .slice(question.text.indexOf('.') + 1)
    .replace(' In half of the pairs', ' In half of its pairs');
  return {
    ...question,
    text: `In ${runs.length} runs, ${sentence[0].toLowerCase()}${sentence.slice(1)}. ${here} did here, ${listed(each)}.${detail}`,
    title: `${MEASURED_TWICE}: ${including} in ${runs.length} runs${only}; drawn is this run, with ${here}`,
  };
}

/** From so much on figures are told that all moved one way, though their ratios did not. */
const MOVED = 0.1;

/** 'its figures were 31 to 61 % higher', by targets' own figures and not by ratios; '' where they did not all move one way @param {number[]} moved see agreement */
function movedText(moved) {
  const [least, most] = [Math.min(...moved), Math.max(...moved)];
  const percent = (ratio) => Math.round(100 * Math.abs(ratio - 1));
  if (moved.length < 2 || (least < 1 + MOVED && most > 1 - MOVED)) return '';
  const ends = [percent(least), percent(most)].toSorted((a, b) => a - b);
  return `its figures were ${[...new Set(ends)].join(' to ')} % ${least > 1 ? 'higher' : 'lower'}`;
}

/** More are for the other run's own post to tell. */
const MOST_RATIOS = 2;

/** 'A run of 2026-11-21 agrees (ratio 1.9, 95 % interval 1.7 to 2.1).', '... agrees (5 ratios).' @returns {string|null} */
export function agreementText(question, earlier) {
  const agreed = agreement(question, earlier);
  if (agreed === null) return question.enough ? sizeText(question, earlier) : null;
  const day = dayOf(agreed.run);
  const [noun, subject] = agreed.pairs.length === 1 ? ['ratio', 'the two'] : ['ratios', 'some'];
  const chance = agreed.apart ? `: ${subject} differ by more than chance explains` : '';
  const ratios = agreed.pairs.length > MOST_RATIOS ? '' : ` ${agreed.pairs.map(ratioText).join('; ')}`;
  const figures = `(${ratios ? '' : `${agreed.pairs.length} `}${noun}${ratios})${chance}`;
  if (agreed.is === 'contradicted') return `Contradicted by a run of ${day} ${figures}.`;
  const movedHere = movedText(agreed.moved);
  const moved = movedHere
    ? `, though ${movedHere}`
    : movedBefore(question, earlier.slice(earlier.findIndex(({ run }) => run === agreed.run) + 1));
  return `A run of ${day} ${shownBy(question, agreed)} ${figures}${moved}.`;
}

/** '; one of 2026-11-20 agrees, though its figures were 31 to 61 % higher': of the runs before the newest earlier one, whose figures are about the same, the first whose are not. */
function movedBefore(question, older) {
  for (const results of older) {
    const agreed = agreement(question, [results]);
    const text = agreed && agreed.is !== 'contradicted' && movedText(agreed.moved);
    const shows = text && shownBy(question, agreed);
    if (text) return `; one of ${dayOf(agreed.run)} ${shows}, ${shows === 'agrees' ? 'though' : 'and'} ${text}`;
  }
  return '';
}

/** What an earlier run shows that does not contradict an answer. @param {object} agreed see agreement */
function shownBy(question, { is, apart, before, pairs }) {
  if (question.kind === 'rank' && bestOf(question) !== bestOf(before))
    return `had another at the top${apart ? '' : ', and does not contradict this'}`;
  if (is === 'compatible') return 'does not contradict this, but does not show the same either';
  if (pairs.every((pair) => pair.every((result) => directionOf(result) === 0))) return 'shows no difference either';
  return apart ? 'shows the same direction, by another factor' : 'agrees';
}
