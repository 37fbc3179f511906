/** What stands beside the pointer while it is on a mark: one for all charts of the page. */
import { make } from './dom.js';

const APART = 12; // pixels from the pointer

let shown = null;

/** A handler of Vega's. @param {Record<string, unknown>|string|null} value text by name; nothing hides it */
export function tooltip(_handler, event, _item, value) {
  shown ??= make('div', { class: 'tooltip', 'aria-hidden': 'true' });
  if (value === null || value === undefined || value === '') return shown.remove();
  const lines = typeof value === 'object' ? Object.entries(value) : [['', value]];
  shown.replaceChildren(...lines.flatMap(([name, text]) => [make('span', {}, name), make('span', {}, String(text))]));
  const dialog = document.querySelector('dialog[open]');
  (dialog ?? document.body).append(shown); // what is outside an open dialog lies behind it
  const { width, height } = shown.getBoundingClientRect();
  const beside = (at, size, room) => (at + APART + size > room ? Math.max(0, at - APART - size) : at + APART);
  shown.style.left = `${beside(event.clientX, width, innerWidth)}px`;
  shown.style.top = `${beside(event.clientY, height, innerHeight)}px`;
}
