/** Commands to copy. */
import { make } from './dom.js';

/** A word quoted for a shell. */
const quoted = (word) => (/^[\w@%+=:,./{}-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

/** How to put the same load on a cell's target. @param {object} cell of results.json @param {string[][]} [argvs] as the driver ran it @returns {Node[]} */
export function commands({ by_hand }, argvs) {
  const shown = [];
  if (by_hand) shown.push(make('h3', {}, 'By hand, with the target running'), command(by_hand));
  if (argvs) {
    const lines = argvs.map((argv) => argv.map(quoted).join(' '));
    shown.push(make('h3', {}, 'As the driver ran it'), ...lines.map(command));
  }
  return shown;
}

function command(text) {
  const copy = make('button', { type: 'button', class: 'quiet' }, 'Copy');
  copy.addEventListener('click', async () => {
    await navigator.clipboard.writeText(text);
    copy.textContent = 'Copied';
  });
  return make('div', { class: 'command' }, make('pre', { tabindex: '0' }, make('code', {}, text)), copy);
}
