import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tell } from '../../scripts/analyse/answers/pair.js';
import * as effects from '../../scripts/analyse/effects.js';
import { datasetText, Names } from '../../scripts/analyse/names.js';
import * as phrases from '../../scripts/analyse/phrases.js';
import { factsOf } from '../../scripts/analyse/sentence-facts.js';

/** A result of pairedRatio, above 1 or below. */
const result = (ratio, low, high, finds = 1.2) => ({
  ...{ ratio, low, high, finds, n: 3 },
  differs: low > 1 || high < 1,
});

const CELL = {
  ...{ target: 'raw', variant: 'base', database: 'tpch', workload: 'echo', tool: 'k6', model: 'closed', level: 16 },
  share: null,
};

/** What is said of pooled over raw, unless told otherwise. @param {object} of result, metric; marks, headroom: of both sides; names: of the sides; where they stand */
function answerWith({
  result,
  metric = 'throughput',
  marks = [],
  headroom = [],
  names = ['pooled', 'raw'],
  dimension = 'target',
  ...place
}) {
  const sides = names.map((name, i) => {
    const trial = { block: 1, verdict: 'valid', reasons: marks.map((check) => ({ check })) };
    const cell = {
      id: ['above', 'below'][i],
      ...CELL,
      ...place,
      [dimension]: name,
      headroom: headroom[i] ?? null,
      trials: [trial],
    };
    return { name, cell, cells: [cell], trials: new Map([[1, trial]]) };
  });
  const [numerator, denominator] = names;
  const question = { dimension, metric, where: {} };
  const comparison = {
    numerator,
    denominator,
    numerator_cells: ['above'],
    denominator_cells: ['below'],
    result,
    same_again: null,
    copies: [],
    maintenance: null,
  };
  const byId = new Map(sides.map(({ cell }) => [cell.id, cell]));
  const known = { names: new Names(), scale: 1, byId, comparisons: [] };
  return tell(factsOf(question, sides, result), sides, { question, marks, comparison, known });
}
const whole = ({ text, context }) => `${text} ${context}`;
const textOf = (of) => whole(answerWith(of));
const FASTER = result(34.36, 25.36, 46.56);
const POOL = 'a connection pool (pooled)';

test('a difference: how many times, with its interval', () => {
  const { text, context, title, claim } = answerWith({ result: FASTER });
  assert.equal(
    text,
    `With 16 users, ${POOL} served 34 times as many requests per second as a connection per request (raw; 95 % interval 25.4 to 46.6).`,
  );
  assert.equal(context, 'Measured with echo, k6, TPC-H scale 1.');
  assert.equal(
    title,
    `With 16 users, ${POOL} served 34 times as many requests per second as a connection per request (raw; 25.4 to 46.6)`,
  );
  assert.equal(claim, true);
});

test('the faster is named first, whichever is divided by which', () => {
  assert.match(
    textOf({ result: result(0.5, 0.4, 0.6) }),
    /^With 16 users, a connection per request \(raw\) served twice as many requests per second as a connection pool \(pooled; 95 % interval 1\.67 to 2\.5\)\. Measured with echo/,
  );
});

test('a difference of p95', () => {
  const p95 = { metric: 'p95', result: result(0.79, 0.7, 0.9) };
  assert.match(
    textOf(p95),
    /^With 16 users, the p95 of a connection pool \(pooled\) was 21 % lower than that of a connection per request \(raw; 95 % interval 10 to 30 %\)\. Measured with echo/,
  );
  const open = { ...p95, model: 'open', level: 50, result: result(0.04, 0.03, 0.05) };
  assert.match(
    textOf(open),
    /^At 50 requests per second, the p95 of .+ was 96 % lower than that of .+, a 25th of it\. Measured with/,
  );
  assert.match(
    textOf({ ...open, share: '70%' }),
    /^With each at 70 % of its own peak \(pooled at 50\/s, raw at 50\/s\), the p95 of /,
  );
});

test('one user, one connection, transactions of pgbench', () => {
  assert.match(textOf({ result: FASTER, level: 1 }), /^With 1 user, /);
  assert.match(textOf({ result: FASTER, level: 1, tool: 'wrk' }), /^With 1 HTTP connection, /);
  assert.match(textOf({ result: FASTER, tool: 'pgbench' }), /^With 16 clients, .* as many transactions per second as /);
});

test('ratios: beyond 1,000, from 2 on, below 2, near 1', () => {
  const more = (...figures) => {
    const { much, interval } = effects.more(result(...figures));
    return `${much}, ${interval.replace('95 % interval ', '')}`;
  };
  assert.equal(more(1904, 1516, 2391), '1,900 times as many, 1,520 to 2,390');
  assert.equal(more(12.51, 12.2, 12.8), '12.5 times as many, 12.2 to 12.8');
  assert.equal(more(1.99, 1.7, 2.3), 'twice as many, 1.7 to 2.3');
  assert.equal(more(1.221, 1.04, 1.44), '22 % more, 4 to 44 %');
  assert.equal(more(1.042, 1.014, 1.071), '4.2 % more, 1.4 to 7.1 %');
  assert.equal(more(1.05, 1.00039, 1.11), '5 % more, 0.04 to 11 %', 'a bound stays apart from none');
});

test('the ends of an interval are told apart', () => {
  const ends = [
    [1.7, 2.1],
    [1.9986, 2.0031],
    [12_341, 12_342],
    [2, 2],
  ];
  assert.deepEqual(
    ends.map(([low, high]) => effects.rangeText({ low, high })),
    ['1.7 to 2.1', '1.999 to 2.003', '12,341 to 12,342', '2 to 2'],
  );
});

test('lower: by how much, and from a tenth on which part is left', () => {
  const lower = (...figures) => {
    const { much, part, interval } = effects.lower(result(...figures));
    return [much, part, interval.replace('95 % interval ', '')];
  };
  assert.deepEqual(lower(1.27, 1.1, 1.4), ['21 % lower', null, '9 to 29 %']);
  assert.deepEqual(lower(6.31, 2.41, 16.5), ['84 % lower', null, '59 to 94 %']);
  assert.deepEqual(lower(12, 1.5, 90), ['92 % lower', null, '33 to 99 %'], 'no part where the interval has none');
  assert.deepEqual(lower(1022, 775, 1350), ['99.9 % lower', 'a 1,000th', 'a 775th to a 1,350th']);
  assert.deepEqual(
    [1, 2, 3, 4, 8, 11, 12, 13, 18, 21, 80, 111, 118, 1100, 11_000].map((value) => effects.part(value)),
    [
      ...['a 1st', 'a 2nd', 'a 3rd', 'a 4th', 'an 8th', 'an 11th', 'a 12th', 'a 13th', 'an 18th', 'a 21st', 'an 80th'],
      ...['a 111th', 'a 118th', 'a 1,100th', 'an 11,000th'],
    ],
  );
});

test('a tie is no claim: the ratio, and what such a run would find', () => {
  const { text, title, claim } = answerWith({ result: result(1.056, 0.88, 1.27, 1.2) });
  assert.equal(
    text,
    `With 16 users, no difference in requests per second was shown between ${POOL} and a connection per request (raw): the first over the second is 1.06 (95 % interval 0.88 to 1.27); a true difference of 20 % would be found in four such runs of five.`,
  );
  assert.equal(title, text.split(':')[0].replace('(raw)', '(raw; ratio 0.88 to 1.27)'));
  assert.equal(claim, false);
  assert.match(textOf({ result: result(1.1, 0.3, 4, 3.65) }), /a true difference of a factor of 3\.6 would be found/);
  assert.match(
    textOf({ result: result(1, 0.98, 1.02, 1.02) }),
    /the first over the second is 1 \(95 % interval 0\.98 to 1\.02\)/,
  );
  assert.match(
    textOf({ model: 'open', level: 9, metric: 'p95', result: result(1.1, 0.9, 1.3) }),
    /^At 9 requests per second, no difference in p95 /,
  );
});

test('marks are named; loads that were not sent as planned are not compared', () => {
  assert.match(
    textOf({ result: FASTER, marks: ['drift', 'ramp'] }),
    /; all trials are marked: throughput that drifted \(1 of 1 of pooled, 1 of 1 of raw\), a load that grew or fell \(.+\)\.$/,
  );
  const late = { model: 'open', level: 50, metric: 'p95', result: result(0.1, 0.05, 0.2), marks: ['dropped'] };
  const { text, claim } = answerWith(late);
  assert.match(
    text,
    /^At 50 requests per second, .+ and .+ cannot be compared: not every request was sent when it was due/,
  );
  assert.equal(claim, false);
});

test('a load generator near its ceiling: the ratio may be larger, or shows little', () => {
  assert.match(textOf({ result: FASTER, headroom: [1.5, 9] }), /; k6 was near its own limit, so it may be more\.$/);
  assert.match(textOf({ result: FASTER, headroom: [1.5, 1.5] }), /; k6 was near its own limit on both sides\.$/);
  assert.match(textOf({ result: FASTER, headroom: [9, 1.5] }), /; k6 was near its own limit with raw\.$/);
});

test('names: with the name in tables at the first mention; variants and unknown targets by their names', () => {
  const names = new Names();
  const mention = (...of) => {
    const { label, note } = names.target(...of);
    return `${label} (${note})`;
  };
  assert.equal(mention('raw'), 'a connection per request (raw)');
  assert.equal(mention('raw'), 'a connection per request (null)');
  assert.equal(mention('raw', 'pool-5'), 'a connection per request (variant pool-5)');
  assert.equal(mention('pooled', 'close'), 'a connection pool without keep-alive (pooled, close)');
  assert.equal(mention('vertx'), 'Vert.x (null)', 'a label that has the name in it');
  assert.equal(mention('mine'), 'mine (null)');
  assert.equal(datasetText('tpch', 0.01), 'TPC-H scale 0.01');
  assert.equal(datasetText('tpch-trust', 1), 'TPC-H without passwords scale 1');
  assert.equal(datasetText('durable', 1), 'durable scale 1');
  assert.equal(datasetText('external', 1), 'external');
  assert.equal(datasetText('none', 1), null);
  const variants = { target: 'pooled', dimension: 'variant', result: FASTER };
  assert.match(
    textOf({ ...variants, names: ['close', 'base'] }),
    /^With 16 users, a connection pool without keep-alive \(pooled, close\) served 34 times .* as its base variant \(/,
  );
  assert.match(
    textOf({ ...variants, names: ['base', 'close'] }),
    /^With 16 users, a connection pool \(pooled\) served 34 times .* as the same without keep-alive \(close; 95 /,
  );
  assert.match(
    textOf({ variant: 'pool-10', result: FASTER }),
    /^With 16 users and 10 database connections each, a connection pool \(pooled\) served .+ per request \(raw; 95 % .+\)\. Measured with echo, variant pool-10, k6, TPC-H scale 1\.$/,
  );
  const databases = { dimension: 'database', result: FASTER };
  assert.match(
    textOf({ ...databases, names: ['tpch-trust', 'tpch'] }),
    /TPC-H without passwords \(tpch-trust\) served .+ as TPC-H \(95 % .+\)\. Measured with echo, k6, a connection per request, raw, scale 1\./,
  );
  assert.match(
    textOf({ ...databases, names: ['no-fsync', 'durable'] }),
    /a server without fsync and full-page writes \(no-fsync\) served .+ as a server with durable commits \(95 % /,
  );
});

test('A/A: how many intervals include 1, and how many should', () => {
  const text = (comparisons, hold_one) => phrases.controlText({ comparisons, hold_one });
  assert.match(
    text(80, 77),
    /: 77 of 80 intervals include 1 \(those of one pair depend on one another\); about 76 of 80 would if nothing differed\.$/,
  );
  assert.match(text(1, 1), /: 1 of 1 interval includes 1; about 1 of 1 would if nothing differed\.$/);
  const by_metric = { throughput: { comparisons: 18, hold_one: 16 }, p95: { comparisons: 14, hold_one: 10 } };
  assert.match(
    phrases.controlText({ comparisons: 50, hold_one: 44, by_metric }, ['p95']),
    /: 44 of 50 intervals include 1 \(.+\), but only 10 of 14 of p95; about 48 of 50 would if nothing differed\.$/,
  );
  const counts = { comparisons: 1, hold_one: 1 };
  const pair = {
    comparisons: 3,
    hold_one: 2,
    visible: 1.31,
    by_metric: { throughput: counts, p50: counts, p95: counts },
  };
  assert.match(
    phrases.controlText(pair),
    /: 2 of 3 intervals include 1; they come from one pair, so they are not independent\. A true difference of 31 % in throughput /,
  );
});

test('figures are found for setting them in bold', () => {
  const effect = (text) => text.match(effects.EFFECT);
  assert.deepEqual(
    effect(
      `${textOf({ result: FASTER, headroom: [9, 1] })} ${textOf({ metric: 'p95', result: result(1 / 27, 1 / 33, 1 / 22) })}`,
    ),
    ['34 times as many', '96 % lower'],
  );
  assert.deepEqual(effect('1,900 times as many, twice as fast, 4.2 % more'), [
    '1,900 times as many',
    'twice as fast',
    '4.2 % more',
  ]);
  assert.equal(effect(textOf({ result: result(1, 0.9, 1.1) })), null);
});

test('charts: what a section without a comparison is called', () => {
  const section = (levels, more) =>
    phrases.levelTitle({
      ...{ workload: 'echo', tool: 'wrk', model: 'closed', cells: levels.map((level) => ({ level })) },
      ...more,
    });
  assert.equal(section([1, 4, 4]), 'echo: throughput and latency by HTTP connections');
  assert.equal(section([1, 4], { model: 'open' }), 'echo: throughput and latency by arrivals per second');
  assert.equal(section([1]), 'echo: throughput and latency with 1 HTTP connection');
});

test('a sentence begins with a capital, but for names that are written small', () => {
  assert.equal(phrases.capital('some trials marked'), 'Some trials marked');
  assert.equal(phrases.capital('perhaps'), 'Perhaps');
  assert.equal(phrases.capital('k6 was near its own limit'), 'k6 was near its own limit');
  assert.equal(phrases.capital('p95 stays below 50 ms'), 'p95 stays below 50 ms');
});
