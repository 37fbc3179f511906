/** How far rates that are shares of peaks may lie apart, as each peak was searched for. */
import { placeKey } from './identity.js';
import { limitOf } from './limits.js';
import { isUnsent } from './marks.js';

/** Metrics that grow with waiting. */
const WAITS = new Set(['p50', 'p95', 'p99']);

/**
 * By how much two equal targets may differ at shares of peaks that were searched for: the true peak lies up to `within` above the rate that held, and
 * down to `offered_share` below it. Waiting grows as 1 / (1 - load), with one server and random arrivals, so it is the ratio of both ends.
 * @param {object[]} sides see sideOf @param {{known: {peaks?: object[]|null}, comparisons: object[]}} about see compared
 * @returns {{within: number, times: number, hides: boolean}|null} within: a share of the rate; times: Infinity where the load may be all that is served; hides: what
 *   was found lies within it, so that nothing is claimed; null of what is no latency, at rates that were given, and where requests were not sent
 */
export function spreadOf({ metric }, sides, { known: { peaks }, comparisons }) {
  const { share } = sides[0].cell;
  const cells = sides.flatMap((side) => side.cells);
  if (!share || !WAITS.has(metric) || isUnsent(cells, limitOf('unsent_share'))) return null;
  const searched = (peaks ?? []).filter(
    ({ rate_rps, failed_rps, ...peak }) =>
      rate_rps && failed_rps && cells.some((cell) => placeKey(cell) === placeKey(peak)),
  );
  const gaps = searched.map(({ rate_rps, failed_rps }) => failed_rps / rate_rps - 1);
  const within = Math.max(limitOf('peak_share'), ...gaps);
  const load = Number.parseFloat(share) / 100;
  const left = 1 - load / (1 - limitOf('offered_share'));
  const times = left > 1e-9 ? (1 - load / (1 + within)) / left : Number.POSITIVE_INFINITY;
  const isHidden = ({ result }) => Boolean(result?.equal || (result?.differs && nearest(result) < Math.log(times)));
  return { within, times, hides: comparisons.some(isHidden) };
}

/** The bound of an interval that is nearer to 1, as the size of its logarithm. */
const nearest = ({ low, high }) => Math.min(Math.abs(Math.log(low)), Math.abs(Math.log(high)));
