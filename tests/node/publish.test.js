import assert from 'node:assert/strict';
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { machineName } from '../../scripts/report/machine.js';
import { catalogueFaults, listPublished, readCatalogue, writeCatalogue } from '../../scripts/report/published.js';
import { analysed, git, place, published, readme, root, run } from './lib/publishing.js';

test('a plan that was edited after the run is not published: its questions may follow the answers', () => {
  const folder = analysed('edited');
  const file = join(folder, 'plan.json');
  const plan = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify({ ...plan, questions: [] }));
  assert.equal(run('stages/analyse', folder).status, 0);
  const { status, stderr } = run('publish', folder);
  assert.equal(status, 2);
  assert.match(stderr, /plan\.json is not the plan that was measured/);
  assert.equal(existsSync(published), false);
});

test('nor is one whose environment was edited', () => {
  const folder = analysed('elsewhere');
  const file = join(folder, 'environment.json');
  const environment = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify({ ...environment, beside: [] }));
  assert.equal(run('stages/analyse', folder).status, 0);
  assert.doesNotMatch(run('publish', folder).stderr, /environment/, 'who ran beside is noted as the run goes on');
  rmSync(published, { recursive: true });
  writeFileSync(file, JSON.stringify({ ...environment, machine: { cpu: 'faster' } }));
  assert.equal(run('stages/analyse', folder).status, 0);
  const { status, stderr } = run('publish', folder);
  assert.equal(status, 2);
  assert.match(stderr, /environment\.json is not the one that was noted when the run was measured/);
  assert.equal(existsSync(published), false);
});

test('an edited results.json, a commit that is none, and a run that options narrowed are refused', () => {
  const folder = analysed('edited');
  const refuses = (file, change, why) => {
    const path = join(folder, file);
    const before = existsSync(path) ? readFileSync(path, 'utf8') : '{}';
    writeFileSync(path, change(before));
    const { status, stderr } = run('publish', folder);
    writeFileSync(path, before);
    assert.deepEqual([status, why.test(stderr)], [2, true], stderr);
  };
  refuses(
    'results.json',
    (text) => text.replace(/"median":[\d.]+/, '"median":99999'),
    /is not what the run's other files give/,
  );
  refuses(
    'results.json',
    (text) => text.replace('b'.repeat(40), '../../../x'),
    /names "\.\.\/\.\.\/\.\.\/x" as its commit/,
  );
  refuses(
    'options.json',
    () => '{"levels": [16], "blocks": 2, "targets": null}',
    /was run with --levels and --blocks: publish a run of the whole experiment/,
  );
});

test('what is published is never rewritten, and replaced only for a reason', () => {
  const first = analysed('first');
  assert.equal(run('publish', first).status, 0);
  const file = join(published, `${place('b')}.json`);
  const before = readFileSync(file);
  const refused = (pattern, ...args) => {
    const { status, stderr } = run('publish', ...args);
    assert.equal(status, 2);
    assert.match(stderr, pattern);
    assert.equal(stderr.trim().split('\n').length, 1);
  };
  refused(/^error: .+published already/, first);
  const later = analysed('later', { seed: 2, measured: git('d') });
  refused(/is the current synthetic on synthetic-2-cores; say why .+--supersedes "REASON"/, later);
  assert.equal(run('publish', later, '--supersedes', 'A quieter machine.').status, 0);
  const again = analysed('again', { seed: 3, measured: git('d') });
  refused(/of the same day and commit/, again, '--supersedes', 'Faster.');
  refused(
    /not measured from a clean commit/,
    analysed('dirty', { seed: 4, measured: git('e', true) }),
    '--supersedes',
    'x',
  );
  refused(
    /there is no second on synthetic-2-cores to supersede/,
    analysed('other', { seed: 5, experiment: 'second' }),
    '--supersedes',
    'x',
  );
  assert.deepEqual(readFileSync(file), before);
  assert.deepEqual(readCatalogue(published).at(-1), {
    experiment: 'synthetic',
    machine: 'synthetic-2-cores',
    current: place('d'),
    supersedes: [{ result: place('b'), why: 'A quieter machine.' }],
  });
  const text = readFileSync(readme, 'utf8');
  assert.match(text, new RegExp(`${place('d')}/post\\.md`), 'the README shows the current one');
  assert.match(text, / A run of 2026-01-05 agrees \(ratio [\d.]+, 95 % interval [\d.]+ to [\d.]+\)\./);
  assert.match(readFileSync(join(published, place('d'), 'post.md'), 'utf8'), /A run of 2026-01-05 agrees/);
  const details = readFileSync(join(published, place('d'), 'details.md'), 'utf8');
  const [of, changed, ...kinds] =
    /which this run replaces\n\nOf (\d+) figures that both have, (\d+) changed by more than 5 %: (\d+) with an interval that excludes 1, (\d+) with one that includes it, (\d+) without/
      .exec(details)
      .slice(1)
      .map(Number);
  assert.ok(changed < of, details);
  assert.equal(
    kinds.reduce((all, kind) => all + kind, 0),
    changed,
  );
  assert.ok(details.includes(`What changed (${changed})`) === changed > 0);
  assert.ok(!readFileSync(join(published, place('b'), 'details.md'), 'utf8').includes('which this run replaces'));
  assert.deepEqual(catalogueFaults(published), []);
});

test('posts are told again by the rules of today; figures and index stay, also those of the day of a run', () => {
  const [file, post] = [`${place('d')}.json`, `${place('d')}/post.md`].map((path) => join(published, path));
  const current = readFileSync(file, 'utf8');
  const results = JSON.parse(current);
  const [{ text }] = results.questions;
  const told = () => [run('publish', '--posts').status, readFileSync(post, 'utf8')];
  const [index, first] = [readFileSync(join(published, 'index.json')), readFileSync(post, 'utf8')];
  assert.deepEqual(told(), [0, first], 'nothing is told otherwise');
  results.questions[0].text = 'The rollup is magic.';
  results.cautions = ['None.'];
  const old = JSON.stringify(results);
  writeFileSync(file, old);
  const [status, anew] = told();
  assert.equal(status, 0);
  assert.ok(anew.includes(text) && !/magic|None\./.test(anew));
  assert.match(anew, /, commit d{12}; figures as measured then, sentences by a newer pglab\.\n/);
  assert.equal(readFileSync(file, 'utf8'), old);
  assert.deepEqual(readFileSync(join(published, 'index.json')), index);
  writeFileSync(file, current);
  assert.equal(run('publish', '--posts').status, 0);
  const { status: refused, stderr } = run('publish', '--posts', join(root, 'first'));
  assert.deepEqual([refused, stderr.trim()], [64, 'error: --posts takes no run (see publish.sh --help)']);
});

test('index.json that names what is not there, or leaves out what is, is found out', () => {
  const copy = join(root, 'copy');
  cpSync(published, copy, { recursive: true });
  const entries = readCatalogue(copy);
  const faults = (changed) => {
    writeCatalogue(copy, changed);
    return catalogueFaults(copy);
  };
  assert.deepEqual(faults(entries.map((entry) => ({ ...entry, supersedes: [] }))), [
    `${place('b')} is there and not named`,
  ]);
  const gone = { ...entries[0], current: '20260101/a.b', supersedes: [] };
  assert.deepEqual(faults([...entries, gone]), ['20260101/a.b is named and not there']);
  assert.deepEqual(faults([...entries, entries.at(-1)]).sort(), [
    `${place('b')} is named twice`,
    `${place('d')} is named twice`,
  ]);
  assert.deepEqual(faults(entries.map((entry) => ({ ...entry, machine: 'm' }))).length, listPublished(copy).length);
});

test('invalid trials: refused, published only when asked to, and then said first', () => {
  const mutate = (summary) =>
    summary.cell.block === 1 ? { ...summary, status: { ...summary.status, exit_code: 1 } } : summary;
  const folder = analysed('invalid', { mutate, seed: 9, measured: git('f') });
  const refused = run('publish', folder, '--supersedes', 'x');
  assert.equal(refused.status, 2);
  assert.match(refused.stderr, /^error: .+4 invalid trials; --with-invalid publishes it all the same.+\n$/);
  assert.ok(!existsSync(join(published, place('f'))));
  assert.equal(run('publish', folder, '--supersedes', 'x', '--with-invalid').status, 0);
  const post = readFileSync(join(published, place('f'), 'post.md'), 'utf8');
  assert.match(post, /\*\*Not a clean run: 4 invalid trials, left out of every figure\.\*\*/);
});

test('a run without a usable trial, a README without marks, bad usage', () => {
  const mutate = (summary) => ({ ...summary, status: { ...summary.status, exit_code: 1 } });
  const nothing = analysed('nothing', { mutate });
  assert.match(run('publish', nothing, '--with-invalid').stderr, /no usable trial/);
  const wrong = [[], ['a', 'b'], ['--unknown'], ['--readme', 'a'], ['a', '--supersedes']];
  const number = [
    ['a', '--question'],
    ['a', '--question', '0'],
    ['--question', '1'],
    ['a', '--question', '1', '--with-invalid'],
  ];
  for (const args of [...wrong, ...number]) assert.equal(run('publish', ...args).status, 64, args.join(' '));
  assert.equal(run('publish', join(root, 'absent')).status, 2);
  const text = readFileSync(readme, 'utf8');
  writeFileSync(readme, '# Title\n');
  assert.match(run('publish', '--readme').stderr, /^error: .+README\.md: the lines .+ are missing/);
  writeFileSync(readme, text);
});

test('machines are named after their processor and cores', () => {
  const name = (cpu, cores) => machineName({ machine: { cpu, cores } });
  assert.equal(name('AMD EPYC 7451 24-Core Processor', 2), 'amd-epyc-7451-24-core-2-cores');
  assert.equal(name('Intel(R) Core(TM) i5 CPU       M 520  @ 2.40GHz', 4), 'intel-core-i5-m-520-4-cores');
  assert.equal(name(null, null), 'unknown-machine');
  assert.equal(machineName(null), 'unknown-machine');
  const node = (cores, type) => ({ cores, instance_type: type ?? null });
  const cluster = (nodes) => machineName({ stack: 'kubernetes', machine: null, nodes });
  assert.equal(cluster([node(2), node(2), node(2)]), 'kubernetes-3-nodes-2-cores');
  assert.equal(cluster([node(4, 'm5.xlarge'), node(4, 'c5.xlarge')]), 'kubernetes-2-nodes-c5-xlarge-m5-xlarge');
  assert.equal(cluster(null), 'kubernetes');
});
