import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { analyse } from '../../../scripts/analyse/results.js';
import { openRun } from '../../../scripts/analyse/run-folder.js';
import { figures, sectionsOf } from '../../../scripts/report/section.js';
import { schemas } from '../../lib/schemas.js';
import { writeSyntheticRun } from './synthetic.js';

export const root = mkdtempSync(join(tmpdir(), 'analyse-'));

after(() => rmSync(root, { recursive: true }));

export const { validatorOf, errorsText } = schemas();

const conforms = validatorOf('results');

let runs = 0;

export function analysed(truth) {
  runs += 1;
  const folder = writeSyntheticRun(join(root, `run-${runs}`), truth);
  const results = analyse(openRun(folder));
  assert.ok(conforms(JSON.parse(JSON.stringify(results))), errorsText(conforms.errors));
  return { folder, results };
}

export const TARGETS = { raw: () => 100, pooled: () => 300, rollup: (n) => 900 * (n / (n + 2)) };

export const SWEEP = { targets: TARGETS, levels: [1, 10, 50], duration_s: 12 };

/** The cells of a target at a level, as a plan names them. */
export const side = (target, level = 50) => ({
  name: target,
  cells: [`tpch@1.${target}.base.analytics.k6.closed-${String(level).padStart(4, '0')}`],
});

export const asked = (sides, more = {}) => ({
  ...{ ask: `Which of ${sides.map(({ name }) => name).join(' and ')}?`, primary: true, metric: 'throughput' },
  ...{ kind: 'pair', dimension: 'target', where: {}, why: null, sides },
  ...more,
});

/** What is sent as planned. */
export const STEADY = { blockSd: 0, trialSd: 0.005 };

/** Two targets in the open model at half of their own peaks, 50 and 150 requests per second. */
/** Both targets at half of their own peak; with `became`, as where that is no whole rate of a low peak. */
export function halfOfThePeak(truth = {}, became = null) {
  const { folder } = analysed({ ...SWEEP, levels: [10] });
  const plan = JSON.parse(readFileSync(join(folder, 'plan.json'), 'utf8'));
  writeSyntheticRun(join(folder, 'phase-2'), {
    targets: { raw: (n) => n, pooled: (n) => n },
    levels: [50, 150],
    models: ['open'],
    duration_s: 10,
    ...truth,
  });
  const open = JSON.parse(readFileSync(join(folder, 'phase-2/plan.json'), 'utf8'));
  const own = { raw: 50, pooled: 150 };
  const sides = ['pooled', 'raw'].map((name) => ({
    name,
    cells: [`tpch@1.${name}.base.analytics.k6.open-${String(own[name]).padStart(4, '0')}`],
  }));
  const questions = [asked(sides, { metric: 'p95', where: { model: 'open', level: '50%' } })];
  for (const group of open.groups) {
    group.cells = group.cells
      .filter(({ target, level }) => own[target] === level)
      .map((cell) => ({ ...cell, share: became?.[cell.target] ?? '50%' }));
  }
  if (became) {
    const asIs = Object.fromEntries(sides.map(({ name, cells: [id] }) => [`${name} asked`, id]));
    writeFileSync(join(folder, 'phase-2/plan-open.json'), JSON.stringify({ groups: [], peaks: [], became: asIs }));
    for (const side of sides) side.cells = [`${side.name} asked`];
  }
  writeFileSync(join(folder, 'phase-2/plan.json'), JSON.stringify({ ...plan, groups: open.groups, questions }));
  return analyse(openRun(join(folder, 'phase-2')));
}

/** The tables of the first section, as text. */
export const tablesOf = (results) => JSON.stringify(figures(results, sectionsOf(results)[0]));

export const late = (summary) =>
  summary.cell.target === 'pooled' ? { ...summary, dispatch_lag_us: { mean: 5e6 } } : summary;
