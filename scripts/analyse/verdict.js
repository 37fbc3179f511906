/**
 * Entry of scripts/lib/progress.bash: folders of trials on stdin; on stdout a line for each: verdict, trial, why, with tabs between them. The verdict is
 * that of the trial's own files: the load generator's ceiling is not among them, so that analyse may mark more. It is unknown where they are damaged.
 */
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { readJson, readTrial } from './run-folder.js';
import { describeTrial } from './trial.js';

/** @returns {[verdict: string, why: string]} */
function judged(folder) {
  try {
    const cell = { ...readJson(join(folder, 'cell.json')), folder };
    const { verdict, reasons } = describeTrial(cell, readTrial(cell), null);
    const why = reasons.filter((reason) => reason.verdict === verdict).map(({ check, text }) => `${check}: ${text}`);
    return [verdict, why.join('; ')];
  } catch (error) {
    return ['unknown', error.message];
  }
}

for (const folder of readFileSync(0, 'utf8').split('\n').filter(Boolean)) {
  const [verdict, why] = judged(folder);
  const trial = join(basename(dirname(folder)), basename(folder));
  process.stdout.write(`${[verdict, trial, why.replace(/\s+/g, ' ')].join('\t')}\n`);
}
