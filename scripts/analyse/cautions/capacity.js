/** Cautions about capacities: rules of cautions.js. */
import jstat from 'jstat';
import { CONFIDENCE } from '../intervals.js';
import { mean, sum } from '../numbers.js';
import { factor, seriesName } from '../words.js';
import { listed } from './rows.js';

const { studentt } = jstat;

/** By how much all capacities together rose or fell from the first block to the last. */
const DRIFTED = 0.1;
/** Blocks from which on a trend can be told from chance. */
const LEAST_BLOCKS = 3;

const rates = (capacities) => capacities.filter(({ think_s = null }) => think_s === null);

/**
 * How fast the capacities of all targets together changed: least squares of log(rate), less its mean over the blocks of a target, on the block.
 * @param {object[]} capacities of results.json @returns {{slope, error, degrees, blocks}|null} slope: of the logarithm from one block to the next; blocks: from the first to the last;
 *   null where there are too few
 */
function trendOf(capacities) {
  const series = capacities
    .map(({ trials }) => trials.filter(({ kind }) => kind === 'rate'))
    .filter((trials) => trials.length >= LEAST_BLOCKS);
  const points = series.flatMap((trials) => {
    const logs = trials.map(({ capacity }) => Math.log(capacity));
    const [middle, centre] = [mean(trials.map(({ block }) => block)), mean(logs)];
    return trials.map(({ block }, i) => ({ x: block - middle, y: logs[i] - centre }));
  });
  if (points.length === 0) return null;
  const blocks = series.flat().map(({ block }) => block);
  const xx = sum(points.map(({ x }) => x * x));
  const slope = sum(points.map(({ x, y }) => x * y)) / xx;
  const degrees = points.length - series.length - 1;
  const error = Math.sqrt(sum(points.map(({ x, y }) => (y - slope * x) ** 2)) / degrees / xx);
  return { slope, error, degrees, blocks: Math.max(...blocks) - Math.min(...blocks) };
}

/** That the machine, or all targets, changed from block to block by more than chance. */
export function drifted({ capacities = [] }) {
  const trend = trendOf(rates(capacities));
  if (trend === null) return false;
  const half = studentt.inv((1 + CONFIDENCE) / 2, trend.degrees) * trend.error;
  const by = Math.exp(trend.slope * trend.blocks) - 1;
  if (Math.abs(trend.slope) <= half || Math.abs(by) < DRIFTED) return false;
  const [fell, slower] = by < 0 ? ['fell', 'slower'] : ['rose', 'faster'];
  const ends = [trend.slope - half, trend.slope + half].map((end) =>
    Math.round(100 * Math.abs(Math.exp(end * trend.blocks) - 1)),
  );
  return `From the first block to the last capacities ${fell} by ${Math.round(100 * Math.abs(by))} %, of all targets together (95 % interval ${Math.min(...ends)} to ${Math.max(...ends)} %): the machine, or what is measured, became ${slower} meanwhile. Their intervals take that for chance; ratios are taken within blocks and suffer less.`;
}

/** Whether the interval of an answer does not allow for what probes are too short to see: in runs of before, and where there is none. */
const isOfBefore = ({ trials }) => trials.some(({ unseen_share }) => unseen_share === undefined);
const isUnseen = (capacity) => capacity.answer.low === null || isOfBefore(capacity);

export const edge = ({ capacities = [] }) =>
  capacities.length > 0 &&
  `A capacity is an edge: at that very rate the objective holds about as often as not, and further on a queue grows without end. Requests came at even intervals and for seconds: where they come at random moments, as from users, or for hours, a target may take less${capacities.some(isUnseen) ? '; and where the limit is fifty times what an answer takes, or more, a capacity may be 3 % too high' : ''}${capacities.some(isOfBefore) ? ', which its interval does not allow for' : ''}. Plan for less.`;

/** Of all cores, the share from which on what a load generator takes of them may be missing elsewhere. */
const NOTICEABLE = 0.1;

/** Where the load generator took more of shared cores than whatever it asked. */
export function generatorBusy({ capacities = [], environment }) {
  if (environment?.layout === 'pinned' || environment?.stack === 'kubernetes') return false;
  const busy = rates(capacities).flatMap((capacity) => {
    const { generator, ...others } = capacity.at_highest?.roles ?? {};
    const most = Math.max(0, ...Object.values(others).map(({ cpu_cores }) => cpu_cores));
    return most > 0 && generator?.cpu_cores > Math.max(most, NOTICEABLE * (environment?.machine?.cores ?? 0))
      ? [`${seriesName(capacity)} (${factor(generator.cpu_cores)} and ${factor(most)} cores)`]
      : [];
  });
  return (
    busy.length > 0 &&
    `Near its capacity the load generator used more processor time than anything that it asked, on cores that all share: ${listed(busy)}. Where the load has cores of its own, more may be taken.`
  );
}
