import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { answersOf } from '../../scripts/report/answers/story.js';
import { heading, paragraph, table } from '../../scripts/report/blocks.js';
import { asked, post } from '../../scripts/report/post.js';
import { readCatalogue } from '../../scripts/report/published.js';
import { toMarkdown } from '../../scripts/report/to-markdown.js';
import { analysed, git, place, published, readme, root, run } from './lib/publishing.js';

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
  for (const text of texts) assert.ok(!text.includes('charts/') && text.includes('No question compares'), text);
  assert.deepEqual(readdirSync(join(path, 'charts')), []);
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
