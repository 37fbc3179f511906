import { readFileSync } from 'node:fs';

/** What tells the load tools apart, by name: scripts/declared/tools.json; its schema says what each key means. */
export const TOOLS = JSON.parse(readFileSync(new URL('../declared/tools.json', import.meta.url), 'utf8'));
