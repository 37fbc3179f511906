/**
 * Asks a target that has just started for a time, as a runtime compiles what runs often: node scripts/probes/warm-up.js BASE_URL PATH SECONDS
 * What it answers is not looked at. Exit 2 when it does not answer, and why on stdout.
 */
import http from 'node:http';

const CONNECTIONS = 16;

const [base, path, seconds] = process.argv.slice(2);
const agent = new http.Agent({ keepAlive: true, maxSockets: CONNECTIONS });
const end = performance.now() + 1000 * Number(seconds);

const asked = () =>
  new Promise((resolve, reject) => {
    http
      .get(base + path, { agent }, (response) => response.resume().on('end', resolve).on('error', reject))
      .on('error', reject);
  });

async function user() {
  while (performance.now() < end) await asked();
}

try {
  await Promise.all(Array.from({ length: CONNECTIONS }, user));
} catch (error) {
  console.log(`${path} is not answered (${error.message})`);
  process.exitCode = 2;
}
agent.destroy();
