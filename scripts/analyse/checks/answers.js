/** Did the target answer, and correctly? */
import { levelNoun, plural } from '../words.js';
import { invalid, missing, NOT_MEASURED, PASS, percent, suspect } from './outcome.js';

const TOOLS_THAT_READ_ANSWERS = new Set(['k6']);

export function errors({ summary, limit }) {
  if (summary.requests === 0) return PASS; // `samples` reports that
  const share = summary.errors.total / summary.requests;
  const allowed = limit('error_share');
  if (share <= allowed) return PASS;
  const classes = Object.entries(summary.errors.by_class).map(([name, count]) => `${count} ${name}`);
  return invalid(
    share,
    allowed,
    `${percent(share)} of ${plural(summary.requests, 'request')} failed (${classes.join(', ')})`,
  );
}

export function wrongAnswers({ cell, summary, limit }) {
  const wrong = summary.errors.by_class.check ?? 0;
  if (wrong > limit('wrong_answers')) {
    return invalid(
      wrong,
      limit('wrong_answers'),
      `${plural(wrong, 'answer')} had the right status but the wrong content`,
    );
  }
  return TOOLS_THAT_READ_ANSWERS.has(cell.tool) ? PASS : NOT_MEASURED;
}

export function samples({ cell, summary, limit }) {
  const { successes } = summary;
  if (successes < limit('answers')) {
    return invalid(successes, limit('answers'), `only ${plural(successes, 'answer')} in the whole trial`);
  }
  if (successes < limit('answers_suspect')) {
    return suspect(successes, limit('answers_suspect'), `only ${plural(successes, 'answer')} in the whole trial`);
  }
  const perUser = successes / cell.level;
  if (cell.model === 'closed' && perUser < limit('answers_per_user')) {
    return suspect(
      perUser,
      limit('answers_per_user'),
      `${cell.level} ${levelNoun(cell, cell.level)} got ${plural(successes, 'answer')}, fewer than two each`,
    );
  }
  return PASS;
}

export function duration({ summary, limit }) {
  const { seconds } = summary.window;
  if (missing(seconds)) return NOT_MEASURED;
  if (seconds >= limit('trial_s')) return PASS;
  return suspect(
    seconds,
    limit('trial_s'),
    `the trial lasted ${seconds} s: too short to separate the start from steady state`,
  );
}
