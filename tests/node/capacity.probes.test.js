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

/** A run with one search, of these probes, [rate, whether it held], in the order in which they were made; its plan has them by how often their rate was asked for. */
function runOf(folder, probes) {
  const run = join(folder, 'run');
  writeSyntheticRun(run, { targets: { pooled: () => 400 }, levels: [8], blocks: 1 });
  const plan = JSON.parse(readFileSync(join(run, 'plan.json'), 'utf8'));
  const cell = { ...CELL, model: 'open', level: 'capacity', block: 1, duration_s: 5 };
  plan.searches = [{ cell, variant: { name: 'base', env: {}, args: [] } }];
  plan.objective = { parts: partsOf('p95<3s') };
  writeFileSync(join(run, 'plan.json'), JSON.stringify(plan));
  const times = (rate) => probes.flatMap(([other], i) => (other === rate ? [i] : []));
  const rates = [...new Set(probes.map(([rate]) => rate))];
  const mostOften = Math.max(...rates.map((rate) => times(rate).length));
  writeSyntheticRun(join(run, 'capacity', '01'), {
    targets: { pooled: (level) => level },
    levels: rates,
    models: ['open'],
    blocks: mostOften,
    blockSd: 0,
    trialSd: 0,
    mutate(summary) {
      const made = times(summary.cell.level)[summary.cell.block - 1];
      if (made === undefined) return null;
      if (!probes[made][1])
        summary.latency_us.histogram.counts = summary.latency_us.histogram.counts.map(([us, n]) => [10 * us, n]);
      const later_ms = Date.UTC(2026, 0, 5, 10, made) - Date.parse(summary.status.started_at);
      for (const clock of [summary.status, summary.window])
        for (const key of ['started_at', 'ended_at', 'start', 'end'].filter((key) => clock[key]))
          clock[key] = new Date(Date.parse(clock[key]) + later_ms).toISOString();
      return summary;
    },
  });
  return openRun(run);
}

test('what held after an overload is told by the clock, not by the order of a plan', (t) => {
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
