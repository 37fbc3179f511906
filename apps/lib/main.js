// Starts a target: node apps/lib/main.js TARGET. Its settings are environment variables, see environment.js and the target's db.js.
import { existsSync, readdirSync } from 'node:fs';
import { listener, readEnvironment } from './environment.js';
import { errorBody } from './errors.js';
import { Fault, run } from './fault.js';
import { closeOnSignal, listen } from './lifecycle.js';
import { watchProcess } from './process-stats.js';
import { buildServer } from './server.js';

const APPS = new URL('../', import.meta.url);

/**
 * The module of a target, apps/<name>/db.js: {environment, connect(config), routes?}.
 * connect resolves to {echo(value)?, analytics()?, ping(), stats(), close()}.
 */
async function loadTarget(name) {
  const names = readdirSync(APPS).filter((folder) => existsSync(new URL(`${folder}/db.js`, APPS)));
  if (!names.includes(name)) throw new Fault(64, `usage: node apps/lib/main.js TARGET, one of: ${names.join(', ')}`);
  return import(new URL(`${name}/db.js`, APPS));
}

async function connect(target, name, config) {
  try {
    return await target.connect(config);
  } catch (error) {
    if (error instanceof Fault) throw error;
    const { message } = errorBody(500, error);
    throw new Fault(2, `${name} cannot start: ${message} (see ${Object.keys(target.environment).join(', ')})`);
  }
}

run(async () => {
  const name = process.argv[2];
  const target = await loadTarget(name);
  const settings = readEnvironment({ ...listener, ...target.environment });
  const db = await connect(target, name, { ...settings, name });
  const app = buildServer({ name, db, readProcess: watchProcess(), routes: target.routes });
  closeOnSignal(() => app.close());
  await listen((options) => app.listen(options), settings);
});
