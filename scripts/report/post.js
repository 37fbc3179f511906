/** post.md: a run as a blog post. What a reader needs to judge it is in the open; nothing is folded away. */
import { levelNoun, plural } from '../analyse/words.js';
import { code, heading, image, list, paragraph, table } from './blocks.js';
import { databaseBlocks } from './database.js';
import { documentsBlocks } from './documents.js';
import { NOTHING } from './format.js';
import { compared, findings, machineText } from './markdown.js';
import { picturesOf } from './pictures.js';
import { byHand, cellTable, condensed, generatorNote, kindText, ratios, sectionsOf } from './section.js';
import { toMarkdown } from './to-markdown.js';

/**
 * @param {object} results results.json @param {Map<string, {file, alt}>} charts see drawCharts
 * @param {object[]} [earlier] results of the runs that this one replaces: each answer says whether they agree
 */
export function post(results, charts, earlier = []) {
  const { run } = results;
  return toMarkdown([
    heading(1, `Load test: ${run.experiment}`),
    paragraph(run.why),
    marked(results),
    paragraph(
      `Measured on ${machineText(results.environment)}, ${(run.started_at ?? '').slice(0, 10)}; ${plural(run.blocks, 'block')}, commit ${run.git_commit?.slice(0, 12) ?? NOTHING}.`,
    ),
    heading(2, 'Findings'),
    ...findings(results, earlier),
    ...sectionsOf(results).flatMap((section) => sectionPost(results, section, charts.get(section.key))),
    ...picturesOf(results).flatMap(({ key, blocks }) => blocks(charts.get(key))),
    ...[...documentsBlocks(results), ...databaseBlocks(results)].flatMap(unfolded),
    heading(2, 'How it was measured'),
    ...compared(results),
    heading(2, 'Versions'),
    versions(results.environment),
    heading(2, 'Limits'),
    list(results.cautions),
  ]);
}

/** What comes before anything else: trials that no figure includes. */
function marked({ verdicts }) {
  const parts = [
    verdicts.invalid > 0 && `${plural(verdicts.invalid, 'invalid trial')}, left out of every figure`,
    verdicts.not_run > 0 && `${plural(verdicts.not_run, 'planned trial')} did not run`,
  ].filter(Boolean);
  return parts.length > 0 ? paragraph(`**Not a clean run: ${parts.join('; ')}.**`) : null;
}

function sectionPost(results, section, chart) {
  const { cells, workload, tool, model, database } = section;
  return [
    heading(2, `${workload}: ${tool}, ${model} model, ${database}`),
    paragraph(kindText(section)),
    hasLine(cells) && image(chart),
    cellTable(section),
    generatorNote(cells),
    ...opened(condensed(section), `p(90) and p(95) by ${levelNoun(section)}:`),
    ...ratios(results, section),
    ...opened(byHand(cells), 'The same load by hand, with the target up:'),
  ];
}

/** Whether a chart of these cells shows more than one point. */
const hasLine = (cells) => cells.length > 1;

/** What a report folds away is here under its title. */
const unfolded = (block) =>
  block?.type === 'folded' ? [heading(3, block.title), ...block.blocks.flatMap(unfolded)] : [block];

/** A folded block, unfolded under a sentence. */
const opened = (block, text) => (block ? [paragraph(text), ...block.blocks] : []);

function versions(environment) {
  const { npm, ...tools } = environment?.versions ?? {};
  const rows = [
    ...Object.entries(environment?.databases ?? {}).map(([name, { version }]) => [`PostgreSQL (${name})`, version]),
    ...Object.entries({ ...tools, ...npm }),
  ].filter(([, version]) => typeof version === 'string');
  return rows.length > 0 ? table('Versions', ['what', 'version'], rows) : code('', 'not recorded');
}
