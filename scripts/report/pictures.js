/** What a report shows beside its sections, each with its own picture: answers, ladders, curves and pool maps. */
import { answerPicture } from './answers/picture.js';
import { answerBlocks } from './answers/table.js';
import { curveBlocks, curveKey, curvePicture } from './curves.js';
import { ladderBlocks, ladderKey, ladderPicture } from './ladder.js';
import { poolMapBlocks, poolMapKey, poolMapPicture } from './pool-map.js';

const KINDS = [
  {
    of: ({ answers }) => answers?.filter(({ facts }) => facts !== null),
    key: ({ key }) => key,
    link: ({ ask }) => ask,
    picture: (answer, _cells, look) => answerPicture(answer, look),
    blocks: answerBlocks,
  },
  {
    of: ({ ladders }) => ladders,
    key: ladderKey,
    link: ({ question }) => `ladder, ${question}`,
    picture: (ladder, _cells, look) => ladderPicture(ladder, look),
    blocks: (ladder, chart, cells) => ladderBlocks({ ladders: [ladder], cells }, new Map([[ladderKey(ladder), chart]])),
  },
  {
    of: ({ curves }) => curves,
    key: curveKey,
    link: ({ workload, tool, pool_size }) =>
      `curves, ${workload}, ${tool}, ${pool_size === null ? 'own connections' : `pool ${pool_size}`}`,
    picture: curvePicture,
    blocks: curveBlocks,
  },
  {
    of: ({ pool_maps }) => pool_maps,
    key: poolMapKey,
    link: ({ workload, target }) => `pool size, ${workload}, ${target}`,
    picture: (map, _cells, look) => poolMapPicture(map, look),
    blocks: poolMapBlocks,
  },
];

/**
 * @param {object} results results.json, of any age, with its answers (see answersOf)
 * @returns {{key: string, link: string, picture: (look?: object) => {spec, alt}, blocks: (chart?: {file, alt}) => object[]}[]} key: its name
 *   among the charts and on the page; look: see style.js; blocks: a heading, a paragraph, and the rest
 */
export function picturesOf(results) {
  return KINDS.flatMap(({ of, key, link, picture, blocks }) =>
    (of(results) ?? []).map((item) => ({
      key: key(item),
      link: link(item),
      picture: (look) => picture(item, results.cells, look),
      blocks: (chart) => blocks(item, chart, results.cells),
    })),
  );
}
