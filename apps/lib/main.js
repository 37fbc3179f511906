// Starts a target: node apps/lib/main.js TARGET. Its settings are environment variables, see environment.js and the target's db.js.
import cluster from 'node:cluster';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { driverOf, requireHonoured } from './drivers.js';
import { choice, listener, readEnvironment, refuseUnknown } from './environment.js';
import { errorBody } from './errors.js';
import { Fault, run } from './fault.js';
import { closeOnSignal, listen } from './lifecycle.js';
import { watchProcess } from './process-stats.js';
import { allConnected, readAll, startWorkers } from './workers.js';

const APPS = new URL('../', import.meta.url);

/** What FRAMEWORK names: each builds the HTTP server of a target; only the one that serves is loaded. */
const FRAMEWORKS = {
  fastify: async (options) => (await import('./server.js')).buildServer(options),
  express: async (options) => (await import('./express.js')).buildExpress(options),
};

/**
 * The module of a target, apps/<name>/db.js: {environment, connect(config), routes?, workers?(config)}.
 * connect resolves to {echo(value)?, analytics()?, ping(), stats(), close()}; workers gives the variables of each process
 * that is to serve the port together with others.
 */
async function loadTarget(name) {
  const names = readdirSync(APPS).filter((folder) => existsSync(new URL(`${folder}/db.js`, APPS)));
  if (!names.includes(name)) throw new Fault(64, `usage: node apps/lib/main.js TARGET, one of: ${names.join(', ')}`);
  const driver = driverOf(JSON.parse(readFileSync(new URL(`${name}/target.json`, APPS), 'utf8')));
  requireHonoured(driver);
  const target = await import(new URL(`${name}/db.js`, APPS));
  if (typeof target.connect !== 'function' || typeof target.environment !== 'object')
    throw new Fault(64, `apps/${name}/db.js must export environment and the function connect`);
  return target;
}

/** Routes of a target's own are a plugin of Fastify's; the shared ones can be served by any framework. */
const framework = (name, { routes }) => ({
  FRAMEWORK: routes
    ? choice(['fastify'], 'fastify', `, as ${name} has routes of its own`)
    : choice(Object.keys(FRAMEWORKS), 'fastify'),
});

async function connect(target, name, config) {
  try {
    return await target.connect(config);
  } catch (error) {
    if (error instanceof Fault) throw error;
    const message = errorBody(500, error).message.trim().replace(/\s+/g, ' '); // libpq's has several lines
    const given = Object.keys(target.environment).filter((variable) => process.env[variable]);
    throw new Fault(2, `${name} cannot start: ${message} (see ${given.join(', ')})`);
  }
}

/** One process serves the port: the whole target, or a worker of it. */
async function serve(name, target, settings) {
  const db = await connect(target, name, { ...settings, name });
  const shared = cluster.isWorker ? readAll : undefined;
  const build = FRAMEWORKS[settings.FRAMEWORK];
  const app = await build({ name, db, readProcess: watchProcess(), routes: target.routes, shared });
  closeOnSignal(() => app.close());
  if (cluster.isWorker) await allConnected();
  await listen((options) => app.listen(options), settings);
}

run(async () => {
  const name = process.argv[2];
  const target = await loadTarget(name);
  const specification = { ...framework(name, target), ...target.environment };
  refuseUnknown(specification);
  const settings = readEnvironment({ ...listener, ...specification });
  if (target.workers === undefined || cluster.isWorker) return serve(name, target, settings);
  const starting = startWorkers(target.workers(settings));
  closeOnSignal(async () => (await starting).close());
  await starting;
});
