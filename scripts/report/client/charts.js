/** The chart library, which the page loads when the first chart comes into view. */
import embed from 'vega-embed';

/** @param {HTMLElement} element @param {object} spec Vega-Lite @param {{theme: string, pick?: (trial: string) => void}} options */
globalThis.drawChart = async (element, spec, { theme, pick }) => {
  const { view } = await embed(element, spec, { renderer: 'svg', actions: false, tooltip: { theme } });
  element.querySelector('svg').setAttribute('aria-hidden', 'true'); // the element's own label describes it
  view.addEventListener('click', (_event, item) => item?.datum?.trial && pick?.(item.datum.trial));
};
