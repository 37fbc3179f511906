/** Blocks as Markdown. */

/** A Markdown table. @param {string[]} header a leading '>' aligns the column to the right @param {(string|number)[][]} rows */
export function table(header, rows) {
  const cleaned = (cell) => String(cell).replaceAll('|', '\\|').replaceAll('\n', ' ');
  const line = (cells) => `| ${cells.map(cleaned).join(' | ')} |`;
  const rule = header.map((name) => (name.startsWith('>') ? '--:' : ':--'));
  return [line(header.map((name) => name.replace(/^>/, ''))), line(rule), ...rows.map(line)].join('\n');
}

/** No tag but the two that tables of the README have; what stands in backticks is no tag. */
const plain = (text) => text.replace(/`[^`]*`|<(?!\/?(?:br|sub)>)/g, (match) => (match === '<' ? '\\<' : match));

const RENDER = {
  heading: ({ level, text }) => `${'#'.repeat(level)} ${plain(text)}`,
  paragraph: ({ text }) => plain(text),
  list: ({ items }) => items.map((item) => `- ${plain(item)}`).join('\n'),
  table: ({ header, rows }) => plain(table(header, rows)),
  code: ({ language, text }) => `\`\`\`${language}\n${text}\n\`\`\``,
  image: ({ file, alt }) => `![${plain(alt.replace(/[[\]]/g, '\\$&'))}](${file})`,
  folded: ({ title, blocks }) => `<details><summary>${plain(title)}</summary>\n\n${joined(blocks)}\n\n</details>`,
};

const joined = (blocks) =>
  blocks
    .filter(Boolean)
    .map((block) => RENDER[block.type](block))
    .join('\n\n');

/** @param {object[]} blocks see blocks.js @returns {string} ending in a line break */
export const toMarkdown = (blocks) => `${joined(blocks)}\n`;
