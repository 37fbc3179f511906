/** Which cell, and which trial: by what they are told apart. */

/** `<block>/<cell id>`: also the trial's folder below RUN/cells. */
export const trialId = (cell) => `${String(cell.block).padStart(2, '0')}/${cell.id}`;

/** Whether a cell measures the load generator: against the null responder. */
export const isCalibration = ({ target }) => target === 'null';

/** What the cells of a series share, one per level. */
export const SERIES = ['database', 'target', 'variant', 'workload', 'tool', 'model'];

/** What a load is asked of, whatever its level. @param {object} cell planned, or of results.json */
export const placeOf = ({ database, target, variant, workload, tool }) => ({
  database,
  target,
  variant,
  workload,
  tool,
});
/** The same as a key. */
export const placeKey = (cell) => Object.values(placeOf(cell)).join(' ');
