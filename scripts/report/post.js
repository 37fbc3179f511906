/** post.md: the answers to a run's primary questions, to be pasted. All else is in details.md. */
import { levelNoun, plural } from '../analyse/words.js';
import { answerBlocks } from './answers/table.js';
import { heading, list, paragraph } from './blocks.js';
import { NOTHING } from './format.js';
import { blocksOf, machineText, reading } from './markdown.js';
import { toMarkdown } from './to-markdown.js';

const CAUTIONS = 4;

/**
 * @param {object} results results.json @param {object[]} answers see answersOf @param {Map<string, {file, alt}>} charts by key of an answer
 * @param {string} [rest] the file that holds everything else
 */
export function post(results, answers, charts, rest = 'details.md') {
  const { run, cautions } = results;
  const asked = answers.filter(({ primary }) => primary);
  return toMarkdown([
    heading(1, `Load test: ${run.experiment}`),
    paragraph(run.why),
    notClean(results),
    ...asked.flatMap((answer) => answerBlocks(answer, charts.get(answer.key))),
    heading(2, 'How it was measured'),
    list(measured(results)),
    heading(2, 'What not to conclude'),
    list(cautions.slice(0, CAUTIONS)),
    paragraph(`[Every table, ratio and percentile](${rest}), and the figures as [CSV](results.csv).`),
  ]);
}

/** What comes before anything else: trials that no figure includes. */
function notClean({ verdicts }) {
  const parts = [
    verdicts.invalid > 0 && `${plural(verdicts.invalid, 'invalid trial')}, left out of every figure`,
    verdicts.not_run > 0 && `${plural(verdicts.not_run, 'planned trial')} did not run`,
  ].filter(Boolean);
  return parts.length > 0 ? paragraph(`**Not a clean run: ${parts.join('; ')}.**`) : null;
}

/** Machine, versions, data and load, trials, how to read: a line each. */
function measured(results) {
  const { run, environment, cells, verdicts } = results;
  const own = cells.filter(({ calibration }) => !calibration);
  const seconds = [...new Set(own.map(({ duration_s }) => duration_s))].sort((a, b) => a - b);
  const loads = [...new Set(own.map((cell) => `${cell.tool} with ${levelsOf(own, cell)}`))];
  return [
    `${machineText(environment)}; ${(run.started_at ?? '').slice(0, 10)}, commit ${run.git_commit?.slice(0, 12) ?? NOTHING}.`,
    `${versionsText(environment)}.`,
    `Data at scale ${environment?.scale ?? NOTHING}; ${loads.join('; ')}.`,
    `${blocksOf(own, run)} blocks, each cell once in a block, in random order, for ${seconds.join(' or ')} s: ${verdicts.valid} valid trials, ${verdicts.suspect} suspect (marked), ${verdicts.invalid} invalid (left out).`,
    reading(results),
  ];
}

function levelsOf(cells, { tool, model }) {
  const same = cells.filter((cell) => cell.tool === tool && cell.model === model);
  const shares = [...new Set(same.map(({ share }) => share).filter(Boolean))];
  if (shares.length > 0) return `arrivals at ${shares.map((share) => share.replace('%', ' %')).join(', ')} of each one's capacity`;
  const levels = [...new Set(same.map(({ level }) => level))].sort((a, b) => a - b);
  return `${levels.join(', ')} ${levelNoun({ tool, model }, levels.at(-1))}`;
}

const SHOWN = { node: 'Node.js', k6: 'k6', wrk: 'wrk' };

function versionsText(environment) {
  const { versions = {}, databases = {} } = environment ?? {};
  const postgres = [...new Set(Object.values(databases).map(({ version }) => version))].map((version) => `PostgreSQL ${version}`);
  const tools = Object.keys(SHOWN)
    .filter((name) => typeof versions[name] === 'string')
    .map((name) => `${SHOWN[name]} ${versions[name]}`);
  return [...postgres, ...tools].join(', ') || 'Versions not recorded';
}
