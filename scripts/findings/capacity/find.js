/** Capacities under an objective: what the searches of a run found, in the shape of cells, so that questions compare them as they compare cells. */
import { bottleneck } from '../../analyse/bottleneck.js';
import { overBlocks, usersOf, withoutInterval } from '../../analyse/capacity/answer.js';
import { overloadOf } from '../../analyse/capacity/overload.js';
import { searchesOf } from '../../analyse/capacity/probes.js';
import { lowestFailed } from '../../analyse/capacity/search.js';
import { whyText } from '../../analyse/capacity/sentences.js';
import { lateText } from '../../analyse/capacity/signs.js';
import { countVerdicts } from '../../analyse/cell.js';
import { placeKey, trialId } from '../../analyse/identity.js';
import { DISTURBING } from '../../analyse/marks.js';
import { groupBy, rounded } from '../../analyse/numbers.js';

/** The id of a capacity among those of cells, as questions name it (scripts/jq/cells.jq). */
const idOf = ({ database, scale, target, variant, workload, tool, model }) =>
  `${database}${scale ? `@${scale}` : ''}.${target}.${variant}.${workload}.${tool}.${model}-capacity`;

/**
 * @param {object} run see openRun @param {object[]} cells of results.json
 * @returns {object[]} capacities of results.json, see schema.json
 */
export function find(run, cells) {
  const { objective } = run.plan;
  const capacities = [...groupBy(searchesOf(run, cells), ({ cell }) => idOf(cell))].map(([id, searches]) => {
    const answers = searches.map((search) => search.answer ?? { kind: 'unknown', why: null });
    const answer = overBlocks(answers);
    const told = answer.low === null ? withoutInterval(answers) : answers;
    return {
      id,
      cell: searches[0].cell,
      blocks: searches.map((search, i) => ({ ...search, answer: told[i] })),
      answer,
    };
  });
  return capacities.map(({ id, cell, blocks, answer }) => {
    const { database, scale = null, target, variant, workload, tool, model, think_s = null } = cell;
    const iteration_requests = cell.script?.requests ?? 1;
    const trials = blocks.map((block) => blockOf(block, objective.parts));
    return {
      ...{ id, calibration: false, database, scale, target, variant, workload, tool, model, share: 'capacity' },
      ...(think_s !== null && { think_s, littles_law: lawOf(cell, capacities) }),
      ...(iteration_requests > 1 && { iteration_requests }),
      level: rounded(answer.rate),
      objective,
      blocks: blocks.map(({ block }) => block),
      verdicts: countVerdicts(trials),
      trials_planned: trials.length,
      trials_used: trials.filter(({ verdict }) => verdict !== 'invalid').length,
      ...{ throughput_rps: null, latency_us: null, resources: null, headroom: null },
      ...(isUnwatched(blocks) && { unwatched: true }),
      at_highest: useOf(blocks),
      overload: model === 'open' ? overloadOf(run, cell, objective.parts) : null,
      answer: { ...answer, rate: rounded(answer.rate), low: rounded(answer.low), high: rounded(answer.high) },
      trials,
    };
  });
}

/**
 * How many users the rate of the same place amounts to, who think as long: with the mean latency of the highest rate that held.
 * @returns {{rate_rps, mean_us, users}|null} null where no rate was found
 */
function lawOf(cell, capacities) {
  const open = capacities.find((one) => one.cell.model === 'open' && placeKey(one.cell) === placeKey(cell));
  if (open?.answer.kind !== 'rate') return null;
  const { rate } = open.answer;
  const held = heldIn(open.blocks).filter(({ mean_us }) => mean_us !== null);
  if (held.length === 0) return null;
  const [{ mean_us }] = held;
  return {
    rate_rps: rounded(rate),
    mean_us: rounded(mean_us),
    users: rounded(usersOf(rate, { mean_us, think_s: cell.think_s })),
  };
}

/**
 * What the roles used at the highest rate that held in any block, and what limited them there. @param {object[]} blocks
 * @returns {{level, roles: Record<string, {cpu_cores, rss_max_bytes}>, limit: {is: string, text: string}|null}|null} null where nobody looked
 */
function useOf(blocks) {
  const held = heldIn(blocks).filter(({ resources }) => resources);
  if (held.length === 0) return null;
  const [{ cell, resources, trial }] = held;
  // where other programs were at work too, or may have been, what was busy says nothing of the target
  const isAlone = !trial.reasons.some(({ check }) => DISTURBING.has(check));
  const isSeen = !trial.not_measured.includes('other_programs');
  const { evidence } = bottleneck({ cell, resources, headroom: trial.headroom });
  const limit = (isAlone && evidence.find(({ is }) => isSeen || is !== 'host')) || null;
  const roles = Object.entries(resources.roles ?? {}).filter(([, use]) => use.cpu_cores !== null);
  return {
    level: cell.level,
    roles: Object.fromEntries(
      roles.map(([role, { cpu_cores, rss_max_bytes }]) => [role, { cpu_cores, rss_max_bytes }]),
    ),
    limit,
  };
}

/** The probes that held at rates at which their block's search says that it holds, the highest rate first. */
const heldIn = (blocks) =>
  blocks
    .flatMap(({ probes, answer }) => {
      const most = answer.kind === 'at least' ? answer.rate : (answer.low ?? 0);
      return probes.filter(({ probe }) => probe.outcome === 'held' && probe.rate <= most);
    })
    .sort((a, b) => b.probe.rate - a.probe.rate);

/** One block's search, in the shape of a trial; its figure is null where it found no rate. */
function blockOf({ cell, block, start, probes, answer }, parts) {
  const { kind } = answer;
  const isKnown = kind === 'rate' || kind === 'at least';
  return withVerdict(
    {
      id: trialId({ block, id: idOf(cell) }),
      block,
      ...{ verdict: null, reasons: [] },
      capacity: isKnown ? rounded(answer.rate) : null,
      ...{ kind, why: answer.why ?? null, start, failed: failedAt(kind, answer, probes) },
      bracket: kind === 'rate' ? { low: answer.low, high: answer.high, fitted: answer.fitted } : null,
      resolution: answer.resolution ?? 0,
      unseen_share: rounded(answer.unseen ?? 0, 4),
      probes: probes.map(({ cell: { level, duration_s }, trial, probe }) => ({
        ...{ trial: trial.id, level, duration_s, outcome: probe.outcome, limited: probe.limited },
        samples: probe.samples,
        beyond_share: probe.excess && rounded(probe.excess.share, 4),
        allowed_share: probe.excess && rounded(probe.excess.allowed, 4),
        throughput_rps: trial.throughput_rps,
        ...Object.fromEntries(['p50_us', 'p90_us', 'p95_us', 'p99_us'].map((key) => [key, trial[key]])),
        errors: trial.errors,
        verdict: trial.verdict,
        reasons: trial.reasons,
      })),
    },
    parts,
  );
}

/** Whether no probe could tell other programs from the target. */
function isUnwatched(blocks) {
  const probes = blocks.flatMap((block) => block.probes);
  return probes.length > 0 && probes.every(({ trial }) => trial.not_measured.includes('other_programs'));
}

/** @returns {number|null} the lowest rate that failed, though it was sent, where no bracket says so */
function failedAt(kind, answer, probes) {
  if (kind === 'none') return answer.rate;
  const made = probes.map(({ probe }) => probe);
  return kind === 'at least' ? lowestFailed(made, answer.rate) : null;
}

/** Capacities with the marks that their searches have by today's rules. @param {object[]} capacities of results.json, of any age */
export const markedAnew = (capacities) =>
  capacities.map((capacity) => {
    const trials = capacity.trials.map((trial) => withVerdict(trial, capacity.objective.parts));
    return { ...capacity, verdicts: countVerdicts(trials), trials };
  });

/** A search with its verdict. */
const withVerdict = (trial, parts) => ({ ...trial, ...judged(trial, parts) });

/** @returns {{verdict: string, reasons: object[]}} a lower bound is marked, as a generator near its ceiling is, and a search that was not done; one without an answer does not count */
function judged(trial, parts) {
  const { kind, why } = trial;
  const late = lateText(trial, parts);
  if (kind === 'unknown')
    return {
      verdict: 'invalid',
      reasons: [
        {
          check: 'capacity',
          verdict: 'invalid',
          value: null,
          limit: null,
          text: `the search has no answer: ${whyText(why)}`,
        },
      ],
    };
  const marks = [
    why !== null && {
      check: why === 'generator' ? 'headroom' : 'capacity',
      text: `${kind === 'at least' ? 'at least: ' : ''}${whyText(why)}`,
    },
    late !== null && why !== 'generator' && { check: 'headroom', text: late },
  ].filter(Boolean);
  return {
    verdict: marks.length > 0 ? 'suspect' : 'valid',
    reasons: marks.map(({ check, text }) => ({ check, verdict: 'suspect', value: null, limit: null, text })),
  };
}
