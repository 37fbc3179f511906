/**
 * Stands between a script and a server for some iterations: node scripts/probes/own/recorder.js URL PORT FILE passes on what it is asked, and when its stdin
 * ends writes what was answered to FILE, which is there, unless it was removed since, as JSON: [{method, path, status, headers, body, redirects_to}]: path with its query; body in base64; redirects_to:
 * another host, or null. These are whole answers, with all that nobody else should read. TLS in the environment: {certificate: {cert, key, password}, insecure}, as
 * the script has them.
 */

import { writeFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';

const [target, port, file] = process.argv.slice(2);
const server = new URL(target);
const { request: ask } = server.protocol === 'https:' ? https : http;
const prefix = server.pathname.replace(/\/$/, '');
const { certificate, insecure } = JSON.parse(process.env.TLS ?? '{}');
const { cert, key, password: passphrase } = certificate ?? {};
const seen = [];

/** Headers of one connection, which are not passed on. */
const HOP = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'te',
  'trailer',
  'upgrade',
  'proxy-authorization',
  'host',
]);
const passed = (headers) => Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP.has(name)));

async function bodyOf(stream) {
  const parts = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts);
}

/** A link to the server itself has the server's name, and all of its path. */
const pathOf = ({ url, headers }) => (isServer(headers.host) ? url : prefix + url);
const isServer = (host) =>
  URL.canParse(`${server.protocol}//${host}`) && new URL(`${server.protocol}//${host}`).host === server.host;

function answered(request, body) {
  const { method, headers } = request;
  const options = {
    method,
    headers: { ...passed(headers), 'content-length': body.length },
    path: pathOf(request),
    hostname: server.hostname.replace(/^\[|\]$/g, ''),
    port: server.port,
    ...{ cert, key, passphrase, rejectUnauthorized: !insecure },
  };
  return new Promise((resolve, reject) => {
    ask(options, resolve).on('error', reject).end(body);
  });
}

/** Where an answer to a path sends its client, or null where it does not, or to what is no address. */
function destinationOf({ location }, path) {
  const base = new URL(path, server);
  const destination = location && URL.canParse(location, base) ? new URL(location, base) : null;
  return destination?.host ? destination : null; // mailto: has none
}

/** Another host that an answer sends its client to, or null. */
function redirectOf(headers, path) {
  const host = destinationOf(headers, path)?.host ?? server.host;
  return host === server.host ? null : host;
}

/**
 * Where the client of a stand-in is sent on the server: to its path below that of the server's address, where the client keeps its cookies; to what is not below it by the server's name,
 * as links are (k6/own/main.js). A script that reads where something is finds what the server said; only where that is one with TLS, which a stand-in has not, also the path.
 */
function sentTo({ statusCode, headers }, path) {
  const destination = destinationOf(headers, path);
  const isPlain = server.protocol === 'http:';
  const isFollowed = statusCode >= 300 && statusCode <= 399;
  if (destination?.host !== server.host || (isPlain && !isFollowed)) return headers.location;
  const { pathname, search, href } = destination;
  const isBelow = pathname.startsWith(`${prefix}/`);
  if (isPlain && !isBelow) return href;
  return pathname.slice(isBelow ? prefix.length : 0) + search;
}

/** What the client of a stand-in without TLS, at another name, is to be sent: where it may go on, and cookies that it takes. */
function relayed(answer, path) {
  const { location, 'set-cookie': cookies, ...others } = passed(answer.headers);
  return {
    ...others,
    ...(location && { location: sentTo(answer, path) }),
    ...(cookies && { 'set-cookie': cookies.map((cookie) => cookie.replaceAll(/;\s*(secure|domain=[^;]*)/gi, '')) }),
  };
}

async function pass(request, response) {
  const answer = await answered(request, await bodyOf(request));
  const body = await bodyOf(answer);
  const { method, url } = request;
  const { statusCode: status, headers } = answer;
  const path = pathOf(request);
  const { date: _then, ...told } = relayed(answer, path); // the next has its own
  seen.push({
    ...{ method, path: url, status, headers: told, body: body.toString('base64') },
    redirects_to: redirectOf(headers, path),
  });
  response.writeHead(status, { ...told, 'content-length': body.length });
  response.end(method === 'HEAD' ? undefined : body);
}

const recorder = http.createServer((request, response) => {
  pass(request, response).catch((error) => response.destroy(error));
});
recorder.listen(Number(port), '127.0.0.1');
process.stdin.resume().on('end', () => {
  writeFileSync(file, JSON.stringify(seen), { flag: 'r+' });
  process.exit();
});
