/**
 * Prints what an index brought, as Markdown: of a run, or of a run of k6 by hand.
 *   node scripts/report/index-pairs.js RUN
 *   bin/k6 run --out hdr=FILE.ndjson k6/documents-index-pairs.js && node scripts/report/index-pairs.js FILE.ndjson
 */
import { readFileSync } from 'node:fs';
import { fail, openRun } from '../analyse/run-folder.js';
import { indexPairs, mergePairs, pairsIn } from '../findings/index-pairs/find.js';
import { blocks } from '../findings/index-pairs/tell.js';
import { toMarkdown } from './to-markdown.js';

try {
  const path = process.argv[2] ?? '';
  const ofFile = () => {
    const merged = mergePairs([pairsIn(readFileSync(path, 'utf8'))]);
    return { cells: merged === null ? [] : [{ id: path, ...merged }], plans: null };
  };
  const index_pairs = path.endsWith('.ndjson') ? ofFile() : indexPairs(openRun(path));
  const told = blocks({ index_pairs });
  process.stdout.write(told.length > 0 ? toMarkdown(told) : 'workload index left no pairs there\n');
} catch (error) {
  fail(error);
}
