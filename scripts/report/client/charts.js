/** The chart library, which the page loads with its first chart. */
import * as vega from 'vega';
import embed from 'vega-embed';
import { compile } from 'vega-lite';

/** The element's own label describes what it shows. */
const hide = (element) => element.querySelector('svg')?.setAttribute('aria-hidden', 'true');

/** @param {HTMLElement} element @param {object} spec Vega-Lite @param {{theme: string, pick?: (trial: string) => void}} options */
globalThis.drawChart = async (element, spec, { theme, pick }) => {
  const { view } = await embed(element, spec, { renderer: 'svg', actions: false, tooltip: { theme } });
  hide(element);
  view.addEventListener('click', (_event, item) => item?.datum?.trial && pick?.(item.datum.trial));
};

/** For paper: drawn before the printer asks, and without tooltips. @param {HTMLElement} element @param {object} spec Vega-Lite */
globalThis.printChart = (element, spec) => {
  const view = new vega.View(vega.parse(compile(spec).spec), { renderer: 'svg' }).initialize(element);
  view.runAfter(() => hide(element));
  view.run();
};
