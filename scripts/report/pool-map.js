/** Pool size by users: what each pool answered, what waited for it, and which is large enough. */
import { levelNoun } from '../analyse/words.js';
import { heading, image, list, paragraph, table } from './blocks.js';
import { heatChart } from './charts/heat.js';
import { PAPER } from './charts/style.js';
import { duration, NOTHING, rate, ratio, share } from './format.js';

/** Its name among the charts. */
export const poolMapKey = ({ database, target, workload, tool }) =>
  `pool-map.${database}.${target}.${workload}.${tool}`;

export const poolMapTitle = ({ target, workload, tool, database }) =>
  `Pool size: ${workload} on ${target}, ${tool}, ${database}`;

const nounOf = ({ tool }, count) => levelNoun({ tool, model: 'closed' }, count);

/** @returns {{spec: object, alt: string}} Vega-Lite specification @param {object} [look] see style.js */
export function poolMapPicture(map, look = PAPER) {
  const paper = look.width === null;
  const title = {
    text: poolMapTitle(map),
    subtitle: 'throughput: median over trials; latency: over all their answers; coloured on logarithmic scales',
  };
  return {
    spec: heatChart(map, { look, noun: nounOf(map), ...(paper ? { title } : {}) }),
    alt: `${poolMapTitle(map)}. Heat maps of throughput and 95th percentile by pool size and ${nounOf(map)}. ${map.smallest.map((found) => enoughText(map, found)).join(' ')}`,
  };
}

/** @param {object} map see analyse/pool-map.js @param {{file, alt}} [chart] @returns {object[]} blocks */
export function poolMapBlocks(map, chart) {
  return [
    heading(2, poolMapTitle(map)),
    paragraph(
      'Throughput is the median over trials, p95 that of all their answers. Waiting: requests that had no connection yet, mean; event-loop delay: the 99th percentile of the worst second, in the target.',
    ),
    image(chart),
    paragraph(
      `The smallest pool whose throughput is within ${share(map.within)} of the best one, paired by block (~: no difference was shown):`,
    ),
    list(map.smallest.map((found) => enoughText(map, found))),
    table(
      'Pool size by users',
      [`>${nounOf(map)}`, '>pool', '>answers/s', '>p95', '>requests waiting, mean', '>event-loop delay, p99'],
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

/** '10 users: 5 connections, 0.97× [0.95, 0.99] of what 20 answer.' */
function enoughText(map, { level, pool_size, best_pool_size, of_best, not_told_apart }) {
  const connections = `${pool_size} ${pool_size === 1 ? 'connection' : 'connections'}`;
  const why = of_best === null ? 'the best' : `${ratio(of_best)} of what ${best_pool_size} answer`;
  const untold =
    not_told_apart.length > 0
      ? ` Not told apart from ${best_pool_size} in this run: ${not_told_apart.join(', ')}.`
      : '';
  return `${level} ${nounOf(map, level)}: ${connections}, ${why}.${untold}`;
}
