/**
 * Stands between a script and a server for one iteration: node scripts/probes/own/recorder.js URL PORT passes on what it is asked, and prints what was answered when
 * its stdin ends, as JSON: [{method, path, status, type, body, redirects_to}]: path with its query; body in base64; redirects_to: another host, or null.
 */
import http from 'node:http';
import https from 'node:https';

const [target, port] = process.argv.slice(2);
const server = new URL(target);
const { request: ask } = server.protocol === 'https:' ? https : http;
const prefix = server.pathname.replace(/\/$/, '');
const seen = [];

/** Headers of one connection, which are not passed on. */
const HOP = new Set(['connection', 'keep-alive', 'transfer-encoding', 'te', 'upgrade', 'proxy-authorization', 'host']);
const passed = (headers) => Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP.has(name)));

async function bodyOf(stream) {
  const parts = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts);
}

function answered({ method, url, headers }, body) {
  const options = {
    method,
    headers: { ...passed(headers), 'content-length': body.length },
    path: prefix + url,
    hostname: server.hostname,
    port: server.port,
  };
  return new Promise((resolve, reject) => {
    ask(options, resolve).on('error', reject).end(body);
  });
}

/** Another host that an answer sends its client to, or null. */
function redirectOf({ location }) {
  if (!location) return null;
  const { host } = new URL(location, server);
  return host === server.host ? null : host;
}

async function pass(request, response) {
  const answer = await answered(request, await bodyOf(request));
  const body = await bodyOf(answer);
  const { statusCode: status, headers } = answer;
  seen.push({
    ...{ method: request.method, path: request.url, status },
    type: headers['content-type'] ?? null,
    body: body.toString('base64'),
    redirects_to: redirectOf(headers),
  });
  response.writeHead(status, { ...passed(headers), 'content-length': body.length });
  response.end(request.method === 'HEAD' ? undefined : body);
}

const recorder = http.createServer((request, response) => {
  pass(request, response).catch((error) => response.destroy(error));
});
recorder.listen(Number(port), '127.0.0.1');
process.stdin.resume().on('end', () => {
  process.stdout.write(`${JSON.stringify(seen)}\n`);
  process.exit();
});
