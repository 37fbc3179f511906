/**
 * What an index brought, from the output of k6 on a pipe, without a run of the driver:
 * bin/k6 run --quiet --out hdr=/dev/stdout k6/documents-index-pairs.js | node scripts/findings/index-pairs/pipe.js
 * Prints Markdown, as in report.md, and the times of both twins. All pairs count, the first ones too; a single trial has no interval.
 */
import { readFileSync } from 'node:fs';
import { duration } from '../../analyse/format.js';
import { DamagedRun, fail } from '../../analyse/run-folder.js';
import { plural } from '../../analyse/words.js';
import { paragraph, table } from '../../report/blocks.js';
import { toMarkdown } from '../../report/to-markdown.js';
import { mergePairs, pairsIn, timesIn } from './find.js';
import { blocks } from './tell.js';

if (process.argv.length > 2) {
  console.error(
    'usage: bin/k6 run --quiet --out hdr=/dev/stdout k6/documents-index-pairs.js | node scripts/findings/index-pairs/pipe.js',
  );
  process.exit(64);
}

/** Of k6's whole output, the line with its totals. @throws {DamagedRun} where a part is missing, or there is more than one run */
function totalOf(ndjson) {
  const lines = ndjson
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map(parsed);
  const [totals, seconds] = ['total', 'second'].map((of) => lines.filter(({ type }) => type === of));
  if (totals.length !== 1)
    throw new DamagedRun(
      totals.length === 0
        ? 'the output of k6 has no end: it was cut off, or k6 was killed'
        : 'there is the output of more than one run of k6',
    );
  const [total] = totals;
  if (total.lines !== seconds.length)
    throw new DamagedRun(`the output of k6 is not whole: of ${total.lines} seconds it has ${seconds.length}`);
  if (total.interrupted) throw new DamagedRun(`k6 was interrupted: ${total.interrupted}`);
  return total;
}

function parsed(line) {
  try {
    return JSON.parse(line);
  } catch {
    throw new DamagedRun('the output of k6 is not whole: a line is cut');
  }
}

try {
  const ndjson = readFileSync(0, 'utf8');
  const { errors } = ndjson.includes('speedup_from') ? totalOf(ndjson) : { errors: {} };
  const merged = mergePairs([pairsIn(ndjson)]);
  if (merged === null)
    throw new DamagedRun(
      'no pair of equal answers on stdin: bin/k6 run --quiet --out hdr=/dev/stdout k6/documents-index-pairs.js writes them',
    );
  const times = timesIn(ndjson).map(({ twin, answers, mean_us, min_us, max_us }) => [
    twin,
    answers,
    ...[mean_us, min_us, max_us].map(duration),
  ]);
  process.stdout.write(
    toMarkdown([
      errors.check > 0 &&
        paragraph(
          `**${plural(errors.check, 'pair')} left out, as the answers differed**: the twins do not hold the same documents. \`scripts/stack.sh up documents documents\` makes them anew.`,
        ),
      ...blocks({ index_pairs: { cells: [{ id: 'k6', ...merged }], plans: null } }),
      table('Times of both twins', ['twin', '>answers', '>mean', '>least', '>greatest'], times),
    ]),
  );
} catch (error) {
  fail(error);
}
