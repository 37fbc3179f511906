/** Of a run on a cluster: where its roles were, and what of the processors they used. */
import { cellsAsked } from '../analyse/comparisons.js';
import { levelPhrase } from '../analyse/phrases.js';
import { nodesOfRole } from '../analyse/placement.js';
import { plural, seriesName } from '../analyse/words.js';

/** Of so many rows it is said what used the processors. */
const MOST_ROWS = 6;

/** @param {object} results results.json @returns {[what: string, text: string][]} none where roles are no pods */
export function nodeRows(results) {
  if (!(results.placed?.length > 0)) return [];
  const used = usedText(results);
  return [['nodes', nodesText(results.placed)], ...(used ? [['cores used, medians over trials', used]] : [])];
}

/** 'generator on load-1 and load-2; postgres on db-1; target on app-1 (6 trials), db-1 (2 trials)' */
function nodesText(placed) {
  const roles = [...new Set(placed.flatMap(({ nodes }) => Object.keys(nodes)))];
  return roles
    .map((role) => {
      const nodes = nodesOfRole(role, placed);
      const texts = nodes.map(({ names, trials }) =>
        nodes.length > 1 ? `${names} (${plural(trials, 'trial')})` : names,
      );
      return `${role === 'null' ? 'the responder that does nothing' : role} on ${texts.join(', ')}`;
    })
    .join('; ');
}

/** 'pooled with 10 users: generator 0.76, postgres 0.20, target 0.59; raw ...', of what questions compare; null where that is long, or names do not tell rows apart. */
function usedText({ cells, questions = [] }) {
  const asked = new Set(cellsAsked(questions));
  const rows = cells.filter(({ id, resources }) => asked.has(id) && resources?.roles);
  const texts = rows.map((cell) => {
    const used = Object.entries(cell.resources.roles).filter(([, use]) => typeof use?.cpu_cores === 'number');
    const of = used.map(([role, { cpu_cores: cores }]) => `${role} ${cores.toFixed(2)}`);
    return [`${seriesName(cell)} ${levelPhrase(cell)}`, of.join(', ')];
  });
  const isShort =
    rows.length > 0 && rows.length <= MOST_ROWS && new Set(texts.map(([name]) => name)).size === rows.length;
  return isShort ? texts.map((row) => row.join(': ')).join('; ') : null;
}
