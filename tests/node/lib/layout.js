/** Where a chart puts its texts and marks, laid out without a browser, and what is wrong with that. */
import { contrast } from '../../../scripts/report/charts/colour.js';
import { textWidth, viewOf } from '../../../scripts/report/render.js';

const LEAST_CONTRAST = 4.5;
const TOLERANCE = 1.5; // pixels
const DATA_MARKS = new Set(['symbol', 'rule']);

/** '#rrggbb' of a colour as charts write it; null of none. */
function hex(colour) {
  if (!colour || colour === 'transparent' || colour === 'none') return null;
  if (colour.startsWith('#'))
    return colour.length === 4 ? `#${[...colour.slice(1)].map((c) => c + c).join('')}` : colour;
  const parts = /^rgb\((\d+), *(\d+), *(\d+)\)$/.exec(colour);
  if (!parts) return { white: '#ffffff', black: '#000000' }[colour] ?? colour;
  return `#${parts
    .slice(1)
    .map((part) => Number(part).toString(16).padStart(2, '0'))
    .join('')}`;
}

const isShown = (item) => item.opacity !== 0 && item.text !== '' && item.text !== undefined && item.text !== null;
const shifted = ({ x1, y1, x2, y2 }, [x, y]) => ({ x1: x1 + x, y1: y1 + y, x2: x2 + x, y2: y2 + y });
const linesOf = (item) => [item.text].flat();

/** Every text, rectangle and panel with axes of a scenegraph, in the picture's own pixels. */
function collect(mark, at, parts, panel = null) {
  for (const item of mark.items ?? []) {
    if (mark.marktype === 'group') {
      const own = [at[0] + (item.x ?? 0), at[1] + (item.y ?? 0)];
      const isPanel = (item.items ?? []).some(({ role }) => role === 'axis');
      const inside = isPanel ? { at: own, x: [], y: [], marks: [] } : panel;
      if (isPanel) parts.panels.push(inside);
      const axis = mark.role === 'axis' ? item.orient : null;
      for (const child of item.items ?? []) {
        if (axis && child.role === 'axis-label' && panel)
          for (const label of child.items.filter(isShown))
            panel[['left', 'right'].includes(axis) ? 'y' : 'x'].push(
              axis === 'left' || axis === 'right' ? own[1] + label.y : own[0] + label.x,
            );
        collect(child, own, parts, inside);
      }
    } else if (mark.marktype === 'text') {
      if (isShown(item) && item.text !== '×')
        parts.texts.push({
          text: linesOf(item).join(' '),
          fill: hex(item.fill),
          role: mark.role,
          item,
          ...shifted(item.bounds, at),
        });
    } else {
      if (mark.marktype === 'rect' && hex(item.fill))
        parts.rects.push({ fill: hex(item.fill), ...shifted(item.bounds, at) });
      if (panel && mark.role === 'mark' && DATA_MARKS.has(mark.marktype))
        panel.marks.push({ type: mark.marktype, x: at[0] + item.x, y: at[1] + item.y, item, at });
    }
  }
}

/** @param {object} spec Vega-Lite @returns {Promise<{width, height, ground, texts, rects, panels}>} */
async function laidOut(spec) {
  const view = viewOf(spec);
  const svg = await view.toSVG();
  const [, width, height] = /<svg[^>]* width="([\d.]+)" height="([\d.]+)"/.exec(svg).map(Number);
  const [, x, y] = /translate\(([\d.-]+),([\d.-]+)\)/.exec(svg).map(Number);
  const parts = { width, height, texts: [], rects: [], panels: [] };
  collect(view.scenegraph().root, [x, y], parts);
  view.finalize();
  const { background } = spec.config;
  return { ...parts, ground: background === 'transparent' ? null : background };
}

const overlap = (a, b) =>
  Math.min(a.x2, b.x2) - Math.max(a.x1, b.x1) > TOLERANCE &&
  Math.min(a.y2, b.y2) - Math.max(a.y1, b.y1) > 2 * TOLERANCE;

const nameOf = ({ text, x1, y1 }) => `"${text}" at ${Math.round(x1)}, ${Math.round(y1)}`;

function overlaps({ texts }) {
  return texts.flatMap((text, i) =>
    texts
      .slice(i + 1)
      .filter((other) => overlap(text, other))
      .map((other) => `${nameOf(text)} overlaps ${nameOf(other)}`),
  );
}

function cuts({ texts, width, height }) {
  const isCut = ({ x1, y1, x2, y2, item }) =>
    x1 < -TOLERANCE ||
    y1 < -TOLERANCE ||
    x2 > width + TOLERANCE ||
    y2 > height + TOLERANCE ||
    (item.limit > 0 && linesOf(item).some((line) => textWidth(item, line) > item.limit));
  return texts
    .filter(isCut)
    .map((text) => `${nameOf(text)} is cut: ${Math.round(text.x2)} of ${width}, ${Math.round(text.y2)} of ${height}`);
}

/** Marks beyond the first or the last number of their axis. */
function unlabelled({ panels }) {
  return panels.flatMap(({ x, y, marks }) => {
    const beyond = (value, labels) =>
      labels.length > 1 && (value < Math.min(...labels) - TOLERANCE || value > Math.max(...labels) + TOLERANCE);
    return marks
      .filter((mark) => mark.type === 'symbol' && (beyond(mark.x, x) || beyond(mark.y, y)))
      .map(
        (mark) =>
          `a mark at ${Math.round(mark.x)}, ${Math.round(mark.y)} lies outside ${x.map(Math.round)}; ${y.map(Math.round)}`,
      );
  });
}

function pale({ texts, rects, ground }, page) {
  const below = (text) => {
    const [x, y] = [(text.x1 + text.x2) / 2, (text.y1 + text.y2) / 2];
    return (
      rects.findLast((rect) => rect.x1 <= x && x <= rect.x2 && rect.y1 <= y && y <= rect.y2)?.fill ?? ground ?? page
    );
  };
  return texts
    .filter((text) => contrast(text.fill ?? '#000000', below(text)) < LEAST_CONTRAST)
    .map(
      (text) =>
        `${nameOf(text)} in ${text.fill} on ${below(text)}: contrast ${contrast(text.fill ?? '#000000', below(text)).toFixed(1)}`,
    );
}

/** @param {object} spec Vega-Lite @param {string} [page] colour of the page that a chart without a ground stands on @returns {Promise<string[]>} a line for each fault */
export async function faultsOf(spec, page = '#ffffff') {
  const layout = await laidOut(spec);
  return [...overlaps(layout), ...cuts(layout), ...unlabelled(layout), ...pale(layout, page)];
}
