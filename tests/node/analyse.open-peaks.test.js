import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { seeded } from '../../k6/lib/random.js';
import { trialId } from '../../scripts/analyse/identity.js';
import { openPeaks, search } from '../../scripts/analyse/open-peaks.js';
import { openRun } from '../../scripts/analyse/run-folder.js';
import { honestTrial, writeSyntheticRun } from './lib/synthetic.js';

const root = mkdtempSync(join(tmpdir(), 'peaks-'));
after(() => rmSync(root, { recursive: true }));

/** Searches against a target that is asked for each probe whether it holds a rate. -> {rate, failed, probes: how many} */
function searched(closed_rps, holds) {
  const probed = [];
  for (let probes = 0; ; probes += 1) {
    const step = search(closed_rps, probed);
    if (step.next === undefined) return { ...step, probes };
    assert.ok(Number.isInteger(step.next) && step.next >= 1);
    if (!probed.some(({ rate }) => rate === step.next))
      probed.push({ rate: step.next, tries: 0, failures: 0, held: 0 });
    const probe = probed.find(({ rate }) => rate === step.next);
    assert.ok(probe.held < 3 && probe.failures < 2, `${step.next} is asked for again`);
    probe.tries += 1;
    if (holds(step.next, probes)) probe.held += 1;
    else probe.failures += 1;
  }
}
const upTo = (capacity) => (rate) => rate <= capacity;

test('the peak is found within 10 %, from below, in few probes, wherever it lies', () => {
  const random = seeded(5);
  const counts = [];
  for (let i = 0; i < 1000; i += 1) {
    const closed = 10 ** (1 + 3 * random());
    const capacity = closed * 10 ** (1.4 * random() - 1.1); // a 13th to twice as much
    const { rate, failed, probes } = searched(closed, upTo(capacity));
    assert.ok(rate <= capacity && capacity < failed, `${capacity} is not within ${rate} and ${failed}`);
    assert.ok(rate * 1.1 >= capacity || capacity - rate < 1, `${rate} of ${capacity}`);
    assert.ok(probes <= 16, `${probes} probes`);
    if (capacity > closed / 2) counts.push(probes);
  }
  const mean = counts.reduce((a, b) => a + b) / counts.length;
  assert.ok(mean > 9 && mean < 11, `the search takes about ten probes: ${mean}`);
});

test('a probe that fails by chance does not bound the peak, whichever it is', () => {
  const { rate, probes } = searched(1000, upTo(800));
  for (let chance = 0; chance < probes; chance += 1) {
    const other = searched(1000, (asked, n) => asked <= 800 && n !== chance);
    assert.equal(other.rate, rate, `probe ${chance}`);
  }
});

test('a target that sustains nothing has no peak', () => {
  const { rate, probes } = searched(1000, upTo(0));
  assert.equal(rate, null);
  assert.ok(probes <= 12);
  assert.equal(searched(1, upTo(0)).rate, null);
  assert.equal(searched(3, upTo(1)).rate, 1);
});

test('a rate above one that failed counts for nothing', () => {
  const probed = [
    { rate: 500, tries: 1, failures: 0, held: 1 },
    { rate: 1000, tries: 2, failures: 2, held: 0 },
    { rate: 1050, tries: 1, failures: 0, held: 1 },
  ];
  assert.equal(search(1000, probed).next, 707);
});

test('a rate that held once by chance is no peak: it must hold three times before it fails twice', () => {
  const once = { rate: 960, tries: 1, failures: 0, held: 1 };
  const bounds = [
    { rate: 500, tries: 1, failures: 0, held: 1 },
    { rate: 1000, tries: 2, failures: 2, held: 0 },
  ];
  const after = (probe) => search(1000, [...bounds, probe]);
  assert.deepEqual(after(once), { next: 960 });
  assert.deepEqual(after({ ...once, tries: 4, failures: 1, held: 3 }), { rate: 960, failed: 1000 });
  assert.deepEqual(after({ ...once, tries: 2, failures: 1 }), { next: 960 });
  assert.deepEqual(after({ ...once, tries: 3, failures: 2 }), { next: 693 });
  const random = seeded(8);
  const peaks = Array.from({ length: 300 }, () => searched(1000, (rate) => rate <= 700 || random() < 0.15).rate);
  const lucky = peaks.filter((rate) => rate > 770).length;
  assert.ok(lucky < 30, `${lucky} of 300`); // where one probe that held is enough, it is most of them
});

test('a probe that fails beside another program says nothing, unless each of four does', () => {
  const next = (tries, failures) => search(1000, [{ rate: 500, tries, failures, held: 0 }]).next;
  assert.deepEqual([next(1, 0), next(2, 1), next(3, 1), next(2, 2), next(4, 0)], [500, 500, 500, 250, 250]);
});

/** A run of raw at so many requests per second in the closed model, whose open cells are of these variants. */
function closedRun(name, variants, rps = 1000) {
  const folder = writeSyntheticRun(join(root, name), {
    targets: { raw: () => rps },
    levels: [16],
    blockSd: 0,
    trialSd: 0,
  });
  const plan = JSON.parse(readFileSync(join(folder, 'plan.json'), 'utf8'));
  const { cells, ...group } = plan.groups[0];
  plan.open = variants.map((variant) => ({
    variant: { ...group.variant, name: variant },
    cell: { ...cells[0], variant, model: 'open', level: '50%' },
  }));
  writeFileSync(join(folder, 'plan.json'), JSON.stringify(plan));
  return folder;
}

/**
 * Probes as plan-open.sh does, on a target that holds up to `most` requests per second.
 * @param {(probe: number) => boolean} chance whether a probe fails that would have held @param {object|null} resources of those
 * @param {(rate: number) => number} inFlight
 */
function probedRun(
  folder,
  chance = () => false,
  resources = null,
  inFlight = (rate) => (rate > 800 ? 40 : 1),
  most = 800,
) {
  const probes = join(folder, 'probes');
  const plan = { experiment: 'probes', seed: 1, blocks: 1, groups: [] };
  for (let made = 0; ; ) {
    const step = openPeaks(openRun(folder), made === 0 ? null : openRun(probes));
    if (step.probes.length === 0) return step.peaks;
    for (const { variant, cell: open } of step.probes) {
      const id = `tpch@1.raw.${open.variant}.analytics.k6.open-${String(open.level).padStart(4, '0')}`;
      const cell = { ...open, id, duration_s: 3, warmup_s: 1 };
      const held = open.level <= most && !chance(made);
      const summary = {
        ...honestTrial(cell, open.level),
        in_flight_mean: inFlight(open.level),
        ...(held
          ? {}
          : { dropped_iterations: chance(made) ? 20 : open.level, resources: chance(made) ? resources : null }),
      };
      mkdirSync(join(probes, 'cells', trialId(cell)), { recursive: true });
      writeFileSync(join(probes, 'cells', trialId(cell), 'summary.json'), JSON.stringify(summary));
      plan.groups.push({ block: cell.block, database: 'tpch', target: 'raw', variant, cells: [cell] });
      made += 1;
    }
    writeFileSync(join(probes, 'plan.json'), JSON.stringify(plan));
    writeFileSync(join(probes, 'experiment.json'), '{"name": "probes", "why": "?"}');
  }
}

test('of a run: what was found, between which rates, in how many probes; one that failed by chance was made again', () => {
  const [peak, ...others] = probedRun(closedRun('quiet', ['base']));
  assert.deepEqual(others, []);
  const { closed_rps, rate_rps, failed_rps, probes, ...place } = peak;
  assert.deepEqual(place, { database: 'tpch', target: 'raw', variant: 'base', workload: 'analytics', tool: 'k6' });
  assert.ok(Math.abs(closed_rps - 1000) < 20, `${closed_rps}`);
  assert.ok(rate_rps <= 800 && 800 < failed_rps && failed_rps <= 1.1 * rate_rps, `${rate_rps} to ${failed_rps}`);
  assert.ok(probes >= 8 && probes <= 11, `${probes}`);
  const [noisy] = probedRun(closedRun('noisy', ['base']), (probe) => probe === 0);
  assert.deepEqual(noisy, { ...peak, probes: probes + 1 });
  const roles = { generator: { cpu_cores: 0.2 }, target: { cpu_cores: 0.3 }, postgres: { cpu_cores: 0.2 } };
  const beside = { cores: 2, roles, host: { cpu_busy_share: 1, cpu_steal_share: 0 }, sampler_cpu_cores: 0 };
  const [shared] = probedRun(closedRun('shared', ['base']), (probe) => probe < 2, beside);
  assert.deepEqual(shared, { ...peak, probes: probes + 2 });
});

test('requests that are sent late while few wait say nothing of the target, which is probed again; where many wait they do', () => {
  const late = (made) => made < 3;
  const [peak] = probedRun(closedRun('late', ['base']), late);
  assert.ok(peak.rate_rps > 700, `${peak.rate_rps}`);
  const [bound] = probedRun(closedRun('full', ['base']), late, null, () => 10);
  assert.ok(bound.rate_rps === null || bound.rate_rps < 500, `${bound.rate_rps}`);
});

test('a rate that is answered within the probe is no peak, where more requests wait than the closed load kept', () => {
  const waiting = (level) => (level > 600 ? 16.5 : 15.5);
  const [{ rate_rps, failed_rps }] = probedRun(closedRun('waiting', ['base']), undefined, null, waiting);
  assert.ok(rate_rps <= 600 && 600 < failed_rps, `${rate_rps} to ${failed_rps}`);
});

test('a probe with fewer answers than a trial needs still says whether its rate holds', () => {
  const [{ rate_rps, failed_rps }] = probedRun(closedRun('slow', ['base'], 4), undefined, null, undefined, 3);
  assert.deepEqual([rate_rps, failed_rps], [3, 4]);
});

test("a copy's peak is searched on its own, from another start, so that two copies differ by the error of the search", () => {
  const [base, again] = probedRun(closedRun('copies', ['base', 'again']));
  assert.deepEqual([base.variant, again.variant, again.closed_rps], ['base', 'again', base.closed_rps]);
  assert.notEqual(again.rate_rps, base.rate_rps);
  for (const { rate_rps, failed_rps } of [base, again]) assert.ok(rate_rps <= 800 && 800 < failed_rps);
});
