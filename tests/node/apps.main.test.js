import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { answering, freePort, outcome, start } from '../lib/process.js';

const NOWHERE = { PGHOST: '127.0.0.1', PGPORT: '1', PGUSER: 'u', PGPASSWORD: 'p', PGDATABASE: 'd' };
const NATIVE_IS_BUILT = existsSync(new URL('../../apps/node_modules/libpq/build/Release/addon.node', import.meta.url));
const MAIN = 'apps/lib/main.js';
for (const [what, args, env, code, line] of [
  [
    'no target',
    [MAIN],
    {},
    64,
    /^error: usage: node apps\/lib\/main.js TARGET, one of: .*pipelined, pooled, postgresjs, raw, rollup\n$/,
  ],
  ['an unknown target', [MAIN, '../lib'], {}, 64, /^error: usage: [^\n]*\n$/],
  ['no PGHOST', [MAIN, 'raw'], {}, 64, /^error: PGHOST is not set[^\n]*\n$/],
  [
    'no database (raw)',
    [MAIN, 'raw'],
    NOWHERE,
    2,
    /^error: raw cannot start: connect ECONNREFUSED 127.0.0.1:1 \(see PGHOST[^\n]*\n$/,
  ],
  [
    'bad STATEMENTS',
    [MAIN, 'pooled'],
    { ...NOWHERE, STATEMENTS: 'none' },
    64,
    /^error: STATEMENTS is "none": must be named or unnamed\n$/,
  ],
  [
    'bad CONNECTIONS',
    [MAIN, 'cluster'],
    { ...NOWHERE, CONNECTIONS: 'none' },
    64,
    /^error: CONNECTIONS is "none": must be pooled or pipelined\n$/,
  ],
  [
    'bad FRAMEWORK',
    [MAIN, 'raw'],
    { ...NOWHERE, FRAMEWORK: 'koa' },
    64,
    /^error: FRAMEWORK is "koa": must be fastify or express\n$/,
  ],
  [
    'a FRAMEWORK for which the target has no routes',
    [MAIN, 'documents'],
    { ...NOWHERE, FRAMEWORK: 'express' },
    64,
    /^error: FRAMEWORK is "express": must be fastify, as documents has routes of its own\n$/,
  ],
  ...['pooled', 'pipelined', 'postgresjs', 'cluster'].flatMap((name) => [
    [
      `no database (${name})`,
      [MAIN, name],
      NOWHERE,
      2,
      new RegExp(`^error: ${name} cannot start: connect ECONNREFUSED 127.0.0.1:1 [^\\n]*\\n$`),
    ],
    [
      `a bad POOL_SIZE (${name})`,
      [MAIN, name],
      { ...NOWHERE, POOL_SIZE: '0' },
      64,
      /^error: POOL_SIZE is "0": must be [^\n]*\n$/,
    ],
  ]),
  [
    'native, with or without what it needs',
    [MAIN, 'native'],
    NOWHERE,
    2,
    NATIVE_IS_BUILT
      ? /^error: native cannot start: connection to server at "127.0.0.1", port 1 failed: [^\n]*\n$/
      : /^error: pg-native cannot be loaded \(Could not locate[^\n]*\): scripts\/setup.sh builds it[^\n]*\n$/,
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
    const { code: exit, stderr } = await outcome(args, env);
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
