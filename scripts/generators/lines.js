/**
 * Lines of k6's output `hdr` (k6/build/README.md). Nearly all of their bytes are pairs of a value and a count, which are read here without JSON.parse: it would take
 * four times as long.
 */
import { createReadStream } from 'node:fs';

const [NEWLINE, COMMA, OPEN, CLOSE, ZERO, NINE] = [...'\n,[]09'].map((character) => character.charCodeAt(0));
const PAIRS = Buffer.from('"counts":[['); // in no string of JSON, where a quote is escaped

/**
 * @param {string} path @yields {object|null} each line, with the `counts` of its histograms as one list [value, count, value, count, ...], which is good until
 *   the next line is read; null of one that is no JSON
 */
export async function* linesOf(path) {
  let rest = Buffer.alloc(0);
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    let from = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, from)) {
      yield parsed(bytes.subarray(from, end));
      from = end + 1;
    }
    rest = bytes.subarray(from);
  }
  if (rest.length > 0) yield parsed(rest);
}

/** The histograms of a line. @param {object} line @returns {object[]} */
export const histogramsIn = (line) => [...Object.values(line), ...Object.values(line.trends ?? {})].filter(isHistogram);

const isHistogram = (value) =>
  typeof value === 'object' && value !== null && ['counts', 'sum_us', 'sum_milli'].some((key) => key in value);

let pairs = new Float64Array(1 << 16); // of the line that is being read

function parsed(bytes) {
  try {
    const line = JSON.parse(withoutPairs(bytes) ?? bytes.toString());
    if (typeof line !== 'object' || line === null) return null;
    for (const histogram of histogramsIn(line)) {
      const { counts } = histogram;
      histogram.counts = 'from' in counts ? pairs.subarray(counts.from, counts.to) : counts.flat();
    }
    return line;
  } catch {
    return null;
  }
}

/** The line, with {from, to} in `pairs` in place of each list of pairs; null where one is written in another way. */
function withoutPairs(bytes) {
  const parts = [];
  let [at, from] = [0, 0];
  for (let next = bytes.indexOf(PAIRS); next >= 0; next = bytes.indexOf(PAIRS, at)) {
    const begin = next + PAIRS.length - 1;
    const read = readPairs(bytes, begin, from);
    if (read === null) return null;
    parts.push(bytes.toString('utf8', at, begin - 1), `{"from":${from},"to":${read.to}}`);
    [at, from] = [read.at, read.to];
  }
  parts.push(bytes.toString('utf8', at));
  return parts.join('');
}

/** Reads pairs from the bracket of the first on, into `pairs` from `to` on. @returns {{at: number, to: number}|null} what follows them; null where they are no pairs of whole numbers */
function readPairs(bytes, begin, to) {
  let at = begin;
  for (;;) {
    if (to + 2 > pairs.length) pairs = grown(pairs);
    if (bytes[at] !== OPEN) return null;
    const comma = readNumber(bytes, at + 1, to);
    if (bytes[comma] !== COMMA) return null;
    const close = readNumber(bytes, comma + 1, to + 1);
    if (bytes[close] !== CLOSE) return null;
    to += 2;
    if (bytes[close + 1] === CLOSE) return { at: close + 2, to };
    if (bytes[close + 1] !== COMMA) return null;
    at = close + 2;
  }
}

/** @returns {number} what follows it; 0 where there is none */
function readNumber(bytes, from, to) {
  let number = 0;
  let at = from;
  for (; bytes[at] >= ZERO && bytes[at] <= NINE; at += 1) number = number * 10 + bytes[at] - ZERO;
  pairs[to] = number;
  return at === from ? 0 : at;
}

function grown(array) {
  const larger = new Float64Array(2 * array.length);
  larger.set(array);
  return larger;
}
