// Usage: node tests/bench/analyse.js FOLDER
// Writes a synthetic run of 10,000 trials: 500 cells in 20 blocks, histograms of 400 values, timelines of 10 s.
import { writeSyntheticRun } from '../node/lib/synthetic.js';

const speeds = { raw: 50, pooled: 400, rollup: 900, cube: 700, other: 300 };
const targets = Object.fromEntries(
  Object.entries(speeds).map(([name, gamma]) => [name, (n) => (gamma * n) / (1 + 0.1 * (n - 1))]),
);
writeSyntheticRun(process.argv[2], {
  targets,
  workloads: ['hello', 'echo', 'analytics', 'crud', 'documents'],
  tools: ['k6', 'wrk'],
  levels: [1, 2, 5, 10, 20, 30, 50, 100, 150, 200],
  blocks: 20,
  duration_s: 10,
  bins: 400,
});
