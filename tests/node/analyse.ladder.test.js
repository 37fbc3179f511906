import assert from 'node:assert/strict';
import { test } from 'node:test';
import { statementsOf } from '../../scripts/analyse/printed.js';
import { picture, steps } from '../../scripts/findings/ladder/draw.js';
import { find } from '../../scripts/findings/ladder/find.js';
import { blocks } from '../../scripts/findings/ladder/tell.js';
import { databaseBlocks } from '../../scripts/report/database.js';
import { picturesOf } from '../../scripts/report/pictures.js';
import { toMarkdown } from '../../scripts/report/to-markdown.js';

/** A cell of results.json whose trials, one a block, had these throughputs. */
function cell(target, variant, workload, tool, rps, { database = 'tpch', level = 8 } = {}) {
  const trials = rps.map((throughput_rps, i) => ({
    block: i + 1,
    verdict: 'valid',
    throughput_rps,
    successes: 100_000,
  }));
  const sorted = rps.toSorted((a, b) => a - b);
  const spread = { median: sorted[sorted.length >> 1], min: sorted[0], max: sorted.at(-1) };
  const id = `${database}.${target}.${variant}.${workload}.${tool}.closed-${level}`;
  return {
    id,
    database,
    target,
    variant,
    workload,
    tool,
    model: 'closed',
    level,
    calibration: false,
    throughput_rps: spread,
    trials_planned: trials.length,
    trials,
  };
}

const CELLS = [
  cell('raw', 'base', 'echo', 'k6', [500, 510, 505]),
  cell('pooled', 'base', 'echo', 'k6', [4000, 3900, 4100]),
  cell('pooled', 'base', 'hello', 'k6', [8000, 8000, 8000]),
  cell('postgres', 'reconnect', 'echo', 'pgbench', [400, 400, 400]),
  cell('postgres', 'simple', 'echo', 'pgbench', [9000, 9000, 9000]),
  cell('postgres', 'prepared', 'echo', 'pgbench', [16000, 15600, 16400]),
  cell('postgres', 'base', 'sql-echo', 'k6', [12000, 12000, 12000]),
  cell('pooled', 'pool-2', 'echo', 'k6', [1, 1, 1]),
];

const laddersOf = (cells) => find(null, cells);

test('a ladder stands on prepared pgbench and climbs layer by layer, variants of targets left out', () => {
  const [ladder, ...others] = laddersOf(CELLS);
  assert.deepEqual(others, []);
  assert.deepEqual([ladder.database, ladder.question, ladder.level], ['tpch', 'echo', 8]);
  assert.deepEqual(
    ladder.rungs.map(({ name }) => name),
    ['pgbench prepared', 'pgbench simple', 'pgbench -C', 'k6 SQL', 'k6 HTTP alone', 'k6 pooled', 'k6 raw'],
  );
});

test('a rung that was measured in more blocks than others counts in those of all, in the table and in the picture', () => {
  const cells = [
    cell('pooled', 'base', 'echo', 'k6', [4000, 3900, 4100, 400, 390, 410]),
    cell('raw', 'base', 'echo', 'k6', [400, 390, 410]),
    cell('postgres', 'prepared', 'echo', 'pgbench', [16000, 15600, 16400, 16000, 16000, 16000]),
  ];
  const [ladder] = laddersOf(cells);
  const [, pooled] = ladder.rungs;
  assert.deepEqual(
    [pooled.throughput_rps, pooled.db_efficiency.ratio, pooled.request_ms],
    [{ median: 4000, min: 3900, max: 4100 }, 0.25, 2],
  );
  const [, step] = steps(ladder, cells);
  assert.deepEqual([step.from, step.to, Number(step.low.toPrecision(3)), step.text], [0, 2, 1.95, '2 ms']);
});

test('a rung stands on what it is built on: HTTP alone on nothing, targets on HTTP alone, and the database never on HTTP', () => {
  const [ladder] = laddersOf(CELLS);
  const froms = Object.fromEntries(steps(ladder, CELLS).map(({ name, from }) => [name, from]));
  assert.deepEqual(froms, {
    'pgbench prepared': 0,
    'pgbench simple': 0.5,
    'pgbench -C': 0.889,
    'k6 SQL': 0.5,
    'k6 HTTP alone': 0,
    'k6 pooled': 1,
    'k6 raw': 1,
  });
});

test('efficiency is paired by block, added time follows from the level and the medians', () => {
  const [{ rungs }] = laddersOf(CELLS);
  const pooled = rungs.find(({ name }) => name === 'k6 pooled');
  assert.equal(pooled.db_efficiency.ratio, 0.25);
  assert.equal(pooled.db_efficiency.n, 3);
  assert.equal(pooled.request_ms, 2);
  assert.equal(pooled.added_ms, 1.5);
  assert.equal(rungs[0].db_efficiency, null);
});

test('without pgbench, on another database, or at another level there is no ladder', () => {
  assert.deepEqual(laddersOf(CELLS.filter(({ tool }) => tool !== 'pgbench')), []);
  const elsewhere = [
    CELLS[5],
    cell('pooled', 'base', 'echo', 'k6', [1], { database: 'other' }),
    cell('raw', 'base', 'echo', 'k6', [1], { level: 9 }),
  ];
  assert.deepEqual(laddersOf(elsewhere), []);
  assert.deepEqual(laddersOf([{ ...CELLS[5], throughput_rps: null }, CELLS[1]]), []);
});

test('an experiment declares rungs of its own: of these variants, workloads and tools, and named after their cells', () => {
  const ladder = [
    { name: 'ground', tool: 'pgbench', target: 'postgres', variants: ['simple'] },
    { name: '{target} by {tool}, nothing asked', workload: 'hello', variants: ['base'] },
    { name: '{target}', variants: ['pool-2'] },
  ];
  const [{ rungs }, ...others] = find({ experiment: { ladder } }, CELLS);
  assert.deepEqual(others, []);
  assert.deepEqual(
    rungs.map(({ name }) => name),
    ['ground', 'pooled by k6, nothing asked', 'pooled'],
  );
});

test('a ladder has its table, and is drawn from the ground up', () => {
  const ladders = laddersOf(CELLS);
  const text = toMarkdown(ladders.flatMap((ladder) => blocks(ladder)));
  assert.match(text, /\| k6 pooled \| 4,000 \[3,900–4,100\] \| 0\.25× \[0\.25, 0\.25\d*\] \| 2 \| 1\.5 \|/);
  const { spec, alt } = picture(ladders[0], CELLS);
  assert.match(alt, /pgbench prepared; pgbench simple/);
  assert.match(JSON.stringify(spec), /"text":"2 ms \(\+1 ms\)"/);
  assert.deepEqual(picturesOf({}), []);
});

const printed = (...ms) => ({
  statements: ms.map((latency_ms, i) => ({ text: `statement ${i}`, latency_ms, failures: i, retries: null })),
});

test('statements: medians over trials, failures added; none unless pgbench printed them', () => {
  assert.equal(statementsOf([]), null);
  assert.equal(statementsOf([{ statements: [] }]), null);
  assert.deepEqual(statementsOf([printed(1, 5), printed(3, 7), printed(2, 6)]), [
    { text: 'statement 0', latency_ms: { median: 2, min: 1, max: 3 }, failures: 0 },
    { text: 'statement 1', latency_ms: { median: 6, min: 5, max: 7 }, failures: 3 },
  ]);
  const old = [{ statements: [{ text: 'END;', latency_ms: 1, failures: null, retries: null }] }];
  assert.equal(statementsOf(old)[0].failures, null);
});

test('statements of several scripts stand one after another', () => {
  const scripts = [
    { name: 'a', ...printed(1) },
    { name: 'b', ...printed(2) },
  ];
  assert.deepEqual(
    statementsOf([{ statements: [], scripts }]).map(({ latency_ms }) => latency_ms.median),
    [1, 2],
  );
});

test('the report shows buffers, log and statements, what was read from the disk, and the memory that a server was given', () => {
  const counts = {
    buffer_hit_ratio: 0.9644,
    blocks_read_per_request: 1.014,
    wal_bytes_per_request: 13_670,
    buffers_checkpoint: 0,
    buffers_clean: 12,
    buffers_backend: null,
    size_bytes: 324e6,
  };
  const measured = {
    ...cell('postgres', 'base', 'tpcb', 'pgbench', [414]),
    database_counts: counts,
    resources: { host: { disk_read_bytes_per_s: 66_200_000 } },
    statements: statementsOf([printed(1)]),
  };
  const environment = {
    machine: { memory_bytes: 24e9 },
    databases: { tpch: { settings: { shared_buffers: '204MB' } } },
  };
  const results = { cells: [measured], comparisons: [], environment };
  const text = toMarkdown(databaseBlocks(results));
  assert.match(
    text,
    /\| tpch \| tpcb \| 8 \| 414 \| 309 MiB \| 204MB \| 96\.44 % \| 1\.014 \| 63\.1 MiB\/s \| 0 \| 12 \| – \| 13,670 \|/,
  );
  assert.match(text, /takes 309 MiB, the machine has 22\.4 GiB of memory\. A block/);
  assert.match(text, /statement 0/);
  environment.databases.tpch.settings['pglab.memory_bytes'] = '1247805440';
  assert.match(toMarkdown(databaseBlocks(results)), /The server of tpch may take 1\.16 GiB, page cache included\./);
});
