/** Were connections kept as planned? */
import { plural } from '../words.js';
import { invalid, missing, NOT_APPLICABLE, NOT_MEASURED, PASS, percent, suspect } from './outcome.js';

/**
 * When a target closes a kept connection instead of answering, wrk reports an error; k6's HTTP client silently opens another connection
 * and repeats the request. When it closes connections between answers, its users pay for new ones.
 */
export function connections({ cell, summary, limit }) {
  if (missing(summary.connections)) return NOT_MEASURED;
  const {
    connections: { opened, repeated, keep_alive },
    requests_total: requests,
    users,
  } = summary;
  if (requests === 0) return PASS; // `samples` reports that
  const lost = repeated / requests;
  if (lost > limit('error_share')) {
    const text = `${percent(lost)} of ${plural(requests, 'request')} got no answer, because the target closed the kept connection; k6 repeated them silently`;
    return invalid(lost, limit('error_share'), text);
  }
  // in the open model a user may be idle for longer than the target keeps its connection
  if (!keep_alive || cell.model !== 'closed') return NOT_APPLICABLE;
  const more = (opened - users.count) / requests;
  if (more <= limit('reconnect_share')) return PASS;
  return suspect(
    more,
    limit('reconnect_share'),
    `${plural(users.count, 'user')} opened ${opened} connections instead of one each`,
  );
}
