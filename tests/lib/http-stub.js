// A small target for tests: node tests/lib/http-stub.js PORT
// The routes of a real target stand below a prefix that names a behaviour; each prefix answers its first request well, so
// that setup() passes. /stats counts what came: {requests, connections, echoed: distinct values}.
import http from 'node:http';

const analytics = JSON.stringify([{ status: 'F', year: 1992, orders: 3, total: '123.45' }]);
const seen = new Map();
const stats = { requests: 0, connections: 0 };
const echoed = new Set();

function answer(path) {
  if (path === '/') return 'Hello World!';
  if (path === '/analytics') return analytics;
  if (path.startsWith('/echo/')) return JSON.stringify({ value: decodeURIComponent(path.slice(6)) });
  return undefined;
}

function send(response, status, body, headers = {}) {
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    ...headers,
  });
  response.end(body);
}

function spoilt(body) {
  return `?${body.slice(1)}`;
}

/**
 * -> a behaviour: as many requests as there are places are served at once, 250 ms x places each, the rest wait their turn. Four are
 * answered in a second, whatever the number of places.
 */
function queue(places) {
  const service = 250 * places;
  const freeAt = new Array(places).fill(0); // when each place is, by the clock that timers follow
  return (response, body, n) => {
    if (n === 0) return send(response, 200, body);
    const now = performance.now();
    const place = freeAt.indexOf(Math.min(...freeAt));
    freeAt[place] = Math.max(freeAt[place], now) + service;
    return setTimeout(() => send(response, 200, body), freeAt[place] - now);
  };
}

/**
 * -> a behaviour: all that is under way shares one processor, which serves `rate` requests a second. The first of each of `users` needs
 * only a part of a request's time, so that from then on they end one after another.
 */
function share(rate, users) {
  let active = []; // {needs: milliseconds of the processor, finish}
  let then = performance.now();
  let timer;
  function turn() {
    const now = performance.now();
    for (const request of active) request.needs -= (now - then) / active.length;
    then = now;
    const done = active.filter(({ needs }) => needs < 0.01);
    active = active.filter(({ needs }) => needs >= 0.01);
    for (const { finish } of done) finish();
    clearTimeout(timer);
    if (active.length > 0) timer = setTimeout(turn, active.length * Math.min(...active.map(({ needs }) => needs)));
  }
  return (response, body, n) => {
    if (n === 0) return send(response, 200, body);
    turn();
    active.push({ needs: (1000 / rate) * Math.min(n / users, 1), finish: () => send(response, 200, body) });
    return turn();
  };
}

// What each prefix does with its nth request (n from 0, the first of all being setup's).
const behaviours = {
  good: (response, body) => send(response, 200, body),
  paced: (response, body) => setTimeout(() => send(response, 200, body), 20),
  quarter: (response, body) => setTimeout(() => send(response, 200, body), 250),
  slow: (response, body) => setTimeout(() => send(response, 200, body), 1500),
  long: (response, body) => setTimeout(() => send(response, 200, body), 600),
  late: (response, body, n) => setTimeout(() => send(response, 200, body), n % 100 >= 97 ? 20_000 : 0),
  one: queue(1),
  ten: queue(10),
  thirty: queue(30),
  shared: share(12, 30),
  hang: (response, body, n) => n === 0 && send(response, 200, body),
  missing: (response, body, n) => send(response, n === 0 ? 200 : 404, body),
  moved: (response, body, n) => send(response, n === 0 ? 200 : 302, body, { location: '/' }),
  closes: (response, body) => send(response, 200, body, { connection: 'close' }),
  breaks: (response, body, n) => {
    if (n % 50 === 10) return response.socket.resetAndDestroy();
    if (n % 50 !== 20) return send(response, 200, body);
    response.writeHead(200, { 'content-length': Buffer.byteLength(body) });
    response.write(body.slice(0, 1)); // the head and a part of the body, then the connection's end
    return setTimeout(() => response.socket.destroy(), 5);
  },
  tires: (response, body) => {
    const { socket } = response.req;
    send(response, 200, socket.bytesWritten > 0 ? spoilt(body) : body); // right once for each connection
  },
  wrong: (response, body, n) => send(response, 200, n % 10 === 9 ? spoilt(body) : body),
  cut: (response, body, n) => (n === 0 ? send(response, 200, body) : response.socket.destroy()),
  rare: (response, body, n) => send(response, 200, n % 100 === 50 ? spoilt(body) : body),
  faults: (response, body, n) => send(response, 200, n % 50 === 25 ? '{"error":"Continue wait"}' : body),
  drops: (response, body, n) => (n % 200 === 199 ? response.socket.destroy() : send(response, 200, body)),
  choosy: (response, body) => send(response, 200, response.req.headers['user-agent'] ? body : spoilt(body)),
  counts: (response, body, n) => send(response, 200, `${body} You are visitor ${n}.`),
  mixed: (response, body, n) =>
    setTimeout(() => {
      if (n % 10 === 3) send(response, 404, body);
      else if (n % 10 === 5) send(response, 500, body);
      else if (n % 10 === 7) send(response, 200, spoilt(body));
      else if (n % 10 === 9) response.socket.destroy();
      else send(response, 200, body);
    }, 10),
};

function handle(request, response) {
  if (request.url === '/stats') return send(response, 200, JSON.stringify({ ...stats, echoed: echoed.size }));
  const [, prefix, path] = /^(?:\/([a-z]+)(?=\/(?:$|echo\/|analytics$)))?(\/.*)$/.exec(request.url);
  const body = answer(path);
  const behave = behaviours[prefix ?? 'good'];
  if (body === undefined || !behave) return send(response, 404, '{"error":"no such route"}');
  if (path.startsWith('/echo/')) echoed.add(path);
  stats.requests += 1;
  const n = seen.get(prefix) ?? 0;
  seen.set(prefix, n + 1);
  return behave(response, body, n);
}

http
  .createServer(handle)
  .on('connection', () => {
    stats.connections += 1;
  })
  .listen(Number(process.argv[2]), '127.0.0.1');
