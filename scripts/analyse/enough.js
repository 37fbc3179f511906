/** The least that is enough: the smallest pool, the knee of a curve, the level of a peak. */
import { blocksOfAll, byBlock, figureOf, ratioOfTrials, stepVariance } from './figures.js';
import { shownWithin } from './intervals.js';
import { mean } from './numbers.js';

const ALPHA = 0.05;

/**
 * The first of several that is shown to be within a share of the best: one-sided t tests over blocks, unless told otherwise with an error of 5 %
 * divided among them (Bonferroni). What is the best, by the geometric mean unless told, is taken from the same figures, which makes the others look further from it than they are: it errs
 * towards more than is needed.
 * @param {object[]} cells of results.json, the least first: pools by size, levels by users
 * @param {{within: number, best?: number, alpha?: number, confidence?: number}} options within: a share; best: its position; alpha: the error of each test; confidence: of of_best
 * @returns {{at: number, best: number, of_best: object|null, undecided: number[]}|null} at, best, undecided: positions of cells; of_best: the first
 *   over the best, see pairedRatio, null for the best itself; undecided: lesser ones that are neither shown to be enough nor shown not to be;
 *   null where a block is missing
 */
export function leastEnough(cells, { within, best: known, confidence, alpha = ALPHA / Math.max(1, cells.length - 1) }) {
  const blocks = blocksOfAll(cells);
  const sides = cells.map((cell) => new Map([...byBlock(cell)].filter(([block]) => blocks.includes(block))));
  const planned = blocks.length;
  const figures = sides.map((trials) => [...trials.values()].map((trial) => figureOf(trial, 'throughput')));
  if (planned < 1 || figures.some((values) => values.length < planned || values.includes(null))) return null;
  const centres = figures.map((values) => mean(values.map(Math.log)));
  const best = known ?? centres.indexOf(Math.max(...centres));
  const logs = (i) => [...sides[i]].map(([block, trial]) => logOver(trial, sides[best].get(block)));
  const stepsOf = (i) => mean([...sides[i].values()].map((trial) => stepVariance('throughput', trial)));
  const options = (i) => ({ within, alpha, resolution: stepsOf(i) + stepsOf(best) });
  const isEnough = (i) => i === best || shownWithin(logs(i), options(i));
  const at = cells.findIndex((_, i) => i <= best && isEnough(i));
  const isShort = (i) =>
    shownWithin(
      logs(i).map((log) => -log + 2 * Math.log(1 - within)),
      options(i),
    );
  return {
    at,
    best,
    of_best:
      at === best ? null : ratioOfTrials(sides[at], sides[best], { metric: 'throughput', of: planned }, { confidence }),
    undecided: cells.flatMap((_, i) => (i < at && !isShort(i) ? [i] : [])),
  };
}

const logOver = (trial, other) => Math.log(figureOf(trial, 'throughput') / figureOf(other, 'throughput'));
