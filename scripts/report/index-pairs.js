/**
 * Prints what an index brought, as Markdown: of a run, or of a run of k6 by hand.
 *   node scripts/report/index-pairs.js RUN
 *   bin/k6 run --out hdr=FILE.ndjson k6/documents-index-pairs.js && node scripts/report/index-pairs.js FILE.ndjson
 */
import { readFileSync } from 'node:fs';
import { indexPairs, mergePairs, pairsIn } from '../analyse/index-pairs.js';
import { fail, openRun } from '../analyse/run-folder.js';
import { index } from './documents.js';
import { toMarkdown } from './to-markdown.js';

try {
  const path = process.argv[2] ?? '';
  const ofFile = () => {
    const merged = mergePairs([pairsIn(readFileSync(path, 'utf8'))]);
    return { cells: merged === null ? [] : [{ id: path, ...merged }], plans: null };
  };
  const blocks = index(path.endsWith('.ndjson') ? ofFile() : indexPairs(openRun(path)));
  process.stdout.write(blocks.length > 0 ? toMarkdown(blocks) : 'workload index left no pairs there\n');
} catch (error) {
  fail(error);
}
