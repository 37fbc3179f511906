import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { readResults } from '../../scripts/analyse/run-folder.js';
import { wrapped } from '../../scripts/analyse/words.js';
import { layOut, sparkline, summary } from '../../scripts/report/terminal.js';
import { writeRichRun } from './lib/rich-run.js';

const scripts = join(import.meta.dirname, '../../scripts');
const root = mkdtempSync(join(tmpdir(), 'terminal-'));
const run = (script, ...args) => spawnSync(join(scripts, `${script}.sh`), args, { encoding: 'utf8' });
let folder;

before(() => {
  folder = writeRichRun(join(root, 'run'), { workloads: ['analytics'] });
  assert.equal(run('stages/analyse', folder).status, 0);
});
after(() => rmSync(root, { recursive: true }));

test('not a terminal: 100 columns, no colour; a line per target, three cautions, where the report lies', () => {
  const { status, stdout } = run('stages/print', `${folder}/`);
  assert.equal(status, 0);
  assert.ok(!stdout.includes('\u001b'));
  assert.match(stdout, /^synthetic: \d+ valid, \d+ suspect, \d+ invalid$/m);
  for (const target of ['raw', 'pooled', 'rollup', 'cube'])
    assert.match(stdout, new RegExp(`^${target} +[▁-█]{4} +[\\d.,]+/s  at `, 'm'));
  assert.equal(stdout.match(/^- /gm).length, 3);
  assert.ok(stdout.includes(`\n${folder}/report.html\n`));
  const [, body] = /(.+?)\nReport\n/s.exec(stdout);
  assert.ok(body.split('\n').every((line) => line.length <= 100));
});

test('the answer to a primary question comes first, the figures after it, then the trials and the files', () => {
  const results = readResults(folder);
  const question = (ask, primary) => ({ ask, primary, text: `Answer to ${ask}`, claim: true, answered: false });
  const questions = [question('A?', false), question('B?', false), question('C?', false), question('D?', true)];
  const text = summary({ ...results, questions }, 'run', { width: 300 });
  assert.match(text, /^\nD\?\nAnswer to D\?\n\nA\?\n/);
  assert.match(text, /\n1 more finding in the report\.\n/);
  const places = ['Answer to B?', 'raw ', 'synthetic: ', 'Before you quote this', 'run/report.html'].map((part) =>
    text.indexOf(part),
  );
  assert.deepEqual(
    places,
    places.toSorted((a, b) => a - b),
  );
  assert.ok(
    text.split('\n').every((line) => line.length <= 100),
    'however wide the terminal',
  );
});

test('a terminal: colours; a narrow one: fewer columns, nothing beyond the edge', () => {
  const results = readResults(folder);
  const [green, reset] = ['\u001b[32m', '\u001b[0m'];
  const { valid } = results.verdicts;
  assert.ok(summary(results, 'run', { colour: true }).includes(`${green}${valid} valid${reset}`));
  for (const width of [24, 40, 60, 200]) {
    const lines = summary(results, 'run', { width }).split('\n');
    assert.deepEqual(
      lines.filter((line) => line.length > width),
      [],
    );
    assert.ok(
      lines.some((line) => /^raw +.*\/s/.test(line)),
      `${width} columns keep the throughput`,
    );
  }
});

test('many sections of few targets: one table, with workload, target and throughput however narrow', () => {
  const results = readResults(folder);
  const [cell] = results.cells.filter(({ calibration }) => !calibration);
  const workloads = ['documents-crud', 'documents-insert', 'documents-update'];
  const cells = workloads.map((workload) => ({ ...cell, workload, target: 'documents' }));
  for (const width of [30, 40, 80]) {
    const lines = summary({ ...results, cells }, 'run', { width }).split('\n');
    assert.equal(lines.filter((line) => /^doc\S+ k6 +doc[a-z…]+ .*\/s/.test(line)).length, 3, lines.join('\n'));
    assert.deepEqual(
      lines.filter((line) => line.length > width),
      [],
    );
  }
});

test('sparklines, columns and lines', () => {
  assert.equal(sparkline([1, 4, null, 8]), '▂▅ █');
  assert.equal(sparkline([null, 0]), '  ');
  assert.equal(wrapped('one two three', 8, '  '), 'one two\n  three');
  assert.equal(wrapped('served 24 % more', 9), 'served\n24 % more');
  const kept = Number.POSITIVE_INFINITY;
  const columns = [{ worth: kept }, { worth: 1 }, { worth: kept, right: true }];
  assert.deepEqual(layOut([['name', 'extra', '1']], columns, 80), ['name  extra  1']);
  assert.deepEqual(
    layOut(
      [
        ['name', 'extra', '1'],
        ['n', 'e', '20'],
      ],
      columns,
      10,
    ),
    ['name   1', 'n     20'],
  );
  assert.deepEqual(layOut([['a long name', 'extra', '1']], columns, 8), ['a …me  1']);
});

test('no results: one line, exit 2; no run: exit 64', () => {
  const { status, stderr } = run('stages/print', root);
  assert.equal(status, 2);
  assert.match(stderr, /^error: .+is missing: \.\/run-all-tests\.sh --resume .+, --from analyse .+\n$/);
  assert.equal(run('stages/print').status, 64);
});
