import { byName } from '../analyse/words.js';

/**
 * Colours that stay apart for colour-blind readers: after Okabe and Ito (2008), darkened so that text in them can be read on white, and
 * lightened for the dark theme. Shapes repeat the distinction.
 */
const COLOURS = {
  light: ['#0072b2', '#c4500a', '#00805e', '#a8487f', '#2f2f2f', '#9a6b00', '#4b8fc4', '#6f4fa0'],
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

/**
 * Colour and shape of each series of a run, the same in all its charts and pages.
 * @param {string[]} names see seriesName
 * @param {'light'|'dark'} [theme]
 * @returns {Map<string, {colour: string, shape: string}>} beyond eight series colours come again, with other shapes
 */
export function palette(names, theme = 'light') {
  const colours = COLOURS[theme];
  const sorted = [...new Set(names)].sort(byName);
  return new Map(
    sorted.map((name, i) => [
      name,
      {
        colour: colours[i % colours.length],
        shape: SHAPES[(i + Math.floor(i / colours.length)) % SHAPES.length],
      },
    ]),
  );
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
