// For tests that start programs of ours: node with given words and nothing of this environment but PATH.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

const ROOT = new URL('../../', import.meta.url);

/** Starts node with these words and this environment alone: {child, said: {stderr}}. */
export function start(words, env = {}) {
  const child = spawn(process.execPath, words, { cwd: ROOT, env: { PATH: process.env.PATH, ...env } });
  const said = { stderr: '' };
  child.stderr.on('data', (text) => {
    said.stderr += text;
  });
  return { child, said };
}

/** Runs it to its end: {code, stderr}. */
export async function outcome(words, env) {
  const { child, said } = start(words, env);
  const [code] = await once(child, 'close');
  return { code, stderr: said.stderr };
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

/** Resolves to the first answer of that address that is ok; throws after 5 s. */
export async function answering(url) {
  for (let tries = 0; tries < 100; tries += 1) {
    const answer = await fetch(url).catch(() => null);
    if (answer?.ok) return answer;
    await pause(50);
  }
  throw new Error(`${url} does not answer`);
}

/** Resolves when holds(), which may be async, is true; fails after 5 s. */
export async function eventually(holds) {
  const until = Date.now() + 5000;
  while (!(await holds())) {
    assert.ok(Date.now() < until, `${holds} did not come true in 5 s`);
    await pause(20);
  }
}
