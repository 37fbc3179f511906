import { countOfList, field, readText } from './proc.js';

/**
 * A role that is a cgroup (version 2), such as a container; the same reading as a ProcessTree's.
 * rss_bytes is anonymous memory and the mapped part of the page cache, shared memory included, which is what rss means of a process.
 * A cgroup does not count context switches: null.
 */
export class Cgroup {
  constructor(path) {
    this.path = path;
  }

  /** One reading, or null when there is no such cgroup. */
  read() {
    const cpu = readText(`${this.path}/cpu.stat`);
    if (cpu === null) return null;
    const memory = readText(`${this.path}/memory.stat`);
    const threads = readText(`${this.path}/pids.current`);
    const cores = readText(`${this.path}/cpuset.cpus.effective`);
    return {
      pid: null,
      cpu_s: field(cpu, 'usage_usec ') / 1e6,
      rss_bytes: memory === null ? null : field(memory, 'anon ') + field(memory, 'file_mapped '),
      ctx_switches_voluntary: null,
      ctx_switches_involuntary: null,
      threads: threads === null ? null : Number(threads),
      cores_allowed: cores === null ? null : countOfList(cores),
    };
  }

  close() {}
}
