/** How far the load generator is from its ceiling, measured in every block against a responder that does nothing. */

import { originalOf } from './figures.js';
import { rounded } from './numbers.js';

/** Whether a cell measures the load generator: against the null responder. */
export const isCalibration = ({ target }) => target === 'null';

const THREADS_FLAG = { wrk: /^-t(\d+)$/, pgbench: /^-j(\d+)$/ };

/**
 * Cores that a cell's tool may use: those it was given (k6), or its threads where they are fewer (wrk -tN, pgbench -j N).
 * @param {object|null} resources summary.resources
 * @returns {number|null} null when the number of cores is not known
 */
export function generatorCores({ tool, argv = [] }, resources) {
  const cores = resources?.roles?.generator?.cores_allowed ?? resources?.cores ?? null;
  if (cores === null) return null;
  const flag = THREADS_FLAG[tool];
  const joined = argv.map((word, i) => (/^-[tj]$/.test(argv[i - 1] ?? '') ? `${argv[i - 1]}${word}` : word));
  const threads = flag && joined.map((word) => flag.exec(word)?.[1]).find(Boolean);
  return threads ? Math.min(cores, Number(threads)) : cores;
}

const rangeOf = (ceilings) => (ceilings ? { low: Math.min(...ceilings), high: Math.max(...ceilings) } : null);

const loadOf = ({ tool, workload, model, level, variant }) =>
  [tool, workload, model, level, originalOf(variant)].join(' ');

/** Ceilings by load, from calibration trials. */
export class Ceilings {
  #byLoad = new Map();

  /** @param cell a calibration @param {number} throughput_rps of a trial that is not broken */
  add(cell, throughput_rps) {
    if (throughput_rps === null) return;
    const load = loadOf(cell);
    this.#byLoad.set(load, [...(this.#byLoad.get(load) ?? []), throughput_rps]);
  }

  /**
   * What the generator made of the same tool, workload and level, in requests per second: `high` is its ceiling, as whatever else
   * the machine did can only have lowered it; null when it was not calibrated. A variant that changes the tool has its own ceiling, one that changes the target has that of base.
   * A rate has no counterpart among closed levels: in the open model it is the highest of them.
   * @returns {{low: number, high: number}|null}
   */
  of(cell) {
    const measured = this.#byLoad.get(loadOf(cell)) ?? this.#byLoad.get(loadOf({ ...cell, variant: 'base' }));
    if (cell.model === 'closed') return rangeOf(measured);
    const sameScript = [...this.#byLoad].filter(([load]) => load.startsWith(`${cell.tool} ${cell.workload} closed `));
    const ranges = sameScript.map(([, ceilings]) => rangeOf(ceilings));
    return ranges.reduce((a, b) => (a !== null && a.high >= b.high ? a : b), null);
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
