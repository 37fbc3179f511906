// A responder whose capacity is known: node tests/lib/places.js PORT PLACES SERVICE_MS fixed|exponential|tires|refuses|breaks
// One queue in order of arrival, so many places. A service takes SERVICE_MS, or that on average. One that tires takes twice as long from the
// moment that a request has waited a second, for good. One that refuses has no queue, but the status 503. One that breaks
// gives that to all for two seconds, once more came in a second than its places serve.
import http from 'node:http';
import { seeded } from '../../k6/lib/random.js';

const [port, places, service_ms, kind] = process.argv.slice(2);
const HELLO = 'Hello World!';
const TIRED_MS = 1000;

const freeAt = new Array(Number(places)).fill(0); // when each place is, by the clock that timers follow
const random = seeded(20);
let slow = 1;
const second = { began: 0, came: 0, broken_until: 0 };

function breaks(now) {
  if (now - second.began >= 1000) Object.assign(second, { began: now, came: 0 });
  second.came += 1;
  if (second.came > (places * 1000) / service_ms) second.broken_until = now + 2000;
  return now < second.broken_until;
}

function service() {
  const mean = slow * Number(service_ms);
  return kind === 'exponential' ? -mean * Math.log(1 - random()) : mean;
}

http
  .createServer((_request, response) => {
    const now = performance.now();
    const place = freeAt.indexOf(Math.min(...freeAt));
    if ((kind === 'refuses' && freeAt[place] > now) || (kind === 'breaks' && breaks(now))) {
      response.writeHead(503).end();
      return;
    }
    const began = Math.max(freeAt[place], now);
    if (kind === 'tires' && began - now > TIRED_MS) slow = 2;
    freeAt[place] = began + service();
    setTimeout(() => {
      response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8', 'content-length': HELLO.length });
      response.end(HELLO);
    }, freeAt[place] - now);
  })
  .listen(Number(port), '127.0.0.1');
