import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { mergePairs, pairsIn } from '../../scripts/findings/index-pairs/find.js';
import { judge, readObjectives } from '../../scripts/findings/objectives/find.js';
import { tablesOf } from '../../scripts/report/pictures.js';
import { toMarkdown } from '../../scripts/report/to-markdown.js';

const second = (t, trends) => JSON.stringify({ type: 'second', t, trends });
const milli = (...ratios) => ({ count: ratios.length, counts: ratios.map((ratio) => [ratio * 1000, 1]) });

test('pairs are read by how many documents were found, inside the window only', () => {
  const raw = [
    '{"type":"meta","version":2}',
    second(0, { speedup_from_1: milli(100) }),
    second(1, { speedup_from_1: milli(2, 4), indexed: { count: 1, counts: [[5, 1]] } }),
    second(3, { speedup_from_1: milli(100) }),
    second(2, { speedup_from_1: milli(4), speedup_from_100: milli(0.5) }),
    '{"type":"second","t":2,"requests":0.5}',
    '{"type":"total"}',
  ].join('\n');
  assert.deepEqual(
    [...pairsIn(raw, 1, 3)],
    [
      [
        1,
        [
          [2, 1],
          [4, 2],
        ],
      ],
      [100, [[0.5, 1]]],
    ],
  );
});

test('wins, losses, ties, best and worst', () => {
  const merged = mergePairs([
    new Map([
      [
        1,
        [
          [0.5, 1],
          [1.005, 2],
          [8, 3],
        ],
      ],
    ]),
    new Map([[1000, [[0.25, 1]]]]),
  ]);
  assert.deepEqual([merged.pairs, merged.wins, merged.losses, merged.ties], [7, 3, 2, 2]);
  assert.deepEqual(merged.best, { speedup: 8, results: [1, 9] });
  assert.deepEqual(merged.worst, { speedup: 0.25, results: [1000, null] });
});

test('the speed-up is a geometric mean of trials with an interval, never a mean of ratios', () => {
  const trials = [2, 4, 8].map(
    (ratio) =>
      new Map([
        [
          10,
          [
            [ratio / 2, 5],
            [ratio * 2, 5],
          ],
        ],
      ]),
  );
  const { speedup, by_results } = mergePairs(trials);
  assert.equal(speedup.ratio, 4);
  assert.equal(speedup.n, 3);
  assert.ok(speedup.low < 4 && speedup.high > 4);
  assert.deepEqual(by_results, [{ results: [10, 99], pairs: 30, speedup }]);
  const { ratio, low, differs, n, of } = mergePairs(trials, 4).speedup;
  assert.deepEqual([ratio, low, differs, n, of], [4, null, null, 3, 4], 'a block is missing');
});

test('each trial has its speed-up in its place, also beside one without pairs', () => {
  const trial = (speedup) => new Map([[10, [[speedup, 5]]]]);
  assert.deepEqual(mergePairs([trial(2), new Map(), trial(4)]).speedups, [2, null, 4]);
});

test('a single trial has no interval, and no pair gives nothing', () => {
  assert.equal(mergePairs([new Map([[0, [[2, 1]]]])]).speedup.low, null);
  assert.equal(mergePairs([new Map()]), null);
});

const cell = {
  id: 'documents.documents.base.insert.wrk.closed-0016',
  target: 'documents',
  variant: 'base',
  workload: 'documents-insert',
  tool: 'wrk',
  model: 'closed',
  level: 16,
  share: null,
  duration_s: 5,
  trials_used: 2,
  throughput_rps: { median: 1500 },
  latency_us: { p95: 60_000 },
  operations: { batch_insert: { count: 2000, p95: 150_000 } },
  errors: { share: 0 },
  trials: [{ verdict: 'valid', requests: 1000, successes: 15_000, throughput_rps: 1500, errors: 0 }],
  resources: {
    cores: 2,
    roles: { target: { cpu_cores: 0.5, rss_max_bytes: 90e6 }, postgres: { cpu_cores: 0.3, rss_max_bytes: 135e6 } },
    host: {},
  },
};

const objective = {
  name: 'x',
  target: 'documents',
  workload: 'documents-insert',
  variant: 'base',
  tool: 'wrk',
  model: 'closed',
  level: 16,
  operation: null,
};
const judged = (more, cells = [cell]) =>
  judge([{ ...objective, ...more }], cells).map(({ measured, met }) => [measured, met]);

test('objectives are met or missed by the measured value', () => {
  assert.deepEqual(judged({ metric: 'throughput_rps', must_be: 'above', limit: 1000 }), [[1500, true]]);
  assert.deepEqual(judged({ metric: 'p95_us', must_be: 'below', limit: 50_000 }), [[60_000, false]]);
  assert.deepEqual(judged({ metric: 'throughput_rps', operation: 'batch_insert', must_be: 'above', limit: 100 }), [
    [200, true],
  ]);
  assert.deepEqual(judged({ metric: 'p95_us', operation: 'batch_insert', must_be: 'below', limit: 200_000 }), [
    [150_000, true],
  ]);
  assert.deepEqual(judged({ metric: 'error_share', must_be: 'below', limit: 0.01 }), [[0, true]]);
  assert.deepEqual(judged({ metric: 'rss_max_bytes', must_be: 'below', limit: 1e8 }), [[225e6, false]]);
  assert.deepEqual(judged({ metric: 'cpu_share', must_be: 'below', limit: 0.5 }), [[0.4, true]]);
});

test('the rate of an operation is over the seconds that were measured, be they fewer than planned', () => {
  const trials = [3, 5].map((seconds) => ({ verdict: 'valid', successes: 900, throughput_rps: 900 / seconds }));
  const short = { ...cell, duration_s: 5, trials: [...trials, { ...trials[0], verdict: 'invalid' }] };
  short.operations = { batch_insert: { count: 150 * 8, p95: 1 } };
  assert.deepEqual(
    judged({ metric: 'throughput_rps', operation: 'batch_insert', must_be: 'above', limit: 100 }, [short]),
    [[150, true]],
  );
});

test('what was not measured is neither met nor missed, and other cells are not judged', () => {
  assert.deepEqual(judged({ metric: 'disk_read_bytes_per_s', must_be: 'below', limit: 1 }), [[null, null]]);
  assert.deepEqual(judged({ metric: 'p95_us', must_be: 'below', limit: 1 }, [{ ...cell, latency_us: null }]), [
    [null, null],
  ]);
  assert.deepEqual(judged({ metric: 'throughput_rps', must_be: 'above', limit: 1, level: 64 }), []);
});

test('a share of the peak names its cell', () => {
  const open = { ...cell, model: 'open', level: 812, share: '50%' };
  assert.deepEqual(
    judged({ model: 'open', level: '50%', metric: 'throughput_rps', must_be: 'above', limit: 1 }, [open]),
    [[1500, true]],
  );
});

test('every objective asks for a cell that experiment documents has', () => {
  const experiment = JSON.parse(
    readFileSync(new URL('../../scripts/declared/experiments/documents.json', import.meta.url), 'utf8'),
  );
  for (const asked of readObjectives()) {
    const isMeasured = experiment.cells.some(
      (entry) =>
        entry.targets.includes(asked.target) &&
        entry.workloads.includes(asked.workload) &&
        entry.tools.includes(asked.tool) &&
        entry.levels.includes(asked.level) &&
        (entry.model ?? 'closed') === asked.model &&
        (entry.variants ?? [{ name: 'base' }]).some(({ name }) => name === asked.variant),
    );
    assert.ok(isMeasured, `${asked.name}: ${asked.metric}`);
  }
});

test('the report shows all of it', () => {
  const objectives = judge(
    [{ ...objective, metric: 'p95_us', must_be: 'below', limit: 50_000, unit: 'us', source: 's' }],
    [cell],
  );
  const index_pairs = {
    cells: [{ id: 'x', level: 15, ...mergePairs([new Map([[10, [[2, 3]]]])]) }],
    plans: [{ collection: 'indexed', age: 50, documents: 3, plan: ['Index Scan'] }],
  };
  const round = { round: 1, loaded: 10, loaded_lost: 0 };
  const survival = [
    { ...round, profile: 'durable', acknowledged: 900, lost: 0 },
    { ...round, profile: 'no-fsync', acknowledged: null, lost: null, why: 'only a power failure would tell' },
  ];
  const text = toMarkdown(tablesOf({ objectives, index_pairs, survival, cells: [{ ...cell, database: 'durable' }] }));
  for (const part of [
    '0 met, 1 missed.',
    '| x | p95 | below 50 ms | 60 ms | **missed** |',
    'the index won 3 (100 %), lost 0 (0), tied 0 (0)',
    '| 10 to 99 | 3 | 2× (no interval) |',
    'Index Scan',
    '| durable | 16 | 1,500 | 60 ms | 0 | – | 0 of 900 |',
    '| no-fsync | – | – | – | – | – | – |',
    '–: only a power failure would tell.',
  ])
    assert.ok(text.includes(part), `${part} in ${text}`);
  assert.deepEqual(tablesOf({ cells: [] }), []);
});
