/** Blocks as Markdown. */
import { table } from './format.js';

const RENDER = {
  heading: ({ level, text }) => `${'#'.repeat(level)} ${text}`,
  paragraph: ({ text }) => text,
  list: ({ items }) => items.map((item) => `- ${item}`).join('\n'),
  table: ({ header, rows }) => table(header, rows),
  code: ({ language, text }) => `\`\`\`${language}\n${text}\n\`\`\``,
  image: ({ file, alt }) => `![${alt.replace(/[[\]]/g, '\\$&')}](${file})`,
  folded: ({ title, blocks }) => `<details><summary>${title}</summary>\n\n${joined(blocks)}\n\n</details>`,
};

const joined = (blocks) =>
  blocks
    .filter(Boolean)
    .map((block) => RENDER[block.type](block))
    .join('\n\n');

/** @param {object[]} blocks see blocks.js @returns {string} ending in a line break */
export const toMarkdown = (blocks) => `${joined(blocks)}\n`;
