import { readdirSync, readFileSync } from 'node:fs';
import { STATUS_CODES } from 'node:http';

const JSON_TYPE = 'application/json; charset=utf-8';

/** A whole HTTP/1.1 response as bytes. */
export function response(status, type, body) {
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: ${type}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n`;
  return Buffer.from(head + body);
}

const CLOSE = Buffer.from('connection: close\r\n');

const KEPT = Buffer.from('connection: keep-alive\r\n');

const marked = (bytes, mark) => {
  const at = bytes.indexOf('\r\n') + 2;
  return Buffer.concat([bytes.subarray(0, at), mark, bytes.subarray(at)]);
};

/** The same response, to a client of HTTP/1.0 that asked to keep the connection: without the mark it would wait for its end. */
export const kept = (bytes) => marked(bytes, KEPT);

/** The same response, marked as the connection's last. Without the mark a client sends another request, which fails, and wrk counts the failure. */
export const last = (bytes) => marked(bytes, CLOSE);

const text = (body) => response(200, 'text/plain; charset=utf-8', body);
const json = (status, value) => response(status, JSON_TYPE, JSON.stringify(value));
const refusal = (status, message, code) => json(status, { error: STATUS_CODES[status], message, code });

export const BAD_REQUEST = last(refusal(400, 'this is not HTTP that the null responder reads', 'BAD_REQUEST'));
const BAD_VALUE = refusal(
  400,
  'value must be percent-encoded UTF-8 of 1 to 200 characters, none of them NUL',
  'BAD_VALUE',
);
const NOT_FOUND = refusal(404, 'there is no such path', 'NOT_FOUND');

// The examples that verification compares answers with are the answers here. That of analytics is TPC-H's at scale 1, so as many
// bytes travel as from a real target.
const EXAMPLES = new URL('../../scripts/sql/verify/', import.meta.url);
const examples = readdirSync(EXAMPLES)
  .filter((name) => name.endsWith('.json'))
  .map((name) => JSON.parse(readFileSync(new URL(name, EXAMPLES), 'utf8')));

const CANNED = new Map([
  ...examples
    .filter(({ calibrate }) => calibrate)
    .map(({ path, answer }) => [
      path.replace(/\?.*/s, ''),
      typeof answer === 'string' ? text(answer) : json(200, answer),
    ]),
  ['/healthz', json(200, { status: 'ok' })],
]);

const ECHO = '/echo/';
const PLAIN = /^[\w.~-]{1,200}$/;

/** The response, as bytes, to GET path; readStats() is asked for /stats alone. */
export function answer(path, readStats) {
  const canned = CANNED.get(path);
  if (canned !== undefined) return canned;
  if (path.startsWith(ECHO)) return echo(path.slice(ECHO.length));
  return path === '/stats' ? json(200, readStats()) : NOT_FOUND;
}

function echo(encoded) {
  if (PLAIN.test(encoded)) return response(200, JSON_TYPE, `{"value":"${encoded}"}`);
  if (encoded.includes('/')) return NOT_FOUND;
  try {
    const value = decodeURIComponent(encoded);
    return value.length < 1 || value.length > 200 || value.includes('\0') ? BAD_VALUE : json(200, { value });
  } catch {
    return BAD_VALUE;
  }
}
