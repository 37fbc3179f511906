import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cautions } from '../../scripts/analyse/cautions.js';
import { analysed, asked, SWEEP, side } from './lib/analysed.js';
import { honestTrial } from './lib/synthetic.js';

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
  const pairs = results.comparisons.map(({ numerator, denominator, maintenance: is }) => [
    [numerator, denominator].sort().join(' '),
    is && [is.cell.split('.')[1], is.trials, is.of],
  ]);
  assert.deepEqual(Object.fromEntries(pairs), {
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
  const caution = (pooled, raw, { environment = {}, others = { target: {} }, machine_count = 1 } = {}) => {
    const cores = { pooled, raw };
    const cells = results.cells.map((cell) => ({
      ...cell,
      resources: { cores: 2, machine_count, roles: { generator: { cpu_cores: cores[cell.target] ?? 0 }, ...others } },
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
  assert.equal(caution(0.76, 0.09, { machine_count: 2 }), undefined, 'pods on several machines');
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
    return cautions({ ...results, cells: changed }).find((text) => text.startsWith('In the last block'));
  };
  const all = cells.length;
  assert.match(
    caution(0.8),
    new RegExp(
      `throughput was 20 % lower than in the first \\(on average, and so in ${all} of ${all} rows\\), by chance or because the machine`,
    ),
  );
  assert.match(caution(1.25), /throughput was 25 % higher than in the first/);
  assert.equal(caution(0.95), undefined, 'less than a tenth');
  assert.equal(
    caution(0.3, (i) => i % 2 === 0),
    undefined,
    'half of the rows: of the targets, not of the machine',
  );
});

test('other programs beside the responder are told where nobody looked for them beside targets', () => {
  const { results } = analysed({ ...SWEEP, ceiling_rps: 20_000 });
  const caution = (unchecked) => {
    const seen = { check: 'other_programs', verdict: 'suspect', text: 'other programs used 1 core' };
    const cells = results.cells.map((cell) => ({
      ...cell,
      trials: cell.trials.map((trial) =>
        cell.calibration ? { ...trial, reasons: [seen] } : { ...trial, not_measured: unchecked },
      ),
    }));
    return cautions({ ...results, cells }).find((text) => text.startsWith('Other programs were at work'));
  };
  assert.match(caution(['other_programs']), /in (\d+) of \1 trials that calibrated the load generator/);
  assert.equal(caution(['asks']), undefined, 'they were looked for');
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
