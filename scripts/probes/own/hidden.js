/**
 * What nobody should read of what a script of somebody's own takes from the environment: in addresses that k6 writes into its log, and in answers.
 * Usage: node scripts/probes/own/hidden.js SCRIPT FILE...   puts stars for it in each file, as many as it has characters
 *        node scripts/probes/own/hidden.js --names SCRIPT   prints the names of the variables that the script takes from it, and are set, as JSON
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { SECRET } from '../../workload/secrets.js';

/** Shorter values would be found where they are not meant. */
const SHORTEST = 4;

/** The variables that a script takes from the environment. @param {string} script its text @returns {Set<string>} */
const namesIn = (script) =>
  new Set([...script.matchAll(/__ENV(?:\.(\w+)|\[['"](\w+)['"]\])/g)].map(([, one, other]) => one ?? other));

/**
 * @param {string} script its text @param {Record<string, string>} env
 * @returns {(text: string) => string} puts stars for the values of the variables that the script names or whose names say that they are secret
 */
export function hiding(script, env) {
  const named = namesIn(script);
  const values = Object.entries(env)
    .filter(
      ([name, value]) => name !== 'BASE_URL' && (named.has(name) || SECRET.test(name)) && value.length >= SHORTEST,
    )
    .flatMap(([, value]) => [value, encodeURIComponent(value), encodeURI(value)])
    .sort((a, b) => b.length - a.length);
  return (text) => values.reduce((left, value) => left.replaceAll(value, '*'.repeat(value.length)), text);
}

function hideIn(script, files) {
  const hide = hiding(script, process.env);
  for (const file of files) {
    const text = readFileSync(file, 'latin1');
    const hidden = hide(text);
    if (hidden === text) continue;
    writeFileSync(`${file}.hidden`, hidden, 'latin1');
    renameSync(`${file}.hidden`, file);
  }
}

if (process.argv[1] === import.meta.filename) {
  const [first, ...rest] = process.argv.slice(2);
  const isAsked = first === '--names';
  const script = readFileSync(isAsked ? rest[0] : first, 'utf8');
  if (isAsked)
    console.log(JSON.stringify([...namesIn(script)].filter((name) => name !== 'BASE_URL' && process.env[name])));
  else hideIn(script, rest);
}
