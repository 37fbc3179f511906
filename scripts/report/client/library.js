/** The chart library. It is unpacked on first need, so that the page itself appears without waiting for it. */
import { make } from './dom.js';
import { unpack } from './unpack.js';

let library = null;

/** @param {HTMLElement} element @param {object} spec Vega-Lite @param {{theme: string, pick?: (trial: string) => void}} options */
export async function drawChart(element, spec, options) {
  library ??= unpack('chart-library').then((code) => document.head.append(make('script', {}, code)));
  await library;
  return globalThis.drawChart(element, spec, options);
}

/** Without waiting; nothing before the library is there. @param {HTMLElement} element @param {object} spec Vega-Lite */
export const printChart = (element, spec) => globalThis.printChart?.(element, spec);
