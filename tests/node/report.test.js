import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { spreadLabels, valueScale } from '../../scripts/report/charts/scales.js';
import { duration, rate, ratio, share, table } from '../../scripts/report/format.js';
import { palette } from '../../scripts/report/palette.js';
import { writeSyntheticRun } from './lib/synthetic.js';

const scripts = join(import.meta.dirname, '../../scripts');
const root = mkdtempSync(join(tmpdir(), 'report-'));
after(() => rmSync(root, { recursive: true }));

function run(script, ...args) {
  const { status, stdout, stderr } = spawnSync(join(scripts, `${script}.sh`), args, { encoding: 'utf8' });
  return { status, stdout, stderr };
}

const SWEEP = {
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
function reported(name, truth) {
  const folder = writeSyntheticRun(join(root, name), truth);
  for (const script of ['stages/analyse', 'stages/report']) {
    const { status, stderr } = run(script, folder);
    assert.equal(status, 0, stderr);
  }
  return { folder, text: readFileSync(join(folder, 'report.md'), 'utf8') };
}

/** The Markdown between a section's heading and the next. */
const sectionOf = (text, heading) => text.split(/^## /m).find((part) => part.startsWith(heading));

test('a whole run: findings, tables, charts, cautions', () => {
  const { folder, text } = reported('whole', { ...SWEEP, ceiling_rps: 3000 });
  assert.match(
    text,
    /\n## What does a rollup gain\?\n\n\*\*With 100 users, the rollup served [\d.]+ times as many requests per second as a connection per request \(raw; 95 % interval [\d.]+ to [\d.]+\)\.\*\* Measured with analytics/,
  );
  assert.match(text, /Load generator, target and database share 2 cores/);
  assert.match(text, /In \d+ rows? the load generator may be the limit, not the target\*\*/);
  assert.ok(!text.includes('p(95)='), 'each percentile stands once');
  assert.match(
    text,
    /\nSCALE=\S+ scripts\/stack\.sh up raw tpch\n# or SCALE=\S+ scripts\/stack\.sh up rollup tpch\n.*k6 run -e vus=1 -e duration=5s k6\/analytics\.js\n.+vus=10 /,
  );
  assert.match(text, /highest, answers\/s.+\n.+\n(\| .+\n)*\| \w+ \| [\d,.]+ \| \d+ or more \|/);
  assert.match(text, /\| rollup \/ raw \| 100 \| [\d.]+× \[[\d., ]+\] \* \|/, 'what was asked');
  assert.equal(text.match(/\] \*/g).length, 1, 'and nothing else');
  assert.doesNotMatch(text, /primary questions make/);
  assert.deepEqual(
    readdirSync(join(folder, 'charts')).sort(),
    ['answer-1', 'tpch.analytics.k6', 'tpch.analytics.wrk'].flatMap((name) => [`${name}.png`, `${name}.svg`]),
  );
  for (const line of text.matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)) assert.ok(existsSync(join(folder, line[1])), line[1]);
  const png = readFileSync(join(folder, 'charts/tpch.analytics.k6.png'));
  assert.equal(png.subarray(1, 4).toString(), 'PNG');
  assert.ok(png.readUInt32BE(16) > 1800, 'twice the size');
});

test('the same load by hand brings up each variant with its settings', () => {
  const variants = ['base', { name: 'express', env: { FRAMEWORK: 'express', JDK_JAVA_OPTIONS: '-Xms1g -Xmx1g' } }];
  const { text } = reported('variants', {
    ...SWEEP,
    targets: { raw: () => 60 },
    levels: [1],
    tools: ['k6'],
    variants,
    questions: [],
  });
  assert.match(
    text,
    /\nSCALE=\S+ scripts\/stack\.sh up raw tpch\n# or FRAMEWORK=express JDK_JAVA_OPTIONS='-Xms1g -Xmx1g' SCALE=\S+ scripts\/stack\.sh up raw tpch\n/,
  );
});

test('percentiles of wrk and k6 never share a table', () => {
  const { text } = reported('two-tools', SWEEP);
  for (const part of text.split(/^## /m)) assert.ok(!(/\| users \|/.test(part) && /\| HTTP connections \|/.test(part)));
  assert.match(sectionOf(text, 'analytics, wrk'), /never compare them with those of k6/);
});

test('no usable trial, one block, a single target: a report all the same, with a plain line', () => {
  const broken = (summary) => ({ ...summary, status: { ...summary.status, exit_code: 1 } });
  assert.match(reported('broken', { ...SWEEP, mutate: broken }).text, /No usable trial, so no result/);
  assert.match(
    reported('one-block', { ...SWEEP, blocks: 1 }).text,
    /What does a rollup gain\? No answer: one block has no interval\./,
  );
  assert.match(
    reported('alone', { ...SWEEP, targets: { raw: () => 60 }, levels: [10], questions: [] }).text,
    /The experiment asks no question, so nothing is claimed/,
  );
});

test('an invalid trial is named with its reason, and its figure is in no median', () => {
  const broken = (summary) =>
    summary.cell.block === 1 ? { ...summary, status: { ...summary.status, timed_out: true } } : summary;
  const { text } = reported('timed-out', { ...SWEEP, mutate: broken });
  assert.match(text, /exit_status: the tool was stopped at its time limit/);
  assert.match(text, /\| 2 of 3 \|/);
});

test('a damaged run folder: one line, exit 2, nothing deleted', () => {
  const { folder } = reported('damaged', SWEEP);
  const before = readdirSync(folder).sort();
  writeFileSync(join(folder, 'plan.json'), '{"groups": [');
  for (const [script, args] of [
    ['stages/analyse', [folder]],
    ['stages/analyse', [join(root, 'absent')]],
    ['stages/report', [join(root, 'absent')]],
  ]) {
    const { status, stderr } = run(script, ...args);
    assert.equal(status, 2);
    assert.match(stderr, /^error: .+\n$/);
  }
  assert.deepEqual(readdirSync(folder).sort(), before);
  mkdirSync(join(root, 'empty'));
  assert.match(
    run('stages/report', join(root, 'empty')).stderr,
    /is missing: \.\/run-all-tests\.sh --resume .* --from analyse /,
  );
  writeFileSync(join(root, 'empty/results.json'), '{"schema": "results/1"}');
  const { status, stderr } = run('compare', folder, join(root, 'empty'));
  assert.deepEqual([status, stderr.trim().split('\n').length], [2, 1], stderr);
});

test('compare --html takes the place of no measurement, and says at once what cannot be written', () => {
  const { folder } = reported('kept', SWEEP);
  const file = join(folder, 'results.json');
  const before = readFileSync(file, 'utf8');
  for (const page of [file, root, join(root, 'nowhere/page.html')]) {
    const { status, stdout, stderr } = run('compare', '--html', page, folder, file);
    assert.deepEqual([status, stdout, stderr.trim().split('\n').length], [2, '', 1], stderr);
  }
  assert.equal(readFileSync(file, 'utf8'), before);
});

test('usage: exit 64', () => {
  for (const [script, ...args] of [
    ['stages/analyse'],
    ['stages/report'],
    ['compare', root],
    ['compare', '--threshold', 'much', root, root],
    ['compare', '--what', root, root],
    ['compare', '--html'],
  ]) {
    assert.equal(run(script, ...args).status, 64, script);
  }
  assert.equal(run('compare', '--help').status, 0);
});

test('compare: a slower run is a regression, the same run again is none, a changed environment is reported', () => {
  const options = { ...SWEEP, tools: ['k6'], blocks: 5, blockSd: 0.02 };
  const { folder: before } = reported('before', options);
  const { folder: same } = reported('same', { ...options, seed: 9 });
  const { folder: slower } = reported('slower', {
    ...options,
    targets: { ...options.targets, raw: () => 500 },
    seed: 9,
  });
  const page = join(root, 'compared.html');
  const calm = run('compare', '--html', page, before, same);
  assert.equal(calm.status, 0, calm.stdout);
  assert.equal(calm.stderr, `page: ${page}\n`);
  const html = readFileSync(page, 'utf8');
  assert.match(
    html,
    /<h1>same against before<\/h1>\n<p>No figure .+<\/p>\n<figure class="paper"><img src="data:image\/svg\+xml;base64,/,
  );
  assert.equal(html.match(/<tr><td>tpch@1/g).length, calm.stdout.match(/^\| tpch@1/gm).length);
  assert.ok(!/(src|href)="(?!data:|#)/.test(html), 'nothing is fetched');
  assert.doesNotMatch(calm.stdout, /suspect/);
  const marked = JSON.parse(readFileSync(join(before, 'results.json'), 'utf8'));
  marked.cells.find(({ calibration }) => !calibration).trials[0].verdict = 'suspect';
  writeFileSync(join(root, 'marked.json'), JSON.stringify(marked));
  assert.match(run('compare', join(root, 'marked.json'), same).stdout, /\*\*1 trial of before is suspect\*\*/);
  const worse = run('compare', before, slower);
  assert.equal(worse.status, 1);
  assert.match(
    worse.stdout,
    /raw\.base\.analytics\.k6\.closed-0050 \| 0\.8\d+× \[[\d.]+, [\d.]+\] \| [56]\d\d[\d.]* \| [45]\d\d[\d.]* \| .* worse: throughput/,
  );
  assert.ok(!/rollup.*worse/.test(worse.stdout));
  assert.equal(run('compare', '--threshold', '50', before, slower).status, 0);
  assert.equal(run('compare', slower, before).status, 0, 'faster is no regression');
  const results = JSON.parse(readFileSync(join(same, 'results.json'), 'utf8'));
  results.environment.databases.tpch.settings.shared_buffers = '2GB';
  writeFileSync(join(same, 'results.json'), JSON.stringify(results));
  const other = run('compare', before, join(same, 'results.json'));
  assert.match(other.stderr, /environments differ: databases\.tpch\.settings\.shared_buffers: "1GB" -> "2GB"/);
  assert.match(other.stdout, /The environments differ/);
  const { folder: fewer } = reported('fewer', { ...options, targets: { raw: options.targets.raw } });
  const less = run('compare', before, fewer);
  assert.equal(less.status, 1, 'the second run lacks cells');
  assert.match(less.stdout, /\*\*4 cells of .+ not measured in .+\*\*: tpch@1\.rollup/);
  assert.equal(run('compare', fewer, before).status, 0, 'more cells are no regression');
});

test('compare: no all-clear for a run of which trials are missing or invalid', () => {
  const options = { ...SWEEP, tools: ['k6'], blocks: 3 };
  const { folder: whole } = reported('whole', options);
  const without = (name, blocks) =>
    reported(name, {
      ...options,
      mutate: (summary) =>
        summary.cell.target === 'raw' && summary.cell.level === 50 && blocks.includes(summary.cell.block)
          ? null
          : summary,
    }).folder;
  for (const [folder, left] of [
    [without('some', [2]), '2 of 3'],
    [without('none', [1, 2, 3]), '0 of 3'],
  ]) {
    const { status, stdout } = run('compare', whole, folder);
    assert.equal(status, 1, stdout);
    assert.match(
      stdout,
      new RegExp(`fewer usable trials than before.*raw\\.base\\.analytics\\.k6\\.closed-0050 \\(${left}\\)`),
    );
    assert.equal(run('compare', folder, whole).status, 0, 'more trials are no fault');
  }
});

test('compare: a figure that the second run has no more is named, and no all-clear', () => {
  const options = { ...SWEEP, tools: ['k6'], blocks: 3 };
  const { folder: quick } = reported('with-figures', options);
  const { folder: slow } = reported('without-figures', {
    ...options,
    targets: { ...options.targets, raw: (users) => (users === 50 ? 5 : options.targets.raw(users)) },
  });
  const { status, stdout } = run('compare', quick, slow);
  assert.equal(status, 1, stdout);
  assert.match(
    stdout,
    /1 figure that with-figures has and without-figures does not.*p95 of \S+raw\.base\.analytics\.k6\.closed-0050/,
  );
  assert.equal(run('compare', slow, quick).status, 0, 'more figures are no fault');
});

test('compare: a single trial on either side has no verdict', () => {
  const { folder: a } = reported('single-a', { ...SWEEP, blocks: 1 });
  const { folder: b } = reported('single-b', { ...SWEEP, blocks: 1, targets: { raw: () => 590, rollup: () => 700 } });
  const { status, stdout } = run('compare', a, b);
  assert.equal(status, 0);
  assert.match(stdout, /no interval, and no verdict/);
});

test('figures as people write them', () => {
  assert.deepEqual([214.4, 170_520, 1_631_000].map(duration), ['214 µs', '171 ms', '1.63 s']);
  assert.deepEqual([4.591, 147.603, 1730.4].map(rate), ['4.59', '147.6', '1,730']);
  assert.deepEqual([0, 0.00123, null].map(share), ['0', '0.12 %', '–']);
  assert.equal(ratio({ ratio: 1.01, low: 0.9, high: 1.13, differs: false }), '~ 1.01× [0.9, 1.13]');
  assert.equal(ratio({ ratio: 0.95, low: 0.912, high: 0.99961, differs: true }), '0.95× [0.912, 0.9996]');
  assert.equal(ratio({ ratio: 0.00086, low: 0.000698, high: 0.00106, differs: true }), '1/1,160 [1/1,430, 1/943]');
  assert.equal(ratio({ ratio: 1.05, low: 1.00039, high: 1.1, differs: true }), '1.05× [1.0004, 1.1]');
  assert.equal(table(['a', '>b'], [['x|y', 1]]), '| a | b |\n| :-- | --: |\n| x\\|y | 1 |');
});

test('labels at the ends of lines keep apart and stay in the panel', () => {
  for (const places of [[10, 10, 10], [0, 3, 300], [299, 298, 1, 150], [20, 5, 40, 60, 3], [100]]) {
    const moved = spreadLabels(places, 16, 300);
    const sorted = moved.toSorted((a, b) => a - b);
    assert.ok(
      sorted.every((place, i) => place >= 8 && place <= 292 && (i === 0 || place - sorted[i - 1] >= 15.99)),
      String(moved),
    );
  }
  assert.deepEqual(spreadLabels([100, 200], 16, 300), [100, 200]);
});

test('axes: logarithmic where values are far apart, else from zero', () => {
  assert.equal(valueScale([5, 2000]).type, 'log');
  assert.deepEqual(valueScale([50, 101]).domain, [0, 125]);
  assert.deepEqual(valueScale([5, 2000]).values, [5, 100, 2000]);
});

test('a palette gives each series its own colour, the same whatever the order', () => {
  const names = ['raw', 'pooled', 'rollup', 'cube', 'fastify'];
  const colours = palette(names);
  assert.equal(new Set([...colours.values()].map(({ colour }) => colour)).size, names.length);
  assert.deepEqual(palette(names.toReversed()), colours);
});

test('a target has one colour in all charts; variants of it differ in shape and dash', () => {
  const of = (...names) => palette(names);
  assert.equal(of('pooled', 'raw').get('raw').colour, of('cube', 'raw', 'rollup').get('raw').colour);
  const [base, close] = ['pooled', 'pooled (close)'].map((name) => of('pooled', 'pooled (close)').get(name));
  assert.equal(base.colour, close.colour);
  assert.notEqual(base.shape, close.shape);
  assert.notDeepEqual(base.dash, close.dash);
  const all = of(...Array.from({ length: 20 }, (_, i) => `target-${i}`));
  assert.ok(new Set([...all.values()].map(({ colour }) => colour)).size <= 8, 'never more than eight');
});
