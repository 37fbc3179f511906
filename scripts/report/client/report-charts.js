/** Draws all charts, those in view first, and again when theme, width or the chosen level change, and for paper. */
import { once } from '../../analyse/figures.js';
import { levelOf, seriesName } from '../../analyse/words.js';
import { resourceChart, targetsChart, waitsChart } from '../charts/bars.js';
import { levelChart } from '../charts/level.js';
import { percentileChart } from '../charts/percentile.js';
import { secondsChart } from '../charts/seconds.js';
import { inks } from '../charts/style.js';
import { timelineChart } from '../charts/timeline.js';
import { palette } from '../palette.js';
import { picturesOf } from '../pictures.js';
import { drawChart, printChart } from './library.js';
import { kept } from './state.js';
import { theme } from './theme.js';

const RESIZE_MS = 150;
const AHEAD = '500px';

const SPECS = {
  level: (cells, _details, options) => levelChart(cells, options),
  targets: (cells, _details, options) => targetsChart(cells, options),
  percentile: (cells, { latencies }, options) => percentileChart(cells, latencies, options),
  timeline: (cells, { timelines }, options) => timelineChart(cells, timelines, options),
  resource: (cells, _details, options) => resourceChart(cells, options),
  waits: (cells, _details, options) => waitsChart(cells, options),
};

export class Charts {
  #results;
  #cells;
  #names;
  #calibrations;
  #pick;
  #waiting = new Set();
  #near = new Set();
  #drawing = false;
  #observer = new IntersectionObserver((entries) => this.#seen(entries), { rootMargin: AHEAD });

  /** @param {object} results the page's data @param {(trial: string) => void} pick called when a trial's dot is clicked */
  constructor(results, pick) {
    this.#results = results;
    this.#cells = new Map(results.cells.map((cell) => [cell.id, cell]));
    this.#names = once(results.cells.filter((cell) => !cell.calibration)).map(seriesName);
    this.#calibrations = results.cells.filter((cell) => cell.calibration).map(seriesName);
    this.#pick = pick;
  }

  /** @param {Iterable<HTMLElement>} figures with data-chart and data-section */
  watch(figures) {
    for (const figure of figures) {
      this.#waiting.add(figure);
      this.#observer.observe(figure);
    }
    for (const select of document.querySelectorAll('.chooser select')) {
      kept(select, `level.${select.dataset.section}`);
      select.addEventListener('change', () =>
        this.#stale(`figure[data-section="${CSS.escape(select.dataset.section)}"]`),
      );
    }
    let timer = null;
    let width = innerWidth;
    addEventListener('resize', () => {
      if (innerWidth === width) return; // a phone's address bar changes the height alone
      width = innerWidth;
      clearTimeout(timer);
      timer = setTimeout(() => this.redraw(), RESIZE_MS);
    });
    addEventListener('beforeprint', () => this.#print());
    addEventListener('afterprint', () => theme() === 'dark' && this.redraw());
    this.#drawAll();
  }

  /** Draws all again. */
  redraw() {
    this.#stale('figure[data-chart]');
  }

  /** One trial's seconds into an element. @param {object} trial of results.json @param {object} seconds see secondsOf */
  async trial(element, trial, seconds) {
    await this.#put(element, secondsChart(trial, seconds, this.#options(element)));
  }

  #stale(selector) {
    for (const figure of document.querySelectorAll(selector)) {
      if (figure.dataset.drawn === 'level' && selector.includes('data-section')) continue; // shows every level
      delete figure.dataset.drawn;
      this.#waiting.add(figure);
    }
    this.#drawAll();
  }

  #seen(entries) {
    for (const { target, isIntersecting } of entries) {
      if (isIntersecting) this.#near.add(target);
      else this.#near.delete(target);
    }
  }

  /** One chart after another, so that the page stays responsive. */
  async #drawAll() {
    if (this.#drawing) return;
    this.#drawing = true;
    delete document.documentElement.dataset.drawn;
    while (this.#waiting.size > 0) {
      const figures = [...this.#waiting];
      const figure = figures.find((one) => this.#near.has(one)) ?? figures[0];
      this.#waiting.delete(figure);
      await this.#figure(figure).catch((error) => console.error(error));
      await new Promise((done) => setTimeout(done));
    }
    this.#drawing = false;
    document.documentElement.dataset.drawn = 'yes';
  }

  async #figure(figure) {
    figure.dataset.drawn = figure.dataset.chart;
    figure.hidden = false;
    figure.hidden = !(await this.#put(figure.querySelector('.canvas'), this.#specOf(figure, this.#options(figure))));
  }

  /** Paper is light, and the printer does not wait: what is not drawn yet, or is dark, is drawn now. */
  #print() {
    for (const figure of document.querySelectorAll('figure[data-chart]')) {
      if (figure.hidden || (theme() === 'light' && figure.querySelector('svg'))) continue;
      const spec = this.#specOf(figure, this.#options(figure, 'light'));
      if (spec !== null) printChart(figure.querySelector('.canvas'), spec);
    }
  }

  #specOf({ dataset: { chart, section } }, options) {
    return chart === 'picture' ? this.#picture(section, options) : this.#spec(chart, section, options);
  }

  #picture(key, { look }) {
    return picturesOf(this.#results)
      .find((shown) => shown.key === key)
      .picture(look).spec;
  }

  /** Of a section, at the level that its reader chose. */
  #spec(chart, section, options) {
    const { ids } = this.#results.sections.find(({ key }) => key === section);
    const cells = ids.map((id) => this.#cells.get(id));
    const { value } = document.querySelector(`select[data-section="${CSS.escape(section)}"]`);
    const chosen = chart === 'level' ? cells : cells.filter((cell) => String(levelOf(cell)) === value);
    return SPECS[chart](chosen, this.#results.details, options);
  }

  /** @returns {boolean} whether there was something to draw */
  async #put(element, spec) {
    if (spec === null) element.replaceChildren();
    else await drawChart(element, spec, this.#pick);
    return spec !== null;
  }

  #options(element, shade = theme()) {
    const look = { theme: shade, width: element.clientWidth, font: getComputedStyle(document.body).fontFamily };
    const colours = palette(this.#names, look.theme);
    for (const name of this.#calibrations)
      colours.set(name, { colour: inks(look).pale, shape: 'circle', dash: [1, 0] });
    return { look, colours };
  }
}
