/** The picture of an answer: its title in words, and what facts.js found. Runs in the page, too. */
import { wrapped } from '../../analyse/words.js';
import { answerChart } from '../charts/answer.js';
import { PAPER } from '../charts/style.js';
import { palette } from '../palette.js';

const [TITLE_WIDTH, SUBTITLE_WIDTH] = [80, 122]; // characters

/** @param {object} answer see answersOf, with facts; on the page with nothing else @param {object} [look] see style.js @returns {{spec: object, alt: string}} Vega-Lite specification */
export function answerPicture({ title, subtitle, reads, alt, facts, targets = [] }, look = PAPER) {
  const lines = (text, width) => wrapped(text, width).split('\n');
  const paper = () => ({
    text: lines(title, TITLE_WIDTH),
    subtitle: [...lines(subtitle, SUBTITLE_WIDTH), ...lines(reads, SUBTITLE_WIDTH)],
  });
  const colours = palette(seriesIn(facts), look.theme, targets);
  return { spec: answerChart(facts, { colours, look, ...(look.width === null ? { title: paper() } : {}) }), alt };
}

const seriesIn = ({ panels = [], lines = [] }) =>
  [...panels.flatMap(({ rows = [] }) => rows), ...lines].map(({ series }) => series).filter(Boolean);
