/**
 * Stands between a script and a server for some iterations: node scripts/probes/own/recorder.js URL PORT SCRIPT FILE passes on what it is asked, and when its stdin
 * ends writes what was answered to FILE, as JSON: [{method, path, status, headers, body, redirects_to}]: path with its query; headers: without those that nobody should
 * read; body in base64; redirects_to: another host, or null. What the script takes from the environment is not in it (hidden.js). TLS in the environment:
 * {certificate: {cert, key, password}, insecure}, as the script has them.
 */

import { writeFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { SECRET } from '../../workload/secrets.js';
import { hiding, sourceOf } from './hidden.js';

const [target, port, script, file] = process.argv.slice(2);
const server = new URL(target);
const { request: ask } = server.protocol === 'https:' ? https : http;
const prefix = server.pathname.replace(/\/$/, '');
const { certificate, insecure } = JSON.parse(process.env.TLS ?? '{}');
const { cert, key, password: passphrase } = certificate ?? {};
const seen = [];
const { TLS: _certificates, ...env } = process.env;
const hide = hiding(sourceOf(script), env);

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
    hostname: server.hostname.replace(/^\[|\]$/g, ''),
    port: server.port,
    ...{ cert, key, passphrase, rejectUnauthorized: !insecure },
  };
  return new Promise((resolve, reject) => {
    ask(options, resolve).on('error', reject).end(body);
  });
}

/** What a second answer may show: no secrets, and of an address on this server only its path. */
function shown(headers) {
  const { date, 'content-length': length, location, ...kept } = passed(headers);
  const own = Object.fromEntries(Object.entries(kept).filter(([name]) => !SECRET.test(name)));
  if (!location) return own;
  const { pathname, search } = new URL(location, server);
  return { ...own, location: pathname + search };
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
    headers: shown(headers),
    body: Buffer.from(hide(body.toString('latin1')), 'latin1').toString('base64'),
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
  writeFileSync(file, hide(JSON.stringify(seen)));
  process.exit();
});
