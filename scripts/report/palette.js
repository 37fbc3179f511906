import { groupBy } from '../analyse/numbers.js';
import { byName } from '../analyse/words.js';

/**
 * Colours that stay apart for colour-blind readers: after Okabe and Ito (2008), darkened so that text in them can be read on white, and
 * lightened for the dark theme. Shapes repeat the distinction.
 */
const COLOURS = {
  light: ['#0072b2', '#c4500a', '#00805e', '#a8487f', '#2f2f2f', '#9a6b00', '#00798c', '#6f4fa0'],
  dark: ['#5cb3ec', '#ff9a5a', '#35cfa0', '#ee9cc9', '#e8e8e8', '#e9bd3c', '#a9d2f5', '#bca3f2'],
};
const SHAPES = [
  'circle',
  'square',
  'triangle-up',
  'diamond',
  'triangle-down',
  'cross',
  'triangle-right',
  'triangle-left',
];

/** Dashes of lines that share a colour. */
const DASHES = [
  [1, 0],
  [7, 4],
  [2, 3],
  [10, 3, 2, 3],
];

/** The colour of each target, the same in every chart of every experiment: targets that are measured together differ. */
const TARGETS = {
  ...{ pooled: 0, raw: 1, rollup: 2, cube: 3, postgres: 4, documents: 5, external: 7 },
  ...{ native: 1, postgresjs: 2, pipelined: 3, cluster: 4, jdbc: 5, adba: 6, vertx: 7 },
};

const isKnown = (target) => Object.hasOwn(TARGETS, target);

/** The hue that the fewest others have. */
function rarest(taken) {
  const uses = COLOURS.light.map((_, hue) => taken.filter((other) => other === hue).length);
  return uses.indexOf(Math.min(...uses));
}

const targetOf = (name) => name.replace(/ \(.*\)$/, '');

/** @param {string[]} targets sorted @returns {Map<string, number>} */
function huesOf(targets) {
  const taken = targets.filter(isKnown).map((target) => TARGETS[target]);
  return new Map(
    targets.map((target) => {
      const hue = isKnown(target) ? TARGETS[target] : rarest(taken);
      if (!isKnown(target)) taken.push(hue);
      return [target, hue];
    }),
  );
}

/**
 * Colour, shape and dash of each series: the colour is that of its target; shape and dash tell apart what shares it.
 * @param {string[]} names see seriesName
 * @param {'light'|'dark'} [theme] @param {string[]} [beside] targets that other pictures of the run show, so that each has one colour in all
 * @returns {Map<string, {colour: string, shape: string, dash: number[]}>}
 */
export function palette(names, theme = 'light', beside = []) {
  const targets = groupBy([...new Set(names)].sort(byName), targetOf);
  const hues = huesOf([...new Set([...targets.keys(), ...beside])].sort(byName));
  const counts = COLOURS.light.map(() => 0);
  const series = [...targets].flatMap(([target, variants]) => {
    const hue = hues.get(target);
    return variants.map((name) => {
      const nth = counts[hue];
      counts[hue] += 1;
      const shape = SHAPES[(hue + nth) % SHAPES.length];
      return [name, { colour: COLOURS[theme][hue], shape, dash: DASHES[nth % DASHES.length] }];
    });
  });
  return new Map(series);
}

/** Soft colours for the roles of a run, with room for their names in ink. */
const ROLES = {
  light: { generator: '#ecd9a8', target: '#a9d0ee', cube: '#e5b6d2', postgres: '#a5d9c4', null: '#d5d9e0' },
  dark: { generator: '#6b5210', target: '#155a8c', cube: '#7d3160', postgres: '#0d664c', null: '#4b525e' },
};

/** @param {string[]} roles @param {'light'|'dark'} theme @returns {Map<string, string>} colour by role */
export function rolePalette(roles, theme) {
  const { null: other, ...known } = ROLES[theme];
  return new Map(roles.map((role) => [role, known[role] ?? other]));
}

/** Soft colours for what sessions wait for: those that work, the rest in the order in which they are told, and what is not told apart. */
const WAITS = {
  light: { CPU: '#a5d9c4', other: '#d5d9e0', rest: ['#f0b8a0', '#a9d0ee', '#ecd9a8', '#e5b6d2', '#cbbdf0'] },
  dark: { CPU: '#0d664c', other: '#4b525e', rest: ['#8a3d1a', '#155a8c', '#6b5210', '#7d3160', '#54438f'] },
};

/** @param {string[]} waits @param {'light'|'dark'} theme @returns {Map<string, string>} colour by what is waited for */
export function waitPalette(waits, theme) {
  const { rest, ...known } = WAITS[theme];
  const others = waits.filter((wait) => !known[wait]);
  return new Map(waits.map((wait) => [wait, known[wait] ?? rest[others.indexOf(wait) % rest.length]]));
}
