/** post.html: the post with its pictures inside, to be copied from a browser into what takes no Markdown. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { escaped, toHtml } from './to-html.js';

const STYLE = `body { margin: 2rem auto; padding: 0 1rem; max-width: 850px; font: 16px/1.5 system-ui, sans-serif; color: #222; background: #fff }
img { max-width: 100%; height: auto }
.scroll { overflow-x: auto }
table { border-collapse: collapse }
th, td { padding: 0.3em 0.8em; border-bottom: 1px solid #b5b5b5; text-align: left }
.number { text-align: right }`;

/** @param {object[]} blocks see post @param {string} folder that of the post, with the pictures as PNG @returns {string} HTML */
export function postPage(blocks, folder) {
  const [{ text: title }] = blocks;
  const inside = blocks.map((block) => (block?.type === 'image' ? { ...block, ...embedded(folder, block) } : block));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<title>${escaped(title)}</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<main>
${toHtml(inside)}
</main>
</body>
</html>
`;
}

const PNG_WIDTH_AT = 16; // bytes

/** The picture as PNG, which editors take from the clipboard and SVG they do not; half its pixels wide, as it is drawn at twice the size. */
function embedded(folder, { file }) {
  const png = readFileSync(join(folder, file.replace(/\.svg$/, '.png')));
  return { file: `data:image/png;base64,${png.toString('base64')}`, width: png.readUInt32BE(PNG_WIDTH_AT) / 2 };
}
