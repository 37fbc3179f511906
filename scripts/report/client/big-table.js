/** A table of many rows: filtered, sorted, a page at a time, so that thousands open at once. What its reader chose is kept in the address. */
import { plural } from '../../analyse/words.js';
import { make } from './dom.js';
import { compareValues, sortButtons } from './sort.js';
import { choose, chosen, kept } from './state.js';

const ROWS = 50;

/**
 * @param {HTMLElement} element
 * @param {object} table name: of its choices in the address; label: what it holds, for those who cannot see it; noun: what a row is; hint: what may
 *   be typed; entries: each with its `text`, in lower case, which is searched; columns: {name, show: entry -> text, by?: what it sorts by, unless by
 *   what it shows; right?: whether aligned right; put?: entry -> element, in place of the text}; only?: {label, options: the first being any, of:
 *   entry -> option}
 * @returns {() => void} shows it again, as entries have changed
 */
export function bigTable(element, { name, label, noun, hint, entries, columns, only }) {
  const all = [...entries];
  let matching = all;
  let page = 0;
  const [count, body] = [make('p', { role: 'status' }), make('tbody')];
  const input = () => filter();
  const search = kept(make('input', { type: 'search', placeholder: hint, input }), `${name}.find`);
  const options = only?.options.map((option) => make('option', {}, option));
  const choice = only && kept(make('select', { input }, ...options), `${name}.only`);
  const [back, next] = [
    make('button', { type: 'button', class: 'quiet', click: () => turn(-1) }, 'Previous'),
    make('button', { type: 'button', class: 'quiet', click: () => turn(1) }, 'Next'),
  ];
  const heading = (column) => make('th', { scope: 'col', class: column.right ? 'number' : null }, column.name);
  const head = make('thead', {}, make('tr', {}, ...columns.map(heading)));
  const sortBy = sortButtons(head, (column, direction) => {
    const { show: text, by = text, name: of } = columns[column];
    all.sort((a, b) => compareValues(by(a) ?? null, by(b) ?? null, direction));
    choose(`${name}.sort`, `${direction === 1 ? '' : '-'}${of}`);
    filter();
  });
  const filters = [make('label', {}, 'Find ', search), ...(only ? [make('label', {}, `${only.label} `, choice)] : [])];
  const scroll = { class: 'scroll', role: 'group', tabindex: '0', 'aria-label': label };
  element.replaceChildren(
    make('div', { class: 'filters' }, ...filters),
    make('div', scroll, make('table', { class: 'big' }, head, body)),
    make('div', { class: 'pages' }, back, count, next),
  );
  const [, minus, sorted] = /^(-?)(.*)$/.exec(chosen(`${name}.sort`) ?? '');
  const column = columns.findIndex((one) => one.name === sorted);
  if (column >= 0) sortBy(column, minus ? -1 : 1);
  else filter();
  return show;

  function filter() {
    const typed = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const any = !only || choice.selectedIndex === 0;
    matching = all.filter(
      (entry) => (any || only.of(entry) === choice.value) && typed.every((word) => entry.text.includes(word)),
    );
    page = 0;
    show();
  }

  function turn(by) {
    page += by;
    show();
  }

  function show() {
    const from = page * ROWS;
    const rows = matching.slice(from, from + ROWS);
    body.replaceChildren(...rows.map((entry) => make('tr', {}, ...columns.map((column) => cell(column, entry)))));
    const total = plural(matching.length, noun);
    count.textContent = matching.length > ROWS ? `${from + 1} to ${from + rows.length} of ${total}` : total;
    back.disabled = page === 0;
    next.disabled = from + ROWS >= matching.length;
  }
}

const cell = ({ show, put, right }, entry) =>
  make('td', { class: right ? 'number' : null }, put ? put(entry) : String(show(entry)));
