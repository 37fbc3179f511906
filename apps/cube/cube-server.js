// Starts the project's own Cube: node apps/cube/cube-server.js. It answers from a rollup that it builds in the database.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client, connectionOptions, environment as database } from '../lib/database.js';
import { requireHonoured } from '../lib/drivers.js';
import { listener, port, readEnvironment, text } from '../lib/environment.js';
import { errorBody } from '../lib/errors.js';
import { Fault, run } from '../lib/fault.js';
import { closeOnSignal, closeWhenIdle, KEEP_ALIVE_MS, listen } from '../lib/lifecycle.js';
import { apiSecret, signToken } from './client.js';
import { connect } from './db.js';

const BUILD_LIMIT_S = 600;

/** Where the pre-aggregation lies. Cube drops every table there that it does not know, so the schema must be nobody else's. */
const SCHEMA = 'pglab_cube';

/** Options of a Cube in production mode that answers from pre-aggregations and nothing else, kept in the same database. */
function cubeOptions(settings, secret) {
  return {
    apiSecret: secret,
    dbType: 'postgres',
    driverFactory: () => ({
      type: 'postgres',
      Client,
      ...connectionOptions({ ...settings, name: 'cube' }),
    }),
    schemaPath: relative('', fileURLToPath(new URL('model', import.meta.url))), // Cube wants it from the working directory
    cacheAndQueueDriver: 'memory',
    telemetry: false,
    devServer: false,
    scheduledRefreshTimer: true, // the refresh worker, which builds pre-aggregations too
    orchestratorOptions: { rollupOnlyMode: true }, // a question that no pre-aggregation can answer is an error
    logger: (message, { error }) => error && console.error(`${message}: ${String(error).split('\n', 1)}`),
  };
}

run(async () => {
  requireHonoured('node-postgres');
  const settings = readEnvironment({ ...listener, PORT: port(4000), ...database, CUBEJS_API_SECRET: text('') });
  const secret = apiSecret(settings);
  if (secret === null)
    throw new Fault(64, 'CUBEJS_API_SECRET is not set: give the Cube server and its API the same one');
  const inherited = Object.keys(process.env).filter(
    (name) => name.startsWith('CUBEJS_') && name !== 'CUBEJS_API_SECRET',
  );
  for (const name of inherited) delete process.env[name]; // of a Cube of the user's own; they would win over the options
  Object.assign(process.env, {
    NODE_ENV: 'production',
    CUBEJS_PRE_AGGREGATIONS_SCHEMA: SCHEMA,
    CUBEJS_PRE_AGGREGATIONS_BUILDER: 'true',
    CUBEJS_EXTERNAL_DEFAULT: 'false',
  });
  const { default: express } = await import('express');
  const { default: cube } = await import('@cubejs-backend/server-core'); // seconds; so only now

  const core = new cube.CubejsServerCore(cubeOptions(settings, secret));
  const app = express();
  let api = null;
  app.get('/readyz', (_request, response) => {
    const answered = api === null ? Promise.reject(new Error('the pre-aggregation is being built')) : api.ping();
    answered.then(
      () => response.json({ status: 'ok' }),
      (error) => response.status(503).json(errorBody(503, error)),
    );
  });
  await core.initApp(app);

  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, app);
  closeOnSignal(async () => {
    closeWhenIdle(server);
    await core.beforeShutdown();
    await promisify(server.close).call(server);
    await core.shutdown();
  });
  await listen((options) => once(server.listen(options), 'listening'), settings);
  api = await warmUp(settings.PORT, secret);
});

/** Asks until the rollup is built; resolves to an API client of this very Cube. */
async function warmUp(ownPort, secret) {
  const own = { CUBE_URL: `http://127.0.0.1:${ownPort}`, CUBE_TOKEN: signToken(secret) };
  try {
    return await connect({ ...own, POOL_SIZE: 1, CUBE_WAIT_S: BUILD_LIMIT_S });
  } catch (error) {
    throw new Fault(2, `the rollup cannot be built: ${error.message}`);
  }
}
