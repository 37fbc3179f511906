/** Files as the kernel writes them, for samplers that are told where the proc file system is mounted. */
import { mkdirSync, writeFileSync } from 'node:fs';

/** Writes what /proc tells of a process. Memory in kB, times in ticks, switches [voluntary, involuntary] per thread. */
export function fakeProcess(
  proc,
  pid,
  { name = 'node', state = 'S', times, rss = [0, 0, 0], switches, children = [], cpus, parent = 1, cgroup = '0::/' },
) {
  const ids = Object.keys(switches);
  for (const id of ids) {
    const folder = `${proc}/${pid}/task/${id}`;
    mkdirSync(folder, { recursive: true });
    const [voluntary, involuntary] = switches[id];
    const memory = `RssAnon:\t${rss[0]} kB\nRssFile:\t${rss[1]} kB\nRssShmem:\t${rss[2]} kB\n`;
    const counts = `voluntary_ctxt_switches:\t${voluntary}\nnonvoluntary_ctxt_switches:\t${involuntary}\n`;
    writeFileSync(`${folder}/status`, `Name:\t${name}\n${memory}Cpus_allowed_list:\t${cpus ?? '0-3'}\n${counts}`);
    writeFileSync(`${folder}/children`, Number(id) === pid ? children.map((child) => `${child} `).join('') : '');
  }
  const [user, system, childrenUser, childrenSystem] = times;
  const rest = `${state} ${parent} 1 1 0 -1 0 0 0 0 0 ${user} ${system} ${childrenUser} ${childrenSystem} 20 0 ${ids.length} 0 100 0 0`;
  writeFileSync(`${proc}/${pid}/cgroup`, `${cgroup}\n`);
  writeFileSync(`${proc}/${pid}/stat`, `${pid} (${name}) ${rest}\n`);
}

/**
 * Writes what a pod's sampler sees: a machine, whose sampler is kept to its first core, and one container beside it. Seconds are cumulative.
 * @param {{boot: string|null, cores: number, at_s: number, busy_s: number, used_s: number, throttled_s: number|null}} seen
 */
export function fakePod(proc, { boot, cores, at_s, busy_s, used_s, throttled_s }) {
  mkdirSync(`${proc}/self`, { recursive: true });
  writeFileSync(`${proc}/self/cgroup`, '0::/\n');
  writeFileSync(`${proc}/self/status`, 'Name:\tnode\nCpus_allowed_list:\t0\n');
  if (boot !== null) {
    mkdirSync(`${proc}/sys/kernel/random`, { recursive: true });
    writeFileSync(`${proc}/sys/kernel/random/boot_id`, `${boot}\n`);
  }
  const [busy, idle] = [busy_s / cores, at_s - busy_s / cores].map((s) => Math.round(100 * s));
  const lines = Array.from({ length: cores }, (_, core) => `cpu${core} ${busy} 0 0 ${idle} 0 0 0 0 0 0`);
  writeFileSync(`${proc}/stat`, `cpu  ${busy * cores} 0 0 ${idle * cores} 0 0 0 0 0 0\n${lines.join('\n')}\nintr 1\n`);
  const group = `${proc}/7/root/sys/fs/cgroup`;
  const times = [Math.round(100 * used_s), 0, 0, 0];
  fakeProcess(proc, 7, { parent: 0, cgroup: '0::/../role', cpus: '0-127', times, switches: { 7: [1, 0] } });
  mkdirSync(group, { recursive: true });
  const throttled =
    throttled_s === null
      ? ''
      : `nr_throttled ${Math.ceil(100 * throttled_s)}\nthrottled_usec ${Math.round(1e6 * throttled_s)}\n`;
  writeFileSync(`${group}/cpu.stat`, `usage_usec ${Math.round(1e6 * used_s)}\n${throttled}`);
}
