/**
 * What nobody should read of what a script of somebody's own takes from the environment: in addresses that k6 writes into its log, and in answers.
 * Usage: node scripts/probes/own/hidden.js SCRIPT FILE...   puts stars for it in each file, as many as it has characters
 *        node scripts/probes/own/hidden.js --names SCRIPT   prints the names of the variables that the script takes from it, and are set, as JSON
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { decoded, SECRET } from '../../workload/secrets.js';

/** Shorter values would be found where they are not meant. */
const SHORTEST = 4;

/** What a script and the files that it imports say. @param {string} file @param {Set<string>} [read] files that were read @returns {string} */
export function sourceOf(file, read = new Set()) {
  if (read.has(file)) return '';
  read.add(file);
  const text = readFileSync(file, 'utf8');
  const imported = [...text.matchAll(/(?:from|import|require\()\s*['"](\.{0,2}\/[^'"]+)['"]/g)].map(([, path]) =>
    resolve(dirname(file), path),
  );
  return [text, ...imported.filter((path) => existsSync(path)).map((path) => sourceOf(path, read))].join('\n');
}

/** The variables that a script may take from the environment: those that it names, in whatever way it gets at them. @param {string} source see sourceOf @returns {Set<string>} */
const namesIn = (source) => new Set(source.includes('__ENV') ? source.match(/\b[A-Za-z_]\w*/g) : []);

/** Whether a variable's name says that nobody should read it: TOKEN, and TOKEN_2, of which there are several. */
const isSecret = (name) => SECRET.test(name.replace(/_\d+$/, ''));

/**
 * Others than the script's own are left alone: a desktop has XDG_SESSION_CLASS=user, and answers say "user".
 * @param {string} source see sourceOf @param {Record<string, string>} env
 * @returns {(text: string) => string} puts stars for the values of the variables that the script takes and whose names say that they are secret
 */
export function hiding(source, env) {
  const values = [...namesIn(source)].filter((name) => isSecret(name) && env[name]).map((name) => env[name]);
  return starring(values);
}

const inJson = (text) => JSON.stringify(text).slice(1, -1);

/** @param {string[]} values @returns {(text: string) => string} puts stars for them, as they are and as addresses, JSON and base64 write them */
export function starring(values) {
  const written = values
    .filter((value) => value.length >= SHORTEST)
    .flatMap((value) => [
      ...[value, encodeURIComponent(value), encodeURI(value), inJson(value), inJson(inJson(value))],
      Buffer.from(value).toString('base64'),
    ])
    .flatMap((text) => [text, Buffer.from(text).toString('latin1')]) // files and bodies are read byte by byte
    .sort((a, b) => b.length - a.length);
  return (text) => written.reduce((left, value) => left.replaceAll(value, '*'.repeat(value.length)), text);
}

/** With stars for the values of parameters whose names say that they are secret, such as tokens that a server issued. @param {string} text with addresses */
export const withoutParameters = (text) =>
  text.replaceAll(/([?&;])([^=&?;\s"']+)=([^&;\s"'\\]+)/g, (all, sign, name, value) =>
    SECRET.test(decoded(name)) ? `${sign}${name}=${'*'.repeat(value.length)}` : all,
  );

function hideIn(script, files) {
  const hide = hiding(script, process.env);
  for (const file of files) {
    const text = readFileSync(file, 'latin1');
    const hidden = withoutParameters(hide(text));
    if (hidden === text) continue;
    writeFileSync(`${file}.hidden`, hidden, 'latin1');
    renameSync(`${file}.hidden`, file);
  }
}

if (process.argv[1] === import.meta.filename) {
  const [first, ...rest] = process.argv.slice(2);
  const isAsked = first === '--names';
  const script = sourceOf(isAsked ? rest[0] : first);
  if (isAsked)
    console.log(JSON.stringify([...namesIn(script)].filter((name) => name !== 'BASE_URL' && process.env[name])));
  else hideIn(script, rest);
}
