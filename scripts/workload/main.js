/** node scripts/workload/main.js har FILE NAME HOST, or curl LINE NAME '': prints the k6 script; see scripts/new-workload.sh. */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { requestOfCurl } from './curl.js';
import { requestsOfHar, Unusable } from './har.js';
import { scriptOf } from './script.js';

const EXIT_USAGE = 64;

/** Of a-z, 0-9 and -. */
const nameFrom = (text) =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '') || 'workload';

const [kind, input, given, host] = process.argv.slice(2);
try {
  const isHar = kind === 'har';
  const recorded = isHar ? requestsOfHar(readFileSync(input, 'utf8'), host || null) : requestOfCurl(input);
  const name =
    given || nameFrom(isHar ? basename(input).replace(/\.har$/i, '') : recorded.requests[0].path.split('?')[0]);
  if (recorded.left_out > 0) process.stderr.write(`left out: ${recorded.left_out} request(s) to other hosts\n`);
  console.log(scriptOf(name, isHar ? basename(input) : 'a curl command line', recorded));
} catch (error) {
  if (!(error instanceof Unusable)) throw error;
  process.stderr.write(`error: ${kind === 'har' ? basename(input) : 'the line'} ${error.message}\n`);
  process.exitCode = EXIT_USAGE;
}
