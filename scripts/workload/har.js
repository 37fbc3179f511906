/** A HAR file (HTTP Archive 1.2), as browsers and proxies save it. */
import { shownPath } from './secrets.js';

/** The file cannot be used: one line for the user. */
export class Unusable extends Error {}

const stringOf = (value) => (typeof value === 'string' ? value : null);

/** What a browser sets by itself, or what belongs to one connection: not part of what is asked. */
const NOT_ASKED =
  /^(:.*|host|connection|content-length|user-agent|referer|origin|dnt|priority|te|pragma|cache-control|if-.*|sec-.*|upgrade-.*|x-client-data)$/i;

/**
 * The requests that a HAR file holds of one host.
 * @param {string} text of the file @param {string|null} host of several, such as shop.example:8080
 * @returns {{origin: string, requests: {method, path, headers: {name, value}[], body: string|null, type: string|null, status: number, answer: string|null}[], left_out: number}}
 *   path with its query; left_out: requests to other hosts
 * @throws {Unusable}
 */
export function requestsOfHar(text, host) {
  const entries = entriesOf(text);
  const hosts = [...new Set(entries.map(({ url }) => url.host))];
  if (new Set(entries.filter(({ url }) => url.host === (host ?? hosts[0])).map(({ url }) => url.protocol)).size > 1)
    throw new Unusable(`asks ${host ?? hosts[0]} by http and by https: leave one of the two`);
  if (host && !hosts.includes(host)) throw new Unusable(`nothing was asked of ${host}, but of ${hosts.join(', ')}`);
  if (!host && hosts.length > 1)
    throw new Unusable(`has requests to ${hosts.join(', ')}: --host says which of them is yours`);
  const own = entries.filter(({ url }) => !host || url.host === host);
  return { origin: own[0].url.origin, requests: own.map(requestOf), left_out: entries.length - own.length };
}

function entriesOf(text) {
  let log;
  try {
    ({ log } = JSON.parse(text.replace(/^\uFEFF/, ''))); // Windows begins files with that
  } catch {
    throw new Unusable('is not JSON');
  }
  if (!Array.isArray(log?.entries)) throw new Unusable('is no HAR: it has no log.entries');
  const entries = log.entries.flatMap((entry) => {
    const { request, response } = entry ?? {};
    const url = URL.canParse(request?.url) ? new URL(request.url) : null;
    const isRequest = url && /^https?:$/.test(url.protocol) && /^[A-Za-z]+$/.test(stringOf(request.method) ?? '');
    const isAnswered = Number.isInteger(Number(response?.status)) && response.status > 0;
    return isRequest && request.method !== 'CONNECT' && isAnswered ? [{ url, request, response }] : [];
  });
  if (entries.length === 0) throw new Unusable('holds no request that was answered');
  return entries;
}

/** With what an address says of its user, http://user:password@host/, as the header that it becomes. */
export function withUser({ username, password }, headers) {
  if (!username || headers.some(({ name }) => /^authorization$/i.test(name))) return headers;
  const user = decoded(`${username}:${password}`);
  return [...headers, { name: 'authorization', value: `Basic ${Buffer.from(user).toString('base64')}` }];
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Unusable('has a user or password in its address that is not encoded as addresses are (a % is %25)');
  }
}

/** Those of a list, of headers or parameters, that have a name. */
const namedOf = (list) =>
  (Array.isArray(list) ? list : [])
    .filter((one) => typeof one?.name === 'string')
    .map(({ name, value }) => ({ name, value: String(value ?? '') }));

/** @param {string|null|undefined} type of a body @param {URL} url @throws {Unusable} where it is a form with parts */
export function refuseParts(type, { pathname }) {
  if (/multipart/i.test(type))
    throw new Unusable(
      `sends a form with parts to ${shownPath(pathname)} (multipart): write that request by hand, with FormData or http.file of k6`,
    );
}

function requestOf({ url, request, response }) {
  const { postData, headers } = request;
  const text = sentText(postData ?? {}, url);
  const type = stringOf(postData?.mimeType);
  refuseParts(type, url);
  const params = namedOf(postData?.params);
  const form = params.length > 0 && !text ? new URLSearchParams(params.map(({ name, value }) => [name, value])) : null;
  const shown = stringOf(response.content?.text);
  const answer = response.content?.encoding === 'base64' ? Buffer.from(shown ?? '', 'base64').toString() : shown;
  return {
    method: request.method.toUpperCase(),
    path: url.pathname + url.search,
    headers: withUser(url, namedOf(headers)).filter(({ name }) => !NOT_ASKED.test(name)),
    body: form ? String(form) : text,
    type,
    // a browser had it already, and was told that it is still the same; a user without it gets it
    status: Number(response.status) === 304 ? 200 : Number(response.status),
    answer: answer || null,
  };
}

/** A body, which may have been recorded in base64. @returns {string|null} @throws {Unusable} where it is no text */
function sentText({ text: sent = null, encoding }, { pathname }) {
  const isString = typeof sent === 'string';
  const text = isString && encoding === 'base64' ? Buffer.from(sent, 'base64').toString() : sent;
  if ((sent !== null && !isString) || (text !== sent && text.includes('\uFFFD')))
    throw new Unusable(`sends a body to ${shownPath(pathname)} that is no text: write that request by hand`);
  return text;
}
