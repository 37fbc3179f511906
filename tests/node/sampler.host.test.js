import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { readHost } from '../../scripts/probes/sampler/host.js';

const linux = { skip: existsSync('/proc/stat') ? false : 'there is no /proc here' };

test('every part is there, null where the system does not tell', () => {
  const host = readHost();
  assert.deepEqual(Object.keys(host), ['cores', 'load1', 'cpu', 'throttled_s', 'psi', 'disk']);
  assert.ok(host.cores >= 1 && host.load1 >= 0);
});

test('processor time passes at the rate of the clock times the cores, and busy is part of it', linux, async () => {
  const before = readHost();
  await sleep(500);
  const after = readHost();
  const total = after.cpu.total_s - before.cpu.total_s;
  const busy = after.cpu.busy_s - before.cpu.busy_s;
  assert.ok(total > 0.3 * before.cores && total < 1.5 * before.cores, `${total} s on ${before.cores} cores in 0.5 s`);
  assert.ok(busy >= 0 && busy <= total + 0.05);
});

test('of the processors of the machine those count that this process may use, and each tells what was stolen from it', (t) => {
  const proc = mkdtempSync(join(tmpdir(), 'proc-'));
  t.after(() => rmSync(proc, { recursive: true }));
  const lines = [0, 1, 2, 3].map((core) => `cpu${core} ${core}00 0 100 1000 0 0 50 ${core}0 0 0`);
  writeFileSync(join(proc, 'stat'), `cpu  600 0 400 4000 0 0 200 60 0 0\n${lines.join('\n')}\nintr 1 2 3\nctxt 9\n`);
  mkdirSync(join(proc, 'self'));
  const read = (list) => {
    writeFileSync(join(proc, 'self/status'), `Name:\tnode\nCpus_allowed:\tf\nCpus_allowed_list:\t${list}\n`);
    const { cores, cpu } = readHost(proc);
    return { cores, ...cpu };
  };
  assert.deepEqual(read('1,3'), { cores: 2, busy_s: 7, steal_s: 0.4, total_s: 27.4, steal_by_core_s: [0.1, 0.3] });
  const all = { cores: 4, busy_s: 12, steal_s: 0.6, total_s: 52.6, steal_by_core_s: [0, 0.1, 0.2, 0.3] };
  assert.deepEqual(read('0-3'), all);
  assert.deepEqual(read('0-127'), all, 'a kernel may name more than there are');
  assert.deepEqual(read('4-7'), all, 'LXC numbers them anew');
  read('1,3');
  assert.equal(readHost(proc, { whole: true }).cores, 4);
});
