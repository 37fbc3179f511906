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
  #told = { used: new Map(), throttled: new Map() }; // by cgroup

  /** proc: where the proc file system is mounted. */
  constructor(proc = '/proc') {
    this.proc = proc;
  }

  /** As Several, of one member; null while there is nothing but us. */
  read() {
    const groupOf = this.#first();
    const pids = [...groupOf.keys()];
    for (const [pid, tree] of this.#trees) {
      if (pids.includes(pid)) continue;
      tree.processes.close();
      if (tree.last) this.#ended = sumOf([tree.last], [this.#ended, tree.last]);
      this.#trees.delete(pid);
    }
    const readings = pids.map((pid) => this.#read(pid)).filter(Boolean);
    if (readings.length === 0) return null;
    this.#network ??= new Network(pids[0], this.proc); // a pod has one
    const sums = sumOf(readings, [...readings, this.#ended]);
    const [used, throttled] = [
      [this.#told.used, usedSeconds],
      [this.#told.throttled, throttledSeconds],
    ].map(([told, of]) => this.#tell(told, groupOf, of));
    const others = readings.filter(({ pid }) => !this.#told.used.has(groupOf.get(pid)));
    return {
      ...sums,
      cpu_s: used === null ? sums.cpu_s : used + sum(others.map(({ cpu_s }) => cpu_s)), // who ended between two readings has used more than was seen
      throttled_s: [...groupOf.values()].every((group) => this.#told.throttled.has(group)) ? throttled : null,
      programs: [...new Set(readings.flatMap(({ programs }) => programs))],
      network: this.#network.read(),
    };
  }

  /** In which cgroups a process is, a text; null when it has ended. */
  cgroupsOf(pid) {
    return readText(`${this.proc}/${pid}/cgroup`);
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

  /**
   * What `of` tells of the cgroups of all containers, each as the first of its processes sees it: a command that is run in a container is in its group. One
   * that does not tell now has what it told last, so that no reading is of other counters than the next; null where none ever told. Of a command that is
   * put into its container meanwhile nobody knows whose counter was read.
   */
  #tell(told, groupOf, of) {
    for (const [group, pid] of new Map([...groupOf].reverse().map(([pid, group]) => [group, pid]))) {
      const seconds = of(`${this.proc}/${pid}/root/sys/fs/cgroup`);
      if (seconds !== null && this.cgroupsOf(pid) === group) told.set(group, seconds);
    }
    return told.size === 0 ? null : sum([...told.values()]);
  }

  /** The pids of the first processes of the other containers, and of what is run in them, ascending, with the cgroups of each. @returns {Map<number, string>} */
  #first() {
    const own = this.cgroupsOf('self');
    const pids = readdirSync(this.proc)
      .map(Number)
      .filter((pid) => pid > 1 && parentOf(this.proc, pid) === 0)
      .sort((a, b) => a - b);
    const groups = pids.map((pid) => [pid, this.cgroupsOf(pid)]);
    return new Map(groups.filter(([, group]) => group !== own && group !== null)); // null: it has just ended
  }
}

const sum = (seconds) => seconds.reduce((a, b) => a + b, 0);

/** How long a container was stopped, as it had used up its processor time, by the cgroup that it sees as its own, of either version. */
const throttledSeconds = (root) =>
  throttledIn(`${root}/cpu.stat`) ?? throttledIn(`${root}/cpu/cpu.stat`) ?? throttledIn(`${root}/cpu,cpuacct/cpu.stat`);

/** The processor time that it has used, those of its processes that have ended included. */
function usedSeconds(root) {
  const [, microseconds] = /^usage_usec (\d+)/m.exec(readText(`${root}/cpu.stat`) ?? '') ?? [];
  if (microseconds) return Number(microseconds) / 1e6;
  const nanoseconds = readText(`${root}/cpuacct/cpuacct.usage`) ?? readText(`${root}/cpu,cpuacct/cpuacct.usage`);
  return nanoseconds === null ? null : Number(nanoseconds) / 1e9;
}

/** The parent's pid, 0 where it is in another namespace; null when the process has gone. */
function parentOf(proc, pid) {
  const stat = readText(`${proc}/${pid}/stat`);
  return stat && Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}
