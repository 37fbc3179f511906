/** The trials behind the marks of an answer's picture. The page has them in its cells, so that its facts name the cell alone. Runs in the page, too. */
import { figureOf } from '../../analyse/figures.js';

/** A dot for each trial of a cell that has the figure. @param {object} cell of results.json @returns {{value: number, verdict: string, trial: string|null}[]} */
export const dots = ({ trials }, metric) =>
  trials
    .map((trial) => ({ value: figureOf(trial, metric), verdict: trial.verdict, trial: trial.id ?? null }))
    .filter(({ value }) => value !== null);

/** By shape: facts with each of their marks changed. */
const CHANGED = {
  rows: (facts, change) => ({
    ...facts,
    panels: facts.panels.map((panel) => ({ ...panel, rows: panel.rows.map((mark) => change(mark, panel.metric)) })),
  }),
  lines: (facts, change) => ({
    ...facts,
    lines: facts.lines.map((line) => ({ ...line, points: line.points.map((mark) => change(mark, facts.metric)) })),
  }),
  copies: (facts) => facts,
};

const changed = (facts, change) => facts && CHANGED[facts.shape](facts, change);

/** Without the trials of cells. @param {object|null} facts see factsOf */
export const withoutTrials = (facts) =>
  changed(facts, ({ trials, ...mark }) => (mark.cell ? mark : { ...mark, trials }));

/** As they were before withoutTrials. @param {object|null} facts @param {Map<string, object>} cells by id */
export const withTrials = (facts, cells) =>
  changed(facts, (mark, metric) => (mark.cell ? { ...mark, trials: dots(cells.get(mark.cell), metric) } : mark));
