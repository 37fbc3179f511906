/** How far the load generator is from its ceiling, measured in every block against a responder that does nothing. */

import { originalOf } from './figures.js';
import { groupBy, rounded, sum } from './numbers.js';
import { isOneMachine } from './placement.js';
import { TOOLS } from './tools.js';

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
 * Cores that a cell's tool may use: those it was given, or its threads where they are fewer, of all generators together.
 * @param {object|null} resources summary.resources
 * @returns {number|null} null when the number of cores is not known
 */
export function generatorCores({ tool, argv = [], argvs = [argv] }, resources) {
  const cores = coresAllowed(resources?.roles?.generator, resources);
  if (cores === null) return null;
  const threads = argvs.map((each) => threadsOf(tool, each));
  return threads.includes(null) ? cores : Math.min(cores, sum(threads));
}

/** As many as a tool always has, or as its command line asks for (-t2, -t 2); null where neither says. @param {string} tool @param {string[]} argv */
export function threadsOf(tool, argv) {
  const threads = TOOLS[tool]?.threads;
  if (typeof threads !== 'string') return threads ?? null;
  const joined = argv.map((word, i) => (argv[i - 1] === threads ? `${threads}${word}` : word));
  const asked = joined.find((word) => word.startsWith(threads) && /^\d+$/.test(word.slice(threads.length)));
  return asked ? Number(asked.slice(threads.length)) : null;
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
