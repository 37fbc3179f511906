import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { waitsChart } from '../../scripts/report/charts/bars.js';
import { secondsChart } from '../../scripts/report/charts/seconds.js';
import { inks } from '../../scripts/report/charts/style.js';
import { secondsOf, timeline } from '../../scripts/report/seconds.js';
import { faultsOf } from './lib/layout.js';
import { CORES, PANELS, writeRaw } from './lib/raw-seconds.js';
import { honestTrial } from './lib/synthetic.js';

const root = mkdtempSync(join(tmpdir(), 'report-seconds-'));
after(() => rmSync(root, { recursive: true }));

const CELL = { tool: 'k6', model: 'closed', level: 10, duration_s: 5, warmup_s: 1, warmup_argv: null };
const TRIAL = { reasons: [], maintenance: [] };

function trialIn(name, cell = {}, mutate = (summary) => summary) {
  const folder = join(root, name);
  const summary = mutate(honestTrial({ ...CELL, ...cell }, 60));
  mkdirSync(folder);
  writeFileSync(join(folder, 'summary.json'), JSON.stringify(summary));
  return { folder, summary };
}

const series = (value, steps) => Array.from({ length: steps }, () => value);

test('a trial by the second: what k6 and the sampler recorded, on the axis of the window', () => {
  const { folder, summary } = trialIn('watched');
  writeRaw(folder);
  const seconds = secondsOf(folder, summary, true);
  assert.deepEqual([seconds.step_s, seconds.rps.length, seconds.of], [1, 5, 2]);
  const degrees = `9006${'0'.repeat(12)}1`; // 50 answers in 1 ms, 9 in 2 ms, one in 40 ms
  assert.deepEqual(seconds.heat, { low: 30, most: 50, degrees: series(degrees, 5) });
  assert.deepEqual(seconds.pauses, [[1.4, 1.75]], 'the window opens a second after the load');
  assert.deepEqual(
    seconds.cores,
    Object.fromEntries(Object.entries(CORES).map(([role, cores]) => [role, series(cores, 5)])),
  );
  assert.deepEqual(Object.keys(seconds.waits), ['CPU', 'IO: WALSync'], 'idle sessions wait for their clients');
  assert.deepEqual(seconds.waits['IO: WALSync'], series(1, 5));
  assert.deepEqual(seconds.autovacuum, [3]);
  const ofPods = (machines) => secondsOf(folder, { ...summary, resources: { cores: 4, machines } }, true).of;
  assert.deepEqual([ofPods([{}]), ofPods([{}, {}])], [4, null], 'roles on several machines share no cores');
});

test('without raw files, and where many trials leave no room, the seconds of summary.json remain', () => {
  const { folder, summary } = trialIn('plain');
  assert.deepEqual(Object.keys(secondsOf(folder, summary, false)), ['step_s', 'rps', 'p95_us']);
  assert.deepEqual(Object.keys(secondsOf(folder, summary, true)), ['step_s', 'rps', 'p95_us', 'p50_us', 'in_flight']);
});

test('wrk tells no seconds: processor and waits alone, and nothing where they were not read', () => {
  const { folder, summary } = trialIn('wrk');
  writeRaw(folder);
  rmSync(join(folder, 'raw.k6.ndjson'));
  const wrk = { ...summary, timeline: null, lead_in: null, window: { ...summary.window, start: null } };
  const seconds = secondsOf(folder, wrk, true);
  assert.deepEqual(Object.keys(seconds), ['step_s', 'of', 'cores', 'waits']);
  assert.deepEqual(seconds.cores.target, series(0.5, 5));
  rmSync(join(folder, 'sampler.ndjson'));
  assert.equal(secondsOf(folder, wrk, true), null);
});

test('a role of several processes is not drawn, nor a step of which less than half was watched; long trials are thinned', () => {
  const { folder, summary } = trialIn('long', { duration_s: 150 });
  writeRaw(folder, { vacuum: [] });
  const { step_s, ...seconds } = secondsOf(folder, summary, true);
  assert.equal(step_s, 3);
  for (const steps of [seconds.rps, seconds.in_flight, seconds.heat.degrees, seconds.cores.target, seconds.waits.CPU])
    assert.equal(steps.length, 50);
  assert.equal(seconds.heat.most, 150);
  assert.deepEqual(seconds.cores.target, series(0.5, 50));
  const line = (at, pid, cpu_s) =>
    JSON.stringify({
      t: new Date(Date.parse(summary.window.start) + at * 1000),
      roles: { a: { pid: 1, cpu_s: at }, b: { pid, cpu_s } },
    });
  writeFileSync(
    join(folder, 'sampler.ndjson'),
    [line(0, 1, 0), line(1, 2, 1), line(2, 2, 2), line(3, 2, 3)].join('\n'),
  );
  const { cores } = secondsOf(folder, summary, true);
  assert.deepEqual(Object.keys(cores), ['a']);
  assert.deepEqual(cores.a.slice(0, 2), [1, null]);
});

const LOOKS = [
  { theme: 'light', width: 800 },
  { theme: 'dark', width: 800 },
  { theme: 'light', width: 330 },
];
const MARKED = {
  reasons: [
    { check: 'paused', verdict: 'suspect' },
    { check: 'headroom', verdict: 'suspect' },
    { check: 'frozen', verdict: 'invalid' },
  ],
  maintenance: ['checkpoint'],
};

test('the picture of a trial: a panel for each, marks where they belong, and no text that covers another', async () => {
  const { folder, summary } = trialIn('drawn', {}, (all) => ({
    ...all,
    timeline: all.timeline.map((second) => ({
      ...{ ...second, requests: 220, p50_us: 1000, p95_us: 2000 },
      ...(second.t_s === 4 ? { answers: 3, errors: 3 } : {}),
    })),
  }));
  writeRaw(folder);
  const seconds = secondsOf(folder, summary, true);
  for (const look of LOOKS) {
    const spec = secondsChart(MARKED, seconds, { look });
    assert.deepEqual(
      spec.vconcat.map(({ title }) => title.text),
      PANELS,
    );
    const [bars, names] = spec.vconcat[0].layer.map(({ data }) => data.values);
    assert.deepEqual(
      names.map(({ text }) => text),
      [
        'paused (suspect)',
        'headroom (suspect)',
        'frozen (invalid)',
        'errors',
        'autovacuum',
        'checkpoint, at some time',
      ],
    );
    assert.deepEqual(
      bars.map(({ from, to }) => [from, to]),
      [
        [1.4, 1.75],
        [0, 5],
        [4, 5],
        [4, 5],
        [3, 4],
        [0, 5],
      ],
    );
    assert.deepEqual(await faultsOf(spec, inks(look).ground), []);
  }
});

test('the picture of what was recorded in part, or not at all', async () => {
  const { folder, summary } = trialIn('part');
  const [look] = LOOKS;
  const seconds = secondsOf(folder, summary, true);
  const titles = secondsChart(TRIAL, seconds, { look }).vconcat.map(({ title }) => title.text);
  assert.deepEqual(titles, ['Answers per second', 'In flight']);
  assert.deepEqual(await faultsOf(secondsChart(TRIAL, seconds, { look })), []);
  assert.equal(secondsChart(TRIAL, { step_s: 1 }, { look }), null);
});

test('what sessions wait for, by target: the most frequent by name, those that were idle left out', async () => {
  const cell = (target, waits) => ({ target, variant: 'base', resources: { waits } });
  const many = Object.fromEntries(Array.from({ length: 7 }, (_, i) => [`active:LWLock:Lock${i}`, 1 + i]));
  const cells = [
    cell('raw', { 'active:CPU': 9, 'idle:Client:ClientRead': 20 }),
    cell('pooled', many),
    cell('cube', null),
  ];
  for (const look of LOOKS) {
    const spec = waitsChart(cells, { look });
    const { values } = spec.vconcat[0].layer[0].data;
    const sessions = Object.fromEntries(
      values.filter(({ series: of }) => of === 'pooled').map(({ role, use }) => [role, use]),
    );
    assert.deepEqual(sessions, {
      'LWLock: Lock6': 7,
      'LWLock: Lock5': 6,
      'LWLock: Lock4': 5,
      'LWLock: Lock3': 4,
      other: 6,
    });
    assert.ok(values.some(({ series: of, role, use }) => of === 'raw' && role === 'CPU' && use === 9));
    assert.deepEqual(await faultsOf(spec, inks(look).ground), []);
  }
  assert.equal(waitsChart([cell('raw', { 'idle:Client:ClientRead': 3 })], { look: LOOKS[0] }), null);
});

test('long timelines are thinned, percentiles in them never averaged', () => {
  const seconds = Array.from({ length: 120 }, (_, t_s) => ({ t_s, requests: 200, errors: 1, p95_us: t_s }));
  const { step_s, rps, p95_us } = timeline(seconds);
  assert.deepEqual([step_s, rps.length, rps[0], p95_us[0], p95_us[59]], [2, 60, 199, 1, 119]);
  assert.deepEqual(timeline([{ requests: 199, errors: 0, p95_us: 5 }]).p95_us, [], 'fewer than ten answers beyond it');
});
