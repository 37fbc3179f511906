import assert from 'node:assert/strict';
import { test } from 'node:test';
import { times } from '../../scripts/analyse/format.js';
import { answered } from '../../scripts/analyse/questions.js';
import { answerPicture } from '../../scripts/report/answers/picture.js';
import { answersOf as told } from '../../scripts/report/answers/story.js';
import { answerBlocks } from '../../scripts/report/answers/table.js';
import { withoutTrials, withTrials } from '../../scripts/report/answers/trials.js';
import { spaced, valueScale } from '../../scripts/report/charts/scales.js';
import { inks } from '../../scripts/report/charts/style.js';
import { toMarkdown } from '../../scripts/report/to-markdown.js';
import { cellOf, pairs, ranking, smallest } from './lib/claims.js';
import { faultsOf } from './lib/layout.js';

const NOTHING = { comparisons: [], again: null, index_pairs: null, survival: null, scale: 1 };
const RUN = { run: { blocks: 3 }, environment: { scale: 1, machine: { cpu: 'A CPU', cores: 2 } } };

/** A run with these cells, its questions answered, as results.json has it. */
function ran(questions, cells, more = {}) {
  const results = { ...NOTHING, ...RUN, cells, ...more };
  results.questions = answered(questions, results);
  return results;
}

const cells = (rps, what = () => ({})) => Object.entries(rps).map(([id, each]) => cellOf(id, what(id), each));
const TWICE = { pooled: [200, 210, 190], raw: [100, 103, 98], rollup: [300, 310, 290] };

test('rows: both sides and what stands beside them, the best first; the whisker is the interval of the ratio, laid on the reference', () => {
  const results = ran(pairs(['pooled', 'raw']), cells(TWICE));
  const [{ facts, subtitle, reads }] = told(results);
  const [{ rows }] = facts.panels;
  assert.deepEqual(
    rows.map(({ name, role, trials }) => [name, role, trials.length]),
    [
      ['rollup', 'beside', 3],
      ['pooled', 'compared', 3],
      ['raw', 'reference', 3],
    ],
  );
  const [, pooled, raw] = rows;
  const [{ result }] = results.questions[0].comparisons;
  assert.ok(Math.abs(pooled.value / raw.value - result.ratio) < 1e-4, 'the mark is where the ratio is');
  assert.ok(
    Math.abs(pooled.low / raw.value - result.low) < 1e-9 && pooled.low > raw.value,
    'and the whisker leaves out the reference',
  );
  assert.equal(raw.low, null);
  assert.equal(subtitle, 'With 10 users; echo, k6, TPC-H scale 1; 3 blocks; A CPU, 2 cores');
  assert.match(reads, /95 % intervals of the ratio to raw/);
});

test('the page names cells in place of their trials, and has them back', () => {
  const at = [1, 4, 16].flatMap((level) => [`pooled-${level}`, `raw-${level}`]);
  const swept = cells(Object.fromEntries(at.map((id) => [id, [100, 103, 98]])), (id) => {
    const [target, level] = id.split('-');
    return { target, level: Number(level) };
  });
  const sides = ['pooled', 'raw'].map((name) => ({ name, cells: [`${name}-4`] }));
  const runs = [
    ['rows', ran(pairs(['pooled', 'raw']), cells(TWICE))],
    ['lines', ran([{ ...pairs(['a', 'b'])[0], sides }], swept)],
  ];
  for (const [shape, results] of runs) {
    const { facts } = JSON.parse(JSON.stringify(told(results)[0]));
    assert.equal(facts.shape, shape);
    const carried = JSON.stringify(withoutTrials(facts));
    assert.ok(!carried.includes('"trials"'), carried);
    const byId = new Map(results.cells.map((cell) => [cell.id, cell]));
    assert.deepEqual(withTrials(JSON.parse(carried), byId), facts);
  }
  assert.equal(withoutTrials(null), null);
});

test('lines from three common levels on, and at the peak; else rows', () => {
  const levels = (count) =>
    Object.fromEntries(
      ['pooled', 'raw'].flatMap((id) =>
        [1, 4, 16]
          .slice(0, count)
          .map((level) => [
            `${id}-${level}`,
            [level, level, level].map((n, i) => n * (id === 'raw' ? 1 : 2) * 100 + i),
          ]),
      ),
    );
  const what = (id) => ({ target: id.split('-')[0], level: Number(id.split('-')[1]) });
  const asked = { ...pairs(['a', 'b'])[0], sides: ['pooled', 'raw'].map((name) => ({ name, cells: [`${name}-4`] })) };
  const shapeOf = (question, count) => told(ran([question], cells(levels(count), what)))[0].facts;
  const three = shapeOf(asked, 3);
  assert.deepEqual([three.shape, three.asked, three.reference], ['lines', 4, 'raw']);
  assert.deepEqual(
    three.lines.map(({ name, role, points }) => [name, role, points.map(({ at }) => at)]),
    [
      ['pooled', 'compared', [1, 4, 16]],
      ['raw', 'reference', [1, 4, 16]],
    ],
  );
  assert.ok(three.lines[0].points.every(({ low, high, value }) => low < value && value < high));
  assert.equal(shapeOf(asked, 2).shape, 'rows');
  const peak = {
    ...asked,
    where: { level: 'peak' },
    sides: ['pooled', 'raw'].map((name) => ({ name, cells: [`${name}-1`, `${name}-4`] })),
  };
  const atPeak = shapeOf(peak, 2);
  assert.deepEqual([atPeak.shape, atPeak.asked], ['lines', null]);
});

test('what stands beside the sides is left out where it is ten times as far', () => {
  const named = (rps) => {
    const [{ facts }] = told(ran(pairs(['pooled', 'raw']), cells({ ...TWICE, rollup: rps })));
    return facts.panels[0].rows.map(({ name }) => name);
  };
  assert.deepEqual(named([1900, 1950, 1920]), ['rollup', 'pooled', 'raw']);
  assert.deepEqual(named([2100, 2150, 2120]), ['pooled', 'raw']);
});

test('a ranking is compared with its best; results of before do not say in what sides differ', () => {
  const results = ran(ranking(['raw', 'pooled', 'rollup']), cells(TWICE));
  delete results.questions[0].dimension;
  delete results.questions[0].sides;
  const [{ facts }] = told(results);
  assert.deepEqual(
    facts.panels[0].rows.map(({ name, role }) => [name, role]),
    [
      ['rollup', 'reference'],
      ['pooled', 'compared'],
      ['raw', 'compared'],
    ],
  );
  assert.ok(facts.panels[0].rows[1].high < facts.panels[0].rows[0].value);
});

test('pools by size, with the floor that is enough', () => {
  const rps = { p1: [50, 51, 49], p2: [99, 98.9, 99], p4: [100, 100, 100.1] };
  const [{ facts }] = told(ran([smallest(['p1', 'p2', 'p4'])], cells(rps)));
  assert.deepEqual(
    [facts.lines[0].points.map(({ at }) => at), facts.asked, Math.round(facts.floor)],
    [[1, 2, 4], 2, 95],
  );
  const text = toMarkdown(answerBlocks({ ask: 'How many?', text: 'Two.', claim: true, facts }));
  assert.match(
    text,
    /\| connections in the pool \| requests\/s, geometric mean of the blocks \| times that of 4 connections, within blocks \|/,
  );
  assert.match(text, /\| 4 \| 100 \| – \|/);
});

const INDEX = {
  index_pairs: {
    cells: [
      {
        ...{ id: 'pairs', level: 1, pairs: 300, wins: 290, speedups: [40, 42, 41] },
        by_results: [
          { results: [0, 0], speedup: { ratio: 80, low: 70, high: 90 } },
          { results: [1, 9], speedup: null },
          { results: [1000, null], speedup: { ratio: 1.2, low: 1.1, high: 1.3 } },
        ],
      },
    ],
  },
};
test('a picture says where the order is another than at the level that was asked about', () => {
  const rps = { a1: [9, 9, 9], a2: [20, 20, 20], a3: [10, 10, 10], b1: [5, 5, 5], b2: [10, 10, 10], b3: [30, 30, 30] };
  const [{ reads }] = told(
    ran(
      pairs(['a2', 'b2']).map((pair) => ({ ...pair, dimension: 'target' })),
      cells(rps, (id) => ({ target: id[0], level: Number(id[1]) })),
    ),
  );
  assert.match(reads, / At 3 the order is another on average, which was not asked about\./);
});

const question = (kind, more = {}) => ({
  ...{ ask: `What of ${kind}?`, primary: true, metric: null, kind, dimension: null, where: {}, why: null, sides: [] },
  ...more,
});
const kill = (profile, round, lost) => ({ profile, round, lost, acknowledged: 1000 });

test('an index by how much was found; what was lost beside what the promise costs', async () => {
  const indexed = ran(
    [question('index', { sides: [{ name: 'index', cells: ['pairs'] }] })],
    cells({ pairs: [9, 9, 9] }),
    INDEX,
  );
  const [index] = told(indexed);
  assert.deepEqual(
    index.facts.panels[0].rows.map(({ name }) => name),
    ['all queries', '0 found', '1,000, the limit'],
  );
  const profiles = { durable: [100, 101, 99], 'no-fsync': [300, 301, 299], unknown: [200, 201, 199] };
  const cost = {
    ...ranking(Object.keys(profiles))[0],
    ...{ dimension: 'database', sides: Object.keys(profiles).map((name) => ({ name, cells: [name] })) },
  };
  const survival = [
    kill('durable', 1, 0),
    kill('no-fsync', 1, 12),
    kill('durable', 2, 0),
    kill('no-fsync', 2, 30),
    kill('unknown', 1, null),
  ];
  const drilled = ran(
    [cost, question('lost')],
    cells(profiles, (database) => ({ database, target: 'documents' })),
    { survival },
  );
  const [, lost] = told(drilled);
  assert.deepEqual(
    lost.facts.panels.map(({ metric, rows }) => [
      metric,
      rows.map(({ name, value }) => [name, value && Number(value.toPrecision(2))]),
    ]),
    [
      [
        'throughput',
        [
          ['no-fsync', 300],
          ['unknown', 200],
          ['durable', 100],
        ],
      ],
      [
        'lost',
        [
          ['no-fsync', 0.021],
          ['unknown', null],
          ['durable', 0],
        ],
      ],
    ],
  );
  for (const answer of [index, lost])
    for (const look of [undefined, { theme: 'dark', width: 1140 }, { theme: 'light', width: 360 }])
      assert.deepEqual(await faultsOf(answerPicture(answer, look).spec, inks(look ?? { theme: 'light' }).ground), []);
});

test('what has no answer has no picture', () => {
  const [{ facts, text }] = told(ran([{ ...pairs(['pooled', 'raw'])[0], why: 'not asked' }], cells(TWICE)));
  assert.deepEqual([facts, text], [null, 'No answer: not asked.']);
});

test('a share below a tenth reads as a part', () => {
  const texts = [0.000862, 0.0371, 0.1, 2.054, 1900].map((exact) => times({ ratio: exact }));
  assert.deepEqual(texts, ['1/1,160', '1/27', '0.1', '2.05', '1,900']);
  assert.equal(times({ ratio: 0.095, low: 0.08, high: 0.12 }), '1/10.5 [1/12.5, 1/8.33]', 'bounds as the ratio');
  assert.equal(times({ ratio: 0.05, low: 0, high: 0.3 }), '0.05 [0, 0.3]');
});

test('every value lies between two numbers of its axis, and those of a narrow one keep apart', () => {
  for (const values of [[0, 3], [7, 8.1], [0.2, 900], [1, 1e6], [9, 200], [5e-4, 3], [100], [0]]) {
    const { domain, values: ticks } = valueScale(values);
    assert.ok(ticks[0] <= Math.min(...values) && ticks.at(-1) >= Math.max(...values), String(ticks));
    assert.deepEqual([domain[0], domain[1]], [ticks[0], ticks.at(-1)]);
    assert.ok(ticks.length >= 2 && ticks.length <= 11, String(ticks));
  }
  const scale = { type: 'linear', domain: [0, 100] };
  assert.deepEqual(
    spaced([0, 1, 2, 50, 98, 100], scale, 200, () => 20),
    [0, 50, 100],
  );
});
