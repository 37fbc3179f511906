/** The ladder: one question, put to the database itself by pgbench and k6, and over HTTP to each target, by the same number of users. */
import { blocksOfAll, byBlock, ratioOfTrials } from '../../analyse/figures.js';
import { groupBy, mean, rounded, spread } from '../../analyse/numbers.js';
import { TOOLS } from '../../analyse/tools.js';

const DIRECT = 'postgres';
const WITHOUT_DATABASE = 'hello';
const ASKED_BY_K6 = /^sql-/;

/** Rungs from the ground up. A cell belongs to the first that takes it. */
const RUNGS = [
  { takes: ({ tool, variant }) => tool === 'pgbench' && variant === 'prepared', name: () => 'pgbench prepared' },
  {
    takes: ({ tool, variant }) => tool === 'pgbench' && ['simple', 'base'].includes(variant),
    name: () => 'pgbench simple',
  },
  { takes: ({ tool, variant }) => tool === 'pgbench' && variant === 'reconnect', name: () => 'pgbench -C' },
  { takes: ({ workload, variant }) => ASKED_BY_K6.test(workload) && variant === 'base', name: () => 'k6 SQL' },
  {
    takes: ({ tool, workload, variant }) =>
      TOOLS[tool]?.overHttp && workload === WITHOUT_DATABASE && variant === 'base',
    name: ({ tool }) => `${tool} HTTP alone`,
  },
  {
    takes: ({ tool, variant }) => TOOLS[tool]?.overHttp && variant === 'base',
    name: ({ target, tool }) => `${tool} ${target}`,
  },
];

const rungOf = (cell) => RUNGS.findIndex(({ takes }) => takes(cell));
const questionOf = ({ workload }) => workload.replace(ASKED_BY_K6, '');

/**
 * Every ladder with its lowest rung: pgbench measured the question itself on that database at that level.
 * @param {object} _run see openRun @param {object[]} cells of results.json
 * @returns {{database, question, level, rungs: {name, cell, throughput_rps, db_efficiency, request_ms, added_ms}[]}[]} the ground first, then
 *   kind by kind, the faster first; throughput_rps: of the blocks that all rungs have; db_efficiency: it over the ground's, paired by block, see
 *   pairedRatio; request_ms: what a request takes, level / throughput (Little's law), its geometric mean over blocks; added_ms: what it takes more
 *   than on the ground
 */
export function find(_run, cells) {
  const usable = cells.filter(
    (cell) => !cell.calibration && cell.model === 'closed' && cell.throughput_rps?.median > 0 && rungOf(cell) >= 0,
  );
  const alike = groupBy(usable, ({ database, level }) => `${database} ${level}`);
  return [...alike.values()].flatMap((members) => {
    const questions = new Set(
      members.filter(({ tool, target }) => tool === 'pgbench' && target === DIRECT).map(questionOf),
    );
    return [...questions].map((question) => ladder(members, question)).filter(({ rungs }) => rungs.length > 1);
  });
}

function ladder(members, question) {
  const asked = members.filter((cell) => questionOf(cell) === question || cell.workload === WITHOUT_DATABASE);
  const common = blocksOfAll(asked);
  const rungs = asked
    .map((cell) => rungIn(common, cell))
    .filter(({ throughput_rps }) => throughput_rps !== null)
    .sort((a, b) => rungOf(a.cell) - rungOf(b.cell) || b.throughput_rps.median - a.throughput_rps.median);
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
      name: RUNGS[rungOf(rung.cell)].name(rung.cell),
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
