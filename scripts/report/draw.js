/** The charts of a run as files. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { once } from '../analyse/figures.js';
import { writeAtomic } from '../analyse/files.js';
import { levelOf, seriesName, wrapped } from '../analyse/words.js';
import { chartTitle, levelChart } from './charts/level.js';
import { palette } from './palette.js';
import { picturesOf } from './pictures.js';
import { toPng, toSvg } from './render.js';
import { sectionsOf } from './section.js';

const [TITLE_WIDTH, SUBTITLE_WIDTH] = [96, 120]; // characters

/**
 * A chart per section of several levels, and per picture.
 * @returns {{key: string, alt: string, spec: object}[]} key: of the section or of the picture; a section without a usable trial has none
 */
export function chartsOf(results) {
  const colours = palette(once(results.cells.filter((cell) => !cell.calibration)).map(seriesName));
  const lines = (text, width) => wrapped(text, width).split('\n');
  const sections = sectionsOf(results)
    .filter(({ cells }) => new Set(cells.map(levelOf)).size > 1) // one point is a number
    .map((section) => {
      const { title, subtitle, alt } = chartTitle(section);
      const text = { text: lines(title, TITLE_WIDTH), subtitle: lines(subtitle, SUBTITLE_WIDTH) };
      return { key: section.key, alt, spec: levelChart(once(section.cells), { title: text, colours }) };
    });
  const pictures = picturesOf(results).map(({ key, picture }) => ({ key, ...picture() }));
  return [...sections.filter(({ spec }) => spec !== null), ...pictures];
}

/** Draws all charts into folder/charts. @returns {Promise<Map<string, {file, alt}>>} by key */
export async function drawCharts(folder, results) {
  const charts = new Map();
  rmSync(join(folder, 'charts'), { recursive: true, force: true }); // an earlier report may have drawn others
  mkdirSync(join(folder, 'charts'), { recursive: true });
  for (const { key, alt, spec } of chartsOf(results)) charts.set(key, { file: await draw(folder, key, spec), alt });
  return charts;
}

/** As SVG, and as PNG at twice the size. */
async function draw(folder, key, spec) {
  const svg = await toSvg(spec);
  writeAtomic(join(folder, 'charts', `${key}.svg`), svg);
  writeAtomic(join(folder, 'charts', `${key}.png`), toPng(svg));
  return `charts/${key}.svg`;
}
