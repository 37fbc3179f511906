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
  const entry = join(import.meta.dirname, '../../scripts/analyse/verdict.js');
  const { status, stdout } = spawnSync(process.execPath, [entry], {
    encoding: 'utf8',
    input: `${folders.join('\n')}\n`,
  });
  assert.equal(status, 0);
  assert.deepEqual(
    stdout.trim().split('\n'),
    trials.map(({ verdict }) => verdict),
  );
  assert.deepEqual([...new Set(stdout.trim().split('\n'))].sort(), ['invalid', 'suspect', 'valid']);
});
