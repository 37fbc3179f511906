/**
 * Stands between a script and a server for some iterations: node scripts/probes/own/recorder.js URL PORT SCRIPT FILE passes on what it is asked, and when its stdin
 * ends writes what was answered to FILE, as JSON: [{method, path, status, headers, body, redirects_to}]: path with its query; headers: without those that nobody should
 * read; body in base64; redirects_to: another host, or null. What the script takes from the environment is not in it (hidden.js). TLS in the environment:
 * {certificate: {cert, key, password}, insecure}, as the script has them.
 */

import { writeFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { brotliCompressSync, brotliDecompressSync, deflateSync, gunzipSync, gzipSync, inflateSync } from 'node:zlib';
import { decoded, SECRET } from '../../workload/secrets.js';
import { hiding, sourceOf, starring, withoutTokens } from './hidden.js';

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

/** What is asked for, but for codings that cannot be opened here. */
const opened = ({ 'accept-encoding': accepted, ...headers }) => ({
  ...headers,
  ...(accepted && {
    'accept-encoding': accepted
      .split(',')
      .filter((coding) => coding.split(';')[0].trim() in CODINGS)
      .join(','),
  }),
});

function answered({ method, url, headers }, body) {
  const options = {
    method,
    headers: { ...opened(passed(headers)), 'content-length': body.length },
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
function shown(headers, path, hidden) {
  const { date, 'content-length': length, location, ...kept } = passed(headers);
  const own = Object.entries(kept)
    .filter(([name]) => !SECRET.test(name))
    .map(([name, value]) => [name, [value].flat().map(hidden)])
    .map(([name, values]) => [name, values.length > 1 ? values : values[0]]);
  return {
    ...Object.fromEntries(own),
    ...(location && { location: withoutTokens(hidden(pathOf(location, path))) }),
  };
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

/** What the server has issued that nobody should read: what a JSON answer says under names of secrets, hidden fields of forms, and parameters of where it sends its client. */
const issued = new Set();

function noteIssued(text, location) {
  for (const [, name, value] of (location ?? '').matchAll(/[?&;]([^=&?;]+)=([^&;]+)/g))
    if (SECRET.test(decoded(name))) issued.add(decoded(value));
  for (const [tag] of text.matchAll(/<(?:input|meta)\b[^>]*>/gi)) {
    const [, name = ''] = /\bname=["']?([^"'\s>]+)/i.exec(tag) ?? [];
    const [, value] = /\b(?:value|content)=["']([^"']*)/i.exec(tag) ?? [];
    if (value && SECRET.test(name)) issued.add(value);
  }
  try {
    noteValues(JSON.parse(text), '');
  } catch {
    // no JSON
  }
}

/** What is known again wherever it comes: no word, as "token_type": "Bearer" or "session": {"status": "active"} have them. */
const DISTINCT = /^(?=.*\d).{8,}$/;

/** @param {string} name of the key that a value of JSON is under, itself or in a list or an object; a number is left, as it would be none with stars */
function noteValues(value, name) {
  if (typeof value === 'string') {
    if (SECRET.test(name) && DISTINCT.test(value)) issued.add(value);
  } else if (value !== null && typeof value === 'object') {
    for (const [key, one] of Object.entries(value))
      noteValues(one, Array.isArray(value) || SECRET.test(name) ? name : key);
  }
}

/** With stars for what a JSON answer says under names of secrets, also where that is a word. @param {string} text */
const withoutNamed = (text) =>
  text.replaceAll(/"([^"\\]+)"(\s*:\s*)"((?:[^"\\]|\\.)*)"/g, (all, name, colon, value) =>
    SECRET.test(name) ? `"${name}"${colon}"${'*'.repeat(value.length)}"` : all,
  );

const CODINGS = {
  gzip: [gunzipSync, gzipSync],
  'x-gzip': [gunzipSync, gzipSync],
  deflate: [inflateSync, deflateSync],
  br: [brotliDecompressSync, brotliCompressSync],
};

/** An answer's body with stars; a compressed one is opened for it, and one that cannot be opened is stars altogether. @param {(text: string) => string} change */
function changed(body, coding, change) {
  if (!coding || coding === 'identity') return Buffer.from(change(body.toString('latin1')), 'latin1');
  const [open, close] = CODINGS[coding] ?? [];
  try {
    const plain = open(body);
    const text = plain.toString('latin1');
    const after = change(text);
    return after === text ? body : close(Buffer.from(after, 'latin1'));
  } catch {
    return Buffer.alloc(body.length, '*');
  }
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
  changed(body, headers['content-encoding'], (text) => {
    noteIssued(text, headers.location);
    return text;
  });
  seen.push({ method: request.method, url: request.url, status, headers, body });
  response.writeHead(status, { ...relayed(headers, request.url), 'content-length': body.length });
  response.end(request.method === 'HEAD' ? undefined : body);
}

/** What was seen, as the run keeps it. */
function kept({ method, url, status, headers, body }) {
  const star = starring([...issued]);
  const hidden = (text) => star(hide(text));
  return {
    ...{ method, path: withoutTokens(hidden(url)), status },
    headers: shown(headers, url, hidden),
    body: changed(body, headers['content-encoding'], (text) => withoutNamed(hidden(text))).toString('base64'),
    redirects_to: redirectOf(headers),
  };
}

const recorder = http.createServer((request, response) => {
  pass(request, response).catch((error) => response.destroy(error));
});
recorder.listen(Number(port), '127.0.0.1');
process.stdin.resume().on('end', () => {
  writeFileSync(file, JSON.stringify(seen.map(kept)), { mode: 0o600 });
  process.exit();
});
