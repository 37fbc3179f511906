/** What a report shows of answers and findings: those with a picture of their own, and those that are tables alone. Runs in the page, too. */
import { FINDINGS } from '../findings/index.js';
import { answerPicture } from './answers/picture.js';
import { answerBlocks } from './answers/table.js';

const PICTURED = Object.entries(FINDINGS).filter(([, { picture }]) => picture);
const TABLES = Object.values(FINDINGS).filter(({ picture }) => !picture);

const ANSWER = {
  key: ({ key }) => key,
  link: ({ ask }) => ask,
  picture: (answer, _cells, look) => answerPicture(answer, look),
  blocks: answerBlocks,
};

/**
 * @param {object} results results.json, of any age, with its answers (see answersOf)
 * @returns {{key: string, link: string, picture: (look?: object) => {spec, alt}, blocks: (chart?: {file, alt}) => object[]}[]} key: its name
 *   among the charts and on the page; look: see style.js; blocks: a heading, a paragraph, and the rest
 */
export function picturesOf(results) {
  const shown = (items, { key, link, picture, blocks }) =>
    (items ?? []).map((item) => ({
      key: key(item),
      link: link(item),
      picture: (look) => picture(item, results.cells, look),
      blocks: (chart) => blocks(item, chart, results.cells),
    }));
  return [
    ...shown(
      results.answers?.filter(({ facts }) => facts !== null),
      ANSWER,
    ),
    ...PICTURED.flatMap(([name, finding]) => shown(results[name], finding)),
  ];
}

/** What the page needs of results.json to draw the findings. */
export const picturedIn = (results) => Object.fromEntries(PICTURED.map(([name]) => [name, results[name]]));

/** Findings that are tables alone. @returns {object[]} blocks; none of a run that has none of them */
export const tablesOf = (results) => TABLES.flatMap(({ blocks }) => blocks(results));
