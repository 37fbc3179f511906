/** Did the target answer, and correctly? */
import { isCalibration } from '../identity.js';
import { TOOLS } from '../tools.js';
import { levelNoun, plural } from '../words.js';
import { invalid, missing, NOT_APPLICABLE, NOT_MEASURED, PASS, percent, suspect } from './outcome.js';

export const checks = { samples, duration, errors, wrong_answers: wrongAnswers, answer_size: answerSize };

export const about = {
  samples: { finds: 'too few answers' },
  duration: { finds: 'trials too short' },
  errors: { finds: 'failed requests' },
  wrong_answers: { finds: 'wrong answers' },
  answer_size: { finds: 'answers of another length' },
};

function errors({ summary, limit }) {
  if (summary.requests === 0) return PASS; // `samples` reports that
  const share = summary.errors.total / summary.requests;
  const allowed = limit('error_share');
  if (share <= allowed) return PASS;
  const classes = Object.entries(summary.errors.by_class).map(([name, count]) => `${Math.ceil(count)} ${name}`);
  return invalid(
    share,
    allowed,
    `${percent(share)} of ${plural(Math.round(summary.requests), 'request')} failed (${classes.join(', ')})`,
  );
}

/** To pass, enough bodies must have been checked to find one wrong answer in a hundred, or all of them. */
function wrongAnswers({ cell, summary, limit }) {
  const wrong = summary.errors.by_class.check ?? 0;
  const { checked, spot_checks: spot } = summary;
  if (wrong > limit('wrong_answers')) {
    const of = missing(checked) ? '' : ` of ${Math.round(checked)} checked`;
    const why =
      isCalibration(cell) && cell.script
        ? `: the responder repeats answers from before, which a check that wants what was asked for finds wrong`
        : '';
    return invalid(
      wrong,
      limit('wrong_answers'),
      `${plural(Math.ceil(wrong), 'answer')}${of} had the right status but the wrong content${why}`,
    );
  }
  if (spot?.wrong.length > limit('wrong_answers')) {
    const [{ path, status }] = spot.wrong;
    return invalid(
      spot.wrong.length,
      limit('wrong_answers'),
      `of ${plural(spot.asked, 'request')} sent alongside ${cell.tool}, in the form ${cell.tool} sends them, ${spot.wrong.length} did not get the verified answer; the first was for ${path}, with status ${status}`,
    );
  }
  if (spot?.asked > 1 && spot.unanswered === spot.asked && summary.successes > 0)
    return suspect(spot.unanswered, 0, `none of ${spot.asked} requests sent alongside ${cell.tool} was answered`);
  if (missing(checked) || checked === 0) return NOT_MEASURED;
  return checked >= Math.min(limit('bodies'), Math.floor(summary.successes)) ? PASS : NOT_MEASURED;
}

/** So many answers of one length are no accident: others have it, too. */
const ALIKE = 4;

/**
 * A tool that looks at no body still counts bytes: an answer must be as long as those that were verified. What ends early is part of one. Where
 * a server's answers differ in length, as by a request's id in a header, the mean may lie anywhere between.
 */
function answerSize({ cell, summary, limit }) {
  const { bytes_per_answer: bytes, spot_checks: spot, requests } = summary;
  if (!TOOLS[cell.tool]?.totals_alone || bytes === null) return NOT_APPLICABLE; // null: several requests
  if (missing(bytes) || missing(spot)) return NOT_MEASURED;
  if (spot.lengths === null) return NOT_APPLICABLE; // several paths, or encoded answers
  if (missing(spot.lengths) || spot.lengths.length === 0) return NOT_MEASURED;
  const [least, most] = [Math.min(...spot.lengths), Math.max(...spot.lengths)];
  const share = Math.max(1 - bytes / least, bytes / most - 1);
  const allowed = limit('answer_size_share') + cell.level / requests;
  const alike = most / least - 1 <= limit('answer_size_share');
  if (share <= allowed) return alike ? PASS : NOT_MEASURED;
  const text = `answers averaged ${bytes.toFixed(1)} bytes; those whose bodies were compared had ${least === most ? least : `${least} to ${most}`}`;
  return (alike && spot.lengths.length >= ALIKE ? invalid : suspect)(share, allowed, text);
}

function samples({ cell, summary, limit }) {
  const { successes } = summary;
  if (successes < limit('answers')) {
    return invalid(successes, limit('answers'), `only ${plural(Math.round(successes), 'answer')} in the whole trial`);
  }
  if (successes < limit('answers_suspect')) {
    return suspect(
      successes,
      limit('answers_suspect'),
      `only ${plural(Math.round(successes), 'answer')} in the whole trial`,
    );
  }
  const perUser = successes / cell.level;
  if (cell.model === 'closed' && perUser < limit('answers_per_user')) {
    return suspect(
      perUser,
      limit('answers_per_user'),
      `${cell.level} ${levelNoun(cell, cell.level)} got ${plural(Math.round(successes), 'answer')}, fewer than two each`,
    );
  }
  return PASS;
}

function duration({ summary, limit }) {
  const { seconds } = summary.window;
  if (missing(seconds)) return NOT_MEASURED;
  if (seconds >= limit('trial_s')) return PASS;
  return suspect(
    seconds,
    limit('trial_s'),
    `the trial lasted ${seconds} s: too short to separate the start from steady state`,
  );
}
