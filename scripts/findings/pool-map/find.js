/** Pool size by users: the throughput of each pool, and the smallest that is as good as the best. */
import { leastEnough } from '../../analyse/enough.js';
import { errorOf } from '../../analyse/error-rate.js';
import { limitOf } from '../../analyse/limits.js';
import { groupBy } from '../../analyse/numbers.js';
import { poolSizes } from '../../analyse/pools.js';
import { usableCells } from '../../analyse/usable.js';

/**
 * A map for each target, workload, tool and database that was measured with two pool sizes or more, where the experiment asks
 * for it ("report": ["pool-map"]).
 * @param {{plan, experiment}} run see openRun @param {object[]} cells of results.json
 * @returns {{database, target, workload, tool, within, cells: {cell, pool_size, level, throughput_rps, p95_us, waiting_mean, event_loop_delay_p99_ms}[],
 *   smallest: {level, pool_size, best_pool_size, of_best, not_told_apart: number[]}[]}[]} throughput_rps: the median; smallest: per level the smallest pool whose
 *   throughput is shown to be within `within` (limits.json's pool_share) of the best, see leastEnough; null where a block of one of them is missing;
 *   not_told_apart: pools that are smaller still, and not shown to be too small
 */
export function find({ plan, experiment }, cells) {
  if (!experiment.report?.includes('pool-map')) return [];
  const sizeOf = poolSizes(plan);
  const sized = usableCells(cells)
    .map((cell) => ({ cell, size: sizeOf(cell) }))
    .filter(({ size }) => size !== null);
  const asked = (plan.questions ?? []).filter(({ kind, primary }) => kind === 'smallest' && primary);
  const errorIn = (sized) => {
    const question = asked.find(({ sides }) => sides.some((side) => side.cells.includes(sized[0].cell.id)));
    return question && errorOf(question, plan.questions);
  };
  const alike = groupBy(sized, ({ cell }) => [cell.database, cell.target, cell.workload, cell.tool].join(' '));
  return [...alike.values()]
    .filter((members) => new Set(members.map(({ size }) => size)).size > 1)
    .map((members) => poolMap(members, errorIn));
}

/** errorIn: of each comparison, where a question asks for the smallest pool of a level */
function poolMap(members, errorIn) {
  const ordered = members.toSorted((a, b) => a.cell.level - b.cell.level || a.size - b.size);
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
    smallest: [...levels].map(([level, sized]) => ({ level, ...smallestOf(sized, errorIn(sized)) })),
  };
}

/** @param {{cell, size}[]} sized one level, by size @param {number} [alpha] the error of each comparison */
function smallestOf(sized, alpha) {
  const enough = leastEnough(
    sized.map(({ cell }) => cell),
    { within: limitOf('pool_share'), alpha, confidence: alpha && 1 - alpha },
  );
  if (enough === null) return { pool_size: null, best_pool_size: null, of_best: null, not_told_apart: [] };
  return {
    pool_size: sized[enough.at].size,
    best_pool_size: sized[enough.best].size,
    of_best: enough.of_best,
    not_told_apart: enough.undecided.map((i) => sized[i].size),
  };
}
