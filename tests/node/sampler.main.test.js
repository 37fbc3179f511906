import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { eventually } from '../lib/process.js';

const main = fileURLToPath(new URL('../../scripts/probes/sampler/main.js', import.meta.url));

/** Starts a sampler on a watch file that is not there yet; it is stopped when the test ends. */
async function start(t, env = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'sampler-'));
  const sampler = { folder, watch: join(folder, 'watch', 'cell.json'), said: '' };
  sampler.process = spawn(process.execPath, [main, sampler.watch], { env: { PATH: process.env.PATH, ...env } });
  sampler.process.stderr.on('data', (text) => {
    sampler.said += text;
  });
  t.after(async () => {
    if (sampler.process.exitCode === null && sampler.process.signalCode === null) {
      sampler.process.kill('SIGKILL');
      await once(sampler.process, 'exit');
    }
    rmSync(folder, { recursive: true });
  });
  await eventually(() => existsSync(join(folder, 'watch')));
  await sleep(100); // it watches
  return sampler;
}

function write(sampler, text) {
  writeFileSync(`${sampler.watch}.tmp`, text);
  renameSync(`${sampler.watch}.tmp`, sampler.watch);
}

function begin(sampler, name, watched) {
  const cell = join(sampler.folder, name);
  mkdirSync(cell, { recursive: true });
  write(sampler, JSON.stringify({ cell, ...watched }));
  return () => {
    const file = join(cell, 'sampler.ndjson');
    const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
    return text.split('\n').slice(0, -1).map(JSON.parse);
  };
}

const end = (sampler) => rmSync(sampler.watch);

test('a line at once, one a second, one at the end, and none in between cells', async (t) => {
  const sampler = await start(t);
  const first = begin(sampler, 'first', { roles: { target: process.pid, generator: process.pid } });
  await eventually(() => first().length === 1);
  await eventually(() => first().length === 3);
  end(sampler);
  await eventually(() => first().length === 4);
  await sleep(1200);
  const second = begin(sampler, 'second', { roles: { target: process.pid, generator: process.pid } });
  await eventually(() => second().length === 1);
  end(sampler);
  await eventually(() => second().length === 2);
  const [a, b, c, d] = first().map(({ clock_s }) => clock_s);
  for (const [i, at] of [b, c].entries())
    assert.ok(at - a > i + 0.95, `line ${i + 2} came ${at - a} s after the first`);
  assert.ok(d > c && d - c < 0.95, `the last line came ${d - c} s after the one before`);
  assert.equal(first().length, 4);
  const line = second()[0];
  assert.deepEqual(Object.keys(line), ['t', 'clock_s', 'roles', 'host', 'stats', 'activity', 'sampler']);
  assert.match(line.t, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assert.deepEqual([line.stats, line.activity], [null, null]);
  assert.equal(sampler.said, '');
});

test('exits 0 on SIGTERM, with and without a cell', async (t) => {
  for (const watched of [null, { roles: { target: process.pid } }]) {
    const sampler = await start(t);
    const lines = watched && begin(sampler, 'cell', watched);
    if (lines) await eventually(() => lines().length === 1);
    sampler.process.kill('SIGTERM');
    assert.deepEqual(await once(sampler.process, 'exit'), [0, null]);
  }
});

test('ends with its stdin, as when the process that started it is killed', async (t) => {
  const sampler = await start(t);
  const lines = begin(sampler, 'cell', { roles: { target: process.pid } });
  await eventually(() => lines().length === 1);
  sampler.process.stdin.destroy();
  assert.deepEqual(await once(sampler.process, 'exit'), [0, null]);
});

test('when the tool has ended, the watch file alone brings no more lines', async (t) => {
  const sampler = await start(t);
  const tool = spawn('sleep', ['60']);
  const lines = begin(sampler, 'cell', { roles: { generator: tool.pid } });
  await eventually(() => lines().length === 1);
  tool.kill();
  await eventually(() => lines().length === 2);
  await sleep(2100);
  assert.equal(lines().length, 2);
  assert.equal(lines()[1].roles.generator, null);
  end(sampler);
  await eventually(() => lines().length === 3);
});

test('a file that follows another without a gap ends the one cell and begins the next', async (t) => {
  const sampler = await start(t);
  const first = begin(sampler, 'first', { roles: { target: process.pid } });
  await eventually(() => first().length === 1);
  const second = begin(sampler, 'second', { roles: { target: process.pid } });
  await eventually(() => second().length === 1 && first().length === 2);
});

test('a watch file that is no JSON and a folder that is not there are told, and the next cell is sampled', async (t) => {
  const sampler = await start(t);
  write(sampler, '{"cell":');
  await eventually(() => /cell\.json: .*JSON/.test(sampler.said));
  write(sampler, JSON.stringify({ cell: join(sampler.folder, 'none'), roles: {} }));
  await eventually(() => /none: .*no such file/.test(sampler.said));
  end(sampler);
  const lines = begin(sampler, 'cell', { roles: {} });
  await eventually(() => lines().length === 1);
});

test('a database and a target that are away are null, and seconds go on', async (t) => {
  const sampler = await start(t, { PGHOST: '127.0.0.1', PGPORT: '1', PGUSER: 'x', PGPASSWORD: 'x' });
  const lines = begin(sampler, 'cell', { roles: { target: 2 ** 30 }, stats_url: 'http://127.0.0.1:1/stats' });
  await eventually(() => lines().length === 3);
  for (const { roles, stats, activity } of lines())
    assert.deepEqual([roles.target, stats, activity], [null, null, null]);
  assert.equal(sampler.said, '');
});

test('without a watch file, or with more, it says how it is used: exit 64', async () => {
  for (const argv of [[], ['a', 'b']]) {
    const sampler = spawn(process.execPath, [main, ...argv]);
    let errors = '';
    sampler.stderr.on('data', (text) => {
      errors += text;
    });
    assert.deepEqual(await once(sampler, 'close'), [64, null]);
    assert.match(errors, /^usage: .*WATCH_FILE\n$/);
  }
});
