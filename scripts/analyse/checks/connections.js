/** Were connections kept as planned? */
import { plural } from '../words.js';
import { invalid, missing, NOT_APPLICABLE, NOT_MEASURED, PASS, percent, suspect } from './outcome.js';

export const checks = { connections };

export const about = { connections: { finds: 'connections that were not kept' } };

/**
 * When a target closes a kept connection instead of answering, wrk reports an error; k6's HTTP client silently opens another connection
 * and repeats the request. When it closes connections between answers, its users pay for new ones.
 */
function connections({ cell, summary, limit }) {
  if (cell.tool === 'wrk') return lostByWrk(cell, summary, limit);
  if (cell.tool === 'ab') return closedOnAb(summary, limit);
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
  if (!keep_alive || cell.think_s) return NOT_APPLICABLE; // the target may close it while its user thinks
  const more = (opened - users.count) / requests;
  if (more <= limit('reconnect_share')) return PASS;
  const idle = cell.model === 'open' ? '; they may have been idle for longer than the target keeps them' : '';
  return suspect(
    more,
    limit('reconnect_share'),
    `${plural(users.count, 'user')} opened ${opened} connections instead of one each${idle}`,
  );
}

/** wrk never uses a connection again that it could not open. It does not say how many it opened, nor which of its errors were those. */
function lostByWrk({ level }, { errors }, limit) {
  const lost = errors.by_class.transport ?? 0;
  const allowed = limit('lost_connections_share') * level;
  if (lost <= allowed) return NOT_MEASURED;
  const text = `${plural(lost, 'connection')} failed, of ${level} at a time: wrk goes on without those that it cannot open again`;
  return suspect(lost, allowed, text);
}

/** ab speaks HTTP/1.0, in which a target keeps a connection only when asked to, and need not. ab counts the answers after which it did. */
function closedOnAb({ printed, errors }, limit) {
  if (missing(printed?.complete_requests)) return NOT_MEASURED;
  const { complete_requests: answers, keep_alive_requests: kept } = printed;
  if (kept === null) return NOT_APPLICABLE; // it was not asked to
  const closed = answers - kept - (errors.by_class.transport ?? 0);
  const share = answers === 0 ? 0 : closed / answers;
  if (share <= limit('reconnect_share')) return PASS;
  const text = `${plural(closed, 'connection')} were not kept after ${plural(answers, 'answer')}, although ab asked for it: users paid for new ones`;
  return suspect(share, limit('reconnect_share'), text);
}
