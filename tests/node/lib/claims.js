/** Synthetic cells whose truth is known, for the questions of the shipped analysis: how often an answer is wrong. */
import { answered } from '../../../scripts/analyse/questions.js';
import { normals } from './synthetic.js';

const BASE_RPS = 1000;

/** By name: the logarithm by which a trial is off, with mean 0 and standard deviation `sd`, from standard normal numbers. */
const NOISE = {
  normal: (normal, sd) => sd * normal(),
  /** Stalls: most trials are a little fast, a few much slower (an exponential: half the sum of two squares). */
  skewed: (normal, sd) => sd * (1 - (normal() ** 2 + normal() ** 2) / 2),
};

/**
 * A cell of results.json with what answers look at.
 * @param {string} id @param {object} what coordinates that differ from the usual @param {(number|null)[]} rps one per block; null: no trial
 */
export function cellOf(id, what, rps) {
  const trials = rps.flatMap((throughput_rps, i) =>
    throughput_rps === null
      ? []
      : [
          {
            block: i + 1,
            verdict: 'valid',
            reasons: [],
            throughput_rps,
            work_per_s: null,
            successes: Math.round(throughput_rps * 10),
            maintenance: null,
          },
        ],
  );
  return {
    ...{
      id,
      calibration: false,
      database: 'tpch',
      target: id,
      variant: 'base',
      workload: 'echo',
      tool: 'k6',
      model: 'closed',
    },
    ...{ level: 10, share: null, headroom: null, trials_planned: rps.length, trials_used: trials.length, trials },
    ...what,
  };
}

/**
 * Runs of one experiment on targets whose true speeds are known.
 * @param {object} setting speeds: {name: factor}; blocks; sd: of the logarithm of a trial, the share that is left within a block; runs; noise: of NOISE;
 *   drift: what the machine gains over the whole run, where one target is always measured first in its block; lost: a block of the first target
 *   is lost in every run; questions: of plan.json
 * @returns {Generator<object[]>} the answers of each run
 */
export function* answersOf({
  speeds,
  blocks,
  sd,
  runs,
  noise = 'normal',
  drift = 0,
  lost = false,
  seed = 7,
  questions,
  cells,
}) {
  const normal = normals(seed);
  const names = Object.keys(speeds);
  for (let run = 0; run < runs; run += 1) {
    const block = Array.from({ length: blocks }, () => 0.2 * normal()); // what all targets of a block share
    const measured = names.map((name, place) =>
      block.map((shared, b) => {
        if (lost && place === 0 && b === 0) return null;
        const time = (b + place / names.length) / blocks;
        return BASE_RPS * speeds[name] * Math.exp(shared + drift * time + NOISE[noise](normal, sd));
      }),
    );
    const whole = names.map((name, i) => cellOf(name, cells?.[name], measured[i]));
    yield answered(questions, {
      cells: whole,
      comparisons: [],
      again: null,
      index_pairs: null,
      survival: null,
      scale: 1,
    });
  }
}

const question = (ask, kind, names, more = {}) => ({
  ...{ ask, primary: true, metric: 'throughput', kind, dimension: 'target', where: {}, why: null },
  sides: names.map((name) => ({ name, cells: [name], ...more[name] })),
});

/** One ranking of all targets. */
export const ranking = (names) => [question('Which is fastest?', 'rank', names)];

/** Up to three pairs: the first target against each of the others. */
export const pairs = ([first, ...others]) =>
  others.slice(0, 3).map((other) => question(`What does ${other} cost?`, 'pair', [first, other]));

/** Which of several pools is enough. */
export const smallest = (names) =>
  question(
    'How many connections are enough?',
    'smallest',
    names,
    Object.fromEntries(names.map((name, i) => [name, { size: 2 ** i }])),
  );

/** The same questions of sides at their peaks, of so many levels, and the speed of each level: that of its side. @returns {{questions, speeds}} */
export function atPeaks(questions, sidesSpeeds, levels) {
  const cellsOf = (name) => Array.from({ length: levels }, (_, i) => `${name} at ${i}`);
  return {
    questions: questions.map((asked) => ({
      ...asked,
      where: { level: 'peak' },
      sides: asked.sides.map((side) => ({ ...side, cells: cellsOf(side.name) })),
    })),
    speeds: Object.fromEntries(
      Object.entries(sidesSpeeds).flatMap(([name, speed]) => cellsOf(name).map((id) => [id, speed])),
    ),
  };
}

/** What is said of the answers of many runs, as shares. */
export function judged(runs, speeds) {
  const counts = {
    runs: 0,
    claims: 0,
    false: 0,
    held: 0,
    all: 0,
    intervals: 0,
    equal: 0,
    answers: 0,
    differences: 0,
    finds: 0,
    comparisons: 0,
  };
  for (const answers of runs) {
    const comparisons = answers.filter((answer) => answer.answered).flatMap(({ comparisons }) => comparisons);
    const truth = ({ numerator, denominator }) => speeds[numerator] / speeds[denominator];
    const judgedOnes = comparisons.filter(({ result }) => (result?.differs ?? null) !== null);
    const holds = (entry) => entry.result.low <= truth(entry) && truth(entry) <= entry.result.high;
    const wrong = (entry) =>
      entry.result.differs && (truth(entry) === 1 || truth(entry) > 1 !== entry.result.ratio > 1);
    counts.runs += 1;
    counts.comparisons += judgedOnes.length;
    counts.held += judgedOnes.filter(holds).length;
    counts.all += judgedOnes.every(holds) ? 1 : 0;
    counts.false += judgedOnes.some(wrong) ? 1 : 0;
    counts.claims += answers.some(({ claim }) => claim) ? 1 : 0;
    counts.differences += judgedOnes.filter(({ result }) => result.differs).length;
    counts.equal += judgedOnes.some(({ result }) => result.equal) ? 1 : 0;
    counts.finds += judgedOnes.reduce((all, { result }) => all + Math.log(result.finds), 0);
  }
  return {
    ...counts,
    falseRuns: counts.false / counts.runs,
    coverage: counts.held / counts.comparisons,
    together: counts.all / counts.runs,
    power: counts.differences / counts.comparisons,
    equalRuns: counts.equal / counts.runs,
    finds: Math.exp(counts.finds / counts.comparisons),
  };
}
