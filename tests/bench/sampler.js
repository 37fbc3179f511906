// The work of tests/bench/sampler.sh, which says what is measured and how.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { integer, port, readEnvironment } from '../../apps/lib/environment.js';
import { Fault, run } from '../../apps/lib/fault.js';
import { pairedRatio } from '../../scripts/analyse/intervals.js';
import { mean } from '../../scripts/analyse/numbers.js';

const ENVIRONMENT = {
  PORT: port(3160),
  CONNECTIONS: integer(1, 1000, 10),
  WINDOW_S: integer(1, 60, 2),
  PAIRS: integer(2, 500, 50),
};
const TICKS_PER_S = 100; // of /proc
const CORE_SHARE_ALLOWED = 0.01;
const RATIO_ALLOWED = 0.99;
const WARM_UP_S = 3;

const scratch = mkdtempSync(join(tmpdir(), 'pglab-sampler-'));
const children = [];

process.on('exit', () => {
  for (const child of children) {
    child.kill('SIGTERM');
    child.kill('SIGCONT'); // one that is stopped takes no other signal
  }
  rmSync(scratch, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));

function start(command, args, env = {}) {
  const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'inherit'] });
  children.push(child);
  return child;
}

const answers = (url) =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );

async function startResponder(url, PORT) {
  if (await answers(url)) throw new Fault(2, `port ${PORT} is taken: name a free one in PORT`);
  const responder = start(process.execPath, ['apps/null/server.js'], { PORT });
  for (let tries = 0; !(await answers(url)); tries += 1) {
    if (tries === 200) throw new Fault(2, `the responder does not answer on port ${PORT}`);
    await pause(50);
  }
  return responder;
}

/** Processor time of a process, in ticks: utime and stime of /proc/<pid>/stat, which follow the name in parentheses. */
function ticks({ pid }) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ');
  return Number(fields[11]) + Number(fields[12]);
}

/** TCP segments that this machine has sent: a request and its answer are one each. */
function segments() {
  const [names, values] = readFileSync('/proc/net/snmp', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('Tcp:'))
    .map((line) => line.split(' '));
  return Number(values[names.indexOf('OutSegs')]);
}

/** What was sent and worked within so many seconds from now. */
async function window(seconds, { responder, sampler }) {
  const read = () => ({ ms: performance.now(), sent: segments(), target: ticks(responder), sampler: ticks(sampler) });
  const before = read();
  await pause(seconds * 1000);
  const after = read();
  const of = (key) => after[key] - before[key];
  return {
    rate: of('sent') / of('ms'),
    work: of('sent') / of('target'),
    core_share: (of('sampler') / TICKS_PER_S / of('ms')) * 1000,
  };
}

async function measure({ PORT, CONNECTIONS, WINDOW_S, PAIRS }) {
  const url = `http://127.0.0.1:${PORT}/`;
  const responder = await startResponder(url, PORT);
  const sentBefore = segments();
  const total_s = WARM_UP_S + 2 * PAIRS * WINDOW_S + 1;
  const tool = start('wrk', ['-t1', `-c${CONNECTIONS}`, `-d${total_s}s`, url]);
  const printed = text(tool.stdout);
  const watch = join(scratch, 'watch/cell.json');
  mkdirSync(join(scratch, 'watch'));
  const roles = { target: responder.pid, generator: tool.pid };
  writeFileSync(watch, JSON.stringify({ cell: scratch, roles, stats_url: `${url}stats` }));
  const sampler = start(process.execPath, ['scripts/probes/sampler/main.js', watch]);
  await pause(WARM_UP_S * 1000);

  const pairs = [];
  for (let i = 0; i < PAIRS; i += 1) {
    const pair = {};
    for (const name of i % 2 === 0 ? ['watched', 'unwatched'] : ['unwatched', 'watched']) {
      sampler.kill(name === 'watched' ? 'SIGCONT' : 'SIGSTOP');
      pair[name] = await window(WINDOW_S, { responder, sampler });
    }
    pairs.push(pair);
  }

  const requests = Number(/(\d+) requests in/.exec(await printed)?.[1]);
  const ratio = (key) => pairedRatio(pairs.map(({ watched, unwatched }) => Math.log(watched[key] / unwatched[key])));
  return {
    pairs: PAIRS,
    requests_per_s: Math.round(requests / total_s),
    segments_per_request: (segments() - sentBefore) / requests,
    lines: readFileSync(join(scratch, 'sampler.ndjson'), 'utf8').trim().split('\n').length,
    cpu_core_share: mean(pairs.map(({ watched }) => watched.core_share)),
    throughput: ratio('rate'),
    work_per_cpu_s: ratio('work'),
  };
}

run(async () => {
  const result = await measure(readEnvironment(ENVIRONMENT));
  console.log(JSON.stringify(result, null, 2));
  const ratiosHold = [result.throughput, result.work_per_cpu_s].every(({ high }) => high >= RATIO_ALLOWED);
  process.exit(result.cpu_core_share <= CORE_SHARE_ALLOWED && ratiosHold ? 0 : 1);
});
