/**
 * Entry of scripts/compare.sh: two runs as Markdown on stdout, and as a page where one is asked for; exit status 1 on a regression, or where the second run
 * lost trials, figures or cells.
 */
import { accessSync, constants, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { writeAtomic } from '../analyse/files.js';
import { withCurrentName } from '../analyse/renamed.js';
import { DamagedRun, fail, guardStdout, readResults } from '../analyse/run-folder.js';
import { compareRuns } from '../analyse/two-runs.js';
import { toMarkdown } from './to-markdown.js';
import { twoRunsBlocks } from './two-runs.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { threshold: { type: 'string' }, published: { type: 'string' }, html: { type: 'string' } },
});
const [a, b] = positionals;
const threshold = Number(values.threshold);

/** That the page can be written, before what it takes to make it. */
function checkWritable(path) {
  if (!/\.html?$/.test(path)) throw new DamagedRun(`--html ${path}: wants a name that ends in .html`);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw new DamagedRun(`--html ${path}: is a folder`);
  try {
    accessSync(dirname(path), constants.W_OK);
  } catch (error) {
    throw new DamagedRun(`--html ${path}: cannot be written (${error.code})`);
  }
}

guardStdout();
try {
  if (values.html) checkWritable(values.html);
  const runs = [a, b]
    .map((folder) => readResults(folder))
    .map((results) => ({ ...results, cells: results.cells.map((cell) => withCurrentName(cell, results.environment)) }));
  const comparison = compareRuns(...runs, threshold);
  if (comparison.cells.length + comparison.lost.length === 0)
    throw new DamagedRun(`${a} and ${b} have no measured cell in common`);
  for (const { key, a: before, b: after } of comparison.environment) {
    process.stderr.write(`warning: the environments differ: ${key}: ${before} -> ${after}\n`);
  }
  const blocks = twoRunsBlocks(comparison, runs, threshold);
  process.stdout.write(toMarkdown(blocks));
  if (values.html) {
    const { twoRunsPage } = await import('./two-runs-page.js'); // its libraries take a second to load
    writeAtomic(values.html, await twoRunsPage(blocks, { comparison, runs, threshold, published: values.published }));
    process.stderr.write(`page: ${values.html}\n`);
  }
  const { regressions, lost, lacking, only_a } = comparison;
  process.exitCode = regressions + lost.length + lacking.length + only_a.length > 0 ? 1 : 0;
} catch (error) {
  fail(error);
}
