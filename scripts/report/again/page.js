/** docs/again.md: what the write-ups published that this project grew from, number by number, beside what is published of the same here. */
import { groupBy } from '../../analyse/numbers.js';
import { plural } from '../../analyse/words.js';
import { folded, heading, list, paragraph, table } from '../blocks.js';
import { currentPublished } from '../published.js';
import { briefText } from '../sentences.js';
import { claimHere, comparedHere } from './checks.js';
import { figuresTable, isBeside, pairsTable, publishedText, rowsOf, wordsOf, writeUps } from './tables.js';
import { TARGETS, targetRows, targetsHere } from './targets.js';

/** @param {string} root results/published @returns {object[]} blocks */
export function againBlocks(root) {
  const published = ofOneMachine(root);
  const told = writeUps().map((writeUp) => toldBeside(writeUp, published));
  const counts = told.map(({ counts }) => counts);
  return [
    table('What of each write-up was measured here', COUNTED, [...counts, totalOf(counts)].map(Object.values)),
    ...told.flatMap(({ blocks }) => blocks),
  ];
}

const COUNTED = [
  'write-up',
  '>numbers',
  '>measured here',
  '>not',
  '>pairs compared',
  '>point the same way',
  '>claims',
  '>hold in its figures',
  '>hold here',
  '>fail here',
  '>not decided here',
  '>targets with a limit',
  '>met here',
];

/** @param {object[]} counts by write-up */
const totalOf = (counts) =>
  Object.fromEntries(
    Object.keys(counts[0]).map((key) => [key, key === 'name' ? 'all' : counts.reduce((sum, one) => sum + one[key], 0)]),
  );

/** Current results by experiment, of the machine on which most were measured. */
function ofOneMachine(root) {
  const machines = [...groupBy(currentPublished(root), ({ machine }) => machine).values()];
  const most = machines.toSorted((a, b) => b.length - a.length)[0] ?? [];
  return new Map(most.map(({ experiment, results }) => [experiment, results]));
}

function toldBeside(writeUp, published) {
  const { name, source, runs, figures } = writeUp;
  const of = Object.entries(runs).map(([key, run]) => runOf(key, run, figures, published));
  const rows = of.flatMap((run) => run.rows);
  const claims = writeUp.claims.map((claim) => ({
    ...claim,
    here: claimHere(claim, writeUp, published),
    answer: answerTo(claim.asked, published),
  }));
  const targets = writeUp.targets.map((target) => ({ ...target, here: targetsHere(target, published) }));
  const pairs = comparedHere(writeUp, published);
  const count = (items, is) => items.filter(is).length;
  return {
    counts: {
      name,
      numbers: rows.length,
      beside: count(rows, isBeside),
      not: count(rows, (row) => !isBeside(row)),
      pairs: pairs.length,
      same: count(pairs, ({ direction }) => direction === 'the same'),
      claims: claims.length,
      hold: count(claims, ({ holds_in_its_own_figures: holds }) => holds),
      here: count(claims, ({ here }) => here?.holds),
      fails: count(claims, ({ here }) => here?.holds === false),
      undecided: count(claims, ({ here }) => typeof here?.holds !== 'boolean'),
      targets: count(targets, ({ value }) => value !== null),
      met: count(targets, ({ here: [like] }) => like?.met),
    },
    blocks: [
      heading(2, name),
      paragraph(`${source}.`),
      pairsTable(name, pairs),
      folded(`What it claims (${claims.length})`, list(claims.map(claimText))),
      folded(`What it aims at (${targets.length})`, table(`Targets of ${name}`, TARGETS, targets.flatMap(targetRows))),
      folded(`Figure by figure (${plural(of.length, 'run')})`, ...of.flatMap(({ blocks }) => blocks)),
    ],
  };
}

const HOLDS = {
  true: 'holds in its own figures',
  false: 'does not hold in its own figures',
  null: 'cannot be told from its figures',
};
const HOLDS_HERE = {
  true: 'It holds here',
  false: 'It does not hold here',
  null: 'Figures here do not decide it',
  undefined: 'Not judged here, as part of it is about its machine',
};

function claimText({ says, holds_in_its_own_figures: holds, why, checks = [], here, answer }) {
  const ours = here && `**${HOLDS_HERE[here.holds]}** (${here.experiments.join(', ')}): ${here.texts.join(', ')}.`;
  const asked = answer && `**Asked here** (${answer.experiment}): ${answer.brief}`;
  const unmeasured =
    holds !== null && checks.length > 0 && '**Not judged here**: what there is of it stands in the tables below.';
  return [`${says} **${HOLDS[holds]}**: ${why}`, ours || asked || unmeasured].filter(Boolean).join(' ');
}

/** What a question of ours, which asks what a claim is about, was answered. @returns {{experiment, brief}|null} null where its experiment is not published */
function answerTo(asked, published) {
  const question = asked && published.get(asked.experiment)?.questions?.find(({ ask }) => ask === asked.question);
  return question ? { experiment: asked.experiment, brief: briefText(question, []) } : null;
}

/** One run of theirs: a row for each figure that it has and that is measured here, the others folded. */
function runOf(key, run, figures, published) {
  const { what, measures, ours: note, here, absent } = run;
  const { tool, target, workload, level } = what;
  const unpublished = [...new Set(here.map(({ experiment }) => experiment))].filter(
    (one) => one && !published.has(one),
  );
  const { cells, rows } = rowsOf(key, run, figures, published);
  const others = rows.filter((row) => !isBeside(row));
  return {
    rows,
    blocks: [
      heading(3, [key, level && `${level} at once`].filter(Boolean).join(', ')),
      paragraph(`Theirs: ${[tool, target, workload].join('; ')}. ${measures}`),
      note && paragraph(`Ours: ${note}`),
      unpublished.length > 0 && paragraph(`No run of ${unpublished.join(' and ')} is published yet.`),
      figuresTable(key, cells, rows.filter(isBeside)),
      list(here.filter(({ command }) => command).map(({ command }) => `Here: \`${command}\`.`)),
      folded(
        `${plural(others.length, 'figure')} without a counterpart`,
        others.length > 0 &&
          paragraph(
            unpublished.includes(here[0]?.experiment)
              ? `${unpublished.join(' and ')} would have most of them.`
              : absent,
          ),
        table(
          `Other figures of ${key}`,
          ['figure', '>published'],
          others.map(({ figure }) => [wordsOf(figure.id), publishedText(figure)]),
        ),
      ),
    ],
  };
}
