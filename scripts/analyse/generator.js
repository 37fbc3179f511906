/** How far the load generator is from its ceiling, measured in block 0 against a responder that does nothing. */
import { median } from './numbers.js';

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

const loadOf = ({ tool, workload, model, level, variant }) => [tool, workload, model, level, variant].join(' ');

/** Ceilings by load, from calibration trials. */
export class Ceilings {
  #byLoad = new Map();

  /** @param cell a cell of block 0 @param {number} throughput_rps of a trial that is not broken */
  add(cell, throughput_rps) {
    if (throughput_rps === null) return;
    const load = loadOf(cell);
    this.#byLoad.set(load, [...(this.#byLoad.get(load) ?? []), throughput_rps]);
  }

  /**
   * The median ceiling for the same tool, workload and level, in requests per second; null when it was not calibrated.
   * A variant that changes the tool has its own ceiling, one that changes the target has that of base.
   * A rate has no counterpart among closed levels: in the open model it is the highest of them.
   */
  of(cell) {
    const measured = this.#byLoad.get(loadOf(cell)) ?? this.#byLoad.get(loadOf({ ...cell, variant: 'base' }));
    if (cell.model === 'closed') return median(measured ?? []);
    const sameScript = [...this.#byLoad].filter(([load]) => load.startsWith(`${cell.tool} ${cell.workload} closed `));
    return sameScript.length === 0 ? null : Math.max(...sameScript.map(([, ceilings]) => median(ceilings)));
  }
}
