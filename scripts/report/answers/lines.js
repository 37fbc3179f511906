/** An answer as lines of marks: over levels, or over the sizes of a pool. See facts.js. */

import { confidenceOfPairs } from '../../analyse/answers/smallest.js';
import { blocksOfAll, ratioOf } from '../../analyse/figures.js';
import { CONFIDENCE } from '../../analyse/intervals.js';
import { groupBy } from '../../analyse/numbers.js';
import { byName, levelNoun, levelOf, seriesName } from '../../analyse/words.js';
import { beside, centre, family, isAtPeak, isNear, nameOf, sidesOf, unitsIn, whisker } from './marks.js';
import { dots } from './trials.js';

/** From so many levels of both sides on, a question is about load. */
const LEVELS = 3;

/** Where a cell stands on the axis of levels: users, or per cent of its own peak. */
const position = ({ share, level }) => (share ? Number.parseFloat(share) : level);

/** Lines over levels; null where the sides have too few in common. */
export function overLevels(results, question) {
  const { metric, confidence } = question;
  const sides = sidesOf(results, question);
  const { reference, compared, dimension } = sides;
  const atPeak = isAtPeak(question);
  const [ground] = reference;
  const ratios = new Map(compared.map(({ cells, result }) => [cells[0], result]));
  const named = groupBy(family(results, sides), (cell) => nameOf(cell, dimension));
  const below = nameOf(ground, dimension);
  const above = new Set([...ratios.keys()].map((cell) => nameOf(cell, dimension)));
  const grounds = new Map(named.get(below).map((cell) => [levelOf(cell), cell]));
  const common = [...named]
    .filter(([name]) => above.has(name))
    .map(([, cells]) => cells.filter((cell) => grounds.has(levelOf(cell))));
  if (!atPeak && common.some((cells) => cells.length < LEVELS)) return null;
  const pointOf = (cell, role) => {
    const under = role === 'reference' ? undefined : grounds.get(levelOf(cell));
    const blocks = blocksOfAll(under && role === 'compared' ? [under, cell] : [cell]);
    const asked = atPeak ? undefined : ratios.get(cell);
    const other = under && !asked ? ratioOf(metric, cell, under, { confidence: CONFIDENCE }) : null;
    return {
      at: position(cell),
      value: centre(cell, metric, blocks),
      ...(role === 'beside' && under
        ? beside(metric, cell, under)
        : whisker(asked ?? other, under && centre(under, metric, blocks), asked ? confidence : CONFIDENCE)),
      cell: cell.id,
      trials: dots(cell, metric),
    };
  };
  const all = [...named].map(([name, cells]) => {
    const role = name === below ? 'reference' : above.has(name) ? 'compared' : 'beside';
    const points = cells.map((cell) => pointOf(cell, role)).filter(({ value }) => value !== null);
    const series = ['target', 'variant'].includes(dimension) ? seriesName(cells[0]) : name; // lines of one target need colours of their own
    return { name, series, role, points: points.toSorted((a, b) => a.at - b.at) };
  });
  const asked = all.filter(({ role }) => role !== 'beside').flatMap(({ points }) => points);
  const isClose = ({ at, value }) =>
    isNear(
      value,
      asked.filter((point) => point.at === at).map((point) => point.value),
    );
  const lines = all.filter(({ role, points }) => points.length > 0 && (role !== 'beside' || points.some(isClose)));
  return {
    ...{ shape: 'lines', metric, units: unitsIn(ground), by: dimension, reference: below, confidence },
    noun: ground.share ? '% of its own peak' : levelNoun(ground),
    asked: atPeak ? null : position(ground),
    floor: null,
    lines: lines.toSorted((a, b) => byName(a.name, b.name)),
  };
}

/** Throughput by size of the pool, each compared with the best. */
export function pools(results, { sides, enough, ...question }) {
  const confidence = confidenceOfPairs({ ...question, sides });
  if (!sides) return null; // results of before do not say which
  const byId = new Map(results.cells.map((cell) => [cell.id, cell]));
  const pool = sides.map(({ size, cells: [id] }) => ({ size, cell: byId.get(id) })).sort((a, b) => a.size - b.size);
  const best = pool.find(({ size }) => size === enough.best).cell;
  const blocks = blocksOfAll(pool.map(({ cell }) => cell));
  const metric = 'throughput';
  const base = centre(best, metric, blocks);
  const points = pool.map(({ size, cell }) => ({
    at: size,
    role: cell === best ? 'reference' : 'compared',
    value: centre(cell, metric, blocks),
    ...whisker(cell === best ? null : ratioOf(metric, cell, best, { confidence }), base, confidence),
    cell: cell.id,
    trials: dots(cell, metric),
  }));
  const line = { name: best.target, series: best.target, role: 'compared', points };
  return {
    ...{ shape: 'lines', metric, units: unitsIn(best), by: 'variant', reference: String(enough.best), confidence },
    ...{
      noun: 'connections in the pool',
      asked: enough.of_best && enough.size,
      floor: base * (1 - enough.within),
      lines: [line],
    },
  };
}
