import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { writeCatalogue } from '../../scripts/report/published.js';
import { allAnswers, readmeResults } from '../../scripts/report/readme.js';
import { toMarkdown } from '../../scripts/report/to-markdown.js';
import { analysed, repository, root } from './lib/publishing.js';

const source = JSON.parse(readFileSync(join(analysed('first'), 'results.json'), 'utf8'));

test('the README: baseline first, the control last', () => {
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
