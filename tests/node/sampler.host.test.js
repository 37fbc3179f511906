import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
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
