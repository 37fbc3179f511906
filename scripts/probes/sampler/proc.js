import { closeSync, openSync, readSync } from 'node:fs';

/** The unit of processor time in /proc, USER_HZ: the kernel fixes it at 100 on every architecture that Node runs on. */
export const TICKS_PER_S = 100;

// One buffer for every reading: nothing is allocated but the text.
const buffer = Buffer.allocUnsafe(1 << 16);

// The kernel hands over a long file in pieces of about a page; a piece below half of one is the last.
const PIECE_BYTES = 2048;

/**
 * A small file that the kernel makes as it is read (/proc, /sys, cgroup). It stays open: reading again takes a third of the
 * time of opening again, and a process's file never becomes that of another process which was given the same id.
 */
export class KernelFile {
  #file = null;

  constructor(path) {
    this.path = path;
  }

  /** Its text now, or null: no such process, no such kernel feature, not Linux. Beyond 64 KiB it stops. */
  read() {
    try {
      this.#file ??= openSync(this.path);
      let end = 0;
      let got;
      do {
        got = readSync(this.#file, buffer, end, buffer.length - end, end);
        end += got;
      } while (got >= PIECE_BYTES && end < buffer.length);
      return buffer.latin1Slice(0, end);
    } catch {
      return null;
    }
  }

  close() {
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }
}

/** The text of such a file that is read once, or null. */
export function readText(path) {
  const file = new KernelFile(path);
  const text = file.read();
  file.close();
  return text;
}

/** The whole number that follows `name` at the start of a line of `text` ("VmRSS:   12 kB" is 12), or 0 when no line starts so. */
export function field(text, name) {
  const start = `\n${text}`.indexOf(`\n${name}`);
  return start < 0 ? 0 : Number.parseInt(text.slice(start + name.length, start + name.length + 40), 10);
}

/** The ranges of a kernel list of processors: "0-3,8" is [[0, 3], [8, 8]]. */
function rangesOf(list) {
  const ranges = list.trim().split(',');
  return ranges.map((range) => {
    const [first, last = first] = range.split('-').map(Number);
    return [first, last];
  });
}

/** The processors that a kernel list names: "0-2,8" is [0, 1, 2, 8]. */
export const coresOfList = (list) =>
  rangesOf(list).flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, i) => first + i));

/** How many processors a kernel list names: "0-3,8" is 5. */
export const countOfList = (list) => rangesOf(list).reduce((count, [first, last]) => count + last - first + 1, 0);

/** Whether a kernel list names a processor. */
export const isInList = (list, processor) =>
  rangesOf(list).some(([first, last]) => first <= processor && processor <= last);
