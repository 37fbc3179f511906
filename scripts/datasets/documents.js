// Prints a psql script that makes and fills the collections: node scripts/datasets/documents.js SCALE
// Same scale, same documents, on every machine.
import { once } from 'node:events';
import { createCollection, createIndex } from '../../apps/documents/sql.js';
import { person } from '../../k6/lib/documents.js';
import { seeded } from '../../k6/lib/random.js';

const COLLECTIONS = [
  { name: 'test', size: 10_000, seed: 1 },
  { name: 'indexed', size: 100_000, seed: 2, index: 'age' },
  { name: 'unindexed', size: 100_000, seed: 2 }, // the twin: the same documents
];

// What streaming reads has a thousand documents at every scale.
const FIXED = [{ name: 'thousand', size: 1000, seed: 3 }];

/** -> [{name, size, seed, index?}]: the collections at `scale`. */
export function collections(scale) {
  return [...COLLECTIONS.map(({ size, ...rest }) => ({ ...rest, size: Math.ceil(size * scale) })), ...FIXED];
}

/** Yields a collection's documents, each as JSON. */
export function* documents({ size, seed }) {
  const random = seeded(seed);
  for (let i = 0; i < size; i += 1) yield JSON.stringify(person(random));
}

/** Yields the script in pieces. It is meant for one transaction: COPY freezes what the same transaction has made. */
function* script(scale) {
  yield 'create schema collections;\n';
  for (const collection of collections(scale)) {
    yield `${createCollection(collection.name)};\ncopy collections."${collection.name}" (doc) from stdin with (freeze);\n`;
    let lines = [];
    for (const json of documents(collection)) {
      lines.push(`${json.replaceAll('\\', '\\\\')}\n`);
      if (lines.length === 1000) {
        yield lines.join('');
        lines = [];
      }
    }
    yield `${lines.join('')}\\.\n`;
    if (collection.index) yield `${createIndex(collection.name, collection.index)};\n`;
  }
}

if (import.meta.filename === process.argv[1]) {
  for (const piece of script(Number(process.argv[2]))) {
    if (!process.stdout.write(piece)) await once(process.stdout, 'drain');
  }
}
