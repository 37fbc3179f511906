import { STATUS_CODES } from 'node:http';

const JSON_TYPE = 'application/json; charset=utf-8';

/** A whole HTTP/1.1 response as bytes. */
export function response(status, type, body) {
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: ${type}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n`;
  return Buffer.from(head + body);
}

const CLOSE = Buffer.from('connection: close\r\n');

/** The same response, telling that it is the connection's last: a client that is not told asks once more in vain, and wrk counts that. */
export function last(bytes) {
  const at = bytes.indexOf('\r\n') + 2;
  return Buffer.concat([bytes.subarray(0, at), CLOSE, bytes.subarray(at)]);
}

const json = (status, value) => response(status, JSON_TYPE, JSON.stringify(value));
const refusal = (status, message, code) => json(status, { error: STATUS_CODES[status], message, code });

export const BAD_REQUEST = last(refusal(400, 'this is not HTTP that the null responder reads', 'BAD_REQUEST'));
const BAD_VALUE = refusal(
  400,
  'value must be percent-encoded UTF-8 of 1 to 200 characters, none of them NUL',
  'BAD_VALUE',
);
const NOT_FOUND = refusal(404, 'there is no such path', 'NOT_FOUND');

// The answer of TPC-H at scale 1, so that the bytes on the wire are those of a real target.
const ANALYTICS = [
  ['F', 1992, 227089, '34330674052.43'],
  ['F', 1993, 226645, '34340410079.03'],
  ['F', 1994, 227597, '34416369052.97'],
  ['F', 1995, 48082, '6614961429.26'],
  ['O', 1995, 142012, '20822054361.33'],
  ['O', 1996, 228626, '34609364760.86'],
  ['O', 1997, 227783, '34373633413.04'],
  ['O', 1998, 133623, '20212721905.53'],
  ['P', 1995, 38543, '7109117393.01'],
].map(([status, year, orders, total]) => ({ status, year, orders, total }));

const CANNED = new Map([
  ['/', response(200, 'text/plain; charset=utf-8', 'Hello World!')],
  ['/analytics', json(200, ANALYTICS)],
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
