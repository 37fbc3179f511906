/** Vega-Lite to SVG and PNG, without a browser. */
import { fileURLToPath } from 'node:url';
import { Resvg } from '@resvg/resvg-js';
import * as vega from 'vega';
import { compile } from 'vega-lite';

const font = (name) => fileURLToPath(import.meta.resolve(`@expo-google-fonts/inter/${name}.ttf`));
const FONTS = [font('400Regular/Inter_400Regular'), font('600SemiBold/Inter_600SemiBold')];
const PIXELS_PER_POINT = 2;

/** Without a canvas vega guesses the width of text, and guesses wide; this is Inter's mean advance, measured over its letters. */
const MEAN_ADVANCE_EM = 0.56;
export const textWidth = (item, text) => MEAN_ADVANCE_EM * vega.textMetrics.height(item) * String(text).length;
vega.textMetrics.width = textWidth;

/** @param {object} spec Vega-Lite @returns {object} Vega view, not laid out yet */
export const viewOf = (spec) => new vega.View(vega.parse(compile(spec).spec), { renderer: 'none' });

/** @param {object} spec Vega-Lite @returns {Promise<string>} SVG */
export async function toSvg(spec) {
  const view = viewOf(spec);
  const svg = await view.toSVG();
  view.finalize();
  return svg;
}

/** @param {string} svg @returns {Uint8Array} PNG at twice the size, in the shipped font */
export function toPng(svg) {
  const options = {
    font: { fontFiles: FONTS, loadSystemFonts: false, defaultFontFamily: 'Inter' },
    fitTo: { mode: 'zoom', value: PIXELS_PER_POINT },
  };
  return new Resvg(svg, options).render().asPng();
}
