/** The ladder: one question, put to the database itself by pgbench and k6, and over HTTP to each target, by the same number of users. */
import { readFileSync } from 'node:fs';
import { blocksOfAll, byBlock, ratioOfTrials } from '../../analyse/figures.js';
import { groupBy, mean, rounded, spread } from '../../analyse/numbers.js';
import { TOOLS } from '../../analyse/tools.js';

/** The rungs of an experiment that declares none. */
const EXPERIMENT = new URL('../../declared/experiments/ladder.json', import.meta.url);
const { ladder: USUAL } = JSON.parse(readFileSync(EXPERIMENT, 'utf8'));

/** @param {string} text with names in braces @param {object} values by these names */
const filled = (text, values) => text.replace(/\{(\w+)\}/g, (_braced, key) => values[key]);

/** On which rung a cell stands where a question is asked: the first that takes it, -1 where none does. */
const rungOf = (cell, question, declared) =>
  declared.findIndex(({ variants, tool, target = cell.target, workload = '{question}' }) => {
    const isAsked = cell.target === target && cell.workload === filled(workload, { question });
    return isAsked && variants.includes(cell.variant) && (tool ? cell.tool === tool : TOOLS[cell.tool]?.over_http);
  });

/**
 * Every ladder with its lowest rung: pgbench measured the question itself on that database at that level.
 * @param {{experiment}|null} run see openRun; its experiment's `ladder`: the rungs from the ground up @param {object[]} cells of results.json
 * @returns {{database, question, level, rungs: {name, cell, throughput_rps, db_efficiency, request_ms, added_ms}[]}[]} the ground first, then
 *   kind by kind, the faster first; throughput_rps: of the blocks that all rungs have; db_efficiency: it over the ground's, paired by block, see
 *   pairedRatio; request_ms: what a request takes, level / throughput (Little's law), its geometric mean over blocks; added_ms: what it takes more
 *   than on the ground
 */
export function find(run, cells) {
  const declared = run?.experiment.ladder ?? USUAL;
  const isGround = (cell) => declared[rungOf(cell, cell.workload, declared)]?.tool === 'pgbench';
  const usable = cells.filter(
    (cell) => !cell.calibration && cell.model === 'closed' && cell.throughput_rps?.median > 0,
  );
  const alike = groupBy(usable, ({ database, level }) => `${database} ${level}`);
  return [...alike.values()].flatMap((members) => {
    const questions = [...new Set(members.filter(isGround).map(({ workload }) => workload))];
    return questions.map((question) => ladder(members, question, declared)).filter(({ rungs }) => rungs.length > 1);
  });
}

function ladder(members, question, declared) {
  const rungAt = (cell) => rungOf(cell, question, declared);
  const asked = members.filter((cell) => rungAt(cell) >= 0);
  const common = blocksOfAll(asked);
  const rungs = asked
    .map((cell) => rungIn(common, cell))
    .filter(({ throughput_rps }) => throughput_rps !== null)
    .sort((a, b) => rungAt(a.cell) - rungAt(b.cell) || b.throughput_rps.median - a.throughput_rps.median);
  const [ground] = rungs;
  const { database, level } = asked[0];
  if (ground?.cell.tool !== 'pgbench') return { database, question, level, rungs: [] };
  const over = ({ trials }) => ratioOfTrials(trials, ground.trials, { metric: 'throughput', of: common.length });
  const requestMs = ({ rate }) => (1000 * level) / rate;
  return {
    database,
    question,
    level,
    rungs: rungs.map((rung) => ({
      name: filled(declared[rungAt(rung.cell)].name, rung.cell),
      cell: rung.cell.id,
      throughput_rps: rung.throughput_rps,
      db_efficiency: rung === ground ? null : over(rung),
      request_ms: rounded(requestMs(rung), 3),
      added_ms: rounded(requestMs(rung) - requestMs(ground), 3),
    })),
  };
}

/** @param {number[]} blocks of all rungs @param {object} cell of results.json */
function rungIn(blocks, cell) {
  const trials = new Map([...byBlock(cell)].filter(([block]) => blocks.includes(block)));
  const rates = [...trials.values()].map(({ throughput_rps }) => throughput_rps).filter((value) => value !== null);
  return { cell, trials, rate: Math.exp(mean(rates.map(Math.log))), throughput_rps: spread(rates) };
}
