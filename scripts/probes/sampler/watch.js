import { mkdirSync, readFileSync, statSync, watch } from 'node:fs';
import { dirname } from 'node:path';

const LOOK_MS = 1000;

/**
 * Calls back with the content of a JSON file whenever another file stands in its place, and with null when it has gone.
 *
 * The kernel reports changes in its folder, which costs nothing while nothing changes: looking 20 times a second cost 0.3 % of a
 * core. The folder should hold little else that changes, for each change there is a wake-up (500 a second: 2 % of a core).
 * One look a second besides, should a report be lost or the system have none to give.
 */
export function watchFile(path, changed) {
  let last = null;
  const look = () => {
    const stat = statSync(path, { throwIfNoEntry: false });
    const identity = stat ? `${stat.ino} ${stat.mtimeMs}` : null;
    if (identity === last) return;
    last = identity;
    changed(stat ? readJson(path) : null);
  };
  mkdirSync(dirname(path), { recursive: true });
  try {
    watch(dirname(path), look).on('error', () => {});
  } catch (error) {
    console.error(`warning: ${dirname(path)} cannot be watched (${error.code}): cells are noticed up to a second late`);
  }
  setInterval(look, LOOK_MS);
  look();
}

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT') return null; // gone since we looked
    console.error(`warning: ${path}: ${error.message}: this cell is not sampled`);
    return null;
  }
}
