import { answered as answeredApart } from '../../../scripts/analyse/questions.js';
import { cellOf } from './claims.js';

export const NOTHING = { comparisons: [], again: null, index_pairs: null, survival: null, scale: 1 };

/** Answers with what stands beside them. */
export const answered = (...known) =>
  answeredApart(...known).map((answer) => ({
    ...answer,
    text: [answer.text, answer.context].filter(Boolean).join(' '),
  }));

/** Answers to questions about cells: {id: rps of each block}. */
export const ask = (questions, cells, more = {}) =>
  answered(questions, {
    ...NOTHING,
    cells: Object.entries(cells).map(([id, rps]) => cellOf(id, more.what?.[id] ?? {}, rps)),
    ...more,
  });

export const TWICE = { pooled: [200, 210, 190, 205, 195, 200], raw: [100, 103, 98, 101, 99, 100] };
