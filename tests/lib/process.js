// For tests that start programs of ours: node with given arguments and nothing of this environment but PATH.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

const PATIENCE_S = 30; // a busy machine takes seconds to start a process

const ROOT = new URL('../../', import.meta.url);

/** Starts node with these arguments and this environment alone: {child, output: {stderr}}. */
export function start(argv, env = {}) {
  const child = spawn(process.execPath, argv, { cwd: ROOT, env: { PATH: process.env.PATH, ...env } });
  const output = { stderr: '' };
  child.stderr.on('data', (text) => {
    output.stderr += text;
  });
  return { child, output };
}

/** Runs it to its end: {code, stderr}. */
export async function outcome(argv, env) {
  const { child, output } = start(argv, env);
  const [code] = await once(child, 'close');
  return { code, stderr: output.stderr };
}

/** A port on which nothing listens. */
export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/** Resolves to the first answer of that address that is ok; throws after PATIENCE_S. */
export async function answering(url) {
  let answer;
  await eventually(async () => {
    answer = await fetch(url).catch(() => null);
    return answer?.ok;
  }, `${url} does not answer`);
  return answer;
}

/** Resolves when holds(), which may be async, is true; fails after PATIENCE_S. */
export async function eventually(holds, otherwise = `${holds} did not come true`) {
  const until = Date.now() + 1000 * PATIENCE_S;
  while (!(await holds())) {
    assert.ok(Date.now() < until, `${otherwise} in ${PATIENCE_S} s`);
    await pause(20);
  }
}
