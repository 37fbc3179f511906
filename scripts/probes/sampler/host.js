import { existsSync, readdirSync, statSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { dirname } from 'node:path';
import { countOfList, isInList, readText, TICKS_PER_S } from './proc.js';

const [USER, NICE, SYSTEM, IDLE, IOWAIT, IRQ, SOFTIRQ, STEAL] = [0, 1, 2, 3, 4, 5, 6, 7]; // columns of /proc/stat
const SECTOR_BYTES = 512; // the unit of /proc/diskstats, whatever the disk's own

// Whole, real disks: partitions, and what is made of other disks (loop, device mapper, RAID), would count bytes twice.
const disks = existsSync('/sys/block')
  ? new Set(readdirSync('/sys/block').filter((name) => existsSync(`/sys/block/${name}/device`)))
  : new Set();

/**
 * The machine as a whole; of its cores those that this process may use, and hence the run. All counters are cumulative; null is what the system does
 * not tell.
 * {cores, load1, cpu: {busy_s, steal_s, total_s, steal_by_core_s}, throttled_s, psi: {cpu_some_us, memory_some_us, io_some_us},
 *   disk: {read_bytes, written_bytes}}
 * cpu is summed over these cores; busy is neither idle nor waiting for a disk nor stolen by the hypervisor. throttled_s: how long, at most,
 * this container was stopped because its quota of processor time was used up (Linux, Documentation/admin-guide/cgroup-v2.rst).
 * psi: microseconds in which some task waited for it (Linux, Documentation/accounting/psi.rst).
 * @param {string} [proc] where the proc file system is mounted
 * @param {{whole?: boolean}} [of] all cores of the machine: other containers of a pod may have others than this one
 */
export function readHost(proc = '/proc', { whole = false } = {}) {
  const cpu = readCpu(proc, whole);
  return {
    cores: cpu?.steal_by_core_s.length ?? availableParallelism(),
    load1: loadavg()[0],
    cpu,
    throttled_s: readThrottled(),
    psi: readPressure(),
    disk: readDisks(),
  };
}

/** A quota may be this process's own group's or one above it. */
function readThrottled() {
  const seconds = throttleFiles.map(throttledIn).filter((of) => of !== null);
  return seconds.length === 0 ? null : seconds.reduce((a, b) => a + b);
}

/** The period that a quota is of, as the kernel has it unless told otherwise. */
const PERIOD_S = 0.1;

/** By group: both figures as they were read last, and what was made of them. */
const throttled = new Map();

/** A group may be seen by way of several processes. */
function groupOf(file) {
  try {
    const { dev, ino } = statSync(file);
    return `${dev}:${ino}`;
  } catch {
    return file; // the process has ended since
  }
}

/**
 * For how many seconds at most a group was stopped since it was first asked, by its cpu.stat, or null. The kernel adds up the time of all cores on which it was
 * (Linux, kernel/sched/fair.c, unthrottle_cfs_rq), version 2 of cgroups in microseconds, version 1 in nanoseconds; and counts the periods. Between two readings it is the
 * smaller growth of both. @param {string} file its path
 */
export function throttledIn(file) {
  const text = readText(file) ?? '';
  const [, key, count] = /^throttled_(usec|time) (\d+)/m.exec(text) ?? [];
  const [, periods] = /^nr_throttled (\d+)/m.exec(text) ?? [];
  if (key === undefined || periods === undefined) return null;
  const all_s = Number(count) / (key === 'usec' ? 1e6 : 1e9);
  const periods_s = periodOf(dirname(file)) * Number(periods);
  const group = groupOf(file);
  const before = throttled.get(group) ?? { all_s, periods_s, total_s: 0 };
  const grown_s = Math.min(all_s - before.all_s, periods_s - before.periods_s);
  const total_s = before.total_s + Math.max(0, grown_s);
  throttled.set(group, { all_s, periods_s, total_s });
  return total_s;
}

/** @param {string} folder of a group @returns {number} seconds; cpu.max of version 2 of cgroups has it after the quota */
function periodOf(folder) {
  const us = readText(`${folder}/cpu.max`)?.split(' ')[1] ?? readText(`${folder}/cpu.cfs_period_us`);
  return Number(us) > 0 ? Number(us) / 1e6 : PERIOD_S;
}

/** cpu.stat of this process's cgroup and of all above it. */
const throttleFiles = (readText('/proc/self/cgroup') ?? '').split('\n').flatMap((line) => {
  const [, controllers, path] = /^\d+:([^:]*):(\/.*)$/.exec(line) ?? [];
  if (path === undefined || (controllers !== '' && !controllers.split(',').includes('cpu'))) return [];
  const root = controllers === '' ? '/sys/fs/cgroup' : `/sys/fs/cgroup/${controllers}`;
  const parts = path.split('/').filter(Boolean);
  return parts.concat('').map((_, i) => `${[root, ...parts.slice(0, i)].join('/')}/cpu.stat`);
});

function readCpu(proc, whole) {
  const allowed = /\nCpus_allowed_list:\s*(\S+)/.exec(readText(`${proc}/self/status`) ?? '')?.[1];
  const all = [...(readText(`${proc}/stat`) ?? '').matchAll(/^cpu(\d+) (.*)/gm)];
  // a list that names no fewer than there are leaves none out, whatever it calls them: LXC numbers those of a container anew
  const leavesOut = !whole && allowed !== undefined && countOfList(allowed) < all.length;
  const cores = all
    .filter(([, core]) => !leavesOut || isInList(allowed, Number(core)))
    .map(([, , ticks]) => ticks.split(' ').map(Number));
  if (cores.length === 0) return null;
  const seconds = (...columns) =>
    cores.flatMap((ticks) => columns.map((i) => ticks[i])).reduce((a, b) => a + b) / TICKS_PER_S;
  return {
    busy_s: seconds(USER, NICE, SYSTEM, IRQ, SOFTIRQ),
    steal_s: seconds(STEAL),
    total_s: seconds(USER, NICE, SYSTEM, IDLE, IOWAIT, IRQ, SOFTIRQ, STEAL),
    steal_by_core_s: cores.map((ticks) => ticks[STEAL] / TICKS_PER_S),
  };
}

function readPressure() {
  const someStalled = (what) => {
    const total = /^some .*total=(\d+)/.exec(readText(`/proc/pressure/${what}`) ?? '');
    return total && Number(total[1]);
  };
  const psi = { cpu_some_us: someStalled('cpu'), memory_some_us: someStalled('memory'), io_some_us: someStalled('io') };
  return Object.values(psi).every((value) => value === null) ? null : psi;
}

function readDisks() {
  const text = readText('/proc/diskstats');
  if (text === null || disks.size === 0) return null;
  const sum = { read_bytes: 0, written_bytes: 0 };
  for (const line of text.split('\n')) {
    const [, , name, , , sectorsRead, , , , sectorsWritten] = line.trim().split(/ +/);
    if (!disks.has(name)) continue;
    sum.read_bytes += sectorsRead * SECTOR_BYTES;
    sum.written_bytes += sectorsWritten * SECTOR_BYTES;
  }
  return sum;
}
