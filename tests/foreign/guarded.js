// A server that answers only who shows a certificate, compressed: node tests/foreign/guarded.js PORT FOLDER, at ::1, with the FOLDER's certificates (tests/lib/tls.bash).

import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import https from 'node:https';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const [port, folder] = process.argv.slice(2);
const read = (name) => readFileSync(join(folder, name));
const large = randomBytes(150_000).toString('base64');
const body = gzipSync(JSON.stringify({ orders: Array.from({ length: 42 }, (_, id) => ({ id })) }));

https
  .createServer(
    {
      ...{ cert: read('server.crt'), key: read('server.key'), ca: read('ca.crt') },
      ...{ requestCert: true, rejectUnauthorized: true },
    },
    ({ url }, response) => {
      if (url === '/large') {
        response.end(large);
        return;
      }
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip', 'x-total': '42' });
      response.end(body);
    },
  )
  .listen(Number(port), '::1');
