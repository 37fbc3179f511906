const TRIES = 10;
const SURE_MS = 0.5; // from one reading of the other clock to the next

/** A clock that is never set, in milliseconds; all processes of a machine have the same. */
const monotonic = () => Number(process.hrtime.bigint() / 1000n) / 1000;

/**
 * How far the clock of the day is ahead of one that is never set, in seconds, to the millisecond: another answer later means that it was set. A busy
 * machine may do something else between the two, so they are read again until they were close together; the closest counts.
 * @param {{wall?: () => number, steady?: () => number}} [clocks] both in milliseconds
 */
export function clockAhead({ wall = Date.now, steady = monotonic } = {}) {
  let closest = { took: Number.POSITIVE_INFINITY, ahead: null };
  for (let i = 0; i < TRIES && closest.took > SURE_MS; i += 1) {
    const before = steady();
    const ahead = wall() - before;
    const took = steady() - before;
    if (took < closest.took) closest = { took, ahead };
  }
  return Math.round(closest.ahead) / 1000;
}
