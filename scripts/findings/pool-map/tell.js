/** Pool size by users: the throughput of each pool, how many requests waited, and which pool is large enough. */
import { intervalOf, isWide, percent } from '../../analyse/effects.js';
import { duration, NOTHING, rate, share } from '../../analyse/format.js';
import { listed } from '../../analyse/phrases.js';
import { levelNoun, plural } from '../../analyse/words.js';
import { heading, image, list, paragraph, table } from '../../report/blocks.js';

/** Its name among the charts. */
export const key = ({ database, target, workload, tool }) => `pool-map.${database}.${target}.${workload}.${tool}`;

export const link = ({ workload, target }) => `pool size, ${workload}, ${target}`;

export const title = ({ target, workload, tool, database }) =>
  `Pool size: ${workload} on ${target}, ${tool}, ${database}`;

export const alt = (map) =>
  `${title(map)}. Heat maps of throughput and 95th percentile by pool size and ${levelNoun({ tool: map.tool })}. ${map.smallest.map((level) => poolText(map, level)).join(' ')}`;

/** @param {object} map see find.js @param {{file, alt}} [chart] @returns {object[]} blocks */
export function blocks(map, chart) {
  return [
    heading(2, title(map)),
    paragraph(
      'Throughput is the median of the trials, p95 that of all their answers. Requests waiting: those that had no connection yet, on average. Event-loop delay: the 99th percentile in the target, in its worst second.',
    ),
    image(chart),
    paragraph(
      `The smallest pool whose throughput is within ${share(map.within)} of the best, compared block by block (with the interval of its answer, where a primary question asks):`,
    ),
    list(map.smallest.map((level) => poolText(map, level))),
    table(
      'Pool size by users',
      [`>${levelNoun(map)}`, '>pool', '>answers/s', '>p95', '>requests waiting, mean', '>event-loop delay, p99'],
      map.cells.map(({ level, pool_size, throughput_rps, p95_us, waiting_mean, event_loop_delay_p99_ms: delay_ms }) => [
        level,
        pool_size,
        rate(throughput_rps),
        duration(p95_us),
        waiting_mean === null ? NOTHING : Number(waiting_mean.toPrecision(3)),
        duration(delay_ms === null ? null : delay_ms * 1000),
      ]),
    ),
  ];
}

/** One level of a pool map: '10 users: 5 connections serve 97 % of what 20 do (95 % interval 95 to 99 %).' */
function poolText({ tool }, { level, pool_size, best_pool_size, of_best, not_told_apart }) {
  const users = `${level} ${levelNoun({ tool }, level)}`;
  if (pool_size === null) return `${users}: not known, as a block is missing.`;
  const pool = plural(pool_size, 'connection');
  const rest =
    not_told_apart.length > 0
      ? ` As far as this run can tell, ${listed(not_told_apart.map(String))} may do as well.`
      : '';
  const verb = pool_size === 1 ? 'serves' : 'serve';
  return `${users}: ${pool} ${verb} ${ofBest(of_best, best_pool_size)}.${rest}`;
}

function ofBest(result, best) {
  if (result === null) return 'the most';
  const throughput = `${percent(result.ratio, true)} % of what ${best} do`;
  if (result.low === null) return `${throughput} (one block: no interval)`;
  const of = (value) => percent(value, isWide(result));
  const interval = `${intervalOf(result)} ${of(result.low)} to ${of(result.high)} %`;
  return `${throughput} (${interval}${result.differs ? '' : ': no difference was shown'})`;
}
