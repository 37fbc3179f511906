import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';

const ROOT = new URL('../../', import.meta.url);
const NOWHERE = { PGHOST: '127.0.0.1', PGPORT: '1', PGUSER: 'u', PGPASSWORD: 'p', PGDATABASE: 'd' };

/** Starts node with these words and this environment alone. */
function start(words, env = {}) {
  const child = spawn(process.execPath, words, { cwd: ROOT, env: { PATH: process.env.PATH, ...env } });
  const said = { stderr: '' };
  child.stderr.on('data', (text) => {
    said.stderr += text;
  });
  return { child, said };
}

async function outcome(words, env) {
  const { child, said } = start(words, env);
  const [code] = await once(child, 'close');
  return { code, stderr: said.stderr };
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

async function answering(url) {
  for (let tries = 0; tries < 100; tries += 1) {
    const answer = await fetch(url).catch(() => null);
    if (answer?.ok) return answer;
    await pause(50);
  }
  throw new Error(`${url} does not answer`);
}

const MAIN = 'apps/lib/main.js';
for (const [what, words, env, code, line] of [
  ['no target', [MAIN], {}, 64, /^error: usage: node apps\/lib\/main.js TARGET, one of: .*pooled, raw, rollup\n$/],
  ['an unknown target', [MAIN, '../lib'], {}, 64, /^error: usage: [^\n]*\n$/],
  ['no PGHOST', [MAIN, 'raw'], {}, 64, /^error: PGHOST is not set[^\n]*\n$/],
  [
    'a bad POOL_SIZE',
    [MAIN, 'pooled'],
    { ...NOWHERE, POOL_SIZE: '0' },
    64,
    /^error: POOL_SIZE is "0": must be [^\n]*\n$/,
  ],
  [
    'no database (raw)',
    [MAIN, 'raw'],
    NOWHERE,
    2,
    /^error: raw cannot start: connect ECONNREFUSED 127.0.0.1:1 \(see PGHOST[^\n]*\n$/,
  ],
  [
    'no database (pooled)',
    [MAIN, 'pooled'],
    NOWHERE,
    2,
    /^error: pooled cannot start: connect ECONNREFUSED 127.0.0.1:1 [^\n]*\n$/,
  ],
  [
    'a Cube without token',
    [MAIN, 'cube'],
    { CUBE_URL: 'http://127.0.0.1:1' },
    64,
    /^error: CUBE_TOKEN is not set[^\n]*\n$/,
  ],
  [
    'no Cube',
    [MAIN, 'cube'],
    { PGPASSWORD: 'p', CUBE_PORT: '1' },
    2,
    /^error: cube cannot start: Cube at http:\/\/127.0.0.1:1: [^\n]*\n$/,
  ],
  [
    'a Cube server without secret',
    ['apps/cube/cube-server.js'],
    { ...NOWHERE, PGPASSWORD: '' },
    64,
    /^error: CUBEJS_API_SECRET is not set[^\n]*\n$/,
  ],
]) {
  test(`${what}: one line, exit ${code}`, async () => {
    const { code: exit, stderr } = await outcome(words, env);
    assert.match(stderr, line);
    assert.equal(exit, code);
  });
}

test('SIGTERM closes a server with idle connections: exit 0; its port is refused while taken, with exit 2', async () => {
  const PORT = String(await freePort());
  const { child } = start(['apps/null/server.js'], { PORT });
  const exit = once(child, 'close');
  await (await answering(`http://127.0.0.1:${PORT}/`)).text();
  const second = await outcome(['apps/null/server.js'], { PORT });
  assert.match(second.stderr, /^error: 127.0.0.1:\d+ is taken: [^\n]*\n$/);
  assert.equal(second.code, 2);
  child.kill('SIGTERM');
  assert.deepEqual(await exit, [0, null]);
});
