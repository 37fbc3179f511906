// The least that can answer GET / with `Hello World!`; listens on PORT.
import http from 'node:http';

const head = { 'content-type': 'text/plain', 'content-length': 12 };
http
  .createServer((_, response) => response.writeHead(200, head).end('Hello World!'))
  .listen(Number(process.env.PORT), '127.0.0.1');
