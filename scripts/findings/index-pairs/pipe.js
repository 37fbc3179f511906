/**
 * What an index brought, from the output of k6 on a pipe, without a run of the driver:
 * bin/k6 run --quiet --out hdr=/dev/stdout k6/documents-index-pairs.js | node scripts/findings/index-pairs/pipe.js
 * Prints Markdown, as in report.md. All pairs count, the first ones too; a single trial has no interval.
 */
import { readFileSync } from 'node:fs';
import { DamagedRun, fail } from '../../analyse/run-folder.js';
import { toMarkdown } from '../../report/to-markdown.js';
import { mergePairs, pairsIn } from './find.js';
import { blocks } from './tell.js';

try {
  const found = mergePairs([pairsIn(readFileSync(0, 'utf8'))]);
  if (found === null)
    throw new DamagedRun(
      'no pair of equal answers on stdin: bin/k6 run --quiet --out hdr=/dev/stdout k6/documents-index-pairs.js writes them',
    );
  process.stdout.write(toMarkdown(blocks({ index_pairs: { cells: [{ id: 'k6', ...found }], plans: null } })));
} catch (error) {
  fail(error);
}
