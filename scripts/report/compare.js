/** Entry of scripts/compare.sh: two runs as Markdown on stdout; exit status 1 on a regression, or where the second run lost trials, figures or cells. */
import { compareRuns } from '../analyse/compare.js';
import { withCurrentName } from '../analyse/renamed.js';
import { DamagedRun, fail, readResults } from '../analyse/run-folder.js';
import { comparisonBlocks } from './comparison.js';
import { toMarkdown } from './to-markdown.js';

const [a, b, threshold] = process.argv.slice(2);

try {
  const runs = [a, b]
    .map((folder) => readResults(folder))
    .map((results) => ({ ...results, cells: results.cells.map((cell) => withCurrentName(cell, results.environment)) }));
  const comparison = compareRuns(...runs, Number(threshold));
  if (comparison.cells.length + comparison.lost.length === 0)
    throw new DamagedRun(`${a} and ${b} have no measured cell in common`);
  for (const { key, a: before, b: after } of comparison.environment) {
    process.stderr.write(`warning: the environments differ: ${key}: ${before} -> ${after}\n`);
  }
  process.stdout.write(toMarkdown(comparisonBlocks(comparison, runs, Number(threshold))));
  const { regressions, lost, lacking, only_a } = comparison;
  process.exitCode = regressions + lost.length + lacking.length + only_a.length > 0 ? 1 : 0;
} catch (error) {
  fail(error);
}
