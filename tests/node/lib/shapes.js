/** A synthetic run for each shape that the picture of an answer may have. */
import { writeSyntheticRun } from './synthetic.js';

const question = (kind, dimension, names, cellOf, more = {}) => ({
  ...{ ask: 'What does it cost?', primary: true, metric: 'throughput', kind, dimension, where: {}, why: null },
  sides: names.map((name) => ({ name, cells: [cellOf(name)] })),
  ...more,
});

const padded = (level) => String(level).padStart(4, '0');
const ofTarget =
  (level, model = 'closed', variant = 'base') =>
  (name) =>
    `tpch@1.${name}.${variant}.analytics.k6.${model}-${padded(level)}`;
const ofVariant = (level) => (name) => `tpch@1.pooled.${name}.analytics.k6.closed-${padded(level)}`;
const ofDatabase = (level) => (name) => `${name}@1.pooled.base.analytics.k6.closed-${padded(level)}`;

const LONG = ['a-target-of-a-rather-long-name', 'another-target-of-a-long-name'];
const many = (count) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`target-${i + 1}`, () => 400 - 3 * i]));
const rate = (rps) => () => rps;

/** By what the answer is: writes the run into a folder and returns that. @type {Record<string, (folder: string) => string>} */
export const shapes = {
  'rows of two targets': (folder) =>
    writeSyntheticRun(folder, {
      targets: { pooled: rate(900), raw: rate(85), rollup: rate(880) },
      levels: [10],
      questions: [question('pair', 'target', ['pooled', 'raw'], ofTarget(10))],
    }),
  'rows far apart': (folder) =>
    writeSyntheticRun(folder, {
      targets: { pooled: rate(2000), raw: rate(2) },
      levels: [10],
      questions: [question('pair', 'target', ['pooled', 'raw'], ofTarget(10))],
    }),
  'rows of long names': (folder) =>
    writeSyntheticRun(folder, {
      targets: { [LONG[0]]: rate(300), [LONG[1]]: rate(290) },
      levels: [10],
      questions: [question('pair', 'target', LONG, ofTarget(10))],
    }),
  'a ranking of three targets': (folder) =>
    writeSyntheticRun(folder, {
      targets: many(3),
      levels: [10],
      questions: [question('rank', 'target', Object.keys(many(3)), ofTarget(10))],
    }),
  'a ranking of fifteen targets': (folder) =>
    writeSyntheticRun(folder, {
      targets: many(15),
      levels: [10],
      questions: [question('rank', 'target', Object.keys(many(15)), ofTarget(10))],
    }),
  'lines of targets': (folder) =>
    writeSyntheticRun(folder, {
      targets: {
        pooled: (n) => 900 * (n / (n + 6)),
        raw: (n) => 85 * (n / (n + 0.4)),
        rollup: (n) => 905 * (n / (n + 6)),
      },
      levels: [1, 4, 16, 64],
      questions: [question('pair', 'target', ['pooled', 'raw'], ofTarget(16))],
    }),
  'lines of long names': (folder) =>
    writeSyntheticRun(folder, {
      targets: { [LONG[0]]: (n) => 30 * n, [LONG[1]]: (n) => 31 * n },
      levels: [1, 2, 3, 4],
      questions: [question('pair', 'target', LONG, ofTarget(4))],
    }),
  'lines of variants': (folder) =>
    writeSyntheticRun(folder, {
      targets: { pooled: (n, { name }) => (name === 'close' ? 200 : 400) * (n / (n + 3)) },
      variants: ['base', 'close'],
      levels: [1, 16, 64],
      questions: [question('pair', 'variant', ['base', 'close'], ofVariant(64))],
    }),
  'lines of databases': (folder) =>
    writeSyntheticRun(folder, {
      targets: {
        pooled: (n, _variant, database) => ({ small: 400, medium: 300, large: 60 })[database] * (n / (n + 3)),
      },
      databases: ['small', 'medium', 'large'],
      levels: [1, 16, 64],
      questions: [question('pair', 'database', ['small', 'large'], ofDatabase(16))],
    }),
  'latencies at rates': (folder) =>
    writeSyntheticRun(folder, {
      targets: { pooled: rate(80), raw: rate(79.6) },
      models: ['open'],
      ...{ blockSd: 0, trialSd: 0.001 },
      levels: [80],
      questions: [question('pair', 'target', ['raw', 'pooled'], ofTarget(80, 'open'), { metric: 'p50' })],
    }),
  'at the peak': (folder) =>
    writeSyntheticRun(folder, {
      targets: { pooled: (n) => 900 * (n / (n + 6)), raw: (n) => 85 * (n / (n + 0.4)) },
      levels: [1, 10],
      questions: [
        {
          ...question('pair', 'target', ['pooled', 'raw'], ofTarget(10), { where: { level: 'peak' } }),
          sides: ['pooled', 'raw'].map((name) => ({ name, cells: [1, 10].map((level) => ofTarget(level)(name)) })),
        },
      ],
    }),
  'a pool size': (folder) => {
    const sizes = [1, 2, 5, 10, 20, 50];
    const ids = Object.fromEntries(sizes.map((size) => [`pool-${size}`, { size }]));
    const asked = question('smallest', 'variant', Object.keys(ids), ofVariant(50));
    return writeSyntheticRun(folder, {
      targets: { pooled: (_n, { env }) => 600 * (env.POOL_SIZE / (Number(env.POOL_SIZE) + 2)) },
      variants: sizes.map((size) => ({ name: `pool-${size}`, env: { POOL_SIZE: String(size) } })),
      levels: [50],
      experiment: { report: ['pool-map', 'curves'] },
      questions: [{ ...asked, sides: asked.sides.map((side) => ({ ...side, ...ids[side.name] })) }],
    });
  },
  copies: (folder) =>
    writeSyntheticRun(folder, {
      targets: { pooled: (n) => 900 * (n / (n + 6)), rollup: (n) => 1900 * (n / (n + 6)) },
      variants: ['base', 'again'],
      levels: [1, 4, 16, 64],
      blocks: 6,
      questions: [{ ...question('again', null, [], () => null), metric: null }],
    }),
  'a ladder beside rows': (folder) =>
    writeSyntheticRun(folder, {
      targets: { postgres: rate(3000), pooled: rate(1200), raw: rate(60) },
      tools: ['k6', 'pgbench'],
      workloads: ['analytics', 'hello'],
      levels: [8],
      questions: [question('pair', 'target', ['pooled', 'raw'], ofTarget(8))],
    }),
};
