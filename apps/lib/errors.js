import { STATUS_CODES } from 'node:http';

/** What the target depends on is away or has no room: answered as 503. `code` is SQLSTATE, a system error or our own word. */
export class Unavailable extends Error {
  constructor(message, code, cause) {
    super(message, { cause });
    this.code = code;
    this.statusCode = 503;
  }
}

// SQLSTATE classes that say "not now" rather than "not so": connection, authorisation and database when connecting,
// resources (53300 is too_many_connections), and 57P0x, the server going down or coming up.
const UNAVAILABLE = /^(08|28|3D|53|57P)/;

// What drivers say in words only: the connection was lost, or waiting for one took too long.
const CONNECTION = /connect|terminated|timeout/i;

/**
 * The HTTP status of an error: 4xx as the framework or the route classed it, 503 when the database cannot be had, 500 otherwise
 * (a statement failed, or a bug).
 */
export function statusOf(error) {
  if (error.statusCode >= 400) return error.statusCode;
  if (error.severity !== undefined) return UNAVAILABLE.test(error.code) ? 503 : 500; // the server's own words
  if (error.syscall !== undefined || error instanceof AggregateError) return 503; // ECONNREFUSED, ECONNRESET, ...
  return error.constructor === Error && CONNECTION.test(error.message) ? 503 : 500;
}

/** The JSON body of every error: {error, message, code}. */
export function errorBody(status, error) {
  const name = STATUS_CODES[status] ?? 'Error';
  return {
    error: name,
    message: error.message || error.code || name,
    code: error.code ?? name.toUpperCase().replaceAll(' ', '_'),
  };
}

const refusal = (statusCode, code, message) => Object.assign(new Error(message), { statusCode, code });

/** What a path is refused with: there is no such route; it does not decode; a parameter in it is too long. */
export const notFound = ({ method, url }) => refusal(404, 'NOT_FOUND', `there is no ${method} ${url.slice(0, 100)}`);
export const malformedUrl = (url) => refusal(400, 'BAD_URL', `'${url.slice(0, 100)}' is not a valid url component`);
export const urlTooLong = () => refusal(414, 'URI_TOO_LONG', 'value is too long');

/** For 'clientError' of an http server: what is no request of HTTP is answered, where that can be, and its connection closed. */
export function answerClientError(error, socket) {
  if (socket.writable && error.code !== 'ECONNRESET') {
    const status = { ERR_HTTP_REQUEST_TIMEOUT: 408, HPE_HEADER_OVERFLOW: 431 }[error.code] ?? 400;
    const body = JSON.stringify(errorBody(status, {}));
    socket.write(
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
  }
  socket.destroy(error);
}
