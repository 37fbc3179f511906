/** node scripts/workload/main.js har FILE NAME HOST, or curl LINE NAME '', the line from standard input where LINE is -: prints {name, text, told}: the k6 script, and what a person is told of it;
 * see scripts/new-workload.sh. */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { isatty } from 'node:tty';
import { requestOfCurl } from './curl.js';
import { requestsOfHar, Unusable } from './har.js';
import { scriptOf } from './script.js';
import { shownPath } from './secrets.js';

const EXIT_USAGE = 64;

/** Of a-z, 0-9 and -. */
const nameFrom = (text) =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '') || 'workload';

/** A request, its answer's status, and whether the file holds what a check of the answer is made of. */
function lineOf({ method, path, status, answer }) {
  const unseen = status === 200 && answer === null && method !== 'HEAD';
  return `${method} ${shownPath(path)}${status ? `, answered ${status}` : ''}${unseen ? '; the file is without the answer: only its status is checked' : ''}`;
}

/** @returns {string[]} lines */
function toldOf(name, { origin, requests, left_out }, needed) {
  return [
    ...requests.map(lineOf),
    ...(left_out > 0 ? [`left out: ${left_out} request(s) to other hosts`] : []),
    `to try it: ${[...needed, 'bin/k6 run -e', `BASE_URL=${origin}`, `k6/${name}.js`].join(' ')}`,
  ];
}

/** Bytes that a terminal keeps of a line, less its end: it drops the rest without a word. */
const LONGEST = process.platform === 'darwin' ? 1023 : 4095;

/** The line that standard input has. @throws {Unusable} where a terminal may have cut it */
function pasted() {
  const text = readFileSync(0, 'utf8');
  if (isatty(0) && text.split('\n').some((line) => Buffer.byteLength(line) >= LONGEST))
    throw new Unusable(`is longer than a terminal takes, ${LONGEST} characters: save it, and use --curl - < FILE`);
  return text.trim();
}

const [kind, input, given, host] = process.argv.slice(2);
try {
  const isHar = kind === 'har';
  const recorded = isHar
    ? requestsOfHar(readFileSync(input, 'utf8'), host || null)
    : requestOfCurl(input === '-' ? pasted() : input);
  const name = given || nameFrom(isHar ? basename(input).replace(/\.har$/i, '') : shownPath(recorded.requests[0].path));
  const { text, needed } = scriptOf(name, isHar ? basename(input) : 'a curl command line', recorded);
  console.log(JSON.stringify({ name, text, told: toldOf(name, recorded, needed) }));
} catch (error) {
  if (!(error instanceof Unusable)) throw error;
  process.stderr.write(`error: ${kind === 'har' ? `${basename(input)}:` : 'the line'} ${error.message}\n`);
  process.exitCode = EXIT_USAGE;
}
