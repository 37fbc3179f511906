/** How far the load generator is from its ceiling, measured in every block against a responder that does nothing. */

import { originalOf } from './figures.js';
import { groupBy, rounded, sum } from './numbers.js';
import { isOneMachine } from './placement.js';

const THREADS_FLAG = { wrk: /^-t(\d+)$/, pgbench: /^-j(\d+)$/ };

/**
 * Cores that a role may use. A kernel may name more of them than there are, and pods of runs of before did, too; of several machines each pod tells of its own.
 * @param {object|undefined} use of summary.resources.roles @param {object|null} resources summary.resources, or the median over trials @returns {number|null}
 */
export function coresAllowed(use, resources) {
  const cores = isOneMachine(resources ?? {}) ? resources?.cores : null;
  const known = [use?.cores_allowed, cores].filter((count) => typeof count === 'number');
  return known.length === 0 ? null : Math.min(...known);
}

/**
 * Cores that a cell's tool may use: those it was given (k6), or its threads where they are fewer (wrk -tN, pgbench -j N), of all generators together;
 * ab has one.
 * @param {object|null} resources summary.resources
 * @returns {number|null} null when the number of cores is not known
 */
export function generatorCores({ tool, argv = [], argvs = [argv] }, resources) {
  const cores = coresAllowed(resources?.roles?.generator, resources);
  if (cores === null) return null;
  if (tool === 'ab') return Math.min(cores, 1);
  const threads = argvs.map((each) => threadsOf(tool, each));
  return threads.includes(null) ? cores : Math.min(cores, sum(threads));
}

/** As many as a command line of a tool asks for, or null. @param {string} tool @param {string[]} argv */
export function threadsOf(tool, argv) {
  const flag = THREADS_FLAG[tool];
  const joined = argv.map((word, i) => (/^-[tj]$/.test(argv[i - 1] ?? '') ? `${argv[i - 1]}${word}` : word));
  const threads = flag && joined.map((word) => flag.exec(word)?.[1]).find(Boolean);
  return threads ? Number(threads) : null;
}

/** Ceilings by load, from calibration trials. */
export class Ceilings {
  #measured = [];

  /** @param cell a calibration @param {number|null} throughput_rps null of a trial that is broken, or was not made */
  add({ tool, workload, level, variant, generators = 1 }, throughput_rps) {
    const original = originalOf(variant).replace(/-by-\d+$/, '');
    this.#measured.push({ tool, workload, level, variant: original, generators, throughput_rps });
  }

  /**
   * What as many generators made of the same tool, workload and level, in requests per second: `high` is its ceiling, as whatever else
   * the machine did can only have lowered it; null when it was not calibrated. A variant that changes the tool has its own ceiling, and none where that
   * could not be measured; one that changes the target has that of base.
   * A rate has no counterpart among closed levels: in the open model it is the highest of them.
   * @returns {{low: number, high: number}|null}
   */
  of({ tool, workload, model, level, variant, generators = 1 }) {
    const same = this.#measured.filter(
      (load) =>
        load.tool === tool &&
        load.workload === workload &&
        load.generators === generators &&
        (model === 'open' || load.level === level),
    );
    const own = same.filter((load) => load.variant === originalOf(variant));
    const loads = own.length > 0 ? own : same.filter((load) => load.variant === 'base');
    const ranges = [...groupBy(loads, (load) => load.level).values()].map((ofLevel) => {
      const known = ofLevel.map(({ throughput_rps }) => throughput_rps).filter((rps) => rps !== null);
      return { low: Math.min(...known), high: Math.max(...known) };
    });
    return ranges
      .filter(({ high }) => high > -Infinity)
      .reduce((a, b) => (a !== null && a.high >= b.high ? a : b), null);
  }
}

/**
 * How many times as fast the same load ran against the responder; null where nothing is known, or where the target does no more than that itself.
 * @param {{high: number}|null} ceiling see Ceilings @param {number|null|undefined} throughput_rps @param {object|null} expects what the target declares
 */
export function headroomOf(ceiling, throughput_rps, expects) {
  return ceiling === null || !throughput_rps || doesNothing(expects) ? null : rounded(ceiling.high / throughput_rps, 4);
}

/** Whether a target answers without asking its database: against the responder that is no finding. */
export const doesNothing = (expects) => expects?.statements_per_request?.[1] === 0;
