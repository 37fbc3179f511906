/** Entry of the script of compare.sh's page. */
import { sortable } from './sort.js';
import { watchTheme } from './theme.js';

for (const table of document.querySelectorAll('table.sortable')) sortable(table);
watchTheme(() => {});
document.documentElement.dataset.ready = 'yes';
