// Tells of the pod that it runs in whoever asks: node scripts/probes/sampler/serve.js PORT; GET / answers with a reading, see Pod, 503 while there is none.
import { createServer } from 'node:http';
import { Pod } from './pod.js';

const pod = new Pod();
const server = createServer((_, response) => {
  const reading = pod.read();
  response.writeHead(reading ? 200 : 503, { 'content-type': 'application/json' }).end(JSON.stringify(reading));
});
server.listen(Number(process.argv[2]));
process.on('SIGTERM', () => process.exit(0));
