/**
 * Every finding, by its key of results.json, in the order of keys there and of pictures. What a folder exports, and for what, see CONTRIBUTING.md.
 * Runs in the page, too, to which report/bundle.js gives it without find.js and answer.js.
 */
import * as drawCapacity from './capacity/draw.js';
import { find as findCapacities } from './capacity/find.js';
import * as tellCapacity from './capacity/tell.js';
import * as drawCurves from './curves/draw.js';
import { find as findCurves } from './curves/find.js';
import * as tellCurves from './curves/tell.js';
import * as answerIndexPairs from './index-pairs/answer.js';
import { find as findIndexPairs } from './index-pairs/find.js';
import * as tellIndexPairs from './index-pairs/tell.js';
import * as drawLadder from './ladder/draw.js';
import { find as findLadders } from './ladder/find.js';
import * as tellLadder from './ladder/tell.js';
import { find as findObjectives } from './objectives/find.js';
import * as tellObjectives from './objectives/tell.js';
import * as drawPoolMap from './pool-map/draw.js';
import { find as findPoolMaps } from './pool-map/find.js';
import * as tellPoolMap from './pool-map/tell.js';
import * as answerSurvival from './survival/answer.js';
import { find as findSurvival } from './survival/find.js';
import * as tellSurvival from './survival/tell.js';

export const FINDINGS = {
  capacities: { find: findCapacities, ...tellCapacity, ...drawCapacity },
  ladders: { find: findLadders, ...tellLadder, ...drawLadder },
  curves: { find: findCurves, ...tellCurves, ...drawCurves },
  pool_maps: { find: findPoolMaps, ...tellPoolMap, ...drawPoolMap },
  objectives: { find: findObjectives, ...tellObjectives },
  index_pairs: { find: findIndexPairs, ...tellIndexPairs, ...answerIndexPairs },
  survival: { find: findSurvival, ...tellSurvival, ...answerSurvival },
};

/** Those that answer questions of a kind of their own. */
export const ANSWERING = Object.values(FINDINGS).filter(({ kind }) => kind);
