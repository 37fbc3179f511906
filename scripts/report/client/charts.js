/** The chart library, which the page loads with its first chart. */
import { parse, View } from 'vega';
import { compile } from 'vega-lite';
import { make } from './dom.js';
import { tooltip } from './tooltip.js';

/** A chart in place of what the element showed, whose own label describes it. Vega would take that away, so it has an element within. */
function chartIn(element, spec) {
  const within = make('div', { 'aria-hidden': 'true' });
  element.replaceChildren(within);
  return new View(parse(compile(spec).spec), { renderer: 'svg', tooltip }).initialize(within);
}

/** @param {HTMLElement} element @param {object} spec Vega-Lite @param {(trial: string) => void} [pick] called when a trial's dot is clicked */
globalThis.drawChart = async (element, spec, pick) => {
  const view = await chartIn(element, spec).runAsync();
  view.addEventListener('click', (_event, item) => item?.datum?.trial && pick?.(item.datum.trial));
};

/** For paper: drawn before the printer asks. @param {HTMLElement} element @param {object} spec Vega-Lite */
globalThis.printChart = (element, spec) => {
  chartIn(element, spec).run();
};
