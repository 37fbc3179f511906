/** Several load generators that shared the load of a trial: what each of them was told, made and used. */
import { rounded } from './numbers.js';

/** How far a generator's clock may have been from ours, before or after: {offset_ms, error_ms} of the farther; null where one of the two was not read. */
function widest({ before, after } = {}) {
  if (!before || !after) return null;
  const atMost = ({ offset_ms, error_ms }) => Math.abs(offset_ms) + error_ms;
  return atMost(after) > atMost(before) ? after : before;
}

/** How much of the load generator i of so many has: users and connections are whole. In the open model arrivals are shared as its users are, of whom k6 makes so many. */
function fairShare({ model, level, argv = [] }, i, of) {
  const vus = argv.map((word) => /^vus=(\d+)$/.exec(word)?.[1]).find(Boolean);
  const whole = model === 'open' ? Number(vus ?? Math.min(Math.max(level, 50), 1000)) : level;
  return (Math.floor(whole / of) + (i < whole % of ? 1 : 0)) / whole;
}

/**
 * @param {{cell, status, summary}} trial files of a trial
 * @returns {{number, exit_code, complete, requests, share, fair_share, began_after_ms, clock_offset_ms, clock_error_ms, cpu_cores, cores_allowed, received_bytes_per_s,
 *   sent_bytes_per_s, segments_sent_per_s, segments_retransmitted_per_s}[]|null} null of a load that one made alone. share: of all requests; fair_share: of
 *   the level; times in milliseconds: after the agreed beginning, and of its clock before ours; null: not known
 */
export function generatorsOf({ cell, status, summary }) {
  const of = cell.generators ?? 1;
  if (of === 1) return null;
  const all = (summary?.generators ?? []).reduce((sum, { requests }) => sum + requests, 0);
  return Array.from({ length: of }, (_, i) => {
    const made = summary?.generators?.[i] ?? {};
    const ran = status?.generators?.[i] ?? {};
    const clock = widest(ran.clock);
    const { stopped_share: _stopped, programs = [], ...used } = summary?.resources?.roles?.generator?.each?.[i] ?? {};
    // a command that hands the tool to another machine is seen here, and not the tool
    const isSeen = programs.includes(cell.tool);
    return {
      number: i + 1,
      exit_code: ran.exit_code ?? null,
      complete: made.complete ?? false,
      requests: made.requests ?? null,
      share: all > 0 && made.requests !== undefined ? rounded(made.requests / all, 4) : null,
      fair_share: rounded(fairShare(cell, i, of), 4),
      began_after_ms: made.began_after_ms ?? ran.began_after_ms ?? null,
      clock_offset_ms: clock && rounded(clock.offset_ms, 4),
      clock_error_ms: clock && rounded(clock.error_ms, 4),
      ...UNSEEN,
      ...(isSeen && used),
    };
  });
}

const UNSEEN = {
  cpu_cores: null,
  cores_allowed: null,
  received_bytes_per_s: null,
  sent_bytes_per_s: null,
  segments_sent_per_s: null,
  segments_retransmitted_per_s: null,
};
