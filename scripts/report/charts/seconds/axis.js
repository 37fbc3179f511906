/** The axes that all panels of a trial share. */
import { valueAxis } from '../parts.js';

export const AXIS = 58; // pixels for the numbers at the left, the same in every panel, so that seconds stand below one another

/** A point on the axis of time. @param {string} field in seconds */
export const at = (field, { time }) => ({
  field,
  type: 'quantitative',
  title: null,
  scale: { domain: time.domain, nice: false },
  axis: { values: time.values, labelOverlap: false },
});

/** A value, with the numbers of all panels in one column. */
export const valueAt = (scale, label) => {
  const axis = valueAxis(scale, label);
  return { ...axis, axis: { ...axis.axis, minExtent: AXIS - 10 } };
};
