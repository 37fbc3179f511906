/** What all charts look like: on paper (the files in charts/), and on a page in either theme and at any width. */
import { wrapped } from '../../analyse/words.js';

const SCHEMA = 'https://vega.github.io/schema/vega-lite/v6.json';

const INKS = {
  light: { ground: '#ffffff', ink: '#222222', pale: '#6b6b6b', grid: '#e7e7e7', line: '#b5b5b5', alarm: '#c4500a' },
  dark: { ground: '#171a1f', ink: '#e8e8e8', pale: '#a3a9b3', grid: '#2b3038', line: '#4a515c', alarm: '#ff9a5a' },
};
const PAPER_FONT = 'Inter, Helvetica, Arial, Liberation Sans, DejaVu Sans, sans-serif';
/** Pixels between panels, and from which width on two stand side by side. */
export const SPACING = 26;
export const BESIDE = 760;
/** Of a picture on paper that fills the width. */
export const PAPER_WIDTH = 806;

const AXIS = 62;
const LABEL_CHARACTER = 8;
const SUBTITLE_CHARACTER = 6.6;
/** Least distance between the centres of two labels. */
export const LABEL_GAP = 16;

/**
 * How charts are to be drawn.
 * @typedef {{theme: 'light'|'dark', width: number|null, font?: string}} Look width: of the whole chart in pixels; null: as on paper
 * @type {Look}
 */
export const PAPER = { theme: 'light', width: null };

export const inks = ({ theme }) => INKS[theme];

/** Broken lines, with which marks are compared. @param {object[]} values @param {object} encoding of Vega-Lite @param {Look} look */
export const dashed = (values, encoding, look) => ({
  data: { values },
  mark: { type: 'rule', strokeDash: [4, 3], color: inks(look).pale },
  encoding,
});

/**
 * The width of each of `count` panels, beside or below one another, that leaves room for the axis and for labels at the right.
 * @param {Look} look @param {string[]} labels at the right of a panel
 * @returns {{width: number, height: number, arrange: 'hconcat'|'vconcat'}}
 */
export function panelSize(look, labels, count = 2) {
  const names = [...new Set(labels)];
  const tall = Math.ceil((names.length + 1) * LABEL_GAP);
  if (look.width === null) return { width: 390, height: Math.max(320, tall), arrange: 'hconcat' };
  const beside = look.width >= BESIDE && count > 1;
  const room = (beside ? (look.width - SPACING * (count - 1)) / count : look.width) - AXIS;
  const longest = Math.max(0, ...names.map((label) => label.length));
  const width = Math.max(120, Math.floor(room - Math.min(room / 2.6, longest * LABEL_CHARACTER + 14)));
  return { width, height: Math.max(look.width < 520 ? 240 : 300, tall), arrange: beside ? 'hconcat' : 'vconcat' };
}

/** Type and ink of every chart. @param {Look} look */
function config(look) {
  const { ground, ink, pale, grid, line } = inks(look);
  const page = look.width !== null;
  return {
    font: look.font ?? PAPER_FONT,
    background: page ? 'transparent' : ground,
    padding: page ? 2 : { left: 18, right: 18, top: 16, bottom: 14 },
    view: { stroke: null },
    text: { color: ink },
    axis: {
      labelFontSize: 12,
      titleFontSize: 12,
      titleFontWeight: 400,
      labelColor: pale,
      titleColor: pale,
      gridColor: grid,
      domainColor: line,
      tickColor: line,
      titlePadding: 10,
      labelPadding: 5,
    },
    legend: { labelColor: ink, labelFontSize: 12, title: null, orient: 'top', symbolType: 'square' },
    title: {
      anchor: 'start',
      color: ink,
      fontSize: 18,
      fontWeight: 600,
      subtitleFontSize: 13,
      subtitleColor: pale,
      subtitlePadding: 6,
      offset: 16,
    },
    concat: { spacing: SPACING },
  };
}

/** Panels as one chart. @param {object[]} panels @param {'hconcat'|'vconcat'} arrange @param {object} [title] of Vega-Lite */
export function framed(panels, { look, arrange, title }) {
  return { $schema: SCHEMA, config: config(look), ...(title ? { title } : {}), [arrange]: panels };
}

/** The title of a panel, and what its axis shows, in as many lines as its width needs. */
export const panelTitle = (text, subtitle, width) => ({
  text,
  subtitle: wrapped(subtitle, Math.max(24, Math.floor(width / SUBTITLE_CHARACTER))).split('\n'),
  fontSize: 14,
  subtitleFontSize: 12,
  subtitlePadding: 3,
  offset: 12,
});
