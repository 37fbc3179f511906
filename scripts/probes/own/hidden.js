/**
 * What nobody should read of what a script of somebody's own takes from the environment: in addresses that k6 writes into its log, and in answers.
 * Usage: node scripts/probes/own/hidden.js SCRIPT FILE...   puts stars for it in each file, as many as it has characters
 *        node scripts/probes/own/hidden.js --names SCRIPT   prints the names of the variables that the script takes from it, and are set, as JSON
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { decoded, SECRET } from '../../workload/secrets.js';

/** Shorter values would be found where they are not meant; so would those that no name calls secret, unless they are this long. */
const SHORTEST = 4;
const LONG = 8;

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

/** Of these, those that it certainly takes. @param {string} source see sourceOf @returns {Set<string>} */
const takenIn = (source) =>
  new Set([...source.matchAll(/__ENV(?:\.|\[\s*['"`])([A-Za-z_]\w*)/g)].map(([, name]) => name));

/** An address tells where a run's server is, and has its secrets in parameters. */
const isAddress = (value) => /^https?:\/\//.test(value);

/** Whether a variable's name says that nobody should read it: TOKEN, and TOKEN_2, of which there are several. */
const isSecret = (name) => SECRET.test(name.replace(/_\d+$/, ''));

/**
 * Others than the script's own are left alone: a desktop has XDG_SESSION_CLASS=user, and answers say "user".
 * @param {string} source see sourceOf @param {Record<string, string>} env
 * @returns {(text: string) => string} puts stars for the values of the variables that the script takes, where they are long or their names say that they are
 *   secret
 */
export function hiding(source, env) {
  const taken = takenIn(source);
  const isLong = (name) => taken.has(name) && env[name].length >= LONG && !isAddress(env[name]);
  const names = [...namesIn(source)].filter((name) => env[name] && (isSecret(name) || isLong(name)));
  return starring(names.map((name) => env[name]));
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

/** A step of a path that nobody has chosen, such as a token or a key: so long, and with so many digits among its letters. */
const STEP = /(?<=\/)(?=[\d.~%_-]*[a-z])(?:[\w.~%-]*\d){4}[\w.~%-]*/gi;
const STEP_LENGTH = 20;
const withoutSteps = (path) =>
  path.replaceAll(STEP, (step) => (step.length >= STEP_LENGTH ? '*'.repeat(step.length) : step));

/**
 * With stars for the values of parameters whose names say that they are secret, and for steps of paths that nobody has chosen: a server may have issued them.
 * @param {string} text with addresses, or a path
 */
export function withoutTokens(text) {
  const shown = text.replaceAll(/([?&;])([^=&?;\s"']+)=([^&;\s"'\\]+)/g, (all, sign, name, value) =>
    SECRET.test(decoded(name)) ? `${sign}${name}=${'*'.repeat(value.length)}` : all,
  );
  return shown.startsWith('/') ? withoutSteps(shown) : shown.replaceAll(/(?<=https?:\/\/)[^\s"'\\]+/g, withoutSteps);
}

function hideIn(script, files) {
  const hide = hiding(script, process.env);
  for (const file of files) {
    const text = readFileSync(file, 'latin1');
    const hidden = withoutTokens(hide(text));
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
