/** report.md: what was compared, on which machine, with what result, and how far to believe it. */

import { confidenceOfPairs } from '../analyse/answers/smallest.js';
import { confidenceText } from '../analyse/effects.js';
import { lengths, NOTHING } from '../analyse/format.js';
import { Names } from '../analyse/names.js';
import { listed } from '../analyse/phrases.js';
import { byName, plural } from '../analyse/words.js';
import { tables as capacityTables } from '../findings/capacity/table.js';
import { capacityTexts } from '../findings/capacity/tell.js';
import { besideBlocks } from './again/beside.js';
import { code, folded, heading, list, paragraph, table } from './blocks.js';
import { changes } from './changes.js';
import { databases } from './counted.js';
import { databaseBlocks } from './database.js';
import { machineText } from './machine.js';
import { nodeRows } from './nodes.js';
import { picturesOf, tablesOf } from './pictures.js';
import { sectionBlocks, sectionsOf } from './section.js';
import { sentences } from './sentences.js';
import { toMarkdown } from './to-markdown.js';
import { again, calibration, generators, limits, verdicts } from './trust.js';

/** That all primary comparisons of a run share. */
const ERROR = 0.05;

const textOf = (confidences) => listed([...new Set(confidences.map(confidenceText))]);

/** What the terms of answers mean, and how wide intervals are where several share their error. @param {{questions?: object[]}} results */
export function reading({ questions = [] }) {
  const confidence = questions.find(({ primary }) => primary)?.confidence ?? 0;
  const comparisons = Math.round(ERROR / (1 - confidence));
  const ofPools = questions.filter(({ kind, primary, sides }) => kind === 'smallest' && primary && sides?.length > 2);
  const pairs = textOf(ofPools.map(confidenceOfPairs));
  const apart = questions.flatMap((one) => (!one.primary && one.confidence > 1 - ERROR ? [one.confidence] : []));
  return [
    'Each block measures its cells once; ratios are taken within a block, and intervals are over the blocks.',
    comparisons > 1 &&
      `The primary questions make ${comparisons} comparisons, so each of their intervals is a ${confidenceText(confidence)} interval${pairs && ` (of one pool over another ${pairs}, as each is compared with each)`}: all of them hold in at least 95 of 100 such runs, if blocks are independent and their log-ratios normal.`,
    apart.length > 0 &&
      `A question that ${comparisons > 1 ? 'is not primary and ' : ''}compares several has ${textOf(apart)} intervals, so that all of them hold together in at least 95 of 100 such runs.`,
    'p95 is the time within which 95 % of the answers came.',
  ]
    .filter(Boolean)
    .join(' ');
}

/**
 * @param results results.json
 * @param {Map<string, {file: string, alt: string}>} charts by section key, and by key of a picture
 * @param {object[]} [earlier] results of runs that this one replaced, the newest first
 * @returns {string}
 */
export function markdown(results, charts, earlier = []) {
  const pictures = picturesOf(results);
  const isAnswer = ({ key }) => drawn(results).some((answer) => answer.key === key);
  const shown = ({ key, blocks }) => blocks(charts.get(key));
  return toMarkdown([
    heading(1, `Experiment ${results.run.experiment}`),
    paragraph(results.run.why),
    ...findings(results, earlier),
    ...capacityTables(results, results.answers),
    ...pictures.filter(isAnswer).flatMap(shown),
    heading(2, 'What was compared'),
    ...compared(results),
    heading(2, 'Verdicts'),
    ...verdicts(results),
    ...sectionsOf(results).flatMap((section) => sectionBlocks(results, section, charts.get(section.key))),
    ...pictures.filter((picture) => !isAnswer(picture)).flatMap(shown),
    ...tablesOf(results),
    ...databaseBlocks(results),
    ...besideBlocks(results),
    ...calibration(results),
    ...generators(results),
    ...databases(results),
    ...again(results),
    ...changes(results, earlier),
    heading(2, 'Limits and cautions'),
    list(results.cautions),
    limits(),
    heading(2, 'Environment'),
    environment(results),
  ]);
}

/** Answers that have a picture, and with it a place of their own. */
const drawn = ({ answers = [] }) => answers.filter(({ facts }) => facts !== null);

const ONE_BLOCK = 'One block only: without repetition there is no interval';

/** What the run found beside the answers that have a picture, or why it found nothing. @param {object[]} [earlier] results of runs that this one replaced */
export function findings(results, earlier = []) {
  const { run, verdicts: counts } = results;
  const all = sentences(results, earlier);
  if (counts.valid + counts.suspect === 0)
    return [paragraph('**No usable trial, so no result.** The reasons are under Verdicts.')];
  if (all.length > 0) {
    const apart = new Set(drawn(results).map(({ ask }) => ask));
    const lines = all.filter(({ ask }) => !apart.has(ask));
    const items = lines.map(({ ask, text, claim }) => `${ask ? `${ask} ` : ''}${claim ? `**${text}**` : text}`);
    return [list(items), paragraph(reading(results))];
  }
  const capacities = capacityTexts(results);
  if (capacities.length > 0)
    return [list(capacities.map((text) => `**${text}**`)), run.blocks === 1 && paragraph(`${ONE_BLOCK}.`)].filter(
      Boolean,
    );
  return [
    paragraph(
      run.blocks === 1
        ? `${ONE_BLOCK}, and nothing is claimed.`
        : 'No question compares what was measured, so nothing is claimed; the figures stand in the tables.',
    ),
  ];
}

/** How much was searched, beside the cells: nothing where no capacity was. */
function searchesRow(capacities) {
  const searches = capacities.flatMap(({ trials }) => trials);
  const seconds = searches.flatMap(({ probes }) => probes.map(({ duration_s }) => duration_s));
  if (seconds.length === 0) return [];
  const blocks = Math.max(...capacities.map(({ blocks }) => blocks.length));
  const [least, most] = [Math.min(...seconds), Math.max(...seconds)];
  return [
    [
      'searches for capacities',
      `${searches.length} in ${plural(blocks, 'block')}, ${seconds.length} probes of ${least === most ? most : `${least} to ${most}`} s`,
    ],
  ];
}

export function compared(results) {
  const { cells, run, environment: machine, capacities = [] } = results;
  const measured = cells.filter((cell) => !cell.calibration);
  const namesOf = (key) => [...new Set(measured.map((cell) => cell[key]))].sort(byName);
  const names = (key) => namesOf(key).join(', ');
  const { seconds, requests } = lengths(measured);
  const labels = new Names();
  const targets = namesOf('target').map((name) => labels.target(name));
  const rows = [
    ['targets', targets.map(({ label, note }) => (note ? `${label} (${note})` : label)).join(', ')],
    ['workloads', names('workload')],
    ['tools', names('tool')],
    ...(measured.some(({ generators }) => generators)
      ? [['load generators', [...new Set(measured.map(({ generators = 1 }) => generators))].sort(byName).join(', ')]]
      : []),
    ['databases', names('database')],
    ['levels', levels(measured)],
    ['variants', names('variant')],
    [
      'blocks',
      `${blocksOf(measured, run)} (a block measures its cells once, in random order; seed ${run.seed ?? NOTHING})`,
    ],
    [
      'seconds per trial',
      `${[...seconds, ...requests].join(', ')} (a trial is one measurement: one target under one load)`,
    ],
    ...searchesRow(capacities),
    ...nodeRows(results),
    ['measured', run.started_at ?? NOTHING],
    [
      'run',
      `${run.id}, commit ${run.git_commit?.slice(0, 12) ?? NOTHING}, plan ${run.plan_hash?.slice(0, 12) ?? NOTHING}, environment ${run.environment_hash?.slice(0, 12) ?? NOTHING}`,
    ],
  ];
  const cores = machine?.machine?.cores;
  const roles =
    cores && machine.layout !== 'pinned' && machine.stack !== 'kubernetes'
      ? ` Load generator${names('database') === 'none' ? ' and target' : ', target and database'} share ${plural(cores, 'core')}.`
      : '';
  return [
    paragraph(`Measured on ${machineText(results)}.${roles}`),
    table('What was compared', ['what', 'value'], rows),
  ];
}

/** '6', or '3 to 6' where some cells have fewer. @param {object[]} cells of results.json, of any age */
export function blocksOf(cells, run) {
  const planned = cells.map(({ trials_planned = run.blocks }) => trials_planned);
  const [least, most] = [Math.min(...planned), Math.max(...planned)];
  return least === most ? String(most) : `${least} to ${most}`;
}

/** '1, 10, 50, 50 % of the peak': levels as given, then shares of a measured peak. */
function levels(cells) {
  const ordered = cells.toSorted((a, b) => Boolean(a.share) - Boolean(b.share) || a.level - b.level);
  return [
    ...new Set(ordered.map(({ level, share }) => (share ? `${share.replace('%', ' %')} of the peak` : level))),
  ].join(', ');
}

/** environment.json, folded. */
export function environment({ environment: recorded }) {
  if (!recorded) return paragraph('Not recorded.');
  return folded('environment.json', code('json', JSON.stringify(recorded, null, 2)));
}
