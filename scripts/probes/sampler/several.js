import { Network } from './network.js';
import { coresOfList, KernelFile } from './proc.js';
import { ProcessTree } from './process-tree.js';

const ALLOWED = /\nCpus_allowed_list:\s*(\S+)/;

/** One of several processes that share a role: with its descendants, and the network that the tool among them is in. */
class Member {
  #tree;
  #tool = null; // the pid whose files these are
  #network = null;
  #status = null;
  last = null; // what it used when it was last seen: the sum over all must not fall when one ends

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
    const sum = (readings, key) => readings.reduce((all, reading) => all + reading[key], 0);
    const cores = new Set(this.#members.flatMap((member) => member.cores()));
    return {
      pid: this.#pid,
      cpu_s: sum(last, 'cpu_s'),
      rss_bytes: sum(living, 'rss_bytes'),
      ctx_switches_voluntary: sum(last, 'ctx_switches_voluntary'),
      ctx_switches_involuntary: sum(last, 'ctx_switches_involuntary'),
      threads: sum(living, 'threads'),
      cores_allowed: cores.size > 0 ? cores.size : null,
      stopped: sum(living, 'stopped'),
      each,
    };
  }

  close() {
    for (const member of this.#members) member.close();
  }
}
