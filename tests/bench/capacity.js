/**
 * How often the interval of a capacity holds the true one, and how many probes that takes: the shipped search, against queues in virtual time
 * whose capacity is known in theory (tests/node/lib/queues.js). Prints a table.
 *
 * Usage: node tests/bench/capacity.js [RUNS]   measurements per setting, 2,000 unless given, each of five blocks, so of five searches
 */
import { samplesFor } from '../../scripts/analyse/capacity/objective.js';
import { median, sum } from '../../scripts/analyse/numbers.js';
import { partsOf, runsOf, truthOf } from '../node/lib/capacity.js';

const runs = Number(process.argv[2] ?? 2000);
if (!Number.isInteger(runs) || runs < 1) {
  process.stderr.write('error: RUNS must be a whole number from 1 up\n');
  process.exit(64);
}

const BLOCKS = 5;
const SHIPPED_BLOCKS = 4;
const SEED = 20_261_126; // not the one that constants were chosen with

/** Names by Kendall: arrivals (M: Poisson, D: on a schedule), service (M: exponential, D: fixed), places. */
const queue = (name) => {
  const [arrivals, service, places] = name.split('/');
  return {
    arrivals: { M: 'poisson', D: 'schedule' }[arrivals],
    service: { M: 'exponential', D: 'fixed' }[service],
    places: Number(places),
  };
};

/** Queue, objective, milliseconds of a service; probes are as long as real ones are. */
const PROMISED = [
  ['M/M/1', 'p95<6ms', 1],
  ['M/M/1', 'p95<15ms', 1],
  ['M/M/4', 'p95<6ms', 1],
  ['M/D/1', 'p95<3ms', 1],
  ['M/D/4', 'p95<2ms', 1],
  ['D/M/1', 'p95<6ms', 1],
  ['D/D/4', 'p95<2ms', 1],
  ['M/M/4', 'p99<9ms', 1],
];
/** The same with limits far above a service, and as many blocks as the experiment has. */
const SHIPPED = [
  ['D/M/1', 'p95<100ms', 15],
  ['D/M/1', 'p95<60ms', 5],
  ['M/M/4', 'p95<100ms', 20],
  ['D/M/1', 'p95<100ms', 2],
  ['D/M/1', 'p95<100ms', 1],
  ['D/M/1', 'p95<500ms', 1],
  ['M/D/4', 'p95<200ms', 20],
  ['D/D/4', 'p95<200ms', 20],
  ['D/D/10', 'p95<100ms', 10],
];
/** Queue, objective, how many times the samples that the objective needs a probe has: probes too short for queues that stay long once they are, and for the percentile. */
const SHORT = [
  ['M/M/16', 'p95<4ms', 20],
  ['M/M/4', 'p99<9ms', 4],
  ['M/M/1', 'p95<6ms', 2],
];

const percent = (share) => `${(100 * share).toFixed(1)} %`;
const WIDTHS = [-8, -9, 7, 8, 7, 9, 9, 7, 7, 6, 7, 5, 8];
const row = (...columns) =>
  console.log(
    columns
      .map((text, i) => (WIDTHS[i] < 0 ? String(text).padEnd(-WIDTHS[i]) : String(text).padStart(WIDTHS[i])))
      .join(' '),
  );

function measured([name, objective, length], count, { blocks, isShort = false }) {
  const of = queue(name);
  const [times, service_ms] = isShort ? [length, 1] : [null, length];
  const setting = { ...of, objective, service_ms };
  const truth = truthOf(setting);
  const measurements = [...runsOf({ ...setting, times, blocks, runs: count, seed: SEED })];
  const answers = measurements.map(({ answer }) => answer);
  const share = (holds) => answers.filter(holds).length / count;
  const searches = measurements.flatMap(({ blocks }) => blocks);
  const probes = searches.map((search) => search.probes.length);
  row(
    ...[name, objective, isShort ? times * samplesFor(partsOf(objective)) : `${service_ms} ms`, truth.toFixed(1)],
    percent((truth * service_ms) / 1000 / setting.places),
    median(answers.map(({ rate }) => rate)).toFixed(1),
    percent(share(({ kind, low, high }) => kind === 'rate' && low <= truth && truth <= high)),
    percent(share(({ high }) => high !== null && high < truth)),
    percent(share(({ low }) => low !== null && low > truth)),
    percent(median(answers.map(({ low, high }) => Math.sqrt(high / low) - 1))),
    (sum(probes) / probes.length).toFixed(1),
    probes.reduce((a, b) => Math.max(a, b)),
    percent(searches.filter(({ answer }) => answer.fitted > 0).length / searches.length),
  );
}

function table(title, settings, count, design = { blocks: BLOCKS }) {
  console.log(`${title} (${count} measurements per row)`);
  row(
    ...[
      'queue',
      'objective',
      design.isShort ? 'samples' : 'service',
      'true/s',
      'load',
      'median/s',
      'coverage',
      'below',
      'above',
      'half',
    ],
    ...['probes', 'most', 'fitted'],
  );
  for (const setting of settings) measured(setting, count, design);
}

console.log(
  `Measurements of ${BLOCKS} blocks unless it says otherwise; probes of 5 to 8 s, or 30 limits; the first guess is off by up to a factor of 4. samples: of a probe; load: at the ` +
    'true capacity; below, above: intervals that lie wholly there; half: of the median interval; fitted: searches with a fit\n',
);
table('Allowed: coverage 93 to 97 %, at most 14 probes per search', PROMISED, runs);
table('\nNot promised: probes that are short for their queue', SHORT, Math.ceil(runs / 4), {
  blocks: BLOCKS,
  isShort: true,
});
table(
  `\nLimits far above a service, ${SHIPPED_BLOCKS} blocks; allowed: coverage of 93 % and more`,
  SHIPPED,
  Math.ceil(runs / 4),
  { blocks: SHIPPED_BLOCKS },
);
