/** Capacities under an objective: the answer with its interval, the search of each block, and every probe. */

import { answerText, lawText, saysText, unitOf, whyText } from '../../analyse/capacity/sentences.js';
import {
  disturbedIn,
  dueIn,
  errorsText,
  heldAfterAll,
  heldAtFirst,
  lacksText,
  lateText,
  OVERLOAD,
  positionOf,
  sentIn,
} from '../../analyse/capacity/signs.js';
import { bytes, duration, NOTHING, rate, share } from '../../analyse/format.js';
import { foundText } from '../../analyse/marks.js';
import { sum } from '../../analyse/numbers.js';
import { capital } from '../../analyse/phrases.js';
import { isOneMachine } from '../../analyse/placement.js';
import { factor, plural, seriesName } from '../../analyse/words.js';
import { folded, heading, image, paragraph, table } from '../../report/blocks.js';

/** Its name among the charts. */
export const key = ({ database, target, variant, workload, tool, think_s }) =>
  `${think_s ? 'users' : 'capacity'}.${database}.${target}.${variant}.${workload}.${tool}`;

const noun = ({ think_s }) => (think_s ? 'users' : 'capacity');
export const link = (capacity) => `${noun(capacity)}, ${capacity.workload}, ${seriesName(capacity)}`;

export const title = (capacity) =>
  `${capacity.think_s ? 'Users' : 'Capacity'} of ${seriesName(capacity)}: ${[capacity.workload, capacity.tool, capacity.database].filter((name) => name !== 'none').join(', ')}`;

export const alt = (capacity) =>
  `${title(capacity)}. Latency by ${capacity.think_s ? 'number of users' : 'arrival rate'}, a dot for each probe, with the objective and the answer as lines. ${sentence(capacity)}`;

/** 'p95 stays below 50 ms up to about 412 requests/s (95 % interval 398 to 431).' */
const sentence = (capacity) => `${capital(answerText(capacity.objective.parts, capacity.answer, capacity))}.`;

/** The answers, for where no question asks for them. @param {{capacities?: object[]}} results @returns {string[]} 'external: p95 stays below ...' */
export const capacityTexts = ({ capacities = [] }) =>
  capacities.map((capacity) =>
    [`${seriesName(capacity)}: ${sentence(capacity)}`, isOpen(capacity) && failedText(capacity)]
      .filter(Boolean)
      .join(' '),
  );

/** @param {object} capacity see find.js @param {{file, alt}} [chart] @param {object[]} [cells] of results.json @returns {object[]} blocks */
export function blocks(capacity, chart, cells = []) {
  return [
    heading(2, title(capacity)),
    paragraph(
      [`**${sentence(capacity)}**`, byBlockText(capacity), failedText(capacity), loadText(capacity)]
        .filter(Boolean)
        .join(' '),
    ),
    capacity.littles_law && paragraph(lawText(capacity.answer, capacity.littles_law, capacity.iteration_requests)),
    capacity.at_highest && paragraph(useText(capacity.at_highest, capacity, coresIn(cells))),
    capacity.overload && paragraph(overloadText(capacity)),
    isOpen(capacity) &&
      !capacity.think_s &&
      !capacity.overload &&
      paragraph('How it does beyond its capacity was not tried, as that is not known.'),
    image(chart),
    paragraph(
      'A rate has held, or failed, where most of its probes did; where as many did as did not, and the probes are spent, it has failed, unless as many of those were not sent: then it says nothing. The answer of a block is where the fit through its probes, less its bias, crosses the share of requests that is allowed to miss the objective, but at most 3 % below the highest rate that held or above the lowest that failed; where its probes give no fit, the middle of these two.',
    ),
    searchTable(capacity),
    probeTable(capacity),
  ];
}

function searchTable(capacity) {
  return table(
    'The search of each block',
    [
      '>block',
      `>${noun(capacity)}${capacity.think_s ? '' : `, ${unitOf(capacity)}`}`,
      '>highest held',
      '>lowest failed',
      'it is',
      '>probes',
      'what speaks against it',
    ],
    capacity.trials.map((search) => {
      const { block, capacity: amount, bracket, kind, failed, probes: made } = search;
      const disturbed = disturbedIn(search);
      return [
        block,
        amount === null ? NOTHING : `${kind === 'at least' ? 'at least ' : ''}${rate(amount)}`,
        rate(bracket?.low ?? (kind === 'at least' ? amount : null)),
        rate(bracket?.high ?? failed),
        bracket ? POSITIONS[positionOf(search)] : NOTHING,
        `${made.length}${disturbed > 0 ? `, ${disturbed} of them disturbed` : ''}`,
        againstText(search, capacity),
      ];
    }),
  );
}

function probeTable(capacity) {
  const probes = capacity.trials.flatMap(({ block, probes: made }) => made.map((probe) => ({ block, ...probe })));
  return folded(
    `Every probe (${probes.length})`,
    table(
      'Probes',
      [
        '>block',
        `>${unitOf(capacity)}`,
        '>seconds',
        '>samples',
        '>p50',
        '>p95',
        '>p99',
        '>missed the objective (allowed)',
        'says',
        'marks',
      ],
      probes.map(({ block, level, duration_s, samples, p50_us, p95_us, p99_us, ...probe }) => [
        ...[block, rate(level), duration_s, samples],
        ...[p50_us, p95_us, p99_us].map((us) => duration(us)),
        ...[missedText(probe), saysText(probe)],
        probe.reasons.map(({ check, verdict }) => (verdict === 'invalid' ? `${check} (invalid)` : check)).join(', ') ||
          NOTHING,
      ]),
    ),
    paragraph(
      'No percentile is given of too few answers, nor one that lies among requests without an answer: these took longer than any limit.',
    ),
  );
}

/** 'By block 310 to 382.' */
function byBlockText({ trials }) {
  const amounts = trials.map(({ capacity }) => capacity).filter((amount) => amount !== null);
  return amounts.length > 1 ? `By block ${rate(Math.min(...amounts))} to ${rate(Math.max(...amounts))}.` : '';
}

const isOpen = ({ answer }) => answer.kind === 'at least';

/** 'In at least one block most probes failed from 314 on, so plan for less.' */
function failedText({ trials, answer }) {
  const failed = trials
    .map(({ bracket, failed: lowest }) => bracket?.high ?? lowest)
    .filter((amount) => amount !== null);
  const least = Math.min(...failed);
  const text =
    isOpen({ answer }) && least > answer.rate
      ? `the objective failed at ${rate(least)}`
      : `most probes failed from ${rate(least)} on, so plan for less`;
  return failed.length === 0 ? '' : `${capital(trials.length > 1 ? `in at least one block ${text}` : text)}.`;
}

const POSITIONS = {
  middle: 'the middle',
  fit: 'on the fit',
  below: '3 % below what held',
  above: '3 % above what failed',
};

/** '0.3 % (5 %)': the share of requests that missed the part of the objective that came closest to its limit, and the share that may. */
const missedText = ({ beyond_share, allowed_share = null }) =>
  [share(beyond_share), allowed_share !== null && `(${share(allowed_share)})`].filter(Boolean).join(' ');

/** What speaks against the search of a block. */
function againstText(search, { think_s, objective }) {
  const { kind, why } = search;
  const texts = [
    (why !== null || kind === 'unknown') &&
      [whyText(why), why === 'probes' && lacksText(search)].filter(Boolean).join(': '),
    kind === 'none' && (think_s ? 'not with any number' : 'not at any rate'),
    heldAtFirst(search) !== null && `${rate(heldAtFirst(search))} held at first and not later`,
    lateText(search, objective.parts),
    errorsText(search, objective.parts),
  ].filter(Boolean);
  return texts.join('; ') || NOTHING;
}

function loadText({ think_s, iteration_requests = 1 }) {
  if (think_s)
    return `How long each thinks is exponentially distributed, and latency ${iteration_requests > 1 ? 'is that of single requests, from' : 'counts from'} when a request was sent.`;
  return iteration_requests > 1
    ? 'Iterations of the script arrive on a schedule, and latency counts from when each was due until its last answer.'
    : 'Requests arrive on a schedule, and latency counts from when each was due.';
}

/** What the roles used where it held last. */
function useText({ level, roles, limit }, capacity, cores) {
  const used = Object.entries(roles).map(([role, { cpu_cores, rss_max_bytes }]) =>
    [
      `the ${ROLES[role] ?? role} used ${factor(cpu_cores)} cores`,
      rss_max_bytes && `and ${bytes(rss_max_bytes)} of memory`,
    ]
      .filter(Boolean)
      .join(' '),
  );
  if (used.length === 0) return '';
  const at = capacity.think_s ? plural(level, 'user') : `${rate(level)} ${unitOf(capacity)}`;
  return `At ${at}, the highest at which most probes of a block held, ${used.join(', ')}. ${limitText(limit, roles, cores)}`;
}

function limitText(limit, roles, cores) {
  if (limit) return `What limited it there: ${limit.is} (${limit.text}).`;
  if (Object.keys(roles).every((role) => role === 'generator'))
    return 'What limited it there is not known: the server was not watched, as --pid or --container would have it.';
  const busy = sum(Object.values(roles).map(({ cpu_cores }) => cpu_cores));
  return `What limited it there is not known: on average these used ${factor(busy)}${cores === null ? '' : ` of ${cores}`} cores.`;
}

/** Of the machine, where all roles shared one; else null. @param {object[]} cells of results.json */
function coresIn(cells) {
  const told = cells.map(({ resources }) => resources).filter((resources) => resources?.cores > 0);
  return told.length > 0 && told.every(isOneMachine) ? told[0].cores : null;
}

const ROLES = { postgres: 'database', cube: 'Cube process', generator: 'load generator' };

/** Of what was sent, from which share on all of it was answered. */
const ALL = 0.995;

/** What 150 % of the capacity did, and what was left of it. */
function overloadText(capacity) {
  const { overload } = capacity;
  const unit = unitOf(capacity);
  const { rate_rps, good_rps, wrong_rps = 0, unanswered_rps = 0, seconds, disturbed = [] } = overload;
  const held = heldAfterAll(capacity);
  const sent_rps = sentIn(overload);
  return [
    sentText(overload, sent_rps, unit),
    good_rps >= ALL * sent_rps && wrong_rps + unanswered_rps === 0
      ? `After the first second all ${overload.unsent > 0 ? 'that were sent ' : ''}were answered correctly${secondsLateText(overload)}.`
      : `After the first second ${unit === 'iterations/s' ? `as many requests as ${rate(good_rps)} ${unit} make` : `${rate(good_rps)}/s`} were answered correctly, ${Math.round((100 * good_rps) / rate_rps)} % of the capacity.`,
    wrong_rps > 0 && `${rate(wrong_rps)}/s were answered with an error, or wrongly.`,
    unanswered_rps > 0 && `${rate(unanswered_rps)}/s got no answer.`,
    held &&
      `**In ${held.held} of ${held.of} seconds p95 was below its limit all the same, so the capacity may be higher.**`,
    recoveryText(overload),
    disturbed.length > 0 &&
      `This was one trial of ${4 * seconds} s, disturbed (${disturbed.map((check) => foundText(check)).join(', ')}) and not repeated.`,
  ]
    .filter(Boolean)
    .join(' ');
}

/** ', but in 9 of 9 seconds p95 was above its limit'; where not all was sent, a second may have no p95. */
function secondsLateText({ unsent, held_share, seconds }) {
  if (!Number.isFinite(held_share)) return '';
  const was = unsent > 0 ? 'was not seen below' : 'was above';
  const late = Math.round((1 - held_share) * (seconds - 1));
  return late > (seconds - 1) / 2 ? `, but in ${late} of ${seconds - 1} seconds p95 ${was} its limit` : '';
}

/** 'At 150 % of the capacity 83 requests/s were due for 10 s.', and what of that was sent. */
function sentText(overload, sent_rps, unit) {
  const { rate_rps, unsent, seconds } = overload;
  const waited = 'as then all users of the load generator waited for answers';
  const percent = Math.round((100 * sent_rps) / rate_rps);
  if (sent_rps < OVERLOAD * rate_rps)
    return `**Of ${rate(dueIn(overload))} ${unit}, 150 % of the capacity, only ${rate(sent_rps)}/s were sent for ${seconds} s (${percent} % of the capacity), ${waited}.**`;
  const sent = unsent > 0 ? `, of which ${rate(sent_rps)}/s were sent (${percent} % of it), ${waited}` : '';
  return `At 150 % of the capacity ${rate(dueIn(overload))} ${unit} were due for ${seconds} s${sent}.`;
}

/** How long p95 took to be normal again. */
function recoveryText({ normal_after_s, normal_before = true, watched_s, limit_us }) {
  if (limit_us === null) return '';
  const limit = duration(limit_us);
  if (!normal_before)
    return `At half of the capacity p95 was not below ${limit} before that either, so how long it takes to recover is not known.`;
  const half = 'the rate had fallen to half of the capacity';
  if (normal_after_s === null) return `p95 was not below ${limit} for good ${watched_s} s after ${half}.`;
  return `p95 was below ${limit} again ${normal_after_s === 0 ? 'when' : `${normal_after_s} s after`} ${half}.`;
}
