/** What is kept of the answers to somebody's own script, whose tokens nobody should read: by the recorder itself, in front of a server. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';

const folder = mkdtempSync(join(tmpdir(), 'recorder-'));
const script = join(folder, 'shop.js');
writeFileSync(script, 'export default function () { __ENV.API_PASSWORD; }');
const PASSWORD = 'hunt"er\\2!pässwort';

/** What the server answers, by path: headers and body. */
const ANSWERS = {
  '/login': [{ 'content-encoding': 'gzip' }, gzipSync(JSON.stringify({ token: 'issued-1', you: PASSWORD }))],
  '/session': [
    {},
    JSON.stringify({
      session: { id: 'issued-2', status: 'active' },
      tokens: ['issued-3'],
      token_type: 'Bearer',
      active: 7,
    }),
  ],
  '/form': [{}, '<form><input type="hidden" name="csrf_token" value="issued-4"></form>'],
  '/moved': [{ location: '/home?token=issued-5&page=2' }, ''],
  '/orders?access_token=issued-1&page=3': [{}, 'issued-1 issued-2 issued-3 issued-4 issued-5'],
  '/broken': [{ 'content-encoding': 'gzip' }, 'no gzip'],
};

const listening = async (server) => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server.address().port;
};

/** The port that a server had. */
const freePort = async () => {
  const server = http.createServer();
  const port = await listening(server);
  server.close();
  return port;
};

const ask = (port, path) =>
  new Promise((resolve, reject) => {
    http.get({ port, path, host: '127.0.0.1' }, (answer) => answer.resume().on('end', resolve)).on('error', reject);
  });

test('neither what a server issues nor what the environment holds is kept, however it is written', async () => {
  const server = http.createServer(({ url }, response) => {
    const [headers, body] = ANSWERS[url];
    response.writeHead(200, headers).end(body);
  });
  const port = await freePort();
  const file = join(folder, 'answers.json');
  const args = ['scripts/probes/own/recorder.js', `http://127.0.0.1:${await listening(server)}`, port, script, file];
  const recorder = spawn(process.execPath, args, {
    env: { ...process.env, API_PASSWORD: PASSWORD },
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  for (let isUp = false; !isUp; )
    isUp = await ask(port, '/session').then(
      () => true,
      () => false,
    );
  for (const path of Object.keys(ANSWERS)) await ask(port, path);
  recorder.stdin.end();
  await once(recorder, 'close');
  server.close();
  const kept = JSON.parse(readFileSync(file, 'utf8')).map(({ body, ...answer }) => ({
    ...answer,
    body: Buffer.from(body, 'base64'),
  }));
  const bodyOf = (path) => kept.find((answer) => answer.path === path).body;
  assert.deepEqual(JSON.parse(gunzipSync(bodyOf('/login'))), {
    token: '********',
    you: '*'.repeat(Buffer.byteLength(JSON.stringify(PASSWORD)) - 2),
  });
  assert.equal(bodyOf('/broken').toString(), '*******');
  // words are no secrets, wherever else they stand
  const { session, token_type, active } = JSON.parse(bodyOf('/session'));
  assert.deepEqual([session.status, token_type, active], ['active', '******', 7]);
  assert.equal(kept.find(({ path }) => path === '/moved').headers.location, '/home?token=********&page=2');
  assert.ok(kept.some(({ path }) => path === '/orders?access_token=********&page=3'));
  const all = kept.map(({ body, ...answer }) => JSON.stringify(answer) + body.toString('latin1')).join('\n');
  assert.doesNotMatch(all, /issued-\d|hunt/);
});
