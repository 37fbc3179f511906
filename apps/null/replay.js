/**
 * Answers again as somebody's server did for one iteration of their script (scripts/probes/own.sh), and does nothing else: what a load tool measures
 * here is its own ceiling with answers of that size.
 */
import { createServer } from 'node:http';

/** A path whose numbers are any. */
const pattern = (path) => path.split('?')[0].replaceAll(/[^/]*\d[^/]*/g, '#');

/**
 * @param {{method, path, status, headers, body}[]} answers headers by name; body in base64 @param {() => object} readStats
 * @returns {import('node:http').Server} of what was not asked then, it gives the answer whose path differs least: the same but for numbers, or any of that method
 */
export function replaying(answers, readStats) {
  const exact = new Map();
  const alike = new Map();
  for (const { method, path, status, headers, body } of answers) {
    const bytes = Buffer.from(body, 'base64');
    const answer = { status, bytes, headers: { ...headers, 'content-length': bytes.length } };
    exact.set(`${method} ${path}`, answer);
    for (const key of [`${method} ${pattern(path)}`, method]) if (!alike.has(key)) alike.set(key, answer);
  }
  return createServer((request, response) => {
    request.resume();
    if (request.url === '/healthz') return response.end();
    if (request.url === '/stats') return response.end(JSON.stringify(readStats()));
    const { method, url } = request;
    const answer = exact.get(`${method} ${url}`) ?? alike.get(`${method} ${pattern(url)}`) ?? alike.get(method);
    if (!answer) return response.end();
    response.writeHead(answer.status, answer.headers);
    response.end(method === 'HEAD' ? undefined : answer.bytes);
  });
}
