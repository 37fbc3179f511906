import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { DamagedRun } from './run-folder.js';

/** Writes a file whole or not at all. @param {string|Uint8Array} content */
export function writeAtomic(path, content) {
  const unfinished = `${path}.tmp.${process.pid}`;
  try {
    writeFileSync(unfinished, content);
    renameSync(unfinished, path);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw new DamagedRun(`${path}: cannot be written (${error.code})`);
  }
}
