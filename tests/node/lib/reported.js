import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { writeSyntheticRun } from './synthetic.js';

const scripts = join(import.meta.dirname, '../../../scripts');

export const root = mkdtempSync(join(tmpdir(), 'report-'));

after(() => rmSync(root, { recursive: true }));

export function run(script, ...args) {
  const { status, stdout, stderr } = spawnSync(join(scripts, `${script}.sh`), args, { encoding: 'utf8' });
  return { status, stdout, stderr };
}

export const SWEEP = {
  targets: { raw: () => 600, rollup: (n) => 2000 * (n / (n + 4)) }, // 100 users have at least twenty answers each
  levels: [1, 10, 50, 100],
  tools: ['k6', 'wrk'],
  questions: [
    {
      ...{ ask: 'What does a rollup gain?', primary: true, metric: 'throughput', kind: 'pair', dimension: 'target' },
      ...{ where: {}, why: null },
      sides: ['rollup', 'raw'].map((name) => ({ name, cells: [`tpch@1.${name}.base.analytics.k6.closed-0100`] })),
    },
  ],
};

/** Writes, analyses and reports a synthetic run. */
export function reported(name, truth) {
  const folder = writeSyntheticRun(join(root, name), truth);
  for (const script of ['stages/analyse', 'stages/report']) {
    const { status, stderr } = run(script, folder);
    assert.equal(status, 0, stderr);
  }
  return { folder, text: readFileSync(join(folder, 'report.md'), 'utf8') };
}
