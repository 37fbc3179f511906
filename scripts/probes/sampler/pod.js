import { readdirSync } from 'node:fs';
import { throttledIn } from './host.js';
import { Network } from './network.js';
import { readText } from './proc.js';
import { ProcessTree } from './process-tree.js';
import { sumOf } from './several.js';

/**
 * A role that is a pod, read in it, by a container that shares the process namespace of the others: their processes, those that were put into them included,
 * without this container's own and the one that holds the namespace open.
 *
 * Which processes are its own a container tells by its cgroup. The first process of each, and of each command that is run in one, has no parent that can be seen.
 */
export class Pod {
  #trees = new Map();
  #ended = { cpu_s: 0, ctx_switches_voluntary: 0, ctx_switches_involuntary: 0 }; // the sum of what has ended: what it used was used
  #network = null;

  /** proc: where the proc file system is mounted. */
  constructor(proc = '/proc') {
    this.proc = proc;
  }

  /** As Several, of one member; null while there is nothing but us. */
  read() {
    const pids = this.#first();
    for (const [pid, tree] of this.#trees) {
      if (pids.includes(pid)) continue;
      tree.processes.close();
      if (tree.last) this.#ended = sumOf([tree.last], [this.#ended, tree.last]);
      this.#trees.delete(pid);
    }
    const readings = pids.map((pid) => this.#read(pid)).filter(Boolean);
    if (readings.length === 0) return null;
    this.#network ??= new Network(pids[0], this.proc); // a pod has one
    return {
      ...sumOf(readings, [...readings, this.#ended]),
      throttled_s: this.#throttled(pids),
      programs: [...new Set(readings.flatMap(({ programs }) => programs))],
      network: this.#network.read(),
    };
  }

  close() {
    for (const { processes } of this.#trees.values()) processes.close();
    this.#network?.close();
  }

  #read(pid) {
    if (!this.#trees.has(pid)) this.#trees.set(pid, { processes: new ProcessTree(pid, this.proc), last: null });
    const tree = this.#trees.get(pid);
    const reading = tree.processes.read();
    if (reading) tree.last = { ...reading, programs: tree.processes.names };
    return reading && tree.last;
  }

  /** How long its containers were stopped in all, as they had used up their processor time; null where their files do not tell. */
  #throttled(pids) {
    const groups = new Map(pids.map((pid) => [readText(`${this.proc}/${pid}/cgroup`), pid])); // a command in a container is in its group
    const seconds = [...groups.values()].map((pid) => throttledSeconds(`${this.proc}/${pid}/root/sys/fs/cgroup`));
    return seconds.some((of) => of === null) ? null : seconds.reduce((all, of) => all + of, 0);
  }

  /** The pids of the first processes of the other containers, and of what is run in them, ascending. */
  #first() {
    const own = readText(`${this.proc}/self/cgroup`);
    return readdirSync(this.proc)
      .map(Number)
      .filter((pid) => pid > 1)
      .sort((a, b) => a - b)
      .filter((pid) => parentOf(this.proc, pid) === 0 && readText(`${this.proc}/${pid}/cgroup`) !== own);
  }
}

/** Of the cgroup that a container sees as its own, of either version. */
const throttledSeconds = (root) =>
  throttledIn(`${root}/cpu.stat`) ?? throttledIn(`${root}/cpu/cpu.stat`) ?? throttledIn(`${root}/cpu,cpuacct/cpu.stat`);

/** The parent's pid, 0 where it is in another namespace; null when the process has gone. */
function parentOf(proc, pid) {
  const stat = readText(`${proc}/${pid}/stat`);
  return stat && Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}
