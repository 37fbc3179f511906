import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { answersOf } from '../../scripts/report/answers/story.js';
import { heading, paragraph, table } from '../../scripts/report/blocks.js';
import { machineName } from '../../scripts/report/machine.js';
import { asked, post } from '../../scripts/report/post.js';
import { catalogueFaults, listPublished, readCatalogue, writeCatalogue } from '../../scripts/report/published.js';
import { allAnswers, readmeResults } from '../../scripts/report/readme.js';
import { toMarkdown } from '../../scripts/report/to-markdown.js';
import { writeSyntheticRun } from './lib/synthetic.js';

const repository = join(import.meta.dirname, '../..');
const scripts = join(repository, 'scripts');
const root = mkdtempSync(join(tmpdir(), 'publish-'));
const [published, readme, docs] = [join(root, 'published'), join(root, 'README.md'), join(root, 'docs')];
const NAME = 'synthetic-2-cores.synthetic';
const QUESTION = {
  ...{
    ask: 'What does a rollup gain?',
    primary: true,
    metric: 'throughput',
    kind: 'pair',
    dimension: 'target',
    where: {},
  },
  sides: ['rollup', 'raw'].map((name) => ({ name, cells: [`tpch@1.${name}.base.analytics.k6.closed-0010`] })),
  why: null,
};
const SWEEP = {
  targets: { raw: () => 60, rollup: (n) => 2000 * (n / (n + 4)) },
  levels: [1, 10],
  tools: ['k6'],
  questions: [QUESTION],
};
after(() => rmSync(root, { recursive: true }));

function run(script, ...args) {
  const env = { ...process.env, PUBLISHED: published, README: readme, DOCS: docs };
  const { status, stdout, stderr } = spawnSync(join(scripts, `${script}.sh`), args, { encoding: 'utf8', env });
  return { status, stdout, stderr };
}

/** What a function of the scripts prints. */
const shell = (text, ...args) =>
  execFileSync('bash', ['-c', `source scripts/lib/common.bash && ${text}`, 'bash', ...args], {
    cwd: repository,
    encoding: 'utf8',
  });

const git = (digit, dirty = false) => ({ commit: digit.repeat(40), dirty });
const place = (digit) => `20260105-${digit.repeat(12)}/${NAME}`;

/** An analysed run of an experiment, measured from a commit of its own. */
function analysed(name, { experiment = 'synthetic', measured = git('b'), ...truth } = {}) {
  const folder = writeSyntheticRun(join(root, name), { ...SWEEP, ...truth });
  const change = (file, changed) => {
    const path = join(folder, file);
    const before = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
    writeFileSync(path, JSON.stringify({ ...before, ...changed }));
  };
  change('plan.json', { experiment });
  change('environment.json', { git: measured });
  const plan_hash = createHash('sha256')
    .update(readFileSync(join(folder, 'plan.json')))
    .digest('hex');
  const environment_hash = shell('environment_hash "$1/environment.json"', folder).trim();
  change('provenance.json', { git_commit: measured.commit, plan_hash, environment_hash });
  const files = readdirSync(join(folder, 'cells'), { recursive: true });
  for (const file of files.filter((path) => path.endsWith('summary.json'))) change(join('cells', file), { plan_hash });
  assert.equal(run('stages/analyse', folder).status, 0);
  return folder;
}

before(() => {
  writeFileSync(readme, '# Title\n<!-- results:begin -->\nold\n<!-- results:end -->\nrest\n');
  cpSync(join(repository, 'docs'), docs, { recursive: true });
});

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

test('a run: its JSON to the byte, a post and its details with the charts that they show, the index, the README', () => {
  const folder = analysed('first');
  const { status, stderr } = run('publish', folder);
  assert.equal(status, 0, stderr);
  const path = join(published, place('b'));
  assert.deepEqual(readFileSync(`${path}.json`), readFileSync(join(folder, 'results.json')));
  const post = readFileSync(join(path, 'post.md'), 'utf8');
  const details = readFileSync(join(path, 'details.md'), 'utf8');
  const links = (text) => [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, link]) => link);
  assert.deepEqual(links(post), [
    'charts/answer-1.svg',
    'details.md',
    '../../../../docs/methodology.md#verdicts',
    'post.csv',
  ]);
  assert.deepEqual(links(details), ['charts/answer-1.svg', 'charts/tpch.analytics.k6.svg']);
  assert.deepEqual(readdirSync(path).sort(), ['charts', 'details.md', 'post.csv', 'post.html', 'post.md']);
  assert.deepEqual(readdirSync(join(path, 'charts')).sort(), ['answer-1.png', 'answer-1.svg', 'tpch.analytics.k6.svg']);
  assert.ok(Buffer.byteLength(post) <= 6000);
  assert.match(
    post,
    /\n## What does a rollup gain\?\n\n\*\*With 10 users, the rollup .+\*\* Measured with .+\n\n!\[.+\]\(charts\/answer-1\.svg\)\n/,
  );
  assert.match(
    post,
    /\n\|.*\| \w+\/s, geometric mean of the blocks \| times that of raw, within blocks \|\n.+\n\| rollup \| [\d,.]+ \| [\d,.]+ \[[\d.,]+, [\d.,]+\] \|\n\| raw \| [\d.]+ \| – \|\n/,
  );
  assert.match(
    post,
    /- PostgreSQL 17\.5, Node\.js 20\.0\.0, k6 1\.8\.1\.\n- Data at scale 1; k6 with 1, 10 users\.\n- 3 blocks, .+ 12 valid trials, /,
  );
  assert.ok(!post.includes('<details>') && !post.includes('Not a clean run'));
  assert.match(details, /k6 run -e vus=10 -e duration=5s k6\/analytics\.js/);
  assert.deepEqual(readCatalogue(published), [
    {
      experiment: 'synthetic',
      machine: 'synthetic-2-cores',
      current: place('b'),
      supersedes: [],
    },
  ]);
  const text = readFileSync(readme, 'utf8');
  assert.match(text, /^# Title\n.+\nrest\n$/s);
  assert.match(text, /\| \[What does a rollup gain\?\]\(.+\) \| With 10 users, the rollup .* \|/);
  assert.ok(!text.includes('old'));
  for (const [, link] of text.matchAll(/\]\(results\/published\/([^)]+)\)/g))
    assert.ok(existsSync(join(published, link)), link);
});

test('the post as a page with its pictures inside, and as CSV', () => {
  const path = join(published, place('b'));
  const page = readFileSync(join(path, 'post.html'), 'utf8');
  assert.match(page, /<h2>What does a rollup gain\?<\/h2>\n<p><strong>With 10 users/);
  assert.match(page, /<a href="details\.md">Every table, ratio and percentile<\/a>/);
  assert.match(page, /<a href="[./]+\/docs\/methodology\.md#verdicts">the methodology<\/a>/);
  const sources = [...page.matchAll(/<img src="([^"]+)" alt="[^"]+" width="(\d+)">/g)];
  assert.equal(sources.length, 1);
  const png = Buffer.from(sources[0][1].replace('data:image/png;base64,', ''), 'base64');
  assert.deepEqual(png, readFileSync(join(path, 'charts/answer-1.png')));
  assert.equal(png.readUInt32BE(16), 2 * Number(sources[0][2]));
  const [header, ...rows] = readFileSync(join(path, 'post.csv'), 'utf8').trim().split('\n');
  assert.equal(
    header,
    'question,claimed,name,role,at,axis,metric,unit,value,low,high,confidence,reference,ratio,ratio_low,ratio_high,ratio_confidence,trials,suspect,invalid,cell,trial',
  );
  assert.equal(rows.length, 8, 'two marks, with three trials each');
  assert.match(
    rows[0],
    /^What does a rollup gain\?,yes,rollup,compared,,,throughput,requests\/s,[\d.]+,,,,raw,[\d.]+,[\d.]+,[\d.]+,0\.95,3,0,0,tpch@1\.rollup\.base\.analytics\.k6\.closed-0010,$/,
  );
  assert.match(
    rows[1],
    /^What does a rollup gain\?,yes,rollup,trial,,,throughput,requests\/s,[\d.]+,,,,,,,,,1,0,0,(tpch@1\.rollup\.base\.analytics\.k6\.closed-0010),01\/\1$/,
  );
  assert.match(
    rows[4],
    /^What does a rollup gain\?,yes,raw,reference,,,throughput,requests\/s,[\d.]+,,,,,,,,,3,0,0,tpch@1\.raw\.base\.analytics\.k6\.closed-0010,$/,
  );
});

test('one question: its post on stdout, its pictures in a folder that is named, nothing published', () => {
  const folder = join(root, 'first');
  const before = readdirSync(published, { recursive: true });
  const { status, stdout, stderr } = run('publish', folder, '--question', '1');
  assert.equal(status, 0, stderr);
  assert.match(
    stdout,
    /^## What does a rollup gain\?\n\n\*\*With 10 users.+\n\n!\[.+\]\(charts\/answer-1\.svg\)\n.+## How it was measured\n.+## What not to conclude\n/s,
  );
  assert.equal(stderr, `pictures: ${join(folder, 'charts')}: answer-1.svg and answer-1.png\n`);
  assert.deepEqual(readdirSync(join(folder, 'charts')).sort(), ['answer-1.png', 'answer-1.svg']);
  const alone = run('publish', join(published, `${place('b')}.json`), '--question', '1');
  assert.equal(alone.stdout, stdout);
  const [, pictures] = /^pictures: (.+): answer-1/.exec(alone.stderr);
  assert.ok(pictures.startsWith(tmpdir()) && existsSync(join(pictures, 'answer-1.svg')), alone.stderr);
  rmSync(join(pictures, '..'), { recursive: true });
  assert.deepEqual(readdirSync(published, { recursive: true }), before);
  const none = run('publish', folder, '--question', '2');
  assert.deepEqual([none.status, none.stdout], [2, '']);
  assert.match(none.stderr, /has no question 2; it has: 1 What does a rollup gain\?\n$/);
});

test('a post stays within 6 KB: cautions give way, then its tables', () => {
  const results = JSON.parse(readFileSync(join(published, `${place('b')}.json`), 'utf8'));
  const answers = asked(answersOf(results));
  const written = (cautions) => toMarkdown(post({ ...results, cautions }, answers, new Map()));
  const long = (length) => Array.from({ length: 9 }, (_, i) => `${i} ${'x'.repeat(length)}`);
  const count = (text) => text.match(/^- \d x/gm)?.length;
  assert.deepEqual(
    [10, 1500, 4000].map((length) => count(written(long(length)))),
    [4, 2, 1],
  );
  assert.ok(written(long(1500)).includes('| raw |') && !written(long(4000)).includes('| raw |'));
  for (const length of [10, 1500, 4000]) assert.ok(Buffer.byteLength(written(long(length))) <= 6000, String(length));
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

test('one cell and no question: a post that says so, and no chart of a single point', () => {
  const folder = analysed('single', {
    targets: { raw: () => 60 },
    levels: [1],
    questions: [],
    experiment: 'single',
    measured: git('c'),
  });
  assert.equal(run('publish', folder).status, 0);
  const path = join(published, `20260105-${'c'.repeat(12)}/synthetic-2-cores.single`);
  const texts = ['post.md', 'details.md'].map((name) => readFileSync(join(path, name), 'utf8'));
  for (const text of texts) assert.ok(!text.includes('charts/') && text.includes('asks no question'), text);
  assert.deepEqual(readdirSync(join(path, 'charts')), []);
});

test('what is published is never rewritten, and replaced only for a reason', () => {
  const file = join(published, `${place('b')}.json`);
  const before = readFileSync(file);
  const refused = (pattern, ...args) => {
    const { status, stderr } = run('publish', ...args);
    assert.equal(status, 2);
    assert.match(stderr, pattern);
    assert.equal(stderr.trim().split('\n').length, 1);
  };
  refused(/^error: .+published already/, join(root, 'first'));
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
  const [, of, changed, sure] =
    /which this run replaces\n\nOf (\d+) figures that both have, (\d+) changed by more than 5 %, (\d+) /.exec(details);
  assert.ok(Number(sure) <= Number(changed) && Number(changed) < Number(of), details);
  assert.ok(details.includes(`What changed (${changed})`) === Number(changed) > 0);
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

test('the README: baseline first, the control last', () => {
  const source = JSON.parse(readFileSync(join(published, `${place('b')}.json`)));
  const folder = join(root, 'ordered');
  mkdirSync(join(folder, '20260105'), { recursive: true });
  const entries = ['aa', 'baseline', 'cube'].map((experiment) => {
    const current = `20260105/m.${experiment}`;
    const questions = source.questions.map((question) => ({ ...question, ask: `${experiment}?` }));
    const results = { ...source, questions, run: { ...source.run, experiment } };
    writeFileSync(join(folder, `${current}.json`), JSON.stringify(results));
    return { experiment, machine: 'm', current, supersedes: [] };
  });
  writeCatalogue(folder, entries);
  const rows = toMarkdown(readmeResults(folder)).match(/^\| \[\w+\?\].+$/gm);
  assert.deepEqual(
    rows.map((row) => /\w+/.exec(row)[0]),
    ['baseline', 'cube', 'aa'],
  );
  const { environment } = source;
  const elsewhere = {
    ...source,
    run: { ...source.run, experiment: 'aa' },
    environment: { ...environment, machine: { ...environment.machine, cpu: 'Another CPU' } },
  };
  writeFileSync(join(folder, '20260105/other.aa.json'), JSON.stringify(elsewhere));
  writeCatalogue(folder, [{ ...entries[0], machine: 'other', current: '20260105/other.aa' }, ...entries]);
  const text = toMarkdown(readmeResults(folder));
  assert.equal(text.match(/^\| \[\w+\?\].+$/gm).length, 3, 'the machine with most of them');
  assert.match(text, /^Some were measured on \[1 other machine\]\(docs\/answers\.md\), too\.$/m);
  assert.match(toMarkdown(allAnswers(folder)), /Another CPU/);

  const slower = { ...elsewhere, run: { ...source.run, experiment: 'cube' } };
  writeFileSync(join(folder, '20260105/m.cube.json'), JSON.stringify(slower));
  const { cpu, cores } = environment.machine;
  const unlike = toMarkdown(allAnswers(folder));
  assert.ok(unlike.startsWith(`Measured on 2 machines of ${cores} cores, `), 'one name, two processors');
  assert.match(unlike, /m\.cube\/post\.md\), .+; scale .+, on Another CPU\.$/m);
  assert.ok(unlike.includes(`, on ${cpu}.\n`), unlike);
});

test('the README has the first answer of each experiment, docs/answers.md all', () => {
  const source = JSON.parse(readFileSync(join(published, `${place('b')}.json`)));
  const folder = join(root, 'several');
  mkdirSync(join(folder, '20260105'), { recursive: true });
  const [question] = source.questions;
  const results = { ...source, questions: [question, { ...question, ask: 'And then?' }] };
  writeFileSync(join(folder, '20260105/m.baseline.json'), JSON.stringify(results));
  writeCatalogue(folder, [{ experiment: 'baseline', machine: 'm', current: '20260105/m.baseline', supersedes: [] }]);
  const [first, all] = [readmeResults, allAnswers].map((blocks) => toMarkdown(blocks(folder)));
  assert.ok(first.includes(question.ask) && !first.includes('And then?'), first);
  assert.ok(first.includes('](results/published/20260105/m.baseline/post.md)'), first);
  assert.ok(all.includes(`- **${question.ask}** `) && all.includes('- **And then?** '), all);
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

test('readme.test.js turns red when a generated part, the picture or the index is changed', () => {
  const copies = { README: join(root, 'drift.md'), DOCS: join(root, 'drift-docs'), PUBLISHED: join(root, 'drift') };
  const whole = { README: 'README.md', DOCS: 'docs', PUBLISHED: 'results/published' };
  for (const [key, path] of Object.entries(copies)) cpSync(join(repository, whole[key]), path, { recursive: true });
  const red = () => {
    const { NODE_TEST_CONTEXT, ...env } = process.env;
    const options = ['--test-name-pattern', 'up to date|index.json', join(import.meta.dirname, 'readme.test.js')];
    const { stdout } = spawnSync(process.execPath, ['--test-reporter', 'tap', ...options], {
      encoding: 'utf8',
      env: { ...env, ...copies },
    });
    return [...stdout.matchAll(/^not ok \d+ - ([\w' ]+)/gm)].map(([, name]) => name);
  };
  const changed = (path, pattern, digit) => {
    const text = readFileSync(path, 'utf8');
    const other = text.replace(pattern, digit);
    assert.notEqual(other, text, path);
    writeFileSync(path, other);
    const names = red();
    writeFileSync(path, text);
    return names;
  };
  const next = (digit) => String((Number(digit) + 1) % 10);
  assert.deepEqual(red(), []);
  assert.deepEqual(changed(copies.README, /(?<=results:begin.+)\d(?=.*results:end)/s, next), [
    'generated parts are up to date',
  ]);
  assert.deepEqual(changed(join(copies.DOCS, 'methodology.md'), /(?<=limits:begin.+)\d/s, next), [
    'generated parts are up to date',
  ]);
  assert.deepEqual(changed(join(copies.DOCS, 'answers.md'), /(?<=answers:begin.+)\d/s, next), [
    'generated parts are up to date',
  ]);
  assert.deepEqual(changed(join(copies.DOCS, 'reference.md'), 'Usage: ./run', 'Usage: run'), [
    'generated parts are up to date',
  ]);
  assert.deepEqual(changed(join(copies.PUBLISHED, 'overview.svg'), /\d(?=<)/, next), [
    "the README's picture is up to date",
  ]);
  assert.ok(changed(join(copies.PUBLISHED, 'index.json'), '.aa"', '.aa.9"').includes('index'));
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

test('one question of a published run is told as its post is, by the rules of today', () => {
  const path = new URL('../../results/published/20261123-58f926cf76c2/amd-epyc-2-cores.buffers', import.meta.url)
    .pathname;
  const { status, stdout, stderr } = run('publish', `${path}.json`, '--question', '1');
  assert.equal(status, 0, stderr);
  rmSync(join(/^pictures: (.+): answer-1/.exec(stderr)[1], '..'), { recursive: true });
  const [, answer] = /^## .+\n\n(Not claimed, as .+)\n/.exec(stdout);
  assert.ok(readFileSync(`${path}/post.md`, 'utf8').includes(answer));
});

test('Markdown holds no tag of a name or a question; a command in backticks stays as it is', () => {
  const blocks = [
    heading(2, 'Is <b>raw</b> slower?'),
    paragraph('See `<RUN>`, <script>.'),
    table('', ['<i>'], [['a<br>b']]),
  ];
  assert.equal(
    toMarkdown(blocks),
    '## Is \\<b>raw\\</b> slower?\n\nSee `<RUN>`, \\<script>.\n\n| \\<i> |\n| :-- |\n| a<br>b |\n',
  );
});
