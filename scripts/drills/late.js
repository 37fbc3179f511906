// node scripts/drills/late.js PORT SECONDS: answers as the null responder does, but three answers in a hundred SECONDS late.
import http from 'node:http';

const [port, seconds] = process.argv.slice(2).map(Number);
let count = 0;

http
  .createServer((_request, response) => {
    count += 1;
    setTimeout(() => response.end('Hello World!'), count % 100 > 96 ? seconds * 1000 : 0);
  })
  .listen(port, '127.0.0.1');
