// Stores documents until the first answer that is no 201, on each connection: node scripts/drills/survival-writer.js URL CONNECTIONS
// Then prints the ids that were acknowledged, one a line. Prints `writing` on stderr when the first one was.
import http from 'node:http';

const [url, connections] = process.argv.slice(2);
const agent = new http.Agent({ keepAlive: true, maxSockets: Number(connections) });
const acknowledged = [];

/** -> the id of a new document, or undefined when it was not acknowledged. */
function store(body) {
  return new Promise((resolve) => {
    const failed = () => resolve(undefined);
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const request = http.request(`${url}/collections/test`, { method: 'POST', agent, headers }, async (response) => {
      response.on('error', failed);
      let text = '';
      for await (const piece of response.setEncoding('utf8')) text += piece;
      resolve(response.statusCode === 201 ? JSON.parse(text)._id : undefined);
    });
    request.on('error', failed);
    request.end(body);
  });
}

async function writeOn(connection) {
  for (let n = 0; ; n += 1) {
    const id = await store(JSON.stringify({ connection, n }));
    if (id === undefined) return;
    acknowledged.push(id);
    if (acknowledged.length === 1) console.error('writing');
  }
}

await Promise.all(Array.from({ length: Number(connections) }, (_, connection) => writeOn(connection)));
process.stdout.write(acknowledged.map((id) => `${id}\n`).join(''));
