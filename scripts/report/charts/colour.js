/** Colours as '#rrggbb'. */
const channels = (colour) => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));

/** Between two colours. @param {number} share 0: the first */
export function mixed([from, to], share) {
  const mean = (one, i) => Math.round(one + share * (channels(to)[i] - one));
  const digits = channels(from).map((one, i) => mean(one, i).toString(16).padStart(2, '0'));
  return `#${digits.join('')}`;
}

/** Relative luminance (WCAG 2). */
function luminance(colour) {
  const linear = (value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
  const [red, green, blue] = channels(colour).map((value) => linear(value / 255));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Contrast of two colours, from 1 to 21 (WCAG 2): text needs 4.5. */
export function contrast(one, other) {
  const [darker, lighter] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** Black or white, whichever is easier to read on a ground: at least 4.5. */
export const readable = (ground) => (contrast('#000000', ground) > contrast('#ffffff', ground) ? '#000000' : '#ffffff');
