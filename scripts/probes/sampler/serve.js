// Tells of the pod that it runs in whoever asks: node scripts/probes/sampler/serve.js PORT CORES; GET / answers with a reading, see Pod, or 503 while there is
// none. CORES is the pod's limit, which its processes do not see; 0 is none.
import { createServer } from 'node:http';
import { Pod } from './pod.js';

const [port, limit] = process.argv.slice(2).map(Number);
const pod = new Pod();

function read() {
  const reading = pod.read();
  return reading && limit > 0
    ? { ...reading, cores_allowed: Math.min(limit, reading.cores_allowed ?? limit) }
    : reading;
}

const server = createServer((_, response) => {
  const reading = read();
  response.writeHead(reading ? 200 : 503, { 'content-type': 'application/json' }).end(JSON.stringify(reading));
});
server.listen(port);
process.on('SIGTERM', () => process.exit(0));
