import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { analyse } from '../../scripts/analyse/results.js';
import { openRun } from '../../scripts/analyse/run-folder.js';
import { writeSyntheticRun } from './lib/synthetic.js';

const root = mkdtempSync(join(tmpdir(), 'verdict-'));
after(() => rmSync(root, { recursive: true }));

const ENTRY = join(import.meta.dirname, '../../scripts/analyse/verdict.js');
const judged = (folders) =>
  spawnSync(process.execPath, [ENTRY], { encoding: 'utf8', input: `${folders.join('\n')}\n` });

test('the verdict of a trial while the run goes on is that of its analysis', () => {
  const mutate = (summary) => {
    const { block } = summary.cell;
    if (block === 1) return { ...summary, in_flight_mean: summary.cell.level * 0.93 };
    return block === 2 ? { ...summary, status: { ...summary.status, exit_code: 1 } } : summary;
  };
  const folder = writeSyntheticRun(join(root, 'run'), { targets: { raw: () => 6000 }, levels: [10], mutate });
  const trials = analyse(openRun(folder)).cells.flatMap((cell) => cell.trials);
  const folders = trials.map(({ id }) => join(folder, 'cells', id));
  for (const path of folders) {
    assert.deepEqual(readdirSync(path).sort(), ['status.json', 'summary.json']);
    const { cell } = JSON.parse(readFileSync(join(path, 'summary.json'), 'utf8'));
    writeFileSync(join(path, 'cell.json'), JSON.stringify(cell));
  }
  const { status, stdout } = judged(folders);
  assert.equal(status, 0);
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'));
  assert.deepEqual(
    lines.map(([verdict, trial]) => [verdict, trial]),
    trials.map(({ verdict, id }) => [verdict, id]),
  );
  assert.deepEqual([...new Set(lines.map(([verdict]) => verdict))].sort(), ['invalid', 'suspect', 'valid']);
  assert.match(lines.find(([verdict]) => verdict === 'invalid')[2], /^exit_status: /);
});

test('of a trial whose files are damaged the verdict is unknown, and of the others it is told', () => {
  const { status, stdout, stderr } = judged([join(root, 'none/01/cell'), join(root, 'none/02/other')]);
  assert.deepEqual([status, stderr], [0, '']);
  assert.match(stdout, /^unknown\t01\/cell\t.+\nunknown\t02\/other\t.+\n$/);
});
