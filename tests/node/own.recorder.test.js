/** What is kept of the answers to somebody's own script, for a responder that repeats them: by the recorder itself, in front of a server. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';

const folder = mkdtempSync(join(tmpdir(), 'recorder-'));

/** What the server answers, by path: headers and body. */
const ANSWERS = {
  '/api/compressed': [{ 'content-encoding': 'gzip', 'x-total': '42' }, gzipSync('{"token":"issued-1"}')],
  '/api/moved': [{ location: '/api/home?page=2', 'set-cookie': 'sid=1; Domain=shop.example; Secure' }, ''],
  '/api/beside': [{ location: '/login' }, ''],
  '/api/made': [{ location: '/api/orders/7' }, ''],
  '/api/away': [{ location: 'http://shop.example/' }, ''],
  '/api/bad': [{ location: 'http://[bad' }, ''],
  '/api/mail': [{ location: 'mailto:a@b' }, ''],
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

const ask = (port, path, headers = {}) =>
  new Promise((resolve, reject) => {
    http
      .get({ port, path, headers, host: '127.0.0.1' }, (answer) => answer.resume().on('end', resolve))
      .on('error', reject);
  });

test('answers are kept as they were: on this server by their path, and with cookies for any host', async () => {
  const server = http.createServer(({ url }, response) => {
    const [headers, body] = ANSWERS[url];
    response.writeHead(/moved|beside/.test(url) ? 302 : 200, headers).end(body);
  });
  const [port, origin] = [await freePort(), `http://127.0.0.1:${await listening(server)}`];
  const file = join(folder, 'answers.json');
  writeFileSync(file, '');
  const args = ['scripts/probes/own/recorder.js', `${origin}/api`, port, file];
  const recorder = spawn(process.execPath, args, { stdio: ['pipe', 'ignore', 'inherit'] });
  for (let isUp = false; !isUp; )
    isUp = await ask(port, '/compressed').then(
      () => true,
      () => false,
    );
  for (const path of ['/moved', '/beside', '/made', '/away', '/bad', '/mail']) await ask(port, path);
  await ask(port, '/api/bad', { host: origin.slice('http://'.length) });
  recorder.stdin.end();
  await once(recorder, 'close');
  server.close();
  const [compressed, moved, beside, made, away, bad, mail, linked] = JSON.parse(readFileSync(file, 'utf8'));
  assert.deepEqual(Buffer.from(compressed.body, 'base64'), ANSWERS['/api/compressed'][1]);
  assert.deepEqual(
    [compressed.path, compressed.headers['content-encoding'], compressed.headers['x-total']],
    ['/compressed', 'gzip', '42'],
  );
  assert.deepEqual(moved.headers, { location: '/home?page=2', 'set-cookie': ['sid=1'] });
  assert.deepEqual(
    [beside, made].map(({ headers }) => headers.location),
    [`${origin}/login`, '/api/orders/7'],
  );
  assert.deepEqual(
    [moved, away, bad, mail].map(({ redirects_to }) => redirects_to),
    [null, 'shop.example', null, null],
  );
  assert.equal(bad.headers.location, 'http://[bad');
  assert.deepEqual({ ...linked, path: '/bad' }, bad, 'a link to the server has all of its path');
});

test('answers of a run that has ended, and whose file is gone, are written nowhere', async () => {
  const file = join(folder, 'removed.json');
  const args = ['scripts/probes/own/recorder.js', 'http://127.0.0.1:9', String(await freePort()), file];
  const recorder = spawn(process.execPath, args, { stdio: ['pipe', 'ignore', 'ignore'] });
  recorder.stdin.end();
  await once(recorder, 'close');
  assert.ok(!existsSync(file));
});
