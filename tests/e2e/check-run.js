// Usage: node tests/e2e/check-run.js RUN [COUNT_OF_CELLS]
// Checks a finished run against the schemas and against sense; prints each fault on a line, exit 1 when there is one. Of invalid trials only_robbed judges
// (tests/lib/whole-run.bash).
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { schemas } from '../lib/schemas.js';

const [run, expectedCells] = process.argv.slice(2);
const read = (path) => JSON.parse(readFileSync(path, 'utf8'));
const { validatorOf, errorsText } = schemas();
const K6_GAP_US = 30; // what k6 needs between two requests of a user
const faults = [];

function conforms(name, path) {
  const value = read(path);
  const validate = validatorOf(name);
  if (!validate(value)) faults.push(`${path}: ${errorsText(validate.errors)}`);
  return value;
}

const marked = ({ id, block }, check) =>
  results.cells
    .find((cell) => cell.id === id)
    .trials.some((trial) => trial.block === block && trial.reasons.some((reason) => reason.check === check));

function sensible(path, summary) {
  const { cell, requests, successes, errors, latency_us: latency } = summary;
  const expect = (holds, text) => holds || faults.push(`${path}: ${text}`);
  expect(
    Math.abs(requests - successes - errors.total) < 0.002, // shares are rounded to thousandths
    `${requests} requests are not ${successes} successes + ${errors.total} errors`,
  );
  expect(successes > 0, 'nothing succeeded');
  expect(
    Math.abs(summary.throughput_rps - successes / summary.window.seconds) < 1e-6,
    'throughput is not successes / window',
  );
  const order = ['min', 'p50', 'p90', 'p95', 'p99', 'p99_9', 'max']
    .map((key) => latency[key])
    .filter((value) => value !== null);
  expect(
    order.every((value, i) => i === 0 || order[i - 1] <= value * 1.001),
    `percentiles are out of order: ${order.join(', ')}`,
  );
  // Answers within a fifth of a millisecond leave k6's own ten microseconds between two of them visible.
  if (!marked(cell, 'littles_law') && cell.tool === 'k6' && cell.model === 'closed' && cell.target !== 'postgres') {
    const share = summary.in_flight_mean / cell.level;
    const gapUs = ((1 - share) * cell.level * summary.window.seconds * 1e6) / requests;
    const k6sOwn = share < 1 && gapUs <= K6_GAP_US;
    expect(
      Math.abs(share - 1) <= 0.05 || k6sOwn,
      `mean in-flight ${summary.in_flight_mean} is not the level ${cell.level}`,
    );
  }
  const seconds = cell.requests ? summary.window.seconds : cell.duration_s; // a fixed number of requests may take less than the sampler sees
  if (seconds >= 2)
    for (const [role, { cpu_cores }] of Object.entries(
      summary.resources?.roles ?? { generator: { cpu_cores: null } },
    )) {
      // What was asked next to nothing may have used less than can be seen, a tick of 10 ms; so has a pgbench that asked little, no other generator.
      const isBusy = role === 'generator' && (cell.tool !== 'pgbench' || requests >= 1000);
      expect(isBusy ? cpu_cores > 0 : cpu_cores !== null, `the processor time of role ${role} was not measured`);
    }
}

conforms('experiment', join(run, 'experiment.json'));
conforms('environment', join(run, 'environment.json'));
const results = conforms('results', join(run, 'results.json'));
const planned = ['plan.json', 'plan-open.json'].flatMap((name) =>
  conforms('plan', join(run, name)).groups.flatMap((group) => group.cells),
);
const done = new Set();
for (const block of readdirSync(join(run, 'cells'))) {
  for (const id of readdirSync(join(run, 'cells', block))) {
    const folder = join(run, 'cells', block, id);
    conforms('status', join(folder, 'status.json'));
    sensible(folder, conforms('summary', join(folder, 'summary.json')));
    done.add(`${Number(block)} ${id}`);
  }
}
for (const cell of planned)
  if (!done.has(`${cell.block} ${cell.id}`)) faults.push(`${cell.id} of block ${cell.block} was not measured`);
if (expectedCells && planned.length > Number(expectedCells))
  faults.push(`${planned.length} cells are more than ${expectedCells}`);
for (const counts of results.sessions)
  if (!(counts.transactions > 0)) faults.push(`no transaction was counted: ${JSON.stringify(counts)}`);
if (results.sessions.length === 0 && planned.some(({ database }) => database !== 'none'))
  faults.push('no session was counted');
for (const name of ['report.md', 'results.csv'])
  if (readFileSync(join(run, name)).length === 0) faults.push(`${name} is empty`);
for (const fault of faults) console.log(fault);
console.log(`${planned.length} cells checked, ${faults.length} faults`);
process.exit(faults.length === 0 ? 0 : 1);
