/**
 * Entry of scripts/lib/progress.bash: folders of trials on stdin, the verdict of each on stdout, a line each, as far as the trial's own files tell:
 * the load generator's ceiling is not among them, so that analyse may mark more.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail, readJson, readTrial } from './run-folder.js';
import { describeTrial } from './trial.js';

try {
  for (const folder of readFileSync(0, 'utf8').split('\n').filter(Boolean)) {
    const cell = { ...readJson(join(folder, 'cell.json')), folder };
    process.stdout.write(`${describeTrial(cell, readTrial(cell), null).verdict}\n`);
  }
} catch (error) {
  fail(error);
}
