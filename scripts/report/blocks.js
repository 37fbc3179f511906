/**
 * A document as a list of blocks, so that the same report becomes Markdown (to-markdown.js) and HTML (to-html.js). Inline text knows
 * `code`, **bold** and [text](file), a file beside the document; nothing else is markup. Empty blocks (null, false) are skipped by both.
 */

/** @param {number} level 1 to 6 @param {string} [id] anchor in HTML */
export const heading = (level, text, id = null) => ({ type: 'heading', level, text, id });

/** @param {string|null|false} text nothing gives no block */
export const paragraph = (text) => (text ? { type: 'paragraph', text } : null);

export const list = (items) => (items.length > 0 ? { type: 'list', items } : null);

/**
 * A table; none without rows.
 * @param {string} label what it holds, for those who cannot see it
 * @param {string[]} header a leading '>' aligns the column to the right
 * @param {(string|number)[][]} rows @param {string[]} [ids] anchors of the rows in HTML
 */
export const table = (label, header, rows, ids = []) =>
  rows.length > 0 ? { type: 'table', label, header, rows, ids } : null;

export const code = (language, text) => ({ type: 'code', language, text });

/** Long content, folded under a line that opens it. */
export const folded = (title, ...blocks) =>
  blocks.some(Boolean) ? { type: 'folded', title, blocks: blocks.filter(Boolean) } : null;

/** @param {{file: string, alt: string}|undefined} chart */
export const image = (chart) => (chart ? { type: 'image', ...chart } : null);
