import { renameSync, writeFileSync } from 'node:fs';

/** Writes a file whole or not at all. @param {string|Uint8Array} content */
export function writeAtomic(path, content) {
  const unfinished = `${path}.tmp.${process.pid}`;
  writeFileSync(unfinished, content);
  renameSync(unfinished, path);
}
