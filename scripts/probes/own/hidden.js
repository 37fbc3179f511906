/**
 * What nobody should read of what a script of somebody's own takes from the environment: in addresses that k6 writes into its log, and in answers.
 * Usage: node scripts/probes/own/hidden.js SCRIPT FILE...   puts stars for it in each file, as many as it has characters
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { SECRET } from '../../workload/secrets.js';

/** Shorter values would be found where they are not meant. */
const SHORTEST = 4;

/**
 * @param {string} script its text @param {Record<string, string>} env
 * @returns {(text: string) => string} puts stars for the values of the variables that the script names or whose names say that they are secret
 */
export function hiding(script, env) {
  const named = new Set(
    [...script.matchAll(/__ENV(?:\.(\w+)|\[['"](\w+)['"]\])/g)].map(([, one, other]) => one ?? other),
  );
  const values = Object.entries(env)
    .filter(
      ([name, value]) => name !== 'BASE_URL' && (named.has(name) || SECRET.test(name)) && value.length >= SHORTEST,
    )
    .flatMap(([, value]) => [value, encodeURIComponent(value), encodeURI(value)])
    .sort((a, b) => b.length - a.length);
  return (text) => values.reduce((left, value) => left.replaceAll(value, '*'.repeat(value.length)), text);
}

if (process.argv[1] === import.meta.filename) {
  const [script, ...files] = process.argv.slice(2);
  const hide = hiding(readFileSync(script, 'utf8'), process.env);
  for (const file of files) {
    const text = readFileSync(file, 'latin1');
    const hidden = hide(text);
    if (hidden === text) continue;
    writeFileSync(`${file}.hidden`, hidden, 'latin1');
    renameSync(`${file}.hidden`, file);
  }
}
