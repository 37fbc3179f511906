/** Entry of scripts/stages/analyse.sh: RUN/results.json and RUN/results.csv from what a run measured. */
import { join } from 'node:path';
import { csv } from './csv.js';
import { writeAtomic } from './files.js';
import { analyse } from './results.js';
import { fail, openRun } from './run-folder.js';

try {
  const run = openRun(process.argv[2]);
  const results = analyse(run);
  writeAtomic(join(run.folder, 'results.json'), `${stringify(results)}\n`);
  writeAtomic(join(run.folder, 'results.csv'), csv(results));
  const { valid, suspect, invalid, not_run } = results.verdicts;
  process.stderr.write(
    `analysed ${run.id}: ${valid} valid, ${suspect} suspect, ${invalid} invalid${not_run > 0 ? `, ${not_run} not run` : ''}\n`,
  );
} catch (error) {
  fail(error);
}

/** JSON with one trial, cell or comparison per line: readable in a diff, and small. */
function stringify(results) {
  const lines = (value) =>
    Array.isArray(value) && value.length > 0
      ? `[\n${value.map((item) => JSON.stringify(item)).join(',\n')}\n]`
      : JSON.stringify(value);
  return `{\n${Object.entries(results)
    .map(([key, value]) => `${JSON.stringify(key)}: ${lines(value)}`)
    .join(',\n')}\n}`;
}
