/** The sections of report.html: places for charts, which the page's script draws, and tables, which need no script. */

import { EFFECT } from '../analyse/effects.js';
import { groupBy } from '../analyse/numbers.js';
import { levelNoun, levelOf, limitText, seriesName } from '../analyse/words.js';
import { answerTables } from './answers/table.js';
import { chartTitle } from './charts/level.js';
import { figures, kindText, sectionTitle } from './section.js';
import { escaped, inline, toHtml } from './to-html.js';

/** A section with its charts and tables. */
export function sectionHtml(results, section) {
  const { key, cells } = section;
  const { alt } = chartTitle(section);
  const levels = [...new Set(cells.toSorted((a, b) => a.level - b.level).map(levelOf))];
  const chosen = highestMeasured(cells, levels);
  const figure = (chart, label) => figureHtml(chart, escaped(key), label);
  const at = 'at the chosen level';
  const options = levels.map(
    (value) =>
      `<option value="${value}"${value === chosen ? ' selected' : ''}>${escaped(levelTextOf(section, value))}</option>`,
  );
  return `<section class="workload" aria-labelledby="${escaped(key)}"><h2 id="${escaped(key)}">${escaped(sectionTitle(section))}</h2>
<p class="muted">${escaped(kindText(section))}</p>
${levels.length > 1 ? figure('level', alt) : ''}
${bottlenecks(section, levels)}
<div class="at-level"><div class="chooser"><label>Look closer at <select data-section="${escaped(key)}">${options.join('')}</select></label></div>
<div class="closer">
${figure('targets', `Bar chart: answers per second of each target, ${at}`)}
${figure('percentile', `Line chart: latency by percentile, ${at}`)}
${figure('timeline', `Line charts: answers and 95th percentile in each second, ${at}`)}
${figure('resource', `Bar charts: processor time and memory by role, ${at}`)}
${figure('waits', `Bar chart: active sessions of the database by what they wait for, ${at}`)}
</div></div>
${toHtml(figures(results, section))}</section>`;
}

/** The highest at which every target has a usable trial; the highest of all where there is none. */
function highestMeasured(cells, levels) {
  const all = new Set(cells.map(seriesName)).size;
  const usable = (value) => cells.filter((cell) => levelOf(cell) === value && cell.trials_used > 0);
  return levels.findLast((value) => usable(value).length === all) ?? levels.at(-1);
}

/** '10 users', '70 % of the peak' */
const levelTextOf = (section, value) =>
  typeof value === 'number' ? `${value} ${levelNoun(section, value)}` : `${value.replace('%', ' %')} of the peak`;

/** An answer: what was asked, what was found, its picture, and the figures that the picture shows. @param {object} answer see answersOf */
export function answerHtml({ key, ask, text, beside, claim, alt, subtitle, reads, facts }) {
  return `<section class="answer" aria-labelledby="${key}"><h2 id="${key}">${escaped(ask)}</h2>
<p${claim ? ' class="claim"' : ''}>${claim ? withFigures(text) : inline(text)}</p>
${beside ? `<p class="muted">${inline(beside)}</p>` : ''}
${figureHtml('picture', key, alt, `${subtitle}. ${reads}`)}
${toHtml(answerTables(facts))}</section>`;
}

/** A sentence, its figures in bold. */
export const withFigures = (text) => inline(text.replace(EFFECT, '**$&**'));

/** A ladder, a set of curves or a pool map. @param {object} shown see picturesOf */
export function pictureHtml(shown) {
  const key = escaped(shown.key);
  const [{ text }, why, ...rest] = shown.blocks();
  return `<section class="workload" aria-labelledby="${key}"><h2 id="${key}">${escaped(text)}</h2>
${toHtml([why])}
${figureHtml('picture', key, shown.picture().alt)}
${toHtml(rest)}</section>`;
}

/** A place for a chart, that the page's script draws. @param {string} chart name in client/report-charts.js @param {string} section escaped */
function figureHtml(chart, section, label, caption = null) {
  const below = caption === null ? '' : `<figcaption>${inline(caption)}</figcaption>`;
  return `<figure data-chart="${chart}" data-section="${section}"><div class="canvas" role="img" aria-label="${escaped(label)}"></div>${below}</figure>`;
}

/** What limited each cell: a strip of words by level. */
function bottlenecks(section, levels) {
  const { cells } = section;
  if (!cells.some(({ bottleneck }) => bottleneck)) return '';
  const rows = [...groupBy(cells, seriesName)].map(([name, same]) => {
    const at = new Map(same.map((cell) => [levelOf(cell), cell.bottleneck]));
    const tiles = levels.map((value) => {
      const limit = at.get(value);
      if (!limit) return '<td class="none">–</td>';
      const why =
        limit.evidence.map(({ is, text }) => `${is}: ${text}`).join('; ') ||
        'nothing that was watched reached its limit';
      return `<td><span class="tile ${escaped(limit.is)}" title="${escaped(why)}">${escaped(limitText(limit.is))}</span></td>`;
    });
    return `<tr><th scope="row">${escaped(name)}</th>${tiles.join('')}</tr>`;
  });
  const head = levels.map((value) => `<th scope="col">${value}</th>`).join('');
  const unsettled = cells.some(({ bottleneck }) => bottleneck?.is === 'unsettled')
    ? '<p class="muted">Not settled: the trials do not agree on what it was.</p>'
    : '';
  return `<h3>What limited each target, by ${typeof levels[0] === 'number' ? escaped(levelNoun(section)) : 'share of the peak'}</h3>
<div class="scroll" role="group" tabindex="0" aria-label="What limited each target"><table class="strip"><thead><tr><th scope="col">target</th>${head}</tr></thead><tbody>${rows.join('')}</tbody></table></div>${unsettled}`;
}
