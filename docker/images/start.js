// Prints how a process of apps/$TARGET/target.json is started: KEY=VALUE... ARGUMENT..., for env(1).
// A variable that is set already goes before the target's own. The target waits for its Cube, when it has one.
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { apiSecret, signToken } from '../apps/cube/client.js';

// The database itself is a target without a process; the load tools still want a network to be in.
const PLACEHOLDER = { argv: ['node', 'apps/null/server.js'] };
const WAIT_S = 600; // Cube answers once its rollup is built

function fail(message) {
  console.error(`error: ${message}`);
  process.exit(64);
}

async function answers(url) {
  return fetch(url).then(
    (response) => response.ok,
    () => false,
  );
}

async function waitFor(url) {
  const deadline = Date.now() + WAIT_S * 1000;
  while (!(await answers(url))) {
    if (Date.now() > deadline) fail(`${url} did not answer within ${WAIT_S} s`);
    await pause(200);
  }
}

const { TARGET, CUBE_URL } = process.env;
const wantedRole = process.argv[2];
let target;
try {
  target = JSON.parse(readFileSync(`apps/${TARGET}/target.json`, 'utf8'));
} catch (error) {
  fail(`TARGET=${TARGET}: ${error.message}`);
}
const main =
  target.processes.length === 0
    ? PLACEHOLDER
    : target.processes.find(({ role }) => (role === 'cube') === (wantedRole === 'cube'));
if (!main) fail(`TARGET=${TARGET} has no process ${wantedRole}`);
if (main.argv[0] !== 'node') fail(`TARGET=${TARGET} needs ${main.argv[0]}, which this image has not`);

const defaults = { ...target.env };
if (wantedRole !== 'cube' && target.processes.some(({ role }) => role === 'cube')) {
  await waitFor(new URL('/readyz', CUBE_URL));
  defaults.CUBE_TOKEN = signToken(apiSecret(process.env));
}
const assignments = Object.entries(defaults).filter(([name]) => process.env[name] === undefined);
console.log([...assignments.map((pair) => pair.join('=')), ...main.argv].join('\n'));
