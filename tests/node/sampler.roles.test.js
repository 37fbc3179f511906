import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pod } from '../../scripts/probes/sampler/pod.js';
import { countOfList, field, isInList, readText } from '../../scripts/probes/sampler/proc.js';
import { ProcessTree } from '../../scripts/probes/sampler/process-tree.js';
import { openRole } from '../../scripts/probes/sampler/roles.js';
import { fakeProcess } from './lib/fake-proc.js';

const linux = { skip: existsSync('/proc/self/stat') ? false : 'there is no /proc here' };

function temporary(t) {
  const folder = mkdtempSync(join(tmpdir(), 'sampler-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

test('a role is the sum over a process and its descendants, with the children that each has waited for', (t) => {
  const proc = temporary(t);
  fakeProcess(proc, 10, {
    times: [100, 50, 300, 50],
    rss: [1000, 4000, 0],
    switches: { 10: [7, 1] },
    children: [11, 12],
  });
  fakeProcess(proc, 11, { times: [10, 0, 0, 0], rss: [500, 3000, 9000], switches: { 11: [5, 0] }, children: [13] });
  fakeProcess(proc, 12, { times: [20, 0, 0, 0], rss: [500, 3000, 8000], switches: { 12: [5, 2], 14: [30, 40] } });
  fakeProcess(proc, 13, { times: [5, 0, 0, 0], rss: [10, 20, 30], switches: { 13: [1, 1] }, cpus: '2' });
  assert.deepEqual(new ProcessTree(10, proc).read(), {
    pid: 10,
    cpu_s: 5.35,
    rss_bytes: (1000 + 500 + 500 + 10 + 4000 + 9000) * 1024, // file-backed and shared memory once
    ctx_switches_voluntary: 48,
    ctx_switches_involuntary: 44,
    threads: 5,
    cores_allowed: 1,
    stopped: 0,
  });
  fakeProcess(proc, 12, { state: 'T', times: [20, 0, 0, 0], switches: { 12: [5, 2] } });
  assert.equal(new ProcessTree(10, proc).read().stopped, 1);
});

test('a name with spaces and parentheses does not shift the fields', (t) => {
  const proc = temporary(t);
  fakeProcess(proc, 20, { name: 'a) S 9 (b', times: [1, 2, 3, 4], switches: { 20: [0, 0] } });
  assert.equal(new ProcessTree(20, proc).read().cpu_s, 0.1);
});

test('context switches of a thread that ends stay counted, and each is counted once', (t) => {
  const proc = temporary(t);
  const shape = { times: [0, 0, 0, 0] };
  fakeProcess(proc, 30, { ...shape, switches: { 30: [10, 0], 31: [100, 5] } });
  const tree = new ProcessTree(30, proc);
  const voluntary = () => tree.read().ctx_switches_voluntary;
  assert.equal(voluntary(), 110);
  assert.equal(voluntary(), 110);
  rmSync(`${proc}/30/task/31`, { recursive: true });
  fakeProcess(proc, 30, { ...shape, switches: { 30: [14, 0], 32: [6, 0] } });
  assert.equal(voluntary(), 120);
});

test('a child that has ended is missing; a root that has ended, or waits to be buried, is null', (t) => {
  const proc = temporary(t);
  fakeProcess(proc, 40, { times: [100, 0, 0, 0], switches: { 40: [0, 0] }, children: [41] });
  const tree = new ProcessTree(40, proc);
  assert.equal(tree.read().cpu_s, 1);
  fakeProcess(proc, 40, { state: 'Z', times: [100, 0, 0, 0], switches: { 40: [0, 0] } });
  assert.equal(tree.read(), null);
  assert.equal(new ProcessTree(49, proc).read(), null);
});

test('what is not a role reads null', () => {
  for (const role of [null, undefined, 0, -1, 'x', {}]) assert.equal(openRole(role).read(), null);
});

test('processor time of a child that came and went counts, as the process itself measures it', linux, async (t) => {
  const burn = 'const end = process.cpuUsage().user + 4e5; while (process.cpuUsage().user < end);';
  const shell = spawn('sh', ['-c', `"${process.execPath}" -e "${burn}"; echo done; sleep 30`], { detached: true });
  t.after(() => process.kill(-shell.pid));
  const tree = openRole(shell.pid);
  const before = tree.read().cpu_s;
  await new Promise((resolve) => shell.stdout.once('data', resolve));
  await sleep(50);
  const reading = tree.read();
  assert.ok(reading.cpu_s - before >= 0.35, `0.4 s were burnt, ${reading.cpu_s - before} s were seen`);
  assert.ok(reading.rss_bytes > 0 && reading.threads >= 1 && reading.cores_allowed >= 1);
});

test(
  'of several processes that share a role the programs are told, also those that others have started',
  linux,
  async (t) => {
    const shell = spawn('sh', ['-c', 'sleep 30 & echo; wait'], { detached: true });
    t.after(() => process.kill(-shell.pid));
    await new Promise((resolve) => shell.stdout.once('data', resolve));
    const role = openRole([shell.pid]);
    const deadline = Date.now() + 10_000;
    let programs = [];
    while (!programs.includes('sleep') && Date.now() < deadline) [{ programs }] = role.read().each; // it is sh until it has become sleep
    assert.deepEqual(programs.sort(), ['sh', 'sleep']);
  },
);

test('numbers are found at the start of a line only, lists of processors are counted', () => {
  assert.equal(field('nonvoluntary_ctxt_switches:\t9\nvoluntary_ctxt_switches:\t4\n', 'voluntary_ctxt_switches:'), 4);
  assert.equal(field('anon 7\nx 1\n', 'anon '), 7);
  assert.equal(field('x 1\n', 'anon '), 0);
  assert.deepEqual(['0', '0-3', '0-3,8', '0,2,4-5\n'].map(countOfList), [1, 4, 5, 4]);
  assert.deepEqual(
    [0, 1, 4, 5, 6].map((processor) => isInList('0,2,4-5\n', processor)),
    [true, false, true, true, false],
  );
});

test('a long file of the kernel, which comes in pieces, is read to its end', linux, () => {
  assert.ok(readText('/proc/self/smaps').length > 10_000);
  assert.equal(readText('/proc/self/none'), null);
});

test('a pod is all that its other containers run, commands that come and go among them, without the reader', (t) => {
  const proc = temporary(t);
  const other = { parent: 0, cgroup: '0::/../generator' };
  mkdirSync(`${proc}/self`);
  writeFileSync(`${proc}/self/cgroup`, '0::/\n');
  fakeProcess(proc, 1, {
    name: 'pause',
    parent: 0,
    cgroup: '0::/../pause',
    times: [900, 0, 0, 0],
    switches: { 1: [0, 0] },
  });
  fakeProcess(proc, 7, { ...other, name: 'sleep', times: [1, 0, 0, 0], switches: { 7: [1, 0] } });
  fakeProcess(proc, 20, { parent: 0, times: [500, 0, 0, 0], switches: { 20: [9, 9] } }); // the reader
  const pod = new Pod(proc);
  t.after(() => pod.close());
  assert.equal(pod.read().cpu_s, 0.01);
  fakeProcess(proc, 30, { ...other, name: 'timeout', times: [2, 0, 0, 0], switches: { 30: [1, 0] }, children: [31] });
  fakeProcess(proc, 31, {
    parent: 30,
    cgroup: other.cgroup,
    name: 'k6',
    times: [97, 0, 0, 0],
    switches: { 31: [5, 3] },
  });
  const { pid, cpu_s, ctx_switches_voluntary, threads, programs } = pod.read();
  assert.deepEqual([pid, cpu_s, ctx_switches_voluntary, threads], [7, 1, 7, 3]);
  assert.deepEqual(programs, ['sleep', 'timeout', 'k6']);
  for (const ended of [30, 31]) rmSync(`${proc}/${ended}`, { recursive: true });
  assert.equal(pod.read().cpu_s, 1); // what it used was used
  assert.equal(pod.read().threads, 1);
});

test('how long a pod was stopped for its limit of cores is what its containers see of themselves, by either version of cgroups', (t) => {
  const proc = temporary(t);
  mkdirSync(`${proc}/self`);
  writeFileSync(`${proc}/self/cgroup`, '0::/\n');
  const container = (pid, cgroup, file, text) => {
    fakeProcess(proc, pid, { parent: 0, cgroup, times: [1, 0, 0, 0], switches: { [pid]: [1, 0] } });
    mkdirSync(join(proc, `${pid}/root/sys/fs/cgroup`, file, '..'), { recursive: true });
    writeFileSync(join(proc, `${pid}/root/sys/fs/cgroup`, file), text);
  };
  const pod = new Pod(proc);
  t.after(() => pod.close());
  const stopped = () => pod.read().throttled_s.toFixed(3);
  container(7, '0::/../target', 'cpu.stat', 'nr_throttled 10\nthrottled_usec 100000\n'); // before it was looked at
  assert.equal(stopped(), '0.000');
  container(7, '0::/../target', 'cpu.stat', 'nr_throttled 13\nthrottled_usec 1600000\n'); // of several cores, in three tenths of a second
  assert.equal(stopped(), '0.300');
  container(7, '0::/../target', 'cpu.stat', 'nr_throttled 113\nthrottled_usec 1700000\n'); // in each period for a moment
  assert.equal(stopped(), '0.400');
  container(8, '0::/../target', 'cpu.stat', 'nr_throttled 113\nthrottled_usec 1700000\n'); // a command in the same container
  container(9, '0::/../other', 'cpu,cpuacct/cpu.stat', 'nr_throttled 0\nthrottled_time 0\n');
  container(9, '0::/../other', 'cpu,cpuacct/cpu.cfs_period_us', '10000\n');
  assert.equal(stopped(), '0.400');
  container(9, '0::/../other', 'cpu,cpuacct/cpu.stat', 'nr_throttled 20\nthrottled_time 500000000\n'); // of periods of a hundredth
  assert.equal(stopped(), '0.600');
  rmSync(`${proc}/9/root`, { recursive: true });
  assert.equal(stopped(), '0.600', 'what it told last');
  fakeProcess(proc, 10, { parent: 0, cgroup: '0::/../sidecar', times: [1, 0, 0, 0], switches: { 10: [1, 0] } });
  assert.equal(pod.read().throttled_s, null);
});

test('what a pod has used is what its cgroups tell, of either version, also of who ended between two readings', (t) => {
  const proc = temporary(t);
  mkdirSync(`${proc}/self`);
  writeFileSync(`${proc}/self/cgroup`, '0::/\n');
  const container = (pid, cgroup, file, text) => {
    fakeProcess(proc, pid, { parent: 0, cgroup, times: [100, 0, 0, 0], switches: { [pid]: [1, 0] } });
    mkdirSync(join(proc, `${pid}/root/sys/fs/cgroup`, file, '..'), { recursive: true });
    writeFileSync(join(proc, `${pid}/root/sys/fs/cgroup`, file), text);
  };
  const pod = new Pod(proc);
  t.after(() => pod.close());
  container(7, '0::/../target', 'cpu.stat', 'usage_usec 2500000\nnr_throttled 3\n');
  fakeProcess(proc, 8, { parent: 0, cgroup: '0::/../setup', times: [100, 0, 0, 0], switches: { 8: [1, 0] } }); // a command on its way into the container
  assert.equal(pod.read().cpu_s, 3.5); // and what that took
  rmSync(`${proc}/8`, { recursive: true });
  assert.equal(pod.read().cpu_s, 2.5);
  container(9, '0::/../other', 'cpuacct/cpuacct.usage', '4000000000\n');
  assert.equal(pod.read().cpu_s, 6.5);
  fakeProcess(proc, 11, { parent: 0, cgroup: '0::/../other', times: [100, 0, 0, 0], switches: { 11: [1, 0] } }); // a command, which sees none
  assert.equal(pod.read().cpu_s, 6.5);
  rmSync(`${proc}/9/root`, { recursive: true });
  assert.equal(pod.read().cpu_s, 6.5, 'what it told last');
  container(12, '0::/../setup', 'cpu.stat', 'usage_usec 90000000\n');
  const cgroups = ['0::/../setup', '0::/\n']; // while it is looked at, this command is put into the reader's own container
  pod.cgroupsOf = (pid) => (pid === 12 ? cgroups.shift() : Pod.prototype.cgroupsOf.call(pod, pid));
  assert.equal(pod.read().cpu_s, 7.5);
  cgroups.push('0::/\n');
  assert.equal(pod.read().cpu_s, 6.5);
});

test('of pods that share a role each tells at its address; one that does not answer keeps what it had used', async (t) => {
  const reading = {
    pid: 7,
    cpu_s: 2,
    rss_bytes: 10,
    ctx_switches_voluntary: 1,
    ctx_switches_involuntary: 1,
    threads: 1,
    cores_allowed: 2,
    stopped: 0,
  };
  const servers = [0, 1].map(() => createServer((_, response) => response.end(JSON.stringify(reading))));
  for (const server of servers) await once(server.listen(0, '127.0.0.1'), 'listening');
  const role = openRole(servers.map((server) => ({ url: `http://127.0.0.1:${server.address().port}/` })));
  t.after(() => role.close());
  const { cpu_s, cores_allowed, each } = await role.read();
  assert.deepEqual([cpu_s, cores_allowed, each.length], [4, 4, 2]);
  reading.machine = { boot: 'one', host: { cores: 3 } };
  assert.equal((await role.read()).cores_allowed, 3, 'those on one machine share its cores');
  servers[1].closeAllConnections();
  servers[1].close();
  const later = await role.read();
  assert.deepEqual([later.cpu_s, later.cores_allowed, later.each[1]], [4, 2, null]);
  servers[0].close();
});
