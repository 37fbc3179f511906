/** Published runs with answers to what their experiments ask today: those made before experiments asked have the cells, and no questions. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isCopy } from '../../../scripts/analyse/figures.js';
import { groupBy } from '../../../scripts/analyse/numbers.js';
import { answered } from '../../../scripts/analyse/questions.js';
import { withCurrentName } from '../../../scripts/analyse/renamed.js';
import { readResults } from '../../../scripts/analyse/run-folder.js';
import { answersOf } from '../../../scripts/report/answers/story.js';
import { listPublished } from '../../../scripts/report/published.js';

const REPOSITORY = join(import.meta.dirname, '../../..');
const OWN = ['index', 'lost', 'again'];
const POOL = /^pool-(\d+)$/;

/** Under their own ids, which ladders and curves name. */
const asToday = (cell, { blocks }) => ({
  trials_planned: blocks,
  ...withCurrentName(cell),
  id: cell.id,
  trials: cell.trials.map((trial) => ({ maintenance: null, work_per_s: null, ...trial })),
});

/** Pairs of before do not have the speed-up of each trial. */
const withoutSpeedups = (question, { index_pairs }) =>
  question.kind === 'index' && index_pairs?.cells.some(({ speedups }) => !speedups)
    ? { ...question, why: 'not kept then' }
    : question;

/** As scripts/jq/questions.jq resolves a question, over the cells of a run. */
function resolved({ ask, primary = false, compare, where = {}, metric = null }, cells) {
  const [key] = Object.keys(compare);
  const isPair = Array.isArray(compare[key]);
  const kind = isPair ? 'pair' : key;
  const dimension = isPair ? key : OWN.includes(key) ? null : compare[key];
  const { level, model = 'closed', ...rest } = where;
  const isThere = (cell) =>
    !cell.calibration &&
    !isCopy(cell.variant) &&
    cell.model === model &&
    Object.entries(rest).every(([name, value]) => cell[name] === value) &&
    (rest.variant !== undefined || dimension === 'variant' || cell.variant === 'base') &&
    (kind !== 'index' || cell.workload === 'documents-index-pairs') &&
    (level === undefined || level === cell.level || level === cell.share);
  const measured = ['lost', 'again'].includes(kind) ? [] : cells.filter(isThere);
  const by = groupBy(measured, (cell) => (kind === 'index' ? 'index' : cell[dimension]));
  const names = isPair ? compare[key] : [...by.keys()];
  const sizeOf = (name) => (kind === 'smallest' ? { size: Number(POOL.exec(name)?.[1]) } : {});
  const sides = names.map((name) => ({ name, cells: (by.get(name) ?? []).map(({ id }) => id), ...sizeOf(name) }));
  const why = sides.some((side) => side.cells.length !== 1) ? 'not measured then' : null;
  return { ask, primary, metric, kind, dimension, where, sides, why };
}

/** @returns {{file: string, results: object}[]} results.json of each, with questions and answers */
export function publishedWithAnswers() {
  return listPublished(join(REPOSITORY, 'results/published')).map(({ file, experiment }) => {
    const results = readResults(file);
    const declared = join(REPOSITORY, `scripts/declared/experiments/${experiment}.json`);
    const { questions = [] } = existsSync(declared) ? JSON.parse(readFileSync(declared, 'utf8')) : {};
    const cells = results.cells.map((cell) => asToday(cell, results.run));
    const asked = questions
      .map((question) => resolved(question, cells))
      .map((question) => withoutSpeedups(question, results));
    const known = { ...results, cells };
    if (results.questions === undefined)
      known.questions = answered(asked, { ...known, scale: results.environment?.scale ?? null });
    return { file, results: { ...known, answers: answersOf(known) } };
  });
}
