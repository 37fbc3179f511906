import { readdirSync } from 'node:fs';
import { countOfList, field, KernelFile, TICKS_PER_S } from './proc.js';

/**
 * A role that is a process and all its descendants, read from /proc (man 5 proc).
 *
 * cpu_s is cumulative: user and system time of the living, and of the children that each has waited for, so that a backend
 * which came and went between two readings counts in its postmaster. Parents are read before their children: a process
 * that ends in between is missing from one reading, never counted twice.
 *
 * rss_bytes adds up anonymous memory and takes file-backed and shared memory once, at the largest of the processes:
 * PostgreSQL's backends all map the same buffers. The kernel's own answer, Pss in smaps_rollup, walks the page tables:
 * 0.7 ms for one small Node process, against 0.01 ms, and other users' processes refuse it.
 *
 * Context switches are cumulative over the threads seen, also those that have ended since; what came and went between two
 * readings is not seen.
 */
export class ProcessTree {
  #processes = new Map();
  #switches = { voluntary: 0, involuntary: 0 };
  last = null; // the pid farthest from the first, of the last reading: of a tool that others have started, its own
  names = []; // of the programs of the last reading, each once, cut to 15 characters by the kernel

  /** proc: where the proc file system is mounted. */
  constructor(pid, proc = '/proc') {
    this.pid = pid;
    this.proc = proc;
  }

  /** One reading, {pid, cpu_s, rss_bytes, ctx_switches_voluntary, ctx_switches_involuntary, threads, cores_allowed, stopped}; null when the process is gone. */
  read() {
    const living = new Map();
    const pids = [this.pid];
    for (const pid of pids) {
      const reading = this.#read(pid);
      if (reading === null) continue;
      living.set(pid, reading);
      pids.push(...reading.children);
    }
    for (const [pid, process] of this.#processes) if (!living.has(pid)) this.#forget(pid, process);
    this.last = [...living.keys()].at(-1) ?? null;
    this.names = [...new Set([...living.values()].map(({ name }) => name))];
    return living.has(this.pid) ? this.#sum([...living.values()]) : null;
  }

  close() {
    for (const [pid, process] of this.#processes) this.#forget(pid, process);
  }

  #read(pid) {
    if (!this.#processes.has(pid)) this.#processes.set(pid, new Process(`${this.proc}/${pid}`, pid));
    return this.#processes.get(pid).read(this.#switches);
  }

  #forget(pid, process) {
    process.close();
    this.#processes.delete(pid);
  }

  #sum(readings) {
    const all = (key) => readings.map((reading) => reading[key]);
    const sum = (key) => all(key).reduce((a, b) => a + b, 0);
    return {
      pid: this.pid,
      cpu_s: sum('ticks') / TICKS_PER_S,
      rss_bytes: (sum('anonymous_kb') + Math.max(...all('file_kb')) + Math.max(...all('shared_kb'))) * 1024,
      ctx_switches_voluntary: this.#switches.voluntary,
      ctx_switches_involuntary: this.#switches.involuntary,
      threads: sum('threads'),
      cores_allowed: Math.min(...all('cores')),
      stopped: all('stopped').filter(Boolean).length, // processes, by a signal or a debugger
    };
  }
}

/** One process. Its files stay open from the first reading to close(). */
class Process {
  #threads = new Map();

  constructor(folder, pid) {
    this.folder = folder;
    this.pid = pid;
    this.stat = new KernelFile(`${folder}/stat`);
  }

  /** Adds the context switches since the last reading to `switches`; null when it has ended, waited for or not. */
  read(switches) {
    const stat = this.stat.read();
    if (!stat) return null;
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' '); // the name in parentheses may hold spaces
    const threads = Number(fields[17]);
    if (fields[0] === 'Z' || fields[0] === 'X') return null;
    this.#follow(threads > 1 ? this.#list() : [this.pid]);
    const read = [...this.#threads.values()].map((thread) => thread.read(switches));
    const status = this.#threads.get(this.pid)?.text ?? '';
    const allowed = /\nCpus_allowed_list:\s*(\S+)/.exec(status);
    return {
      name: stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')')),
      ticks: Number(fields[11]) + Number(fields[12]) + Number(fields[13]) + Number(fields[14]),
      threads,
      anonymous_kb: field(status, 'RssAnon:'),
      file_kb: field(status, 'RssFile:'),
      shared_kb: field(status, 'RssShmem:'),
      stopped: fields[0] === 'T' || fields[0] === 't',
      cores: allowed ? countOfList(allowed[1]) : Number.POSITIVE_INFINITY, // which JSON writes as null
      children: read.flat(),
    };
  }

  close() {
    this.stat.close();
    this.#follow([]);
  }

  #list() {
    try {
      return readdirSync(`${this.folder}/task`).map(Number);
    } catch {
      return [];
    }
  }

  #follow(ids) {
    for (const [id, thread] of this.#threads) {
      if (ids.includes(id)) continue;
      thread.close();
      this.#threads.delete(id);
    }
    for (const id of ids) if (!this.#threads.has(id)) this.#threads.set(id, new Thread(`${this.folder}/task/${id}`));
  }
}

class Thread {
  #voluntary = 0;
  #involuntary = 0;

  constructor(folder) {
    this.status = new KernelFile(`${folder}/status`);
    this.children = new KernelFile(`${folder}/children`);
  }

  /** The pids of the processes that it has started; its status stays in .text. */
  read(switches) {
    this.text = this.status.read() ?? '';
    const voluntary = field(this.text, 'voluntary_ctxt_switches:');
    const involuntary = field(this.text, 'nonvoluntary_ctxt_switches:');
    switches.voluntary += Math.max(0, voluntary - this.#voluntary);
    switches.involuntary += Math.max(0, involuntary - this.#involuntary);
    this.#voluntary = voluntary;
    this.#involuntary = involuntary;
    return (this.children.read() ?? '').split(' ').filter(Number).map(Number);
  }

  close() {
    this.status.close();
    this.children.close();
  }
}
