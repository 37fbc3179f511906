/** What a target does at one and a half times its capacity, and after it: one probe (k6/lib/options.js, profile overload). */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { placeKey } from '../identity.js';
import { DISTURBING } from '../marks.js';
import { groupBy, mean, sum } from '../numbers.js';
import { openRun, readOwnTrial } from '../run-folder.js';
import { describeTrial } from '../trial.js';
import { overBlocks } from './answer.js';

/** Half of the capacity for a quarter of it, one and a half times it for a quarter, half of it for the rest. */
export const OVERLOAD_S = 40;
const QUARTER_S = OVERLOAD_S / 4;
/** At half of the capacity before the window, so that no fewer have asked before the rate is 150 % than arrive then: arrivals go to users in turn, and one that asks for the first time may log in. */
const LEAD_IN_S = 2 * QUARTER_S;
/** k6 has so many users for it (k6/lib/options.js), but no more than have asked before. */
const MOST_USERS = 1000;
/** Microseconds. A queue that grows by half of the capacity is this long after a quarter of the overload. */
const LONGEST_LIMIT_US = (QUARTER_S / 8) * 1e6;

const folderOf = ({ folder }) => join(folder, 'capacity', 'overload');

/** The probes of overload, one of each target whose capacity is known: as of nextRound; none once they are planned. */
export function overloadRound(run, searches) {
  const folder = folderOf(run);
  if (existsSync(join(folder, 'plan.json'))) return { folder: null, probes: [], told: '' };
  const open = searches.filter(({ cell }) => cell.model === 'open');
  const probes = [...groupBy(open, ({ cell }) => placeKey(cell)).values()].flatMap((blocks) => {
    const [{ cell, variant }] = blocks;
    const { kind, rate } = overBlocks(blocks.map(({ answer }) => answer ?? { kind: 'unknown', why: null }));
    if (kind !== 'rate') return [];
    const level = Math.max(1, Math.round(rate));
    const users = Math.ceil((level / 2) * (LEAD_IN_S + QUARTER_S));
    const load = {
      profile: 'overload',
      warmup_s: LEAD_IN_S,
      duration_s: OVERLOAD_S,
      ...(users < MOST_USERS && { users }),
    };
    return [{ variant, cell: { ...cell, level, ...load, block: 0 } }];
  });
  return {
    folder,
    probes,
    told: 'each target at half of its capacity, at 150 % of it, and at half again: what is told here is the mean of all',
  };
}

/**
 * @param {object} run see openRun @param {object} cell of a search @param {{metric, limit}[]} parts of the objective
 * @returns {{rate_rps, good_rps, wrong_rps, unanswered_rps, unsent, seconds, held_share, normal_after_s, normal_before, watched_s, limit_us, disturbed}|null} good_rps: right answers per second, of a script with several requests
 *   iterations, while 150 % of rate_rps arrived for so many seconds, but for the first; wrong_rps: answers with an error, and wrong ones; unanswered_rps: requests without one; unsent: arrivals that were never sent, as no user of the generator was free; held_share: of those seconds, in which p95 was
 *   below limit_us all the same, null where that does not say that the objective held; normal_after_s: seconds from the
 *   return to 50 % until p95 was below limit_us for good, null where it never was in watched_s; normal_before: whether it was below it in most seconds before 150 %; disturbed: checks that
 *   found something else than the target and the load at fault; null where it was not made
 */
export function overloadOf(run, cell, parts) {
  const folder = folderOf(run);
  if (!existsSync(join(folder, 'plan.json'))) return null;
  const made = openRun(folder).cells.find((one) => placeKey(one) === placeKey(cell));
  const files = (made && readOwnTrial(made, run.provenance)) ?? null;
  const timeline = files?.summary?.timeline ?? [];
  if (timeline.length < OVERLOAD_S) return null;
  return {
    ...{ rate_rps: made.level, unsent: unsentIn(files.summary, made) },
    ...{ seconds: QUARTER_S, watched_s: 2 * QUARTER_S },
    ...courseOf(timeline, parts, cell.script?.requests),
    disturbed: describeTrial(made, files, null)
      .reasons.filter(({ check, limit }) => DISTURBING.has(check) || (check === 'processes' && limit === 'alive'))
      .map(({ check }) => check),
  };
}

/** Arrivals of the seconds of overload that were never sent, as all users waited; not those of what follows. @param {object} summary summary.json @param {{level: number, script?: {requests}}} cell */
export function unsentIn({ dropped_iterations, timeline }, { level, script }) {
  const sent = sum(
    timeline.filter(({ t_s }) => t_s >= QUARTER_S && t_s < 2 * QUARTER_S).map(({ requests }) => requests),
  );
  const due = Math.round(1.5 * level) * QUARTER_S; // k6/lib/options.js
  return (
    dropped_iterations && Math.min(dropped_iterations, Math.max(0, Math.round(due - sent / (script?.requests ?? 1))))
  );
}

/**
 * What the seconds of an overload show. @param {{t_s, requests, answers, errors, unanswered?, p95_us, in_flight}[]} timeline of summary.json, OVERLOAD_S long @param {{metric, limit}[]} parts of the objective
 *   @param {number} [requests] of an iteration @returns {{good_rps, wrong_rps, unanswered_rps, limit_us, held_share, normal_before, normal_after_s}} see overloadOf
 */
export function courseOf(timeline, parts, requests = 1) {
  const [limit_us, wrong_share] = [limitOf(parts), wrongShareOf(parts)];
  const within = (from, to) => timeline.filter(({ t_s }) => t_s >= from && t_s < to);
  const burst = within(QUARTER_S + 1, 2 * QUARTER_S);
  const wrong = burst.map(({ errors, unanswered = 0 }) => errors - unanswered);
  const good = burst.map(({ answers }, i) => Math.max(0, answers - wrong[i]));
  const isRight = ({ answers, errors }) => errors <= mostOf(wrong_share * answers);
  // without a p95 a second was quiet, or too much of it was not answered
  const isFast = ({ p95_us, requests: answered, in_flight }) =>
    p95_us === null ? answered === 0 && in_flight < 1 : p95_us < limit_us;
  const isNormal = (second) => limit_us === null || (isRight(second) && isFast(second));
  const before = within(0, QUARTER_S);
  const after = within(2 * QUARTER_S, OVERLOAD_S);
  const last = after.findLastIndex((second) => !isNormal(second));
  return {
    ...{ good_rps: mean(good) / requests, wrong_rps: mean(wrong) / requests, limit_us },
    unanswered_rps: mean(burst.map(({ unanswered = 0 }) => unanswered)) / requests,
    held_share: isToldByP95(parts) ? burst.filter(isNormal).length / burst.length : null,
    normal_before: before.filter(isNormal).length > before.length / 2,
    normal_after_s: limit_us === null || last === after.length - 1 ? null : last + 1,
  };
}

/** How many there may be by chance where so many are expected: three standard deviations of a Poisson distribution above. */
const mostOf = (expected) => expected + 3 * Math.sqrt(expected);

/** What p95 of a second is held against: its own limit, else the widest of the other percentiles. */
function limitOf(parts) {
  const limits = parts.filter(({ metric }) => metric !== 'error_share').map(({ limit }) => limit);
  const own = parts.find(({ metric }) => metric === 'p95_us');
  return own?.limit ?? (limits.length > 0 ? Math.max(...limits) : null);
}

/** Whether an objective asks of latency that p95 is below a limit, and nothing else; one that a queue must have passed in the seconds of an overload. */
function isToldByP95(parts) {
  const [part, ...others] = parts.filter(({ metric }) => metric !== 'error_share');
  return part?.metric === 'p95_us' && others.length === 0 && part.limit <= LONGEST_LIMIT_US;
}

/** Of the answers of a second, that may be wrong where it is normal. */
const wrongShareOf = (parts) => parts.find(({ metric }) => metric === 'error_share')?.limit ?? 1;
