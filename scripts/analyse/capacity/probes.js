/** The searches of a run: their probes, which are trials of the open model in RUN/capacity/<block>/, what these say, and what to probe next. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { originalOf } from '../figures.js';
import { placeKey, trialId } from '../identity.js';
import { limitOf } from '../limits.js';
import { DISTURBING, foundText, GENERATOR_MARKS } from '../marks.js';
import { groupBy } from '../numbers.js';
import { openRun, readOwnTrial } from '../run-folder.js';
import { describeTrial } from '../trial.js';
import { plural } from '../words.js';
import { figuresOf, judge, samplesFor, unseenShare } from './objective.js';
import { overloadRound } from './overload.js';
import { PROBES, probeOf, search, startOf } from './search.js';
import { saysText, unitOf } from './sentences.js';

/** A probe has so many times the samples that its objective needs, where its seconds allow: tests/bench/capacity.js is of as many. */
const TIMES = 20;
const [SHORTEST_S, LONGEST_S] = [5, 60];
/** So many times as long as the slowest answer that the objective allows: a queue that grows must have time to show. At 3 % above what a target takes it grows by nine tenths of the limit in that time. */
const LIMITS_LONG = 30;
/** How long the load runs before an open probe's window: it begins at half of the rate, and is whole for three eighths of the time (k6/lib/options.js, profile gentle). */
const LEAD_IN_S = 8;
/** As k6/lib/options.js allocates them. */
const allocated = (rate) => Math.min(Math.max(rate, 50), 1000);
/** Arrivals go to users in turn, and the lead-in has six for each request a second: of more users than so many some would begin in the window, and log in there. */
const TURNS = 4;
/** Users beyond those that wait where each answer takes as long as the objective allows. */
const ROOM = 1.2;

/** So many times as long as users think a probe is, and the load before it: each asks several times, and all but one in fifty has asked, and so logged in, before the window. */
const PAUSES_LONG = 4;
const pausesOf = ({ think_s = null }) => Math.ceil(PAUSES_LONG * (think_s ?? 0));
/** Users who think are tried up to so many: k6 takes some 1.5 MB for each. */
const MOST_USERS = 4000;

/** k6's users in a probe of the open model: while some are free, a request that is sent late did not wait for the target. @param {object[]} parts of the objective @param {number} rate per second */
const usersFor = (parts, rate) => {
  const longest_s = Math.max(0, ...latencyLimits(parts)) / 1e6;
  const least = longest_s > 0 ? Math.min(allocated(rate), Math.ceil(TURNS * rate)) : allocated(rate);
  return Math.max(least, Math.min(Math.ceil(ROOM * rate * longest_s), MOST_USERS));
};

/** Microseconds. */
const latencyLimits = (parts) => parts.filter(({ metric }) => metric !== 'error_share').map(({ limit }) => limit);

/** Marks of a trial that was not watched whole. */
const BROKEN = new Set([
  'summary',
  'asks',
  'complete',
  'exit_status',
  'wall_clock',
  'clock_jump',
  'timeline',
  'counts_agree',
]);
/** Of a lead-in that failed: what held after it began cold, and what failed has failed. */
const COLD = new Set(['warm_up']);
/** Marks of requests that were sent late, or never. */
const LATE = new Set(['dispatch_lag', 'dropped', 'offered']);
const UNSENT = new Set(['dropped']);
/** Of a queue that grows, where an objective says nothing of waiting. */
const GROWING = new Set(['drift']);
/** Marks of answers that did not keep up with the arrivals, whatever those took that came. */
const BEHIND = new Set(['offered']);
const LAW = new Set(['littles_law']);

/** A target is searched for a rate and, where users think, for their number. */
const searchKey = (cell) => `${placeKey(cell)} ${cell.model}`;

/** The lowest rate whose probe has the samples that the objective needs. @param {object[]} parts @returns {number} requests per second */
const leastRate = (parts) => Math.ceil(samplesFor(parts) / LONGEST_S);

/**
 * How long a probe is. @param {object[]} parts of the objective @param {number} level requests per second, or users who think @param {{duration_s: number, think_s?: number}} cell
 *   duration_s: the most, unless more are needed @returns {number} whole seconds
 */
export function secondsOf(parts, level, cell) {
  const { duration_s: most, think_s = null } = cell;
  const longest_s = Math.max(0, ...latencyLimits(parts)) / 1e6;
  const rate = think_s === null ? level : level / (think_s + longest_s);
  const secondsFor = (samples) => Math.ceil(samples / rate);
  const needed = samplesFor(parts);
  const limits = latencyLimits(parts).map((limit) => Math.ceil((LIMITS_LONG * limit) / 1e6));
  const plenty = Math.min(most, Math.max(SHORTEST_S, secondsFor(TIMES * needed)));
  return Math.max(secondsFor(needed), pausesOf(cell), plenty, ...limits);
}

/** Errors of the window; a request that k6 repeated unseen, as its kept connection was closed, is one, too. @param {object} summary summary.json */
const errorsOf = ({ errors, requests, requests_total, connections }) =>
  errors.total + (requests_total > 0 ? ((connections?.repeated ?? 0) / requests_total) * requests : 0);

/**
 * What a trial says of its rate, or of its number of users.
 * @param {object[]} parts of the objective @param {{level: number, model: string, script?: {requests}}} cell @param {object} trial of results.json @param {object|null} summary summary.json @returns {object} see probeOf
 */
export function probeIn(parts, { level: rate, model, script }, trial, summary) {
  const has = (checks) => trial.reasons.some(({ check }) => checks.has(check));
  const isBroken =
    summary === null || trial.reasons.some(({ check, verdict }) => verdict === 'invalid' && BROKEN.has(check));
  if (isBroken) return probeOf(rate, { outcome: 'undecided', margin: null, excess: null });
  const errors = errorsOf(summary);
  const figures = figuresOf(parts, { ...summary, errors });
  const judgement = judge(parts, figures);
  if (judgement.outcome === 'holds' && has(COLD))
    return probeOf(rate, { ...judgement, outcome: 'undecided', excess: null });
  const isFree =
    trial.in_flight_mean !== null && trial.in_flight_mean < limitOf('late_users_share') * usersFor(parts, rate);
  // what took too long from when it was sent, or was sent and not answered, was the target's, however late that was; of an iteration that asks several times each may take its part
  const each = parts.map((part) =>
    part.metric === 'error_share' ? part : { ...part, limit: part.limit / (script?.requests ?? 1) },
  );
  const unanswered = (summary.latency_us?.beyond?.count ?? 0) - (summary.dropped_iterations ?? 0);
  const fromSend = { ...summary.latency_from_send_us, beyond: unanswered > 0 ? { count: unanswered } : null };
  const ofAnswers = figuresOf(each, { ...summary, latency_us: fromSend, errors });
  const isOwn = judge(each, ofAnswers).outcome === 'fails';
  // where all that was sent met the objective, what was never sent, as all users waited, says nothing of the target
  const sent = { ...summary.latency_us, beyond: fromSend.beyond };
  const isSentMissed = judge(parts, figuresOf(parts, { ...summary, latency_us: sent, errors })).outcome === 'fails';
  const allowsAnyWait = latencyLimits(parts).length === 0;
  const isLate = !allowsAnyWait && has(LATE) && isFree && !isOwn;
  const isUnsent = model === 'open' ? isLate || (has(UNSENT) && !isSentMissed) : has(GENERATOR_MARKS);
  const isBehind = judgement.outcome === 'holds' && (has(BEHIND) || (allowsAnyWait && has(GROWING)));
  const isMissed = judgement.outcome !== 'holds' || (isBehind && (allowsAnyWait || has(UNSENT)));
  // users who think longer than they are told make less than their load, whatever came of it
  const isLess = model === 'closed' && has(LAW);
  const limited = isLess || (isMissed && isUnsent) ? 'generator' : null;
  const disturbed = has(DISTURBING);
  const judged =
    isBehind || isLess
      ? { ...judgement, outcome: 'fails', excess: null }
      : disturbed
        ? { ...judgement, excess: null }
        : judgement;
  return probeOf(rate, judged, {
    samples: figures.samples,
    disturbed: disturbed && judged.outcome !== 'holds',
    limited,
  });
}

/**
 * @param {object} run see openRun @param {object[]} cells of results.json: in the closed model a search begins
 * @returns {{cell: object, variant: object, block: number, start: number|null, probes: {cell, trial, probe, mean_us, resources}[] as they were made, next: number|undefined, answer: object|null}[]} cell: as planned, at
 *   level "capacity"; start: requests per second, or users where they think, null where nothing is known of the target; next: what to probe, in the same unit; answer: see search,
 *   null until there is one, with the share that is unseen there, see unseenShare; mean_us: of the latency; resources: of summary.json
 */
export function searchesOf(run, cells) {
  const { searches = [], objective } = run.plan;
  const closed = closedPeaks(cells);
  const answered = rightAnswers(cells);
  return [...groupBy(searches, ({ cell }) => cell.block)].flatMap(([block, planned]) => {
    const folder = blockFolder(run, block);
    const made = groupBy(probesIn(folder), searchKey);
    return planned.map(({ cell, variant }) => {
      // a second copy of a target begins where the first does
      const places = [placeKey({ ...cell, variant: originalOf(cell.variant) }), placeKey(cell)];
      const firstOf = (known) => places.map((place) => known.get(place)).find((one) => one !== undefined);
      const peak = firstOf(closed);
      const probes = (made.get(searchKey(cell)) ?? []).flatMap((probe) =>
        read(run, probe, { peak, parts: objective.parts }),
      );
      const { requests = 1 } = cell.script ?? {};
      // one that refuses what it cannot take has no throughput under the closed load, but right answers
      const rate = peak ? peak.throughput_rps.median : (firstOf(answered) ?? null);
      const guess = rate === null ? null : Math.max(rate / requests / 2, leastRate(objective.parts));
      const start = guess === null ? null : startOf(guess * (cell.think_s ?? 1), block);
      const { next, ...answer } =
        start === null ? { kind: 'unknown', why: 'closed' } : searched(probes, boundsOf(cell, objective.parts, start));
      const unseen = unseenIn(objective.parts, cell, answer.rate);
      return {
        ...{ cell, variant, block, start, probes, next },
        answer: next === undefined ? { ...answer, unseen } : null,
      };
    });
  });
}

/** The probes of a block in the order in which they were made: a plan has a group for each, round after round. */
function probesIn(folder) {
  if (!existsSync(join(folder, 'plan.json'))) return [];
  const { plan, cells } = openRun(folder);
  const rounds = new Map(plan.groups.flatMap((group, i) => group.cells.map((cell) => [trialId(cell), i])));
  return cells.toSorted((a, b) => rounds.get(trialId(a)) - rounds.get(trialId(b)));
}

/** In which folder the probes of a block are, a run folder of its own. */
const blockFolder = ({ folder }, block) => join(folder, 'capacity', String(block).padStart(2, '0'));

const searched = (probes, bounds) =>
  search(
    probes.map(({ probe }) => probe),
    bounds,
  );

/** Nothing where users wait for their answers, as no queue can grow. @param {number|undefined} rate of an answer */
const unseenIn = (parts, cell, rate) =>
  cell.model === 'open' && rate > 0 ? unseenShare(parts, secondsOf(parts, rate, cell)) : 0;

function boundsOf({ think_s = null }, parts, start) {
  if (think_s === null) return { start, least: leastRate(parts) };
  const least = Math.min(MOST_USERS, Math.ceil(leastRate(parts) * think_s));
  return { start, least, most: MOST_USERS };
}

/** By place: of each series of the closed model the cell with the most answers per second. */
function closedPeaks(cells) {
  const served = cells.filter(
    (cell) => !cell.calibration && cell.model === 'closed' && cell.throughput_rps?.median > 0,
  );
  const best = (a, b) => (b.throughput_rps.median > a.throughput_rps.median ? b : a);
  return new Map([...groupBy(served, placeKey)].map(([place, members]) => [place, members.reduce(best)]));
}

/** By place: the most right answers per second of a closed trial, in cells whose trials are all invalid, too. */
function rightAnswers(cells) {
  const told = cells
    .filter(
      ({ calibration, model, trials }) =>
        !calibration && model === 'closed' && trials.some(({ requests }) => requests > 0),
    )
    .map((cell) => [placeKey(cell), Math.max(...cell.trials.map(({ throughput_rps }) => throughput_rps ?? 0))]);
  return new Map(told.sort(([, a], [, b]) => a - b));
}

/** @returns {object[]} one, or none where the probe was not made */
function read(run, cell, { peak, parts }) {
  const files = readOwnTrial(cell, run.provenance);
  if (!files) return [];
  const trial = describeTrial(cell, files, peak?.ceiling_rps ?? null);
  const mean_us = files.summary?.latency_us?.mean ?? null;
  const resources = files.summary?.resources ?? null;
  return [{ cell, trial, probe: probeIn(parts, cell, trial, files.summary), mean_us, resources }];
}

/**
 * The next round of probes, last of all those of overload: those of the first block that is not done, of every target that it searches.
 * @param {object} run see openRun @param {object[]} searches see searchesOf
 * @returns {{folder: string|null, probes: {variant, cell}[], told: string}} probes: as plan.json names open cells; block: how often this rate was probed before
 */
export function nextRound(run, searches) {
  const open = searches.filter(({ next }) => next !== undefined);
  if (open.length === 0) return overloadRound(run, searches);
  const block = Math.min(...open.map((one) => one.block));
  const round = open.filter((one) => one.block === block);
  return {
    folder: blockFolder(run, block),
    probes: round.map(({ cell, variant, next, probes }) => ({
      variant,
      cell: {
        ...cell,
        ...(cell.model === 'open'
          ? { profile: 'gentle', warmup_s: LEAD_IN_S, ...usersIn(run.plan.objective.parts, next) }
          : { warmup_s: Math.max(cell.warmup_s, pausesOf(cell)) }),
        level: next,
        duration_s: secondsOf(run.plan.objective.parts, next, cell),
        block: probes.filter(({ probe }) => probe.rate === next).length,
      },
    })),
    told: `block ${block} of ${run.plan.blocks}: ${round.map(nextText).join('; ')}`,
  };
}

/** What a probe's cell says of k6's users, where they are others than it would have. */
function usersIn(parts, rate) {
  const users = usersFor(parts, rate);
  return users === allocated(rate) ? {} : { users };
}

/** ' (other programs at work)': what disturbed a probe. */
function disturbedBy({ probe, trial }) {
  if (probe.outcome !== 'disturbed') return '';
  const [reason] = trial.reasons.filter(({ check }) => DISTURBING.has(check) || BROKEN.has(check) || COLD.has(check));
  return reason ? ` (${foundText(reason.check)})` : ' (too few samples)';
}

/** 'raw: 104/s held, now 110/s (probe 6 of 14 at most)' */
function nextText({ cell, next, probes }) {
  const unit = unitOf({ iteration_requests: cell.script?.requests });
  const amount = (level) => (cell.think_s ? plural(level, 'user') : `${level.toLocaleString('en-US')} ${unit}`);
  const last = probes.at(-1);
  const before = last ? `${amount(last.cell.level)} ${saysText(last.probe)}${disturbedBy(last)}, now ` : '';
  return `${cell.target}: ${before}${next === last?.cell.level ? 'again' : amount(next)} (probe ${probes.length + 1} of ${PROBES} at most)`;
}
