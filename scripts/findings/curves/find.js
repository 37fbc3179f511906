/** Throughput by users, target by target: every trial, an interval for each level, and a straight line. */
import jstat from 'jstat';
import { ratioOf } from '../../analyse/figures.js';
import { groupBy, mean, rounded } from '../../analyse/numbers.js';
import { poolSizes } from '../../analyse/pools.js';
import { hasCurve, usableCells, usedTrials } from '../../analyse/usable.js';
import { seriesName } from '../../analyse/words.js';

const ALPHA = 0.05;

/**
 * A set of curves for each workload, tool, database and pool size, where the experiment asks for it ("report": ["curves"]) and a
 * series of it has three levels or more.
 * @param {{plan, experiment}} run see openRun @param {object[]} cells of results.json
 * @returns {{database, workload, tool, pool_size, series: {name, target, variant, cells: string[], points: {level, n, mean_rps, low_rps,
 *   high_rps}[], line: {slope_rps_per_user, slope_low, slope_high, intercept_rps, r2}|null}[], pairs: {numerator, denominator, slope_ratio, at: {level,
 *   throughput}[]}[]}[]} pool_size: null where variants set none; points: means with a 95 % Student-t interval, null of one trial; line: least
 *   squares through all trials, its slope with a 95 % Student-t interval, as if trials were independent; series: the faster first;
 *   pairs: the faster over the other; throughput: as pairedRatio, by block
 */
export function find({ plan, experiment }, cells) {
  if (!experiment.report?.includes('curves')) return [];
  const sizeOf = poolSizes(plan);
  const sized = usableCells(cells).map((cell) => ({ cell, size: sizeOf(cell) }));
  const alike = groupBy(sized, ({ cell, size }) => [cell.database, cell.workload, cell.tool, size].join(' '));
  return [...alike.values()].map(curve).filter(({ series }) => series.some(hasCurve));
}

function curve(members) {
  const [{ cell, size }] = members;
  const { database, workload, tool } = cell;
  const bySeries = groupBy(
    members.map((member) => member.cell),
    seriesName,
  );
  const byLevel = [...bySeries.values()].map((cells) => cells.toSorted((a, b) => a.level - b.level));
  const ordered = byLevel.toSorted((a, b) => meanLog(b) - meanLog(a));
  const names = ordered.map((cells) => nameOf(cells[0], size));
  return {
    ...{ database, workload, tool, pool_size: size },
    series: ordered.map((cells, i) => ({
      name: names[i],
      target: cells[0].target,
      variant: cells[0].variant,
      cells: cells.map(({ id }) => id),
      points: cells.map(point),
      line: line(cells),
    })),
    pairs: ordered.flatMap((one, i) =>
      ordered.slice(i + 1).flatMap((other, j) => pair(one, other, [names[i], names[i + 1 + j]])),
    ),
  };
}

const logRps = (cell) => Math.log(cell.throughput_rps.median);
const meanLog = (cells) => mean(cells.map(logRps));

/** 'pooled' for variant pool-10 of a pool of 10, 'pooled (unnamed)' for unnamed-10: the size stands in the title. */
function nameOf({ target, variant }, size) {
  const rest = variant.endsWith(`-${size}`) ? variant.slice(0, -`-${size}`.length) : variant;
  return seriesName({ target, variant: rest === 'pool' ? 'base' : rest });
}

function point(cell) {
  const values = usedTrials(cell).map((trial) => trial.throughput_rps);
  const centre = mean(values);
  const [low, high] = values.length > 1 ? jstat.tci(centre, ALPHA, values) : [null, null];
  return {
    level: cell.level,
    n: values.length,
    mean_rps: rounded(centre),
    low_rps: rounded(low),
    high_rps: rounded(high),
  };
}

/** Ordinary least squares of throughput on users, through every trial; null below two levels, or when all trials agree. */
function line(cells) {
  const trials = cells.flatMap((cell) =>
    usedTrials(cell).map(({ throughput_rps }) => ({ at: cell.level, throughput_rps })),
  );
  const values = trials.map(({ throughput_rps }) => throughput_rps);
  if (cells.length < 2 || trials.length < 3 || new Set(values).size === 1) return null;
  const { coef, R2, t } = jstat.models.ols(
    values,
    trials.map(({ at }) => [1, at]),
  );
  const half = jstat.studentt.inv(1 - ALPHA / 2, trials.length - 2) * t.se[1];
  return {
    slope_rps_per_user: rounded(coef[1]),
    slope_low: rounded(coef[1] - half),
    slope_high: rounded(coef[1] + half),
    intercept_rps: rounded(coef[0]),
    r2: rounded(R2, 4),
  };
}

/** Two series at the levels that they share, the one that is faster there over the other; none where they share none. */
function pair(one, other, [name, otherName]) {
  const others = new Map(other.map((cell) => [cell.level, cell]));
  const common = one.filter(({ level }) => others.has(level)).map((cell) => [cell, others.get(cell.level)]);
  if (common.length === 0) return [];
  const slower = mean(common.map(([a, b]) => logRps(a) - logRps(b))) < 0;
  const turned = (both) => (slower ? both.toReversed() : both);
  const [numerator, denominator] = turned([name, otherName]);
  return [
    {
      numerator,
      denominator,
      slope_ratio: slopeRatio(...turned([line(one), line(other)])),
      at: common.map((cells) => ({
        level: cells[0].level,
        throughput: ratioOf('throughput', ...turned(cells)),
      })),
    },
  ];
}

/** Null where a line does not rise: such slopes do not show how fast something is. */
function slopeRatio(above, below) {
  if (!(above?.slope_rps_per_user > 0) || !(below?.slope_rps_per_user > 0)) return null;
  return rounded(above.slope_rps_per_user / below.slope_rps_per_user, 4);
}
