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
function shown(headers, path) {
  const { date, 'content-length': length, location, ...kept } = passed(headers);
  const own = Object.entries(kept)
    .filter(([name]) => !SECRET.test(name))
    .map(([name, value]) => [name, [value].flat().map(hide)])
    .map(([name, values]) => [name, values.length > 1 ? values : values[0]]);
  return { ...Object.fromEntries(own), ...(location && { location: hide(pathOf(location, path)) }) };
}

/** Where an answer sends its client to, as this stand-in for the server is asked: a path below that of the server's address. @param {string} path that was asked */
function pathOf(location, path) {
  const { pathname, search } = new URL(location, new URL(prefix + path, server));
  return (pathname.startsWith(`${prefix}/`) ? pathname.slice(prefix.length) : pathname) + search;
}

/** What the client of a stand-in without TLS, at another name, is to be sent: addresses on the server by their path, cookies that it takes. */
function relayed(headers, path) {
  const { location, 'set-cookie': cookies, ...others } = passed(headers);
  return {
    ...others,
    ...(location && { location: redirectOf(headers) === null ? pathOf(location, path) : location }),
    ...(cookies && { 'set-cookie': cookies.map((cookie) => cookie.replaceAll(/;\s*(secure|domain=[^;]*)/gi, '')) }),
  };
}

/** With stars for what a JSON answer says under names of secrets, such as a token that the server has issued. @param {string} text */
const withoutIssued = (text) =>
  text.replaceAll(/"([^"\\]+)"(\s*:\s*)"((?:[^"\\]|\\.)*)"/g, (all, name, colon, value) =>
    SECRET.test(name) ? `"${name}"${colon}"${'*'.repeat(value.length)}"` : all,
  );

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
    ...{ method: request.method, path: hide(request.url), status },
    headers: shown(headers, request.url),
    body: Buffer.from(withoutIssued(hide(body.toString('latin1'))), 'latin1').toString('base64'),
    redirects_to: redirectOf(headers),
  });
  response.writeHead(status, { ...relayed(headers, request.url), 'content-length': body.length });
  response.end(request.method === 'HEAD' ? undefined : body);
}

const recorder = http.createServer((request, response) => {
  pass(request, response).catch((error) => response.destroy(error));
});
recorder.listen(Number(port), '127.0.0.1');
process.stdin.resume().on('end', () => {
  writeFileSync(file, JSON.stringify(seen));
  process.exit();
});
