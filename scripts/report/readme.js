/** The README's results, between its two marks: always what results/published says. */
import { readFileSync } from 'node:fs';
import { writeAtomic } from '../analyse/files.js';
import { groupBy } from '../analyse/numbers.js';
import { DamagedRun } from '../analyse/run-folder.js';
import { levelNoun, plural, seriesName } from '../analyse/words.js';
import { folded, heading, image, list, paragraph, table } from './blocks.js';
import { chartTitle } from './charts/level.js';
import { duration, NOTHING, rate } from './format.js';
import { controlText, machineText } from './markdown.js';
import { picturesOf } from './pictures.js';
import { newestPublished } from './published.js';
import { sectionsOf } from './section.js';
import { sentences } from './sentences.js';
import { toMarkdown } from './to-markdown.js';

const BEGIN = '<!-- results:begin -->';
const END = '<!-- results:end -->';
const SENTENCES = 6;
/** The first look comes first, with its table open; the control of the method last. */
const FIRST = 'baseline';
const LAST = 'aa';

/** @returns {{before: string, block: string, after: string}} @throws {DamagedRun} when a mark is missing */
export function splitReadme(text) {
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (begin < 0 || end < begin) throw new DamagedRun(`README.md: wants the lines ${BEGIN} and ${END}, in this order`);
  const from = begin + BEGIN.length;
  return { before: text.slice(0, from), block: text.slice(from, end), after: text.slice(end) };
}

/** What stands between the marks. @param {string} root results/published */
export function readmeBlock(root) {
  const newest = newestPublished(root).toSorted((a, b) => rank(a) - rank(b));
  return newest.length === 0 ? '\n' : `\n${toMarkdown(newest.flatMap(experimentBlocks))}`;
}

const rank = ({ experiment }) => Number(experiment === LAST) - Number(experiment === FIRST);

/** Writes the block into the README. */
export function updateReadme(path, root) {
  const { before, after } = splitReadme(readFileSync(path, 'utf8'));
  writeAtomic(path, `${before}${readmeBlock(root)}${after}`);
}

function experimentBlocks({ results, path, date }) {
  const { run, verdicts, headlines, again } = results;
  const place = `results/published/${path}`;
  const said = sentences(results).filter(({ claim }) => claim);
  const [headline] = headlines.filter(({ claim }) => claim);
  const sections = sectionsOf(results);
  const shown = sections.find((section) => headline && isOf(section, headline)) ?? sections[0];
  const [special] = picturesOf(results);
  const picture = (key, alt) => image({ file: `${place}/charts/${key}.svg`, alt });
  return [
    heading(3, run.experiment),
    paragraph(
      `${run.why ?? ''} ${machineText(results.environment)}; ${date.replace(/(\d{4})(\d\d)(\d\d)/, '$1-$2-$3')}, ${plural(run.blocks, 'block')}, commit ${run.git_commit?.slice(0, 12) ?? NOTHING}. ${plural(verdicts.valid, 'valid trial')}, ${verdicts.suspect} suspect, ${verdicts.invalid} invalid. [Whole report](${place}/post.md), [JSON](${place}.json).`.trim(),
    ),
    list(said.slice(0, SENTENCES).map(({ text }) => text)),
    again && paragraph(controlText(again)),
    shown && picture(shown.key, chartTitle(results, shown).alt),
    special && picture(special.key, special.picture().alt),
    run.experiment === FIRST ? peaks(sections) : folded('Peaks, by target and load', peaks(sections)),
  ];
}

/** Whether a headline speaks of a section; one that compares databases speaks of each. */
const isOf = (section, { workload, tool, model, database }) =>
  section.workload === workload &&
  section.tool === tool &&
  section.model === model &&
  [null, section.database].includes(database);

/** A row per target and load: its highest throughput, where that was, and p95 there. */
function peaks(sections) {
  const rows = sections.flatMap((section) =>
    [...groupBy(section.cells, seriesName)].map(([name, cells]) => {
      const best = cells.reduce((a, b) => ((b.throughput_rps?.median ?? 0) > (a.throughput_rps?.median ?? 0) ? b : a));
      return [
        section.workload,
        section.tool + (section.model === 'open' ? ', open' : ''),
        section.database,
        name,
        rate(best.throughput_rps?.median),
        `${best.level} ${levelNoun(section, best.level)}`,
        duration(best.latency_us?.p95),
        best.headroom === null ? NOTHING : `${Number(best.headroom.toPrecision(3))}×`,
        best.bottleneck?.is ?? NOTHING,
      ];
    }),
  );
  const header = [
    'workload',
    'tool',
    'database',
    'target',
    '>peak, answers/s',
    '>at',
    '>p95 there',
    '>headroom',
    'held back by',
  ];
  return table('Peaks', header, rows);
}
