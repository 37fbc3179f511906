// Requests: each kind is made once, in init code, so that an iteration only sends, and checks what came back.
import { check } from 'k6';
import exec from 'k6/execution';
import http from 'k6/http';
import { Trend } from 'k6/metrics';
import { requireSchedule } from './options.js';
import { sampler } from './sample.js';
import { settings } from './settings.js';

/**
 * One kind of request, named `name` in tags and checks. `status` is the only right one (a redirect is not followed); any
 * other makes the request an error. `sample` is the share of answers with that status whose body is checked at least (a
 * check costs k6 about 15 us, a third of a request), see ./sample.js; `keep` keeps every body for the script.
 * `trend` names a Trend of its own for the latency of answers with that status.
 *
 * -> (path, expected, body) => response, or undefined after a transport error; `expected` is the whole body, or a
 * function of it that says whether it is right. k6 prints the first transport error of a VU; the rest are only counted.
 * When a kept connection is closed before any answer, Go's HTTP client sends a GET once more, and no error is seen: only
 * the output `hdr` counts these.
 */
export function operation(
  name,
  { method = 'GET', status = 200, headers = {}, sample = 0.1, keep = false, trend } = {},
) {
  const shared = {
    headers,
    redirects: 0,
    responseCallback: http.expectedStatuses(status),
    tags: { name },
    throw: false,
  };
  const keepBody = { ...shared, responseType: 'text' };
  const dropBody = { ...shared, responseType: 'none' };
  const latency = trend && new Trend(trend, true);
  const isChecked = sampler(sample);
  const label = `${name}: body`;

  return (path, expected, body = null) => {
    const checked = isChecked();
    const params = keep || checked ? keepBody : dropBody;
    let response;
    try {
      response = http.request(method, settings.baseUrl + path, body, params);
    } catch {
      return undefined;
    }
    if (response.status === 0) keepBody.throw = dropBody.throw = true;
    if (response.status !== status) return response;
    if (latency) latency.add(took(response));
    if (checked) check(response.body, { [label]: (got) => matches(got, expected) });
    return response;
  };
}

/** -> milliseconds from asking for a connection to the last byte. */
export const took = ({ timings }) => timings.blocked + timings.duration;

function matches(got, expected) {
  return typeof expected === 'function' ? expected(got) : got === expected;
}

const UNESCAPED = { n: '\n', t: '\t', r: '\r', '\\': '\\' };

/** Bodies by path that were right before the trial, as scripts/probes/verify.sh --print gives them (`-e answers=FILE`). */
const verified = new Map(
  (__ENV.answers ? open(__ENV.answers) : '')
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split('\t'))
    .map(([, path, body]) => [path, body.replace(/\\([ntr\\])/g, (_, letter) => UNESCAPED[letter])]),
);

/**
 * For setup(): GET `path` once -> its body. Ends the run with one line when the target is away, answers otherwise than 200, or otherwise than
 * when it was verified.
 */
export function fetchOnce(path) {
  requireSchedule();
  const url = settings.baseUrl + path;
  let response;
  let failure;
  try {
    response = http.get(url, { redirects: 0, responseType: 'text', timeout: '30s', throw: true });
  } catch (error) {
    failure = String(error.value ?? error).replace(/^Get "[^"]*": /, '');
  }
  if (failure)
    exec.test.abort(`no answer from ${url}: ${failure}. Start the target, or name another with -e BASE_URL=.`);
  if (response.status !== 200)
    exec.test.abort(`${url} answered ${response.status}, not 200: ${response.body.slice(0, 200)}`);
  if (verified.has(path) && response.body !== verified.get(path))
    exec.test.abort(`${url} answers otherwise than when it was verified: ${response.body.slice(0, 200)}`);
  return response.body;
}
