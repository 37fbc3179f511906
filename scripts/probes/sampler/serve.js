// Tells of the pod that it runs in whoever asks: node scripts/probes/sampler/serve.js PORT CORES; GET / answers with a reading, see Pod, or 503 while there is
// none, and of the machine that it is on: {boot: which one, as nodes may share it, host: see readHost, sampler_cpu_s: what telling took}. CORES is the pod's
// limit, which its processes do not see; 0 is none.
import { createServer } from 'node:http';
import { readHost } from './host.js';
import { Pod } from './pod.js';
import { readText } from './proc.js';

const [port, limit] = process.argv.slice(2).map(Number);
const pod = new Pod();
const boot = readText('/proc/sys/kernel/random/boot_id')?.trim() ?? null;

function read() {
  const reading = pod.read();
  if (reading === null) return null;
  const { user, system } = process.cpuUsage();
  const { throttled_s, ...host } = readHost(); // that is this container's own
  return {
    ...reading,
    ...(limit > 0 && { cores_allowed: Math.min(limit, reading.cores_allowed ?? limit) }),
    machine: { boot, host, sampler_cpu_s: (user + system) / 1e6 },
  };
}

const server = createServer((_, response) => {
  const reading = read();
  response.writeHead(reading ? 200 : 503, { 'content-type': 'application/json' }).end(JSON.stringify(reading));
});
server.listen(port);
process.on('SIGTERM', () => process.exit(0));
