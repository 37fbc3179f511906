/** A HAR file (HTTP Archive 1.2), as browsers and proxies save it. */

/** The file cannot be used: one line for the user. */
export class Unusable extends Error {}

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
  if (host && !hosts.includes(host)) throw new Unusable(`nothing was asked of ${host}, but of ${hosts.join(', ')}`);
  if (!host && hosts.length > 1)
    throw new Unusable(`has requests to ${hosts.join(', ')}: --host says which of them is yours`);
  const own = entries.filter(({ url }) => !host || url.host === host);
  return { origin: own[0].url.origin, requests: own.map(requestOf), left_out: entries.length - own.length };
}

function entriesOf(text) {
  let log;
  try {
    ({ log } = JSON.parse(text));
  } catch {
    throw new Unusable('is not JSON');
  }
  if (!Array.isArray(log?.entries)) throw new Unusable('is no HAR: it has no log.entries');
  const entries = log.entries.flatMap(({ request, response }) => {
    const url = URL.canParse(request?.url) ? new URL(request.url) : null;
    return url && /^https?:$/.test(url.protocol) && response?.status > 0 ? [{ url, request, response }] : [];
  });
  if (entries.length === 0) throw new Unusable('holds no request that was answered');
  return entries;
}

function requestOf({ url, request, response }) {
  const { text = null, mimeType = null, params } = request.postData ?? {};
  const form = params?.length > 0 && !text ? new URLSearchParams(params.map(({ name, value }) => [name, value])) : null;
  const { content } = response;
  const answer = content?.encoding === 'base64' ? Buffer.from(content.text ?? '', 'base64').toString() : content?.text;
  return {
    method: request.method.toUpperCase(),
    path: url.pathname + url.search,
    headers: (request.headers ?? []).filter(({ name }) => !NOT_ASKED.test(name)),
    body: form ? String(form) : text,
    type: mimeType,
    status: response.status,
    answer: answer ?? null,
  };
}
