import { createHmac } from 'node:crypto';

const BASE_PATH = '/cubejs-api/v1';
const TOKEN_LIFETIME_S = 30 * 24 * 3600;

const QUERY = {
  dimensions: ['orders.status', 'orders.year'],
  measures: ['orders.count', 'orders.total'],
  order: [
    ['orders.status', 'asc'],
    ['orders.year', 'asc'],
  ],
};

/** The address of the analytics question at a Cube; base is http://host:port, or Cube Cloud's address with its path. */
export function analyticsAddress(base) {
  const url = new URL(base);
  const path = url.pathname === '/' ? BASE_PATH : url.pathname;
  return { origin: url.origin, path: `${path}/load?query=${encodeURIComponent(JSON.stringify(QUERY))}` };
}

/** Rows of {status, year, orders, total} from Cube's answer. */
export function rowsOf({ data }) {
  return data.map((row) => ({
    status: row['orders.status'],
    year: Number(row['orders.year']),
    orders: Number(row['orders.count']),
    total: row['orders.total'],
  }));
}

/**
 * The secret that signs tokens for the project's own Cube: CUBEJS_API_SECRET, or one that only who knows the database's
 * password can derive, so that Cube and its API agree without being told. Null when neither is given.
 */
export function apiSecret({ CUBEJS_API_SECRET, PGPASSWORD }) {
  if (CUBEJS_API_SECRET) return CUBEJS_API_SECRET;
  return PGPASSWORD ? createHmac('sha256', PGPASSWORD).update('CUBEJS_API_SECRET').digest('hex') : null;
}

/** A JSON Web Token (RFC 7519, HS256), good for longer than any run. */
export function signToken(secret) {
  const encode = (part) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const now = Math.floor(Date.now() / 1000);
  const signed = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode({ iat: now, exp: now + TOKEN_LIFETIME_S })}`;
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}
