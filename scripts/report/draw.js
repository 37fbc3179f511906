/** The charts of a run as files. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { once } from '../analyse/figures.js';
import { writeAtomic } from '../analyse/files.js';
import { seriesName, wrapped } from '../analyse/words.js';
import { chartTitle, levelChart } from './charts/level.js';
import { palette } from './palette.js';
import { picturesOf } from './pictures.js';
import { toPng, toSvg } from './render.js';
import { sectionsOf } from './section.js';

const TITLE_WIDTH = 96; // characters

/**
 * Draws a chart per section and per picture into folder/charts, as SVG and as PNG at twice the size.
 * @returns {Promise<Map<string, {file, alt}>>} by section key and by key of a picture; a section without a usable trial has none
 */
export async function drawCharts(folder, results) {
  const colours = palette(once(results.cells.filter((cell) => !cell.calibration)).map(seriesName));
  const charts = new Map();
  mkdirSync(join(folder, 'charts'), { recursive: true });
  for (const section of sectionsOf(results)) {
    const { title, subtitle, alt } = chartTitle(section);
    const spec = levelChart(once(section.cells), {
      title: { text: wrapped(title, TITLE_WIDTH).split('\n'), subtitle },
      colours,
    });
    if (spec === null) continue;
    charts.set(section.key, { file: await draw(folder, section.key, spec), alt });
  }
  for (const { key, picture } of picturesOf(results)) {
    const { spec, alt } = picture();
    charts.set(key, { file: await draw(folder, key, spec), alt });
  }
  return charts;
}

async function draw(folder, key, spec) {
  const svg = await toSvg(spec);
  writeAtomic(join(folder, 'charts', `${key}.svg`), svg);
  writeAtomic(join(folder, 'charts', `${key}.png`), toPng(svg));
  return `charts/${key}.svg`;
}
