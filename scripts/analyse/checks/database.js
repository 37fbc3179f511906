/** Does the database's count agree with the tool's? */
import { isCalibration } from '../identity.js';
import { plural } from '../words.js';
import { invalid, missing, NOT_APPLICABLE, NOT_MEASURED, PASS } from './outcome.js';

export const checks = { statements, sessions, rows, other_statements: otherStatements };

export const about = {
  statements: { finds: 'more or fewer statements than declared' },
  sessions: { finds: 'more or fewer database sessions than declared' },
  other_statements: { finds: 'statements that nobody declared' },
};

/** The largest number of requests under way at once: the level; in the open model, that of the busiest second. */
function underWay({ model, level }, { timeline }) {
  if (model === 'closed') return level;
  return Math.max(0, ...(timeline ?? []).map((second) => second.in_flight ?? 0));
}

/** How many of what was answered may be missing, as it was counted before the answer was sent, or be another's. */
const fewOf = ({ limit }, answered) => limit('reconcile_share') * answered + limit('reconcile_own');

/** How many may be too many for so many requests: those under way when a tool stops are counted by the database alone. */
const allowance = ({ cell, summary, limit }, requests) =>
  Math.max(limit('reconcile_share') * requests, underWay(cell, summary)) + limit('reconcile_own');

/**
 * A target declares statements and sessions per request, [low, high]. The database counts from before the tool starts until after it
 * ends, so its counts are compared with all requests the tool made. Requests under way when a tool stops are counted by the database
 * alone, and so are the tool's set-up and a health check: these, and max(1 %, those under way), may be too many. Of what was answered no more
 * than 1 % may be missing. Requests that k6's client
 * repeated unseen may be counted twice. Requests that failed need not have reached the database.
 */
function reconciled(what, { cell, reconciliation, summary, limit }) {
  if (isCalibration(cell)) return NOT_APPLICABLE;
  const expected = reconciliation?.expects?.[`${what}_per_request`];
  const counted = reconciliation?.[what];
  const { requests_total: asked, successes_total: answered } = summary;
  if ([expected, counted, asked].some(missing)) return NOT_MEASURED;
  const [low, high] = expected;
  const trial = { cell, summary, limit };
  const sent = asked + (summary.connections?.repeated ?? 0) + (summary.spot_checks?.asked ?? 0);
  if (counted >= low * answered - fewOf(trial, answered) && counted <= high * sent + allowance(trial, asked))
    return PASS;
  const perRequest = counted / Math.max(1, asked);
  return invalid(
    perRequest,
    counted < low * answered ? low : high,
    `the database counted ${counted} ${what} for ${plural(asked, 'request')}: ${Number(perRequest.toPrecision(3))} per request instead of ${low === high ? low : `${low} to ${high}`}`,
  );
}

/** What was answered must be in the database when the tool ends: no later. */
function behind({ reconciliation, summary, limit }) {
  const atEnd = reconciliation.statements_at_end;
  const [low] = reconciliation.expects.statements_per_request;
  const { successes_total: answered } = summary;
  if (missing(atEnd)) return NOT_MEASURED;
  if (atEnd >= low * answered - fewOf({ limit }, answered)) return PASS;
  const text = `when the tool ended, the database had counted ${atEnd} statements for ${plural(answered, 'answer')}, and ${reconciliation.statements} later: answers came before the work was done`;
  return invalid(atEnd / Math.max(1, answered), low, text);
}

function statements(trial) {
  const outcome = reconciled('statements', trial);
  return outcome === PASS ? behind(trial) : outcome;
}

/** Rows that the answers acknowledged must have been counted: a batch of which half was stored is one statement all the same. */
function rows({ reconciliation, summary, limit }) {
  const { rows_acknowledged: acknowledged, successes_total: answered } = summary;
  const counted = reconciliation?.rows;
  if (acknowledged === null) return NOT_APPLICABLE; // the workload does not say
  if (missing(acknowledged) || missing(counted)) return NOT_MEASURED;
  const perRequest = acknowledged / Math.max(1, answered);
  const needed = acknowledged - perRequest * fewOf({ limit }, answered);
  if (counted >= needed) return PASS;
  const text = `the database counted ${counted} written rows, and answers acknowledged ${plural(acknowledged, 'row')}`;
  return invalid(counted / acknowledged, 1, text);
}

function sessions(trial) {
  return reconciled('sessions', trial);
}

/**
 * Under load a target asks what it asked when its answers were verified, and nothing else: an answer from memory beside a `select 1` is no
 * answer. Requests that are under way when a tool stops ask the same.
 */
function otherStatements({ cell, reconciliation, summary, limit }) {
  if (isCalibration(cell)) return NOT_APPLICABLE;
  const other = reconciliation?.unverified_statements;
  if (missing(other)) return NOT_MEASURED;
  const tolerance = fewOf({ limit }, summary.requests_total);
  if (other.calls <= tolerance) return PASS;
  const text = `${other.calls} statements for ${plural(summary.requests_total, 'request')} are none that the target ran when its answers were verified; most often: ${other.query}`;
  return invalid(other.calls, tolerance, text);
}
