/** The chart library. It is unpacked on first need, so that the page itself appears without waiting for it. */
import { run } from './unpack.js';

let library = null;

/** @param {HTMLElement} element @param {object} spec Vega-Lite @param {(trial: string) => void} [pick] called when a trial's dot is clicked */
export async function drawChart(element, spec, pick) {
  library ??= run('chart-library');
  await library;
  return globalThis.drawChart(element, spec, pick);
}

/** Without waiting; nothing before the library is there. @param {HTMLElement} element @param {object} spec Vega-Lite */
export const printChart = (element, spec) => globalThis.printChart?.(element, spec);
