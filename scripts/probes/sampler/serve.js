// Tells of the pod that it runs in whoever asks: node scripts/probes/sampler/serve.js PORT CORES [PROC]; GET / answers with a reading, see Pod, or 503 while
// there is none, and of the machine that it is on: {boot: which one, as nodes may share it, clock_ahead_s: see clockAhead, host: see readHost, sampler_cpu_s:
// what telling took}. GET /clock answers with the time, in microseconds since 1970. CORES is the pod's limit, which its processes do not see; 0 is none. PROC is where the proc file system is mounted, /proc by default.
import { createServer } from 'node:http';
import { clockAhead } from './clock.js';
import { readHost } from './host.js';
import { Pod } from './pod.js';
import { readText } from './proc.js';

const [port, cores, proc = '/proc'] = process.argv.slice(2);
const limit = Number(cores);
const pod = new Pod(proc);
const boot = readText(`${proc}/sys/kernel/random/boot_id`)?.trim() ?? null;

function read() {
  const reading = pod.read();
  if (reading === null) return null;
  const { user, system } = process.cpuUsage();
  const { throttled_s, ...host } = readHost(proc, { whole: true }); // that is this container's own
  return {
    ...reading,
    cores_allowed: Math.min(limit || host.cores, reading.cores_allowed ?? host.cores, host.cores), // a kernel may name more than there are
    machine: { boot, clock_ahead_s: clockAhead(), host, sampler_cpu_s: (user + system) / 1e6 },
  };
}

const server = createServer(({ url }, response) => {
  if (url === '/clock') return response.end(String(Date.now() * 1000 + 500)); // the middle of its millisecond
  const reading = read();
  response.writeHead(reading ? 200 : 503, { 'content-type': 'application/json' }).end(JSON.stringify(reading));
});
server.listen(Number(port));
process.on('SIGTERM', () => process.exit(0));
