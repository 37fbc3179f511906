/** Pool size by users: the throughput of each pool, and the smallest that is as good as the best. */
import { ratioOf } from './comparisons.js';
import { limitOf } from './limits.js';
import { groupBy } from './numbers.js';
import { poolSizes } from './pools.js';
import { usableCells } from './usable.js';

/**
 * A map for each target, workload, tool and database that was measured with two pool sizes or more, where the experiment asks
 * for it ("report": ["pool-map"]).
 * @param {{plan, experiment}} run see openRun @param {object[]} cells of results.json
 * @returns {{database, target, workload, tool, within, cells: {cell, pool_size, level, throughput_rps, p95_us, waiting_mean, event_loop_delay_p99_ms}[],
 *   smallest: {level, pool_size, best_pool_size, of_best, not_told_apart: number[]}[]}[]} throughput_rps: the median; smallest: per level the smallest pool whose
 *   throughput is within `within` (limits.json's pool_share) of the best, null where a block of one of them is missing; of_best: paired by block, see pairedRatio, null for the best
 *   itself; not_told_apart: pools that are smaller still, and whose interval against the best includes 1
 */
export function poolMaps({ plan, experiment }, cells) {
  if (!experiment.report?.includes('pool-map')) return [];
  const sizeOf = poolSizes(plan);
  const sized = usableCells(cells)
    .map((cell) => ({ cell, size: sizeOf(cell) }))
    .filter(({ size }) => size !== null);
  const places = groupBy(sized, ({ cell }) => [cell.database, cell.target, cell.workload, cell.tool].join(' '));
  return [...places.values()].filter((place) => new Set(place.map(({ size }) => size)).size > 1).map(poolMap);
}

function poolMap(place) {
  const ordered = place.toSorted((a, b) => a.cell.level - b.cell.level || a.size - b.size);
  const { database, target, workload, tool } = ordered[0].cell;
  const levels = groupBy(ordered, ({ cell }) => cell.level);
  return {
    ...{ database, target, workload, tool },
    within: limitOf('pool_share'),
    cells: ordered.map(({ cell, size }) => ({
      cell: cell.id,
      pool_size: size,
      level: cell.level,
      throughput_rps: cell.throughput_rps.median,
      p95_us: cell.latency_us?.p95 ?? null,
      waiting_mean: cell.resources?.roles?.target?.pool_waiting_mean ?? null,
      event_loop_delay_p99_ms: cell.resources?.roles?.target?.event_loop_delay_p99_ms ?? null,
    })),
    smallest: [...levels].map(([level, sized]) => ({ level, ...smallestOf(sized) })),
  };
}

/** @param {{cell, size}[]} sized one level, by size */
function smallestOf(sized) {
  const best = sized.reduce((a, b) => (b.cell.throughput_rps.median > a.cell.throughput_rps.median ? b : a));
  const smaller = sized
    .slice(0, sized.indexOf(best))
    .map(({ cell, size }) => ({ size, of_best: ratioOf('throughput', cell, best.cell) }));
  if (smaller.some(({ of_best }) => of_best?.n !== of_best?.of))
    return { pool_size: null, best_pool_size: best.size, of_best: null, not_told_apart: [] };
  const at = smaller.findIndex(({ of_best }) => of_best?.ratio >= 1 - limitOf('pool_share'));
  const enough = smaller[at] ?? { size: best.size, of_best: null };
  return {
    pool_size: enough.size,
    best_pool_size: best.size,
    of_best: enough.of_best,
    not_told_apart: (at === -1 ? smaller : smaller.slice(0, at))
      .filter(({ of_best }) => of_best?.differs === false)
      .map(({ size }) => size),
  };
}
