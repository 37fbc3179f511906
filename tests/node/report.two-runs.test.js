import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { changes } from '../../scripts/report/changes.js';
import { reported, root, run, SWEEP } from './lib/reported.js';

const PUBLISHED = join(import.meta.dirname, '../../results/published');

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

test('compare: two runs of capacities, by these too, and what is said of a published one that replaces another', () => {
  const [before, after] = ['20261127-c5ba6255069a', '20261129-b6c264ccdd13'].map((folder) =>
    join(PUBLISHED, folder, 'amd-epyc-2-cores.capacity.json'),
  );
  const { status, stdout } = run('compare', before, after);
  assert.equal(status, 1);
  assert.match(stdout, /\*\*1 figure worse by more than 5 %.+ \(95 %, below\) 6 figures are worse\./);
  assert.match(
    stdout,
    /cube\.base\.analytics\.k6\.open-capacity \| 0\.62× \[0\.521, 0\.738\] \| 1,061 \| 658\.1 \| worse: capacity \|/,
  );
  assert.doesNotMatch(stdout, /At other rates/);
  assert.equal(run('compare', after, before).status, 0, 'more is no regression');
  const told = JSON.parse(readFileSync(after, 'utf8'));
  assert.match(
    JSON.stringify(changes(told, [JSON.parse(readFileSync(before, 'utf8'))])),
    /Of 18 figures that both have, 18 changed by more than 5 %: 6 with an interval that excludes 1, 0 with one that includes it, 12 without\./,
  );
  const other = (change, first = before) => {
    const file = join(root, 'other.json');
    const results = structuredClone(told);
    change(results.capacities.at(-1));
    writeFileSync(file, JSON.stringify(results));
    return run('compare', first, file);
  };
  const under = other((capacity) => {
    capacity.objective.text = 'p95<200ms, errors<1%';
  });
  assert.match(
    under.stdout,
    /\*\*1 cell of .+ not measured in .+\*\*: tpch@0\.01\.cube.+open-capacity \(p95.+100ms, errors.+1%\)\./,
    'under another objective',
  );
  const bounded = other(({ trials: [trial] }) => {
    trial.kind = 'at least';
  });
  const lacking =
    /\*\*1 figure that .+ has and .+ does not have or reach\*\*: capacity of tpch@0\.01\.cube\S+ \(.+, then .+\)\./;
  assert.match(bounded.stdout, lacking);
  const atLeast = (rate) => (capacity) => {
    capacity.trials[0].kind = 'at least';
    Object.assign(capacity.answer, { kind: 'at least', rate });
  };
  const [more, alike, less] = [
    [700, 900],
    [700, 690],
    [700, 500],
  ].map(([was, is]) => {
    const file = join(root, 'bound.json');
    const first = structuredClone(told);
    atLeast(was)(first.capacities.at(-1));
    writeFileSync(file, JSON.stringify(first));
    return other(atLeast(is), file);
  });
  assert.deepEqual([more.status, alike.status], [0, 0]);
  assert.deepEqual([less.status, lacking.test(less.stdout)], [1, true], 'less than it took at least before');
});
