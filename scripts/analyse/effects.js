/**
 * Differences in words: how much more, how much lower, and how sure. A result is what pairedRatio gives, with the confidence of its interval where that
 * is not 0.95; it has as many digits as its interval deserves.
 */
import { bound, inverted } from './words.js';

const WIDE = 1.1; // from the lower to the upper bound: percentages of a wider interval deserve no decimals
export const TIMES_FROM = 1.95; // 'twice as many'; below that '18 % more'
const PART_FROM = 10; // '96 % lower, a 27th': from here on percentages hardly differ
const PART_LOW = 3; // the least bound that reads as a part: 'a 3rd'

export const count = (number) => number.toLocaleString('en-US');
export const grouped = (number) => (number >= 1000 ? count(number) : String(number));
export const isWide = ({ low, high }) => high / low > WIDE;

/** Three digits, or two where that moves a value by a twentieth of its interval at most. */
function rounded(value, { low, high }) {
  const short = Number(value.toPrecision(2));
  return Math.abs(short - value) <= (high - low) / 20 ? short : Number(value.toPrecision(3));
}

/** A share in per cent: '18', or '3.8' where the interval is not wide; 0 or 100 only where it is. @param {boolean} wide */
export function percent(share, wide) {
  const exact = 100 * share;
  const ends = [0, 100];
  let decimals = wide ? 0 : 1;
  while (decimals < 9 && ends.includes(Number(exact.toFixed(decimals))) && !ends.includes(exact)) decimals += 1;
  return grouped(Number(exact.toFixed(decimals)));
}

/** 27 -> 'a 27th', 81 -> 'an 81st' */
export function part(value) {
  const text = grouped(Math.round(Number(value.toPrecision(3))));
  const [, tens, ones] = /(.?)(.)$/.exec(text);
  const suffix = tens === '1' ? 'th' : ({ 1: 'st', 2: 'nd', 3: 'rd' }[ones] ?? 'th');
  return `${/^(8|1[18](,|$))/.test(text) ? 'an' : 'a'} ${text}${suffix}`;
}

/** '97.5 %' */
export const confidenceText = (confidence) => `${Number((100 * confidence).toFixed(2))} %`;

/** A result as a sentence needs it, which tells how sure an interval is. */
export const withConfidence = (result, { confidence }) => result && { ...result, confidence };

/** '95 % interval'; '97.5 % interval' of one that shares its error with another. @param {{confidence?: number}} result */
export const intervalOf = ({ confidence = 0.95 }) => `${confidenceText(confidence)} interval`;

/** '1.7 to 2.1'; '1.9986 to 2.0031', with as many digits as tell its ends apart. */
export function rangeText({ low, high }) {
  let [digits, ends] = [4, [bound(low), bound(high)]];
  for (; low !== high && ends[0] === ends[1]; digits += 1)
    ends = [low, high].map((end) => grouped(Number(end.toPrecision(digits))));
  return ends.join(' to ');
}

/** '95 % interval 1.7 to 2.1' */
export const intervalText = (result) => `${intervalOf(result)} ${rangeText(result)}`;

/**
 * How much more, of a result of 1 or above.
 * @returns {{much: string, than: string, range: string, interval: string}} 'twice as many', 'as'; '18 % more', 'than'; range: '1.7 to 2.1', '8 to 29 %'
 */
export function above(result, [many, more]) {
  const { ratio, low, high } = result;
  if (ratio >= TIMES_FROM) {
    const times = rounded(ratio, result);
    return {
      much: `${times === 2 ? 'twice' : `${grouped(times)} times`} as ${many}`,
      than: 'as',
      ...bounds(result, rangeText(result)),
    };
  }
  const of = (value) => percent(value - 1, isWide(result));
  return { much: `${of(ratio)} % ${more}`, than: 'than', ...bounds(result, `${of(low)} to ${of(high)} %`) };
}

const bounds = (result, range) => ({ range, interval: `${intervalOf(result)} ${range}` });

/** 'twice as many', '18 % more' requests. @param {object} result of 1 or above */
export const more = (result) => above(result, ['many', 'more']);

/** 'twice as fast', '18 % faster'. @param {object} result of 1 or above */
export const faster = (result) => above(result, ['fast', 'faster']);

/** 'twice as long', '18 % longer'. @param {object} result of 1 or above */
export const longer = (result) => above(result, ['long', 'longer']);

/**
 * How much lower a latency is, of a result of 1 or above: the higher over the lower.
 * @returns {{much: string, part: string|null, range: string, interval: string}} '96 % lower' and 'a 27th'; no part where percentages tell enough
 */
export function lower(result) {
  const { ratio, low, high } = result;
  const less = (value) => 1 - 1 / value;
  if (ratio >= PART_FROM && low >= PART_LOW)
    return {
      much: `${percent(less(ratio), true)} % lower`,
      part: part(rounded(ratio, result)),
      ...bounds(result, `${part(low)} to ${part(high)}`),
    };
  const of = (value) => percent(less(value), isWide(result));
  return { much: `${of(ratio)} % lower`, part: null, ...bounds(result, `${of(low)} to ${of(high)} %`) };
}

/** What above() and lower() make of figures, for pages that set it in bold. */
export const EFFECT = /(?:twice|[\d.,]+ times) as (?:many|fast|long)|[\d.,]+ % (?:more|faster|longer|lower)/g;

/** Which one has more: [it, the other, result of 1 or above]. */
export const ordered = (one, other, result) =>
  result.ratio >= 1 ? [one, other, result] : [other, one, inverted(result)];
