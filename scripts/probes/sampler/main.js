// Samples what the machine, the roles of a run and the database do while a cell is measured: node scripts/probes/sampler/main.js WATCH_FILE
//
// WATCH_FILE exists while a cell is measured: {"cell": folder, "roles": {role: see roles.js}, "stats_url"?}. What is sampled
// goes to <folder>/sampler.ndjson, see cell.js. It runs until its stdin ends, so that it cannot outlive whoever started it, or
// until SIGTERM. Environment:
//   PGHOST PGPORT PGUSER PGPASSWORD   a member of pg_monitor; without PGHOST no database is asked. Other variables of libpq hold too;
//                                     with one that node-postgres cannot honour no database is asked
//   SAMPLER_PGDATABASE                where to connect, default postgres: not the database that is measured
//   SAMPLER_ROLE                      whose backends are counted, default pglab_app
import { notHonoured } from '../../../apps/lib/drivers.js';
import { Activity } from './activity.js';
import { Cell } from './cell.js';
import { watchFile } from './watch.js';

const NO_DATABASE = { read: async () => null };

function main([path, ...rest], env) {
  if (!path || rest.length > 0) {
    console.error('usage: node scripts/probes/sampler/main.js WATCH_FILE');
    process.exit(64);
  }
  const database = env.SAMPLER_PGDATABASE ?? 'postgres';
  const refused = notHonoured('node-postgres', env);
  if (refused) console.error(`warning: node-postgres cannot honour ${refused}: what sessions do is not sampled`);
  const activity =
    env.PGHOST && !refused ? new Activity({ role: env.SAMPLER_ROLE ?? 'pglab_app', database }) : NO_DATABASE;
  let current = null;

  watchFile(path, (watched) => {
    current?.stop();
    current = watched && open(watched, activity);
    current?.start();
  });
  process.on('SIGTERM', () => process.exit(0));
  process.stdin.on('end', () => process.exit(0)).resume();
}

/** The Cell, or null when its folder cannot be written. */
function open(watched, activity) {
  try {
    return new Cell(watched, activity);
  } catch (error) {
    console.error(`warning: ${watched.cell}: ${error.message}: this cell is not sampled`);
    return null;
  }
}

main(process.argv.slice(2), process.env);
