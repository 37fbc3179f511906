/**
 * What nobody should read of what a script of somebody's own takes from the environment, or was given by its server: k6 writes addresses into its log.
 * Usage: node scripts/probes/own/hidden.js SCRIPT FILE...   puts stars for it in each file, as many as it has characters
 *        node scripts/probes/own/hidden.js --names SCRIPT   prints the names of the variables that the script takes from it, and are set, as JSON
 */
import { accessSync, closeSync, constants, openSync, readFileSync, readSync, statSync, writeSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { decoded, isSecret as isSecretName } from '../../workload/secrets.js';

/** Shorter values would be found where they are not meant; so would those that no name calls secret, unless they are this long. */
const SHORTEST = 4;
const LONG = 8;

function isFile(path) {
  try {
    accessSync(path, constants.R_OK);
    return statSync(path).isFile();
  } catch {
    return false; // what only looks like a path may be none
  }
}

/** What a script and the files that it names, as to import them, say. @param {string} file @param {Set<string>} [read] files that were read @returns {string} */
export function sourceOf(file, read = new Set()) {
  if (read.has(file)) return '';
  read.add(file);
  const text = readFileSync(file, 'utf8');
  const named = [
    /(?:from|import|require\()\s*['"](\.{0,2}\/[^'"\n]+)['"]/g,
    /['"`](?:file:\/\/)?([^'"`\n]+\.[cm]?[jt]s)['"`]/g,
  ]
    .flatMap((pattern) => [...text.matchAll(pattern)])
    .map(([, path]) => resolve(dirname(file), path));
  return [text, ...named.filter(isFile).map((path) => sourceOf(path, read))].join('\n');
}

/** The variables that a script may take from the environment: those that it names, in whatever way it gets at them. @param {string} source see sourceOf @returns {Set<string>} */
const namesIn = (source) => new Set(source.includes('__ENV') ? source.match(/\b[A-Za-z_]\w*/g) : []);

/** Those of them that are set. @param {Record<string, string>} env */
const setIn = (source, env) => [...namesIn(source)].filter((name) => Object.hasOwn(env, name) && env[name]);

/** An address tells where a run's server is, and has its secrets in parameters. */
const isAddress = (value) => /^https?:\/\//.test(value);

/** Whether a variable's name says that nobody should read it: TOKEN, and TOKEN_2, of which there are several. */
const isSecret = (name) => isSecretName(name.replace(/_\d+$/, ''));

/** A value, and what it is made of where that is long: the token behind its scheme, each cookie and its value, whatever signs these have in them, and what is between signs. */
function partsOf(value) {
  const whole = [value.replace(/^\S+\s+/, ''), ...value.split(/\s*;\s*/)];
  const parts = [
    ...whole.flatMap((text) => [text, text.slice(text.indexOf('=') + 1)]),
    ...value.split(/[\s;,]+|(?<=[^=])=(?=[^=])/),
  ];
  return [...new Set([value, ...parts.filter((part) => part.length >= LONG)])];
}

/**
 * Others than the script's own are left alone: a desktop has XDG_SESSION_CLASS=user, and answers say "user".
 * @param {string} source see sourceOf @param {Record<string, string>} env
 * @returns {(text: string) => string} puts stars for the values of the variables that the script takes, where they are long or their names say that they are
 *   secret; for values of parameters whose names say so; and for parts of addresses that are long and not in the script: a server may have issued them
 */
export function hiding(source, env) {
  const isLong = (name) => env[name].length >= LONG && !isAddress(env[name]);
  const names = setIn(source, env).filter((name) => isSecret(name) || isLong(name));
  const withoutValues = starring(names.flatMap((name) => partsOf(env[name])));
  return (text) => withoutIssued(withoutValues(text), source);
}

const inJson = (text) => JSON.stringify(text).slice(1, -1);
const stars = (text) => '*'.repeat(text.length);

const inBytes = (text) => Buffer.from(text).toString('latin1'); // files are read byte by byte
const literal = (text) => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/** A pattern of one character, as it is and as addresses, forms and JSON write it: which of them escape it differs from writer to writer. */
function patternOf(character) {
  const hex = [...Buffer.from(character)].map((byte) => byte.toString(16).padStart(2, '0'));
  const escaped = hex.map((digits) => `%${digits}`).join('');
  const unicode = character
    .split('') // into UTF-16 units, as JSON escapes them; a log escapes the backslash again
    .map((unit) => unit.charCodeAt(0).toString(16).padStart(4, '0'))
    .map((digits) => `\\\\+u${digits.replaceAll(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)}`)
    .join('');
  const forms = [
    character,
    ...[character, inBytes(character)].flatMap((text) => [inJson(inJson(text)), inJson(text), text]),
  ];
  const all = [...forms, escaped, escaped.toUpperCase(), ...(character === ' ' ? ['+'] : [])];
  return `(?:${[...new Set(all)].map(literal).join('|')}|${unicode})`;
}

/** A regular expression has room for so many characters in several forms. */
const PATTERN_LENGTH = 2000;

/** Patterns of a value; of a very long one as each writer writes all of it. */
function patternsOf(value) {
  if (value.length <= PATTERN_LENGTH) return [[...value].map(patternOf).join('')];
  return [inJson(inJson(value)), inJson(value), encodeURIComponent(value), encodeURI(value), value]
    .flatMap((text) => [text, inBytes(text)])
    .map(literal);
}

/** @param {string[]} values @returns {(text: string) => string} puts stars for them, as they are and as addresses, forms, JSON and base64 write them */
function starring(values) {
  const patterns = values
    .filter((value) => value.length >= SHORTEST)
    .sort((a, b) => b.length - a.length)
    .flatMap((value) => [...patternsOf(value), literal(Buffer.from(value).toString('base64'))])
    .map((pattern) => new RegExp(pattern, 'g'));
  return (text) => patterns.reduce((left, pattern) => left.replaceAll(pattern, stars), text);
}

/** Nobody types so much, and a token is not shorter. */
const ISSUED_LENGTH = 16;

/** Parameters, whose values may hold an address with parameters of its own: first all of a value, then what comes before a ?. */
const PARAMETERS = [/([?&;#])([^=&?;#\s"]+)=([^&;#\s"\\]+)/g, /([?&;#])([^=&?;#\s"]+)=([^&;#?\s"\\]+)/g];

/** Of an address steps of its path, values, and what is between all signs: a token may have some of these in it. */
const PARTS = [/(?<=^[^?#]*\/)[^/?#]+/g, /(?<==)[^&;#]+/g, /(?<=[/?&;=#])[^/?&;=#]+/g];

/** Of a header: a script may have made them of a user and a password. */
const CREDENTIALS = /(?<=\b(?:Basic|Bearer)(?: |%20)+)(?!authentication\b|HTTP\/)[\w+/=.~|-]{8,}/gi;

function withoutIssued(text, source) {
  const isIssued = (part) => part.length >= ISSUED_LENGTH && !source.includes(part.replace(/[').,]+$/, ''));
  const withoutParts = (address) =>
    PARTS.reduce((left, parts) => left.replaceAll(parts, (part) => (isIssued(part) ? stars(part) : part)), address);
  return PARAMETERS.reduce(
    (left, parameter) =>
      left.replaceAll(parameter, (all, sign, name, value) =>
        isSecretName(decoded(name)) ? `${sign}${name}=${stars(value)}` : all,
      ),
    text,
  )
    .replaceAll(/(?<=[a-z]:\/\/)(?<!file:\/\/)[^\s"\\]+(?<![,.)'])/gi, withoutParts)
    .replaceAll(CREDENTIALS, (part) => (/[A-Z\d=]/.test(part) && !source.includes(part) ? stars(part) : part));
}

const CHUNK_BYTES = 2 ** 20;

/** Line by line, as a log may be longer than memory, and in place, as a disk may be full: it is as long with stars. @param {(text: string) => string} hide see hiding */
function hideIn(file, hide) {
  const log = openSync(file, 'r+');
  const chunk = Buffer.alloc(CHUNK_BYTES);
  for (let [at, rest, read] = [0, '', 1]; read > 0; ) {
    read = readSync(log, chunk, 0, CHUNK_BYTES, at + rest.length);
    const text = rest + chunk.toString('latin1', 0, read);
    const lines = read > 0 ? text.slice(0, text.lastIndexOf('\n') + 1) : text;
    const hidden = hide(lines);
    if (hidden !== lines) writeSync(log, Buffer.from(hidden, 'latin1'), 0, hidden.length, at);
    at += lines.length;
    rest = text.slice(lines.length);
  }
  closeSync(log);
}

if (process.argv[1] === import.meta.filename) {
  const [first, ...rest] = process.argv.slice(2);
  const isAsked = first === '--names';
  const script = sourceOf(isAsked ? rest[0] : first);
  if (isAsked) console.log(JSON.stringify(setIn(script, process.env).filter((name) => name !== 'BASE_URL')));
  else for (const file of rest) hideIn(file, hiding(script, process.env));
}
