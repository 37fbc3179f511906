/** Cautions about the load generator: rules of cautions.js. */
import { byBlock, originalOf } from '../figures.js';
import { isLimited } from '../generator-limit.js';
import { limitOf } from '../limits.js';
import { median } from '../numbers.js';
import { isOneMachine } from '../placement.js';
import { AGAINST_NULL, MAY_BE_LIMIT, plural, seriesName } from '../words.js';
import { NAMED, rows } from './rows.js';

/** Of all cores, by which the generator's share differs between two cells. */
const UNEVEN = 0.2;

export function unevenShare(results) {
  const uneven = results.environment?.layout === 'pinned' ? [] : unevenPairs(results);
  if (uneven.length === 0) return false;
  const took = uneven.slice(0, NAMED).map((pair) => {
    const [fast, slow] = pair.map((cell) => `${coresOf(cell).toFixed(2)} with ${seriesName(cell)}`);
    return `${fast} and ${slow} (${pair[0].workload}, ${pair[0].tool})`;
  });
  return `Of the ${plural(uneven[0][0].resources.cores, 'core')} that everything shared, the load generator itself took ${took.join('; ')}${uneven.length > NAMED ? '; and the like' : ''}: that slows the faster target more, and the ratio may be larger where the generator has cores of its own.`;
}

export function nearCeiling({ cells }) {
  const bound = cells.filter((cell) => !cell.calibration && !(cell.headroom < 1) && isLimited({ cells: [cell] }));
  return (
    bound.length > 0 &&
    `In ${rows(bound)} ${MAY_BE_LIMIT}, not the target: ${AGAINST_NULL}, the same load ran less than ${limitOf('headroom')} times as fast (headroom below ${limitOf('headroom')}), or in half of the trials it had no processor time to spare.`
  );
}

export function nearCeilingInMostBlocks({ cells }) {
  const near = cells.filter((cell) => cell.headroom >= limitOf('headroom') && isBoundInMostBlocks(cell, cells));
  return (
    near.length > 0 &&
    `In ${rows(near)} the load generator may also be the limit: in most blocks the same load ran less than ${limitOf('headroom')} times as fast ${AGAINST_NULL}.`
  );
}

export function calibrationAtFault({ cells }) {
  const faulty = cells.filter(({ headroom }) => headroom !== null && headroom < 1);
  return (
    faulty.length > 0 && `In ${rows(faulty)} the calibration is at fault: the same load ran slower ${AGAINST_NULL}.`
  );
}

/** Whether a closed cell's ceiling, block by block, was mostly too near, by calibrations without a mark; its headroom is by the highest of all blocks. */
function isBoundInMostBlocks({ tool, workload, model, level, variant, trials }, cells) {
  if (model !== 'closed') return false;
  const calibrations = cells.filter(
    (cell) => cell.calibration && cell.tool === tool && cell.workload === workload && cell.level === level,
  );
  const of = (name) => calibrations.find((cell) => cell.variant === name);
  const ceiling = of(originalOf(variant)) ?? of('base');
  const steady = ceiling?.trials.filter(({ verdict }) => verdict === 'valid') ?? [];
  const ceilings = new Map(steady.map((trial) => [trial.block, trial]));
  const ratios = [...byBlock({ trials })].flatMap(([block, { throughput_rps: rps }]) =>
    rps && ceilings.get(block)?.throughput_rps ? [ceilings.get(block).throughput_rps / rps] : [],
  );
  return ratios.length > 0 && median(ratios) < limitOf('headroom');
}

const coresOf = ({ resources }) => resources?.roles?.generator?.cpu_cores ?? null;

/** Figures that the generator's share bears on, and whether more is faster. */
const MORE_IS_FASTER = { throughput: true, p50: false, p95: false, p99: false };

/** The sides of each difference in throughput or latency, the faster first, where the generator took much more of shared cores with it. */
function unevenPairs({ questions, cells }) {
  const byId = new Map(cells.map((cell) => [cell.id, cell]));
  const best = (ids) => {
    const side = ids.map((id) => byId.get(id)).filter((cell) => cell?.throughput_rps);
    return side.reduce((a, b) => (a && a.throughput_rps.median >= b.throughput_rps.median ? a : b), undefined);
  };
  const isServed = ({ resources }) => Object.keys(resources?.roles ?? {}).some((role) => role !== 'generator');
  const pairs = (questions ?? [])
    .filter(({ metric }) => metric in MORE_IS_FASTER)
    .flatMap(({ metric, comparisons }) => comparisons.map((comparison) => ({ ...comparison, metric })))
    .filter(({ result }) => result?.differs)
    .map(({ metric, result, ...sides }) => {
      const pair = [best(sides.numerator_cells), best(sides.denominator_cells)];
      return result.ratio > 1 === MORE_IS_FASTER[metric] ? pair : pair.toReversed();
    })
    .filter(
      (pair) =>
        pair.every(
          (cell) =>
            cell &&
            !cell.share &&
            coresOf(cell) !== null &&
            isServed(cell) &&
            isOneMachine(cell.resources) &&
            cell.resources.cores > 0,
        ) && coresOf(pair[0]) - coresOf(pair[1]) >= UNEVEN * pair[0].resources.cores,
    );
  return [...new Map(pairs.map((pair) => [pair.map(({ id }) => id).join(' '), pair])).values()];
}
