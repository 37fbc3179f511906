/**
 * How often the analysis claims what is not so, and how much it finds: synthetic runs whose truth is known go through the shipped questions
 * (scripts/analyse/questions.js). Prints tables.
 *
 * Usage: node tests/bench/claims.js [RUNS]   runs per setting, 2,000 unless given
 */
import { answersOf, atPeaks, judged, pairs, ranking, smallest } from '../node/lib/claims.js';

const runs = Number(process.argv[2] ?? 2000);
if (!Number.isInteger(runs) || runs < 1) {
  process.stderr.write('error: RUNS must be a whole number from 1 up\n');
  process.exit(64);
}

const NAMES = Array.from({ length: 9 }, (_, i) => `t${i + 1}`);
const same = (count, factor = () => 1) => Object.fromEntries(NAMES.slice(0, count).map((name, i) => [name, factor(i)]));
const percent = (share) => `${(100 * share).toFixed(1)} %`;
const row = (...columns) =>
  console.log(columns.map((text, i) => (i === 0 ? String(text).padEnd(34) : String(text).padStart(12))).join(' '));
const GRID = [7, 15].flatMap((noise) => [3, 6, 10].map((blocks) => ({ noise, blocks })));

function outcome(setting) {
  return judged(answersOf({ runs, ...setting }), setting.speeds);
}

console.log(`Identical targets: runs with any false claim (${runs} runs each; allowed: 6 %)`);
row('', 'pairs', ...[2, 3, 4, 6, 9].map((count) => `rank of ${count}`));
for (const { noise, blocks } of GRID) {
  const sd = noise / 100;
  const threePairs = outcome({ speeds: same(4), blocks, sd, questions: pairs(NAMES.slice(0, 4)) });
  const ranks = [2, 3, 4, 6, 9].map((count) =>
    outcome({ speeds: same(count), blocks, sd, questions: ranking(NAMES.slice(0, count)) }),
  );
  row(`noise ${noise} %, ${blocks} blocks`, ...[threePairs, ...ranks].map(({ falseRuns }) => percent(falseRuns)));
}

console.log('\nIdentical targets, each at the best of so many equal levels: runs with any false claim (allowed: 6 %)');
row('', 'pair of 2', 'pair of 4', 'rank 3 of 2', 'rank 3 of 4');
for (const { noise, blocks } of [6, 10, 20].map((blocks) => ({ noise: 7, blocks }))) {
  const shares = [pairs(NAMES.slice(0, 2)), ranking(NAMES.slice(0, 3))].flatMap((asked) =>
    [2, 4].map((levels) => {
      const truth = same(3);
      return judged(answersOf({ runs, blocks, sd: noise / 100, ...atPeaks(asked, truth, levels) }), truth).falseRuns;
    }),
  );
  row(`noise ${noise} %, ${blocks} blocks`, ...shares.map(percent));
}

console.log(
  '\nTargets that differ, each 10 % faster than the one before: what the intervals hold (one alone: 93 to 97 %; together: at least 94 %)',
);
row('', 'one alone', 'three pairs', 'rank of 4', 'rank of 9', 'power', 'finds 80 %');
for (const { noise, blocks } of GRID) {
  const [sd, speeds] = [noise / 100, same(9, (i) => 1.1 ** -i)];
  const single = outcome({ speeds, blocks, sd, questions: pairs(NAMES.slice(0, 2)) });
  const three = outcome({ speeds, blocks, sd, questions: pairs(NAMES.slice(0, 4)) });
  const [four, nine] = [4, 9].map((count) =>
    outcome({ speeds: same(count, (i) => 1.1 ** -i), blocks, sd, questions: ranking(NAMES.slice(0, count)) }),
  );
  row(
    `noise ${noise} %, ${blocks} blocks`,
    ...[percent(single.coverage), percent(three.together), percent(four.together), percent(nine.together)],
    ...[percent(single.power), `${(100 * (single.finds - 1)).toFixed(0)} %`],
  );
}

console.log(
  '\nA true difference of the size that the run says it finds in four cases of five: how often it was found (80 %)',
);
row('', 'pair');
for (const { noise, blocks } of GRID) {
  const sd = noise / 100;
  const size = outcome({ speeds: same(2), blocks, sd, questions: pairs(NAMES.slice(0, 2)) }).finds;
  row(
    `noise ${noise} %, ${blocks} blocks`,
    percent(
      outcome({ speeds: same(2, (i) => (i === 0 ? size : 1)), blocks, sd, questions: pairs(NAMES.slice(0, 2)) }).power,
    ),
  );
}

console.log(
  '\nClaims of equality: of targets that differ by exactly 5 %, the most that is called equal (allowed: 5 %), and of identical ones',
);
row('', 'differ by 5 %', 'identical');
for (const { noise, blocks } of [...GRID, { noise: 2, blocks: 6 }, { noise: 2, blocks: 10 }]) {
  const shares = [1.05, 1].map(
    (ratio) =>
      outcome({
        speeds: same(2, (i) => (i === 0 ? ratio : 1)),
        blocks,
        sd: noise / 100,
        questions: pairs(NAMES.slice(0, 2)),
      }).equalRuns,
  );
  row(`noise ${noise} %, ${blocks} blocks`, ...shares.map(percent));
}

console.log(
  '\nThe smallest pool: runs that call one enough that serves 0.94 of the best, and that tell apart pools that are alike (allowed together: 5 %); and runs that settle on the right one',
);
row('', 'too small', 'apart', 'right');
for (const { noise, blocks } of [...GRID, { noise: 2, blocks: 6 }]) {
  const asked = (speeds) =>
    [...answersOf({ runs, speeds, blocks, sd: noise / 100, questions: [smallest(Object.keys(speeds))] })].flat();
  const answers = asked({ t1: 0.5, t2: 0.94, t3: 1, t4: 1, t5: 1 });
  const share = (of, holds) => percent(of.filter((answer) => answer.enough !== null && holds(answer)).length / runs);
  row(
    `noise ${noise} %, ${blocks} blocks`,
    share(answers, ({ enough: { size, of_best } }) => of_best !== null && size < 4),
    share(asked(same(5)), ({ text }) => / served [\d.]+ times as many as /.test(text)),
    share(answers, ({ enough: { size } }) => size === 4),
  );
}

console.log(
  '\nWhat is printed and not promised, with noise of 7 %: runs with any false claim on identical targets, and what single intervals hold',
);
row('', 'false, pairs', 'false, rank 4', 'held');
for (const [name, more] of Object.entries({
  'skewed noise, 6 blocks': { noise: 'skewed' },
  'the machine gains 20 %, 6 blocks': { drift: 0.2 },
  'one block lost, 6 blocks': { lost: true },
})) {
  const setting = { speeds: same(4), blocks: 6, sd: 0.07, ...more };
  const [three, rank] = [pairs, ranking].map((ask) => outcome({ ...setting, questions: ask(NAMES.slice(0, 4)) }));
  const single = outcome({ ...setting, questions: pairs(NAMES.slice(0, 2)) });
  row(
    name,
    percent(three.falseRuns),
    percent(rank.falseRuns),
    Number.isNaN(single.coverage) ? 'no interval' : percent(single.coverage),
  );
}
