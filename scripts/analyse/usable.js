/** Which cells and trials count towards curves and pool maps. */
import { isCopy } from './figures.js';

const LEVELS_OF_A_CURVE = 3;

/** Closed cells with a usable throughput; of what was measured twice for A/A, the first. @param {object[]} cells of results.json */
export const usableCells = (cells) =>
  cells.filter(
    (cell) => !cell.calibration && !isCopy(cell.variant) && cell.model === 'closed' && cell.throughput_rps?.median > 0,
  );

/** Trials that are not invalid. @param {object} cell of results.json */
export const usedTrials = (cell) => cell.trials.filter(({ verdict }) => verdict !== 'invalid');

/** Whether there are levels enough for a curve. @param {{points: object[]}} series one point per level */
export const hasCurve = ({ points }) => points.length >= LEVELS_OF_A_CURVE;
