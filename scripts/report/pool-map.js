/** Pool size by users: the throughput of each pool, how many requests waited, and which pool is large enough. */
import { poolMapAlt, poolMapTitle, poolText } from '../analyse/phrases.js';
import { levelNoun } from '../analyse/words.js';
import { heading, image, list, paragraph, table } from './blocks.js';
import { heatChart } from './charts/heat.js';
import { PAPER } from './charts/style.js';
import { duration, NOTHING, rate, share } from './format.js';

/** Its name among the charts. */
export const poolMapKey = ({ database, target, workload, tool }) =>
  `pool-map.${database}.${target}.${workload}.${tool}`;

const nounOf = ({ tool }) => levelNoun({ tool, model: 'closed' });

/** @returns {{spec: object, alt: string}} Vega-Lite specification @param {object} [look] see style.js */
export function poolMapPicture(map, look = PAPER) {
  const paper = look.width === null;
  const title = {
    text: poolMapTitle(map),
    subtitle: 'median throughput of the trials; p95 over all their answers; logarithmic colour scales',
  };
  return {
    spec: heatChart(map, { look, noun: nounOf(map), ...(paper ? { title } : {}) }),
    alt: poolMapAlt(map),
  };
}

/** @param {object} map see analyse/pool-map.js @param {{file, alt}} [chart] @returns {object[]} blocks */
export function poolMapBlocks(map, chart) {
  return [
    heading(2, poolMapTitle(map)),
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
