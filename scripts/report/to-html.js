/** Blocks as HTML. */

const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Text, safe between tags and in quoted attributes. */
export const escaped = (text) => String(text ?? '').replace(/[&<>"']/g, (character) => ENTITIES[character]);

/** Inline text: escaped, then `code`, **bold** and links to files beside the page; a figure and its per cent sign stay on one line. */
export const inline = (text) =>
  escaped(text)
    .replace(/(\d) %/g, '$1\u00a0%')
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
    .replace(/\[([^\]]+)\]\(([\w./-]+\.(?:md|csv)(?:#[\w-]+)?)\)/g, '<a href="$2">$1</a>');

const RENDER = {
  heading: ({ level, text, id }) => `<h${level}${id ? ` id="${escaped(id)}"` : ''}>${inline(text)}</h${level}>`,
  paragraph: ({ text }) => `<p>${inline(text)}</p>`,
  list: ({ items }) => `<ul>${items.map((item) => `<li>${inline(item)}</li>`).join('')}</ul>`,
  table: htmlTable,
  image: ({ file, alt, width }) => `<p><img src="${escaped(file)}" alt="${escaped(alt)}" width="${width}"></p>`,
  code: ({ text }) => `<pre tabindex="0"><code>${escaped(text)}</code></pre>`,
  folded: ({ title, blocks }) => `<details><summary>${inline(title)}</summary>${toHtml(blocks)}</details>`,
};

const anchor = (id) => (id ? ` id="${escaped(id)}"` : '');

/** A table that scrolls by itself where the window is narrow; the page's script makes its columns sortable. */
function htmlTable({ label, header, rows, ids = [] }) {
  const right = header.map((name) => name.startsWith('>'));
  const align = (i) => (right[i] ? ' class="number"' : '');
  const head = header.map((name, i) => `<th scope="col"${align(i)}>${escaped(name.replace(/^>/, ''))}</th>`).join('');
  const body = rows
    .map(
      (row, i) =>
        `<tr${anchor(ids[i])}>${row.map((cell, column) => `<td${align(column)}>${escaped(cell)}</td>`).join('')}</tr>`,
    )
    .join('\n');
  return `<div class="scroll" role="group" tabindex="0" aria-label="${escaped(label)}"><table class="sortable"><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`;
}

/** @param {object[]} blocks see blocks.js */
export function toHtml(blocks) {
  return blocks
    .filter(Boolean)
    .map((block) => RENDER[block.type](block))
    .join('\n');
}
