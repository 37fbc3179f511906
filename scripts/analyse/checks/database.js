/** Does the database's count agree with the tool's? */
import { plural } from '../words.js';
import { missing, NOT_APPLICABLE, NOT_MEASURED, PASS, suspect } from './outcome.js';

/**
 * A target declares statements and sessions per request, [low, high]. Requests still under way when the window closes are counted by
 * the database alone, and so are the tool's set-up and a health check: these, and max(1 %, one per user), are tolerated. An iteration
 * of k6 may go on with more requests after the window: these are known, and may be counted. Requests that failed need not have reached
 * the database.
 */
function compare(what, { cell, reconciliation, summary, limit }) {
  if (cell.block === 0) return NOT_APPLICABLE;
  const expected = reconciliation?.expects?.[`${what}_per_request`];
  const counted = reconciliation?.[what];
  if (missing(expected) || missing(counted)) return NOT_MEASURED;
  const [low, high] = expected;
  const tolerance = Math.max(limit('reconcile_share') * summary.requests, cell.level) + limit('reconcile_own');
  const asked = summary.requests + (summary.late_requests ?? 0);
  if (counted >= low * summary.successes - tolerance && counted <= high * asked + tolerance) return PASS;
  const perRequest = counted / Math.max(1, summary.requests);
  return suspect(
    perRequest,
    counted < low * summary.successes ? low : high,
    `the database counted ${counted} ${what} for ${plural(summary.requests, 'request')}: ${Number(perRequest.toPrecision(3))} per request instead of ${low === high ? low : `${low} to ${high}`}`,
  );
}

export const statements = (trial) => compare('statements', trial);

export const sessions = (trial) => compare('sessions', trial);
