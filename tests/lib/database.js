// For tests that need a real server: a private cluster with a small dataset, on a port of its own.
import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { promisify } from 'node:util';
import { freePort } from './process.js';

const ROOT = new URL('../../', import.meta.url);
const run = promisify(execFile);

/**
 * Brings up a cluster with that database profile at scale 0.01: {settings, up(), down(), remove()}; settings are PGHOST,
 * PGPORT, PGUSER, PGPASSWORD and PGDATABASE of role app. up() after down() starts it again on the same port.
 */
export async function privateDatabase(profile) {
  const folder = mkdtempSync(`/var/tmp/pglab-${profile}.`);
  chmodSync(folder, 0o755);
  const env = { ...process.env, PGLAB_DATA: folder, PG_PORT: String(await freePort()) };
  const database = (...words) => run('scripts/database.sh', words, { cwd: ROOT, env });
  const up = () => database('up', profile, '--scale', '0.01');
  const down = () => database('down');
  const remove = async () => {
    await down();
    rmSync(folder, { recursive: true });
  };
  await up();
  const { stdout } = await database('env', 'app');
  const settings = Object.fromEntries(
    [...stdout.matchAll(/^export (PG\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
  );
  return { settings, up, down, remove };
}
