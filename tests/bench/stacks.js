// Prints what tests/bench/stacks.sh has measured: node tests/bench/stacks.js FOLDER..., each the runs of one stack, in order; the first is what others are compared with.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pairedRatio } from '../../scripts/analyse/intervals.js';
import { median } from '../../scripts/analyse/numbers.js';

const folders = process.argv.slice(2);

/** By cell, the throughput of each round, null where its trial is invalid. */
function rounds(folder) {
  const byCell = {};
  for (const run of readdirSync(folder).sort()) {
    const { cells } = JSON.parse(readFileSync(join(folder, run, 'results.json'), 'utf8'));
    for (const { target, workload, tool, calibration, trials } of cells) {
      const [{ verdict, throughput_rps }] = trials;
      const name = `${calibration ? 'null responder' : target}, ${workload}, ${tool}`;
      byCell[name] = [...(byCell[name] ?? []), verdict === 'invalid' ? null : throughput_rps];
    }
  }
  return byCell;
}

const [first, ...others] = folders.map((folder) => [basename(folder), rounds(folder)]);
for (const [name, base] of Object.entries(first[1])) {
  console.log(`${name}: ${first[0]} ${median(base.filter(Boolean))?.toFixed(0)}/s`);
  for (const [stack, { [name]: told = [] }] of others) {
    const pairs = told.map((value, i) => [value, base[i]]).filter(([a, b]) => a && b);
    const { ratio, low, high } = pairedRatio(
      pairs.map(([a, b]) => Math.log(a / b)),
      { of: base.length },
    );
    const interval = low === null ? 'no interval' : `95 % interval ${low.toFixed(3)} to ${high.toFixed(3)}`;
    console.log(`  ${stack}: ${median(told.filter(Boolean))?.toFixed(0)}/s, ${ratio?.toFixed(3)} times (${interval})`);
  }
}
