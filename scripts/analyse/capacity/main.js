/**
 * What a run's searches for capacities probe next.
 *
 * Usage: node scripts/analyse/capacity/main.js RUN
 * Prints {folder, probes, told}, see nextRound; no probes when all searches are done.
 */
import { analyse } from '../results.js';
import { fail, openRun } from '../run-folder.js';
import { nextRound, searchesOf } from './probes.js';

try {
  const run = openRun(process.argv[2]);
  console.log(JSON.stringify(nextRound(run, searchesOf(run, analyse(run).cells))));
} catch (error) {
  fail(error);
}
