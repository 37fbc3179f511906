import { Network } from './network.js';
import { coresOfList, KernelFile } from './proc.js';
import { ProcessTree } from './process-tree.js';
import { TargetStats } from './target-stats.js';

const ALLOWED = /\nCpus_allowed_list:\s*(\S+)/;

/** The sum of those of ProcessTree, with the pid of the first. living: of those that run; all: those that ended among them: what was used must not fall when one ends. */
export function sumOf(living, all) {
  const sum = (readings, key) => readings.reduce((total, reading) => total + reading[key], 0);
  return {
    pid: living[0].pid,
    cpu_s: sum(all, 'cpu_s'),
    rss_bytes: sum(living, 'rss_bytes'),
    ctx_switches_voluntary: sum(all, 'ctx_switches_voluntary'),
    ctx_switches_involuntary: sum(all, 'ctx_switches_involuntary'),
    threads: sum(living, 'threads'),
    cores_allowed: Math.max(...living.map(({ cores_allowed: cores }) => cores ?? 0)) || null,
    stopped: sum(living, 'stopped'),
  };
}

/** One of several processes that share a role: with its descendants, and the network that the tool among them is in. */
class Member {
  #tree;
  #tool = null; // the pid whose files these are
  #network = null;
  #status = null;
  last = null; // what it used when it was last seen

  constructor(pid) {
    this.#tree = new ProcessTree(pid);
  }

  /** As ProcessTree, with its network, and the names of its programs; null when it has gone. */
  read() {
    const reading = this.#tree.read();
    if (reading === null) return null;
    if (this.#tree.last !== this.#tool) this.#follow(this.#tree.last);
    this.last = reading;
    return { ...reading, programs: this.#tree.names, network: this.#network.read() };
  }

  /** The processors that it may use. @returns {number[]} */
  cores() {
    const list = ALLOWED.exec(this.#status?.read() ?? '')?.[1];
    return list ? coresOfList(list) : [];
  }

  close() {
    this.#tree.close();
    this.#network?.close();
    this.#status?.close();
  }

  #follow(pid) {
    this.#network?.close();
    this.#status?.close();
    this.#tool = pid;
    this.#network = new Network(pid);
    this.#status = new KernelFile(`/proc/${pid}/status`);
  }
}

/** A role that several processes share, each with its descendants: load generators. */
export class Several {
  #pid;
  #members;

  constructor(pids) {
    [this.#pid] = pids;
    this.#members = pids.map((pid) => new Member(pid));
  }

  /**
   * One reading: the sum of those of ProcessTree, with the pid of the first, and the cores that any of them may use; in `each` that of every process,
   * null of one that has gone, and of its network, see Network. null when all have gone.
   */
  read() {
    const each = this.#members.map((member) => member.read());
    const living = each.filter(Boolean);
    if (living.length === 0) return null;
    const last = this.#members.map((member) => member.last).filter(Boolean);
    const cores = new Set(this.#members.flatMap((member) => member.cores()));
    return { ...sumOf(living, last), pid: this.#pid, cores_allowed: cores.size > 0 ? cores.size : null, each };
  }

  close() {
    for (const member of this.#members) member.close();
  }
}

/** The cores that pods may use; those on one machine have no more than it has. @param {object[]} readings @returns {number|null} */
function coresOf(readings) {
  if (readings.some(({ cores_allowed }) => cores_allowed === null)) return null;
  const machines = new Map();
  for (const reading of readings) {
    const { cores_allowed, machine } = reading;
    const which = machine?.boot ?? reading; // where it is not known, one of its own
    const most = machine?.host.cores ?? Number.POSITIVE_INFINITY;
    machines.set(which, Math.min((machines.get(which) ?? 0) + cores_allowed, most));
  }
  return [...machines.values()].reduce((a, b) => a + b, 0);
}

/** A role that several pods share, each of which tells of itself at an address. */
export class SeveralPods {
  #members;

  constructor(urls) {
    this.#members = urls.map((url) => ({ source: new TargetStats(url), last: null }));
  }

  /** As Several; the cores are those of all. How long each was stopped for its limit of cores stands with it alone. */
  async read() {
    const each = await Promise.all(this.#members.map(({ source }) => source.read()));
    each.forEach((reading, i) => {
      this.#members[i].last = reading ?? this.#members[i].last;
    });
    const living = each.filter(Boolean);
    if (living.length === 0) return null;
    const last = this.#members.map((member) => member.last).filter(Boolean);
    return {
      ...sumOf(living, last),
      pid: this.#members[0].last?.pid ?? null,
      cores_allowed: coresOf(living),
      each,
    };
  }

  close() {
    for (const { source } of this.#members) source.close();
  }
}
