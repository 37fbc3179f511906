// The null responder: node apps/null/server.js. It has a target's routes and canned answers, and neither database nor framework: it is
// as fast as one Node process can answer HTTP, so what a load tool measures here is its own ceiling. REPLAY names a file of answers that it gives instead.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { listener, port, readEnvironment } from '../lib/environment.js';
import { run } from '../lib/fault.js';
import { closeOnSignal, listen } from '../lib/lifecycle.js';
import { watchProcess } from '../lib/process-stats.js';
import { answer, BAD_REQUEST, kept, last } from './answers.js';
import { replaying } from './replay.js';

const HEAD_LIMIT = 16_384;
const HEAD_END = '\r\n\r\n';
const REQUEST_LINE = /^GET (\/[^ ?]*)[^ ]* HTTP\/1\.([01])\r\n/;
const WANTS_CLOSE = /\r\nconnection: *close\r\n/i;
const WANTS_KEPT = /\r\nconnection: *keep-alive\r\n/i; // HTTP/1.0 closes unless it is asked not to

run(async () => {
  const settings = readEnvironment({ ...listener, PORT: port(3001) });
  const readProcess = watchProcess();
  const readStats = () => ({ target: 'null', uptime_s: process.uptime(), ...readProcess(), pool: null });
  const sockets = new Set();

  const canned = () =>
    createServer({ noDelay: true }, (socket) => {
      let pending = ''; // what arrived of a request that is not whole yet
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
      socket.on('error', () => socket.destroy());
      socket.on('data', (bytes) => {
        pending += bytes.latin1Slice();
        for (let end = pending.indexOf(HEAD_END); end !== -1; end = pending.indexOf(HEAD_END)) {
          const head = pending.slice(0, end + 2);
          pending = pending.slice(end + HEAD_END.length);
          const line = REQUEST_LINE.exec(head);
          if (line === null) return socket.end(BAD_REQUEST);
          const response = answer(line[1], readStats);
          const old = line[2] === '0';
          if (old ? !WANTS_KEPT.test(head) : WANTS_CLOSE.test(head)) return socket.end(last(response));
          socket.write(old ? kept(response) : response);
        }
        if (pending.length > HEAD_LIMIT) socket.end(BAD_REQUEST);
      });
    });
  const { REPLAY } = process.env;
  const server = REPLAY ? replaying(JSON.parse(readFileSync(REPLAY, 'utf8')), readStats) : canned();
  closeOnSignal(async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections?.();
    for (const socket of sockets) socket.destroySoon();
    await closed;
  });
  await listen((options) => once(server.listen(options), 'listening'), settings);
});
