import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { bottleneck, settled } from '../../scripts/analyse/bottleneck.js';
import { cautions } from '../../scripts/analyse/cautions.js';
import { compareRuns } from '../../scripts/analyse/compare.js';
import { csv } from '../../scripts/analyse/csv.js';
import { analyse } from '../../scripts/analyse/results.js';
import { openRun } from '../../scripts/analyse/run-folder.js';
import { judge } from '../../scripts/findings/objectives/find.js';
import { comparisonBlocks } from '../../scripts/report/comparison.js';
import { reading } from '../../scripts/report/markdown.js';
import { figures, sectionsOf } from '../../scripts/report/section.js';
import { schemas } from '../lib/schemas.js';
import { honestTrial, writeSyntheticRun } from './lib/synthetic.js';

const root = mkdtempSync(join(tmpdir(), 'analyse-'));
after(() => rmSync(root, { recursive: true }));

const { validatorOf, errorsText } = schemas();
const conforms = validatorOf('results');

let runs = 0;
function analysed(truth) {
  runs += 1;
  const folder = writeSyntheticRun(join(root, `run-${runs}`), truth);
  const results = analyse(openRun(folder));
  assert.ok(conforms(JSON.parse(JSON.stringify(results))), errorsText(conforms.errors));
  return { folder, results };
}

const TARGETS = { raw: () => 100, pooled: () => 300, rollup: (n) => 900 * (n / (n + 2)) };
const SWEEP = { targets: TARGETS, levels: [1, 10, 50], duration_s: 12 };

/** The cells of a target at a level, as a plan names them. */
const side = (target, level = 50) => ({
  name: target,
  cells: [`tpch@1.${target}.base.analytics.k6.closed-${String(level).padStart(4, '0')}`],
});
const asked = (sides, more = {}) => ({
  ...{ ask: `Which of ${sides.map(({ name }) => name).join(' and ')}?`, primary: true, metric: 'throughput' },
  ...{ kind: 'pair', dimension: 'target', where: {}, why: null, sides },
  ...more,
});

test('true ratios lie in the intervals; an answer says what was asked', () => {
  const { results } = analysed({
    ...{ ...SWEEP, blocks: 6, ceiling_rps: 20_000 },
    questions: [asked([side('pooled'), side('raw')]), asked([side('pooled'), side('raw')], { metric: 'p95' })],
  });
  assert.deepEqual(results.verdicts, { valid: 57, suspect: 0, invalid: 0, planned: 57, not_run: 0 });
  assert.equal(results.comparisons.length, 9);
  const found = results.comparisons.filter(({ throughput, numerator, denominator, level }) => {
    const truth = TARGETS[numerator](level) / TARGETS[denominator](level);
    assert.ok(Math.abs(throughput.ratio / truth - 1) < 0.08);
    return throughput.low <= truth && truth <= throughput.high;
  });
  assert.ok(found.length >= 7, `${found.length} of 9 intervals include the truth`);
  const [throughput, p95] = results.questions;
  const [, low, high] = throughput.text.match(
    /^With 50 users, a connection pool \(pooled\) served [\d.]+ times as many requests per second as a connection per request \(raw; 97.5 % interval ([\d.]+) to ([\d.]+)\)\.$/,
  );
  assert.ok(low <= 3 && high >= 3, throughput.text);
  assert.match(
    p95.text,
    /^With 50 users, the p95 of a connection pool was \d+(?:\.\d)? % lower than that of a connection per request \(97\.5 %/,
  );
  assert.deepEqual([throughput.confidence, throughput.claim, p95.claim], [0.975, true, true]);
  assert.equal(results.cells.find(({ id }) => id.includes('.raw.')).headroom > 150, true);
  const tested = results.comparisons.flatMap((entry) =>
    ['throughput', 'p50', 'p95', 'p99'].filter((key) => (entry[key]?.differs ?? null) !== null),
  );
  const byChance = results.cautions.find((text) => /^\d+ ratios/.test(text));
  assert.ok(byChance.startsWith(`${tested.length - 2} ratios`), `two of ${tested.length} were asked: ${byChance}`);
  assert.match(reading(results), /make 2 comparisons, so each of their intervals is a 97\.5 % interval/);
});

test('what most trials were too short for is a caution', () => {
  const short = analysed({ ...SWEEP, blocks: 3, duration_s: 4 }).results;
  const unchecked = (results) => results.cautions.find((text) => text.startsWith('Drift was not checked'));
  assert.match(unchecked(short), /in 27 of 27 trials: that needs 5 seconds or more/);
  const late = ({ cell, throughput_rps, status, users, lead_in, window }) => ({
    ...honestTrial({ ...cell, duration_s: 4 }, throughput_rps),
    ...{ cell, status, users: { ...users, answered_by_s: lead_in.seconds + 1 } },
    lead_in: { ...lead_in, seconds: lead_in.seconds + 1 },
    window: { ...window, start: new Date(Date.parse(window.start) + 1000).toISOString(), seconds: 4 },
  });
  const opened = analysed({ ...SWEEP, blocks: 3, duration_s: 5, mutate: late }).results;
  assert.match(unchecked(opened), /in 27 of 27 trials/, 'the window opened late');
  assert.equal(unchecked(analysed({ ...SWEEP, blocks: 3 }).results), undefined);
});

test('variants and databases can be asked about', () => {
  const cells = (database, variant) => [`${database}@1.raw.${variant}.analytics.k6.closed-0004`];
  const { results } = analysed({
    targets: { raw: (_level, { name }, database) => (name === 'slow' ? 100 : 200) * (database === 'durable' ? 1 : 3) },
    levels: [4],
    variants: ['base', 'slow'],
    databases: ['durable', 'careless'],
    questions: [
      asked(
        ['base', 'slow'].map((name) => ({ name, cells: cells('durable', name) })),
        { dimension: 'variant' },
      ),
      asked(
        ['careless', 'durable'].map((name) => ({ name, cells: cells(name, 'base') })),
        { dimension: 'database' },
      ),
    ],
  });
  const [variants, databases] = results.questions.map(({ text, context }) => `${text} ${context}`);
  assert.match(
    variants,
    /^With 4 users, a connection per request \(raw\) served .+ its variant slow \(.+\)\. Measured with .+, k6, durable scale 1\.$/,
  );
  assert.match(
    databases,
    /^With 4 users, careless served .+ as a server with durable commits \(.+\)\. Measured with .+, k6, a connection per request, scale 1\.$/,
  );
});

test('no claim is made of an interval that includes 1', () => {
  const { results } = analysed({
    ...{ ...SWEEP, targets: { one: () => 300, other: () => 302 }, trialSd: 0.1 },
    questions: [asked([side('one'), side('other')])],
  });
  const [{ claim, text }] = results.questions;
  assert.equal(claim, false);
  assert.match(
    text,
    /^With 50 users, no difference in requests per second was shown between one and other: the first over the second is .* a true difference of [\d.]+ % would be found in four such runs of five/,
  );
});

test('A/A: intervals include 1 about 95 times in 100', () => {
  const levels = Array.from({ length: 25 }, (_, i) => i + 1);
  const { results } = analysed({
    targets: { pooled: () => 500, raw: () => 300 },
    variants: ['base', 'again'],
    levels,
    blocks: 5,
    seed: 4,
  });
  const { throughput } = results.again.by_metric;
  assert.equal(throughput.comparisons, 50);
  assert.ok(throughput.hold_one >= 44, `${throughput.hold_one} of 50`);
  assert.ok(results.comparisons.every(({ kind, variant }) => kind === 'again' || variant === 'base'));
});

test('one block: ratios without interval, no claim', () => {
  const { results } = analysed({ ...SWEEP, blocks: 1, questions: [asked([side('pooled'), side('raw')])] });
  assert.ok(results.comparisons.every(({ throughput }) => throughput.low === null && throughput.differs === null));
  const [{ answered, claim, text }] = results.questions;
  assert.deepEqual([answered, claim, text], [false, false, 'No answer: one block has no interval.']);
  assert.ok(results.cautions.some((caution) => caution.startsWith('One block only')));
});

/** The caution that begins so, for a run in that environment. */
const cautionOf = (environment, beginning) =>
  cautions({
    ...{ cells: [], comparisons: [], reasons: [], not_measured: [], run: {} },
    ...{ verdicts: { planned: 1, not_run: 0 }, environment },
  }).find((text) => text.startsWith(beginning));

test('limits of the operating system that were too low are a caution, with the command that raises them', () => {
  const caution = (too_low) => cautionOf({ system_limits: { too_low } }, "The operating system's limits");
  assert.equal(caution([]), undefined);
  assert.equal(
    caution([{ limit: 'open_files.soft', text: 'wrk will hold 300 connections', command: 'ulimit -Sn 400' }]),
    "The operating system's limits were too low for the plan: wrk will hold 300 connections (`ulimit -Sn 400`).",
  );
});

test('a checkpoint in the trials of one side only stands beside the ratio, and is a caution', () => {
  const database = ({ cell }) => ({
    autovacuums: 1, // on both sides
    bgwriter: { buffers_checkpoint: cell.target === 'raw' && cell.block < 3 ? 80 : 0 },
  });
  const mutate = (summary) => ({ ...summary, database: database(summary) });
  const { results } = analysed({ ...SWEEP, levels: [10], mutate });
  const cell = 'tpch@1.raw.base.analytics.k6.closed-0010';
  for (const { numerator_cell, denominator_cell, maintenance } of results.comparisons) {
    const expected = [numerator_cell, denominator_cell].includes(cell)
      ? { is: 'checkpoint', cell, trials: 2, of: 3 }
      : null;
    assert.deepEqual(maintenance, expected);
  }
  assert.ok(
    results.cautions.some((text) =>
      text.includes(`checkpoint in 2 of 3 trials of analytics: raw with 10 users, tpch, and others`),
    ),
    results.cautions.join('\n'),
  );
});

test('a checkpoint in all trials of one side and in few of the other stands beside the ratio; a trial that was not counted hides nothing', () => {
  const written = { raw: [80, null, 80], pooled: [0, 1, 0], rollup: [80, 80, 0] };
  const mutate = (summary) => {
    const buffers_checkpoint = written[summary.cell.target][summary.cell.block - 1];
    return {
      ...summary,
      database: buffers_checkpoint === null ? null : { autovacuums: 0, bgwriter: { buffers_checkpoint } },
    };
  };
  const targets = Object.fromEntries(Object.keys(written).map((name, i) => [name, () => 100 * (i + 1)]));
  const { results } = analysed({ ...SWEEP, targets, levels: [10], mutate });
  const found = results.comparisons.map(({ numerator, denominator, maintenance: is }) => [
    [numerator, denominator].sort().join(' '),
    is && [is.cell.split('.')[1], is.trials, is.of],
  ]);
  assert.deepEqual(Object.fromEntries(found), {
    'pooled raw': ['raw', 2, 2],
    'pooled rollup': null,
    'raw rollup': null,
  });
});

test('an autovacuum that was seen at work counts, also where none had ended', () => {
  const mutate = (summary) => ({
    ...summary,
    database: { autovacuums: 0, bgwriter: { buffers_checkpoint: 0 } },
    resources: { autovacuum_workers_mean: summary.cell.target === 'raw' ? 0.4 : 0 },
  });
  const { results } = analysed({ ...SWEEP, levels: [10], mutate });
  const trials = (name) => results.cells.filter(({ target }) => target === name).flatMap((cell) => cell.trials);
  assert.deepEqual(
    trials('raw').map(({ maintenance }) => maintenance),
    Array(3).fill(['autovacuum']),
  );
  assert.ok(trials('pooled').every(({ maintenance }) => maintenance.length === 0));
  assert.ok(results.comparisons.some(({ maintenance }) => maintenance?.is === 'autovacuum'));
});

test('what was asked and not answered is none of the ratios that nobody asked for', () => {
  const { results } = analysed(SWEEP);
  const [{ numerator_cell, denominator_cell }] = results.comparisons;
  const comparisons = [{ numerator_cells: [numerator_cell], denominator_cells: [denominator_cell] }];
  const unasked = (questions) => Number(/^(\d+) ratios/m.exec(cautions({ ...results, questions }).join('\n'))[1]);
  assert.ok(unasked([]) > 20);
  assert.equal(unasked([{ answered: false, metric: 'throughput', comparisons }]), unasked([]) - 1);
});

test('a ceiling that is too near in most blocks is a caution, though the highest of all is not', () => {
  const { results } = analysed({ ...SWEEP, ceiling_rps: 20_000 });
  const cell = results.cells.find(({ target, level }) => target === 'rollup' && level === 50);
  const caution = (ceilings) => {
    const [own] = results.cells.filter(({ calibration, level }) => calibration && level === 50);
    const trials = cell.trials.map((trial, i) => ({
      ...own.trials[0],
      ...{ block: trial.block, throughput_rps: ceilings[i] * trial.throughput_rps },
    }));
    return cautions({
      ...results,
      cells: [
        { ...own, trials },
        { ...cell, headroom: 2.5 },
      ],
    }).find((text) => text.includes('in most blocks'));
  };
  assert.match(
    caution([1.8, 2.5, 1.9]),
    /^In 1 row \(analytics: rollup with 50 users, tpch\) the load generator may also be the limit/,
  );
  assert.equal(caution([1.8, 2.5, 2.6]), undefined);
});

test('a generator that takes much of the cores with one side of a question, and little with the other, is a caution', () => {
  const { results } = analysed({ ...SWEEP, questions: [asked([side('pooled'), side('raw')])] });
  const caution = (pooled, raw, { environment = {}, others = { target: {} } } = {}) => {
    const cores = { pooled, raw };
    const cells = results.cells.map((cell) => ({
      ...cell,
      resources: { cores: 2, roles: { generator: { cpu_cores: cores[cell.target] ?? 0 }, ...others } },
    }));
    return cautions({ ...results, cells, environment }).find((text) => text.includes('everything shared'));
  };
  assert.equal(
    caution(0.76, 0.09),
    'Of the 2 cores that everything shared, the load generator itself took 0.76 with pooled and 0.09 with raw (analytics, k6): that slows the faster target more, and the ratio may be larger where the generator has cores of its own.',
  );
  assert.equal(caution(0.4, 0.09), undefined);
  assert.equal(caution(null, 0.09), undefined);
  assert.equal(caution(0.09, 0.76), undefined, 'the slower lacks what the generator takes');
  assert.equal(caution(0.76, 0.09, { environment: { layout: 'pinned' } }), undefined);
  assert.equal(caution(0.76, 0.09, { others: {} }), undefined, 'a server on another machine');
});

test('a row whose throughput varied by half is a caution, which blames nothing else', () => {
  const { results } = analysed(SWEEP);
  const [cell, ...others] = results.cells.filter(({ calibration }) => !calibration);
  const caution = (max) =>
    cautions({ ...results, cells: [{ ...cell, throughput_rps: { median: 120, min: 100, max } }, ...others] }).find(
      (text) => text.startsWith('Throughput varied'),
    );
  assert.match(
    caution(180),
    new RegExp(`in 1 of ${others.length + 1} rows, most \\(by a factor of 1\\.8\\) in analytics: .+ users?, tpch\\.`),
  );
  assert.equal(caution(140), undefined);
});

test('a machine that slowed down during the run is a caution, and one that did not is none', () => {
  const { results } = analysed(SWEEP);
  const cells = results.cells.filter(({ calibration }) => !calibration);
  const blocks = Math.max(...cells[0].trials.map(({ block }) => block));
  const caution = (share, isSlowed = () => true) => {
    const late = (trial) =>
      trial.block === blocks ? { ...trial, throughput_rps: 100 * share } : { ...trial, throughput_rps: 100 };
    const changed = cells.map((cell, i) => ({
      ...cell,
      trials: cell.trials.map(isSlowed(i) ? late : (trial) => ({ ...trial, throughput_rps: 100 })),
    }));
    return cautions({ ...results, cells: changed }).find((text) => text.startsWith('From the first block'));
  };
  const all = cells.length;
  assert.match(
    caution(0.8),
    new RegExp(
      `throughput fell by 20 % \\(geometric mean of ${all} rows; it fell in ${all}\\): the machine, or what all targets share, became slower`,
    ),
  );
  assert.match(caution(1.25), /throughput rose by 25 % .+ became faster during the run/);
  assert.equal(caution(0.95), undefined, 'less than a tenth');
  assert.equal(
    caution(0.3, (i) => i % 2 === 0),
    undefined,
    'half of the rows: of the targets, not of the machine',
  );
});

test('suspect trials that all lie in one block are said to', () => {
  const { results } = analysed(SWEEP);
  const taken = { check: 'processor_taken', verdict: 'suspect', text: 'its host took processor time' };
  const caution = (isTaken, beginning) => {
    const marked = (trial) =>
      isTaken(trial) ? { ...trial, verdict: 'suspect', reasons: [taken] } : { ...trial, verdict: 'valid', reasons: [] };
    const cells = results.cells
      .filter(({ calibration }) => !calibration)
      .map((cell) => ({ ...cell, trials: cell.trials.map(marked) }));
    return cautions({ ...results, cells, environment: { machine: { container: 'kvm' } } }).find((text) =>
      text.includes(beginning),
    );
  };
  const inSecond = ({ block }) => block === 2;
  assert.match(
    caution(inSecond, 'suspect trial'),
    /\(processor time that the hypervisor took in \d+, of block 2 alone; /,
  );
  assert.match(
    caution(() => true, 'suspect trial'),
    /\(processor time that the hypervisor took in \d+; /,
  );
  assert.match(caution(inSecond, 'virtual machine'), /\(kvm\): its host took processor time from \d+ trials\.$/);
  assert.match(
    caution(() => false, 'virtual machine'),
    /may have interfered\.$/,
  );
});

test('a block that was interrupted is a caution, with for how long', () => {
  const { results } = analysed(SWEEP);
  const caution = (hours) => {
    const late = (trial) =>
      trial.block === 2
        ? { ...trial, started_at: new Date(Date.parse(trial.started_at) + hours * 3.6e6).toISOString() }
        : trial;
    const [cell, ...cells] = results.cells.filter(({ calibration }) => !calibration);
    return cautions({ ...results, cells: [{ ...cell, trials: cell.trials.map(late) }, ...cells] }).find((text) =>
      text.startsWith('Between two trials'),
    );
  };
  assert.equal(caution(0), undefined);
  assert.match(caution(9), /^Between two trials of block 2 lay 9 hours: the machine may have been another by then/);
  assert.match(caution(0.5), /^Between two trials of block 2 lay (29|30) minutes: /);
});

test('windows that opened late are a caution, with the shortest', () => {
  const told = (waited) => {
    const mutate = (summary) => {
      const { cell, window, lead_in } = summary;
      if (cell.target !== 'pooled' || cell.tool !== 'k6' || cell.level !== 10) return summary;
      const start = new Date(Date.parse(window.start) + waited * 1000).toISOString();
      const seconds = window.seconds - waited;
      return {
        ...summary,
        throughput_rps: summary.successes / seconds,
        window: { ...window, start, seconds },
        lead_in: { ...lead_in, seconds: lead_in.seconds + waited },
      };
    };
    const { results } = analysed({ ...SWEEP, mutate });
    return results.cautions.find((text) => text.includes('opened late'));
  };
  assert.equal(told(0), undefined);
  assert.match(
    told(1),
    /^\d+ windows opened late, .+: the most was lost where 11\.0 of 12 s were left \(.+pooled with 10 users.*\)\. /,
  );
});

test('runs that shared the machine are a caution', () => {
  for (const environment of [{}, { beside: [] }]) assert.equal(cautionOf(environment, 'Measured while'), undefined);
  assert.equal(
    cautionOf({ beside: [{ clone: '/a', run: 'smoke', pid: 2, since: '2026-11-20T10:15:00.000Z' }] }, 'Measured while'),
    'Measured while 1 other pglab run used the same machine (smoke): they slowed one another down.',
  );
});

test('a run whose cells have different numbers of blocks: curves and comparisons take those of all', () => {
  const folder = writeSyntheticRun(join(root, 'uneven'), { ...SWEEP, blocks: 6 });
  const file = join(folder, 'plan.json');
  const plan = JSON.parse(readFileSync(file, 'utf8'));
  for (const group of plan.groups)
    group.cells = group.cells.filter(({ level, block }) => level === 50 || block % 2 === 1);
  writeFileSync(file, JSON.stringify({ ...plan, groups: plan.groups.filter(({ cells }) => cells.length > 0) }));
  const { scaling, verdicts, comparisons, cells } = analyse(openRun(folder));
  assert.equal(verdicts.planned, 36);
  assert.deepEqual(cells.find(({ level, calibration }) => level === 10 && !calibration).blocks, [1, 3, 5]);
  assert.deepEqual(
    new Set(comparisons.map(({ level, throughput }) => `${level}: ${throughput.n}`)),
    new Set(['1: 3', '10: 3', '50: 6']),
  );
  assert.equal(scaling.find(({ target }) => target === 'rollup').knee.level, 50);
});

test('from 20 blocks a bootstrap stands beside', () => {
  const { results } = analysed({ ...SWEEP, levels: [10], blocks: 20 });
  assert.ok(
    results.comparisons.every(({ throughput }) => throughput.bootstrap.low > 1 && throughput.wilcoxon_p < 0.001),
  );
});

test('a single target: nothing to compare, everything else', () => {
  const { results } = analysed({ ...SWEEP, targets: { raw: () => 100 } });
  assert.deepEqual([results.comparisons, results.questions], [[], []]);
  assert.equal(results.cells.length, 3);
});

test('no usable trial: figures are null, verdicts remain', () => {
  const broken = (summary) => ({ ...summary, status: { ...summary.status, exit_code: 1 } });
  const { results } = analysed({ ...SWEEP, mutate: broken });
  assert.equal(results.verdicts.invalid, 27);
  assert.ok(
    results.cells.every((cell) => cell.throughput_rps === null && cell.latency_us === null && cell.trials.length === 3),
  );
  assert.deepEqual([results.comparisons, results.questions], [[], []]);
});

test('a level at which wrk had too few answers for a throughput has no ratio; the others say which is faster', () => {
  const { results } = analysed({
    ...SWEEP,
    targets: { raw: () => 100, pooled: () => 300 },
    tools: ['wrk'],
    levels: [1, 16],
    mutate: (summary) => (summary.cell.level === 16 ? { ...summary, throughput_rps: null, latency_us: null } : summary),
  });
  const ratios = results.comparisons.map(({ numerator, level, throughput }) => [numerator, level, throughput?.n]);
  assert.deepEqual(ratios, [
    ['pooled', 1, 3],
    ['pooled', 16, undefined],
  ]);
});

test('invalid trials are shown, never averaged or ranked; without their block nothing is claimed', () => {
  const broken = (summary) => {
    if (summary.cell.block !== 2 || summary.cell.target !== 'raw') return summary;
    return {
      ...summary,
      throughput_rps: 1e6,
      successes: 1e7,
      requests: 1e7,
      status: { ...summary.status, exit_code: 1 },
    };
  };
  const { results } = analysed({ ...SWEEP, mutate: broken, questions: [asked([side('pooled', 10), side('raw', 10)])] });
  const raw = results.cells.find(({ target, level }) => target === 'raw' && level === 10);
  assert.deepEqual([raw.trials.length, raw.trials_used], [3, 2]);
  assert.ok(raw.throughput_rps.max < 200);
  const { n, of, differs } = results.comparisons.find(({ denominator_cell }) => denominator_cell === raw.id).throughput;
  assert.deepEqual([n, of, differs], [2, 3, null]);
  assert.equal(results.questions[0].text, 'No answer: only 2 of 3 blocks have both sides.');
  assert.ok(results.cautions.some((text) => /^In \d+ comparisons some blocks are missing on one side\./.test(text)));
});

test('a target that fails exactly when it is slow wins nothing by it; its errors count towards the objective', () => {
  const slow = ({ cell: { block, target } }) => target === 'odd' && block > 3;
  const fails = (summary) =>
    slow(summary)
      ? {
          ...summary,
          errors: { total: summary.requests / 2, by_class: { status_5xx: 1 } },
          successes: summary.requests / 2,
        }
      : summary;
  const { results } = analysed({
    targets: { odd: () => 112, even: () => 100 },
    levels: [4],
    blocks: 5,
    duration_s: 20,
    mutate: fails,
  });
  const [{ throughput }] = results.comparisons;
  assert.deepEqual([throughput.n, throughput.of, throughput.differs], [3, 5, null]);
  const odd = results.cells.find(({ target }) => target === 'odd');
  assert.equal(odd.errors.share, 0);
  const { target, variant, workload, tool, model, level } = odd;
  const asked = { target, variant, workload, tool, model, level, operation: null, metric: 'error_share' };
  const [{ met, measured }] = judge([{ ...asked, must_be: 'below', limit: 0.001 }], results.cells);
  assert.equal(met, false);
  assert.ok(Math.abs(measured - 0.2) < 0.01, `${measured} of all requests failed`);
});

test('a trial with too few answers for a percentile leaves no ratio of it, however many the cell has', () => {
  const { results } = analysed({
    targets: { raw: () => 100, pooled: () => 300 },
    levels: [1],
    blocks: 4,
    duration_s: 5,
  });
  const [{ p50, p95, p99 }] = results.comparisons;
  assert.deepEqual([p50.of, p95.of, p99], [4, 4, null]); // 500 answers of raw in a trial; p99 takes 1,000
  assert.ok(results.cells.every(({ latency_us }) => latency_us.p99 !== null));
});

test('missing, damaged and incomplete summaries: invalid with the reason, or not run', () => {
  const gone = ({ cell }) => cell.block === 1 && cell.id === 'tpch@1.raw.base.analytics.k6.closed-0001';
  const { folder } = analysed({ ...SWEEP, mutate: (summary) => (gone(summary) ? null : summary) });
  const [first, second, third] = readdirSync(join(folder, 'cells/02')).map((id) =>
    join(folder, 'cells/02', id, 'summary.json'),
  );
  rmSync(first);
  writeFileSync(second, '{"schema": "summ');
  writeFileSync(third, JSON.stringify({ cell: {}, complete: false, window: null }));
  const { verdicts, reasons, not_run } = analyse(openRun(folder));
  assert.deepEqual(verdicts, { valid: 23, suspect: 0, invalid: 3, planned: 27, not_run: 1 });
  assert.deepEqual(not_run, ['01/tpch@1.raw.base.analytics.k6.closed-0001']);
  assert.deepEqual(reasons, [
    { check: 'summary', verdict: 'invalid', trials: 2 },
    { check: 'complete', verdict: 'invalid', trials: 1 },
  ]);
});

test('a summary of another plan, or of another run of the same plan, is invalid', () => {
  const { folder } = analysed({ ...SWEEP, levels: [10] });
  const provenance = (digit, run = 'synthetic') =>
    writeFileSync(join(folder, 'provenance.json'), JSON.stringify({ run, plan_hash: digit.repeat(64) }));
  provenance('a');
  assert.equal(analyse(openRun(folder)).verdicts.invalid, 0);
  provenance('b');
  const { verdicts, reasons } = analyse(openRun(folder));
  assert.deepEqual([verdicts.valid, reasons], [0, [{ check: 'summary', verdict: 'invalid', trials: 9 }]]);
  provenance('a', 'the-next-day');
  const { cells } = analyse(openRun(folder));
  assert.equal(cells[0].trials[0].reasons[0].text, 'summary.json is of another run, synthetic');
});

test('a summary of another trial is invalid, whoever put it there', () => {
  const { folder } = analysed({ ...SWEEP, levels: [10] });
  const place = (target, block) => join(folder, 'cells', `0${block}`, side(target, 10).cells[0], 'summary.json');
  const [raw, pooled] = [place('raw', 1), place('pooled', 1)].map((file) => readFileSync(file));
  writeFileSync(place('raw', 1), pooled);
  writeFileSync(place('raw', 2), raw);
  const { verdicts, cells } = analyse(openRun(folder));
  assert.equal(verdicts.invalid, 2);
  const [{ trials }] = cells.filter(({ target }) => target === 'raw');
  assert.deepEqual(
    trials.slice(0, 2).map(({ reasons }) => reasons[0].text),
    ['pooled', 'raw'].map((target) => `summary.json is of another trial, 01/${side(target, 10).cells[0]}`),
  );
});

test('processor time of a request is that of all that serve it, the load generator left out', () => {
  const timeOf = (roles) => {
    const watched = (summary) => {
      summary.resources = {
        roles: Object.fromEntries(Object.entries(roles).map(([name, cpu_cores]) => [name, { cpu_cores }])),
      };
      return summary;
    };
    const { results } = analysed({ ...SWEEP, levels: [10], mutate: watched });
    const [{ throughput_rps, cpu_us_per_request }] = results.cells.find(({ target }) => target === 'raw').trials;
    return cpu_us_per_request && (cpu_us_per_request * throughput_rps) / 1e6;
  };
  const cores = timeOf({ generator: 0.9, target: 0.25, cube: 1, postgres: 0.25, standby1: 0.1 });
  assert.ok(Math.abs(cores - 1.6) < 1e-3, `${cores}`);
  assert.equal(timeOf({ generator: 0.9, target: 0.25, cube: null, postgres: 0.25 }), null);
  assert.equal(timeOf({ generator: 0.9, target: 0.25 }), null, 'a database that nobody watched');
});

test('a row that measures the generator is marked, and its ratio is a lower bound', () => {
  const { results } = analysed({
    ...{ ...SWEEP, targets: { raw: () => 100, hello: () => 900 }, ceiling_rps: 1200 },
    questions: [asked([side('hello'), side('raw')])],
  });
  assert.equal(results.verdicts.suspect, 9);
  const [{ text, context }] = results.questions;
  assert.match(text, /hello served [\d.]+ times as many /);
  assert.match(context, /; k6 was near its own limit, so it may be more/);
  assert.ok(results.cautions.some((text) => text.includes('the load generator may be the limit')));
});

/** What is sent as planned. */
const STEADY = { blockSd: 0, trialSd: 0.005 };

/** Two targets in the open model at half of their own peaks, 50 and 150 requests per second. */
/** Both targets at half of their own peak; with `became`, as where that is no whole rate of a low peak. */
function halfOfThePeak(truth = {}, became = null) {
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

test('open cells meet at the same share of their own peaks', () => {
  const results = halfOfThePeak(STEADY);
  assert.deepEqual(
    results.comparisons.map(({ share, throughput, p95 }) => [share, throughput, p95.n]),
    [['50%', null, 3]],
  );
  const [{ text, context, title }] = results.questions;
  assert.match(
    text,
    /^Not claimed, as two equal targets may differ up to 1\.2 times at rates that were searched for: with each at 50 % of its own peak \(pooled at 150\/s, raw at 50\/s\), /,
  );
  assert.match(
    context,
    /; the interval is for these rates: a peak was searched to within 10 %, so that two equal targets may differ up to 1\.2 times\.$/,
  );
  assert.match(title, /^Not claimed: with each at 50 % of its own peak, /);
});

test('a share of a low peak that is no whole rate: the answer names what it became, or that the sides are apart', () => {
  const textOf = (became) => halfOfThePeak(STEADY, became).questions[0].text;
  assert.match(
    textOf({ raw: '44%', pooled: '44%' }),
    /^Not claimed, as two equal targets may differ up to 1\.1 times at rates that were searched for: with each at 44 % of its own peak \(pooled at 150\/s, raw at 50\/s\), /,
  );
  assert.equal(
    textOf({ raw: '44%' }),
    'No answer: the peaks are so low that their nearest whole rates are 50% and 44% of them.',
  );
});

/** The tables of the first section, as text. */
const tablesOf = (results) => JSON.stringify(figures(results, sectionsOf(results)[0]));

test('the rates stand beside a share, and what a search found in a table', () => {
  const place = { database: 'tpch', target: 'raw', variant: 'base', workload: 'analytics', tool: 'k6' };
  const peaks = [{ ...place, closed_rps: 120, rate_rps: 101, failed_rps: 109, probes: 7 }];
  const tables = tablesOf({ ...halfOfThePeak(), peaks });
  assert.match(tables, /"(pooled \/ raw|raw \/ pooled)","50% \((150 \/ 50|50 \/ 150)\)"/);
  assert.match(tables, /"raw",101,109,7/);
});

test('two runs at a share of peaks that each found for itself: the rates are said where they differ', () => {
  const before = halfOfThePeak();
  const after = structuredClone(before);
  const own = ({ cells }) => cells.find(({ target }) => target === 'raw');
  assert.deepEqual(compareRuns(before, after, 0.05).rates, []);
  own(after).level = 54;
  const comparison = compareRuns(before, after, 0.05);
  const { id } = own(after);
  assert.deepEqual(comparison.rates, [{ id, before: 50, after: 54 }]);
  assert.match(JSON.stringify(comparisonBlocks(comparison, [before, after], 0.05)), /open-0050 \(50\/s, then 54\/s\)/);
});

test('two runs, one by two load generators: it is said', () => {
  const before = halfOfThePeak();
  const after = structuredClone(before);
  const [, cell] = after.cells;
  cell.generators = 2;
  const comparison = compareRuns(before, after, 0.05);
  assert.deepEqual(comparison.shared, [{ id: cell.id, before: 1, after: 2 }]);
  assert.match(JSON.stringify(comparisonBlocks(comparison, [before, after], 0.05)), / \(1, then 2\)/);
});

const late = (summary) => (summary.cell.target === 'pooled' ? { ...summary, dispatch_lag_us: { mean: 5e6 } } : summary);

test('two runs, one with an open load that was not sent as planned: its p95 is lacking, no figure is worse or better', () => {
  const [sent, unsent] = [halfOfThePeak(STEADY), halfOfThePeak({ ...STEADY, mutate: late })];
  const { id } = sent.cells.find(({ target }) => target === 'pooled');
  const p95Of = ({ cells }) => cells.find((cell) => cell.id === id).p95;
  const comparison = compareRuns(sent, unsent, 0.05);
  assert.deepEqual([p95Of(comparison), comparison.lacking], [null, [{ id, metric: 'p95' }]]);
  assert.deepEqual([p95Of(compareRuns(unsent, sent, 0.05)), p95Of(compareRuns(unsent, unsent, 0.05))], [null, null]);
});

test('two runs, one with an open load of which one trial in ten was late: its p95 is compared', () => {
  const lateIn =
    (...blocks) =>
    (summary) =>
      blocks.includes(summary.cell.block) ? late(summary) : summary;
  const inTen = (mutate) => halfOfThePeak({ ...STEADY, blocks: 10, mutate });
  const sent = inTen();
  const { id } = sent.cells.find(({ target }) => target === 'pooled');
  const p95Of = ({ cells }) => cells.find((cell) => cell.id === id).p95;
  assert.ok(p95Of(compareRuns(sent, inTen(lateIn(3)), 0.05)) !== null);
  assert.equal(p95Of(compareRuns(sent, inTen(lateIn(3, 4)), 0.05)), null);
});

test('a ratio that was asked for and not answered has no star', () => {
  assert.match(tablesOf(halfOfThePeak(STEADY)), /\] \*"/);
  assert.doesNotMatch(tablesOf(halfOfThePeak({ ...STEADY, mutate: late })), /\] \*"/);
});

test('a target that sustained no rate is named, first of all', () => {
  const { folder } = analysed({ ...SWEEP, levels: [10] });
  const plan = JSON.parse(readFileSync(join(folder, 'plan.json'), 'utf8'));
  const cell = {
    database: 'tpch',
    target: 'raw',
    variant: 'base',
    workload: 'analytics',
    tool: 'k6',
    model: 'open',
    level: '50%',
  };
  writeFileSync(join(folder, 'plan.json'), JSON.stringify({ ...plan, open: [{ variant: { name: 'base' }, cell }] }));
  assert.deepEqual(analyse(openRun(folder)).unsustained, [], 'it was not planned yet');
  const { level: _, model: __, ...place } = cell;
  const peaks = [{ ...place, closed_rps: 50, rate_rps: null, failed_rps: 1, probes: 12 }];
  writeFileSync(join(folder, 'plan-open.json'), JSON.stringify({ groups: [], peaks }));
  const results = analyse(openRun(folder));
  assert.deepEqual(results.peaks, peaks);
  assert.deepEqual(results.unsustained, [
    { database: 'tpch', target: 'raw', variant: 'base', workload: 'analytics', tool: 'k6' },
  ]);
  assert.match(
    results.cautions[0],
    /^No figures of the open model, as no rate was found .+: raw \(analytics, k6, tpch\)\.$/,
  );
  writeFileSync(join(folder, 'plan-open.json'), JSON.stringify({ groups: [], peaks: [] }));
  assert.match(
    analyse(openRun(folder)).cautions[0],
    /, as they have no throughput in the closed one, .+: raw \(analytics, k6, tpch\)\.$/,
  );
});

test('an open load that was not sent as planned is no claim, whatever its interval says', () => {
  const [headline] = halfOfThePeak({ mutate: late }).questions;
  assert.match(headline.text, /cannot be compared: not every request was sent when it was due\.$/);
  assert.match(headline.context, /; some trials are marked: requests sent late/);
  assert.deepEqual([headline.claim, headline.answered], [false, false]);
});

test('the same files give the same results', () => {
  const { folder, results } = analysed(SWEEP);
  assert.deepEqual(analyse(openRun(folder)), results);
});

test('CSV: a row per trial, fields quoted where they must be', () => {
  const { results } = analysed({ ...SWEEP, targets: { raw: () => 100 } });
  results.cells[0].trials[0].reasons.push({ check: 'errors', text: 'one, "two"' });
  const lines = csv(results).trimEnd().split('\n');
  assert.equal(lines.length, 10);
  assert.ok(lines[0].startsWith('trial,database,scale,target'));
  assert.equal(lines[1].split(',')[lines[0].split(',').indexOf('latency_kind')], 'closed');
  assert.ok(lines[1].includes('"errors: one, ""two"""'));
});

test('what limited a cell is settled where all trials agree', () => {
  const overall = { is: 'pool', evidence: [{ is: 'pool', text: '1.2 requests waiting' }] };
  assert.equal(settled(overall, ['pool', 'pool', null]).is, 'pool');
  assert.deepEqual(settled(overall, ['pool', 'none', 'generator']), { ...overall, is: 'unsettled' });
  assert.equal(settled(null, [null]), null);
});

test('bottleneck: one rule explains before the next; null when nothing was watched', () => {
  const judged = (resources, headroom = 9) => bottleneck({ cell: { tool: 'k6' }, resources, headroom });
  const roles = (changes) => ({ cores: 2, roles: { generator: { cpu_cores: 0.4 }, ...changes }, host: {}, waits: {} });
  assert.equal(judged(null), null);
  assert.equal(judged(roles({})).is, 'none');
  assert.equal(judged(roles({}), 1.2).is, 'generator');
  assert.equal(judged(roles({ target: { pool_waiting_mean: 0.02 } })).is, 'none');
  assert.equal(judged(roles({ generator: { cpu_cores: 1.8 } })).is, 'generator');
  assert.equal(judged(roles({ target: { elu: 0.97, pool_waiting_mean: 12 } })).is, 'target');
  assert.deepEqual(
    judged(roles({ target: { elu: 0.5, pool_waiting_mean: 12 }, postgres: { cpu_cores: 1.8 } })).evidence.map(
      ({ is }) => is,
    ),
    ['database', 'pool'],
  );
  assert.equal(judged({ ...roles({}), waits: { 'active:Lock:tuple': 6 } }).is, 'lock');
  assert.equal(
    judged({ ...roles({}), waits: { 'active:LWLock:WALWrite': 6, 'idle:Client:ClientRead': 10 } }).is,
    'database',
  );
  const busy = (cores) => ({ ...roles(cores), host: { cpu_busy_share: 0.98 } });
  assert.equal(judged(busy({ postgres: { cpu_cores: 1.4 } })).is, 'database');
  assert.equal(judged(busy({ postgres: { cpu_cores: 0.5 }, target: { cpu_cores: 0.5 } })).is, 'host');
  assert.equal(judged(busy({ postgres: { cpu_cores: 1.4 }, target: { cpu_cores: null } })).is, 'host');
  assert.equal(judged({ cores: null, roles: { target: { elu: null } } }).is, 'none');
});

test('bottleneck: a role that is kept to some cores fills these, not the machine', () => {
  const judged = (roles) =>
    bottleneck({ cell: { tool: 'k6' }, resources: { cores: 8, roles, host: {}, waits: {} }, headroom: 9 });
  const used = (cpu_cores, cores_allowed, more) => ({ cpu_cores, cores_allowed, ...more });
  assert.deepEqual(judged({ target: used(0.4, 2, { elu: 0.4 }), postgres: used(2.9, 3) }), {
    is: 'database',
    evidence: [{ is: 'database', text: 'used 97 % of its 3 cores' }],
  });
  assert.equal(judged({ target: used(0.4, 2, { elu: 0.4 }), postgres: used(2.4, 3) }).is, 'none');
  assert.equal(judged({ target: used(0.4, 8, { elu: 0.4 }), postgres: used(2.9, 8) }).is, 'none');
  assert.equal(
    judged({ target: used(0.4, 2, { elu: 0.4 }), postgres: used(7.5, 128) }).is,
    'database',
    'of the 8 there are',
  );
  assert.equal(judged({ target: used(1.9, 2, { elu: null }), postgres: used(0.5, 3) }).is, 'target', 'a JVM');
  assert.equal(judged({ target: used(1.9, 2, { elu: 0.6 }), postgres: used(0.5, 3) }).is, 'none', 'Node says itself');
});
