/** The probes of a run, as its folders have them. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { searchesOf } from '../../scripts/analyse/capacity/probes.js';
import { openRun } from '../../scripts/analyse/run-folder.js';
import { partsOf } from './lib/capacity.js';
import { writeSyntheticRun } from './lib/synthetic.js';

const CELL = { database: 'tpch', scale: 1, target: 'pooled', variant: 'base', workload: 'analytics', tool: 'k6' };

/** A run with one search, of these probes, [rate, whether it held], in the order in which they were made. */
function runOf(folder, probes) {
  const run = join(folder, 'run');
  writeSyntheticRun(run, { targets: { pooled: () => 400 }, levels: [8], blocks: 1 });
  change(run, (plan) => ({
    ...plan,
    searches: [
      {
        cell: { ...CELL, model: 'open', level: 'capacity', block: 1, duration_s: 5 },
        variant: { name: 'base', env: {}, args: [] },
      },
    ],
    objective: { parts: partsOf('p95<3s') },
  }));
  const times = (rate) => probes.flatMap(([other], i) => (other === rate ? [i] : []));
  const rates = [...new Set(probes.map(([rate]) => rate))];
  const block = join(run, 'capacity', '01');
  writeSyntheticRun(block, {
    targets: { pooled: (level) => level },
    levels: rates,
    models: ['open'],
    blocks: Math.max(...rates.map((rate) => times(rate).length)),
    blockSd: 0,
    trialSd: 0,
    mutate(summary) {
      const made = times(summary.cell.level)[summary.cell.block - 1];
      if (made === undefined) return null;
      if (!probes[made][1])
        summary.latency_us.histogram.counts = summary.latency_us.histogram.counts.map(([us, n]) => [10 * us, n]);
      return summary;
    },
  });
  // a group for each round, as scripts/jq/plan-probes.jq adds them
  change(block, ({ groups: [group, ...more], ...plan }) => {
    const cells = [group, ...more].flatMap((one) => one.cells);
    const roundOf = (rate, i) => cells.find((cell) => cell.level === rate && times(rate)[cell.block - 1] === i);
    return { ...plan, groups: probes.map(([rate], i) => ({ ...group, cells: [roundOf(rate, i)] })) };
  });
  return openRun(run);
}

function change(run, of) {
  const path = join(run, 'plan.json');
  writeFileSync(path, JSON.stringify(of(JSON.parse(readFileSync(path, 'utf8')))));
}

test('probes are read round after round, not by how often their rate was asked for before, nor by a clock', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'probes-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const made = [
    ...[
      [100, true],
      [200, true],
      [400, false],
      [283, false],
      [238, false],
      [200, true],
    ],
    ...[
      [218, false],
      [209, false],
      [204, false],
      [200, true],
    ],
  ];
  const run = runOf(folder, made);
  const [{ probes, next }] = searchesOf(run, [
    { ...CELL, model: 'closed', calibration: false, trials: [], throughput_rps: { median: 400 } },
  ]);
  assert.deepEqual(
    probes.map(({ probe }) => [probe.rate, probe.outcome === 'held']),
    made,
  );
  assert.equal(next, 204, 'of which one probe has failed');
});
