/** A curl command line, as browsers copy it. */
import { parseArgs } from 'node:util';
import { parse } from 'shell-quote';
import { refuseParts, Unusable, withUser } from './har.js';

/** Those of curl's options that say what is asked; those that say how it is shown are passed over. */
const OPTIONS = {
  request: { type: 'string', short: 'X' },
  header: { type: 'string', short: 'H', multiple: true },
  data: { type: 'string', short: 'd', multiple: true },
  'data-raw': { type: 'string', multiple: true },
  'data-binary': { type: 'string', multiple: true },
  'data-urlencode': { type: 'string', multiple: true },
  json: { type: 'string', multiple: true },
  cookie: { type: 'string', short: 'b', multiple: true },
  user: { type: 'string', short: 'u' },
  url: { type: 'string' },
  get: { type: 'boolean', short: 'G' },
  head: { type: 'boolean', short: 'I' },
  'user-agent': { type: 'string', short: 'A' },
  referer: { type: 'string', short: 'e' },
  output: { type: 'string', short: 'o' },
  'write-out': { type: 'string', short: 'w' },
  'max-time': { type: 'string', short: 'm' },
  ...Object.fromEntries(
    Object.entries({
      ...{
        compressed: undefined,
        insecure: 'k',
        location: 'L',
        silent: 's',
        'show-error': 'S',
        include: 'i',
        verbose: 'v',
        fail: 'f',
      },
      ...{ http1: undefined, 'http1.1': undefined, http2: undefined },
    }).map(([name, short]) => [name, { type: 'boolean', ...(short && { short }) }]),
  ),
};

/** @param {string} line @returns {object} as of requestsOfHar, of one request whose answer is not known @throws {Unusable} */
export function requestOfCurl(line) {
  // a pattern that fits no file is left as it is, as by a shell
  if (/\^"/.test(line)) throw new Unusable('is for the command prompt of Windows: copy it as for bash');
  if (/['"]/.test(line.replaceAll(QUOTED, ''))) throw new Unusable('has a quote that is not closed');
  const words = parse(plainQuotes(line.replaceAll(/\\\r?\n/g, ' ')), unset).map((word) =>
    word.op === 'glob' ? word.pattern : word,
  );
  if (words[0] === 'curl' && words.some((word) => word.op))
    throw new Unusable(
      `has a ${words.find((word) => word.op).op} that a shell takes for its own: put what it is part of in quotes`,
    );
  if (words[0] !== 'curl' || words.some((word) => typeof word !== 'string'))
    throw new Unusable('is no single curl command line, such as curl http://127.0.0.1:8080/orders');
  const { values, positionals } = parsed(words.slice(1));
  const addresses = [...positionals, ...(values.url ? [values.url] : [])].map((text) =>
    /^https?:/.test(text) ? text : `http://${text}`,
  );
  if (addresses.length !== 1 || !URL.canParse(addresses[0])) throw new Unusable('must ask one address');
  if (/\[\d+-\d+\]|\[[a-z]-[a-z]\]|\{[^}]*,/i.test(addresses[0]))
    throw new Unusable('asks several addresses, of which curl makes [1-5] or {a,b}: name one');
  const url = new URL(addresses[0]);
  const body = bodyOf(values);
  if (values.get && body !== null) url.search += `${url.search ? '&' : '?'}${body}`;
  const sent = values.get ? null : body;
  const headers = withUser(url, headersOf(values));
  const typed = headers.find(({ name }) => /^content-type$/i.test(name))?.value;
  refuseParts(typed, url);
  return {
    origin: url.origin,
    left_out: 0,
    ...(values.insecure && { insecure: true }),
    requests: [
      {
        method: (values.request ?? (values.head ? 'HEAD' : sent === null ? 'GET' : 'POST')).toUpperCase(),
        path: url.pathname + url.search,
        headers,
        body: sent,
        type: typed ?? (values.json ? 'application/json' : sent === null ? null : 'application/x-www-form-urlencoded'),
        ...{ status: null, answer: null },
      },
    ],
  };
}

const ESCAPES = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', v: '\v', a: '\x07', e: '\x1B', E: '\x1B' };

const QUOTED = /'[^']*'|"(?:[^"\\]|\\.)*"|\$'((?:[^'\\]|\\.)*)'|\\./gs;

/** Bash's $'...', in which browsers copy what has quotes or an exclamation mark, as '...'. @param {string} line */
const plainQuotes = (line) =>
  line.replaceAll(QUOTED, (all, quoted) =>
    quoted === undefined ? all : `'${unescaped(quoted).replaceAll("'", "'\\''")}'`,
  );

const unescaped = (text) =>
  text.replaceAll(
    /((?:\\(?:x[0-9a-fA-F]{1,2}|[0-7]{1,3}))+)|\\(?:u([0-9a-fA-F]{1,4})|U(0{0,2}(?:10|0?[0-9a-fA-F])?[0-9a-fA-F]{1,4})|(.))/gs,
    (_all, bytes, short, long, letter) => {
      if (letter !== undefined) return ESCAPES[letter] ?? letter;
      if (bytes === undefined) return String.fromCodePoint(Number.parseInt(short ?? long, 16));
      return ofBytes(
        bytes
          .split('\\')
          .slice(1)
          .map((byte) => (byte[0] === 'x' ? Number.parseInt(byte.slice(1), 16) : Number.parseInt(byte, 8))),
      );
    },
  );

/** Bytes that stand side by side are the characters that they make in UTF-8, as printf %q writes them; where they make none, each is one, as some browsers write them. @param {number[]} bytes */
function ofBytes(bytes) {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(bytes));
  } catch {
    return String.fromCodePoint(...bytes);
  }
}

/** A variable of the shell, which nobody has set here; a $ by itself is one. */
function unset(name) {
  if (name === '') return '$';
  throw new Unusable(`has the shell's variable $${name}: put its value there, or $ in single quotes`);
}

/** What an option's value is put behind, or null where it takes none. @param {string|undefined} word */
function glueOf(word) {
  const [, name, short] = /^(?:--(.+)|-(.))$/.exec(word) ?? [];
  const option = OPTIONS[name] ?? Object.values(OPTIONS).find((one) => short !== undefined && one.short === short);
  if (option?.type !== 'string') return null;
  return name ? '=' : '';
}

/** With values that begin with a - behind their options: a form with parts begins so. @param {string[]} words @returns {string[]} */
function withValues(words) {
  const args = [];
  for (let i = 0; i < words.length; i += 1) {
    const [word, value] = words.slice(i, i + 2);
    const glue = glueOf(word);
    if (glue === null || value === undefined) {
      args.push(word);
    } else {
      args.push(...(value.startsWith('-') ? [word + glue + value] : [word, value]));
      i += 1;
    }
  }
  return args;
}

function parsed(words) {
  const args = withValues(words);
  try {
    return parseArgs({ args, options: OPTIONS, allowPositionals: true });
  } catch (error) {
    if (args.some((word) => /^(-F|--form)/.test(word)))
      throw new Unusable('sends a form with parts (-F): write that request by hand, with FormData or http.file of k6');
    throw new Unusable(error.message.split('. ')[0].replace(/^Unknown/, 'has an unknown'));
  }
}

function bodyOf(values) {
  const parts = ['data', 'data-raw', 'data-binary', 'json'].flatMap((name) => values[name] ?? []);
  const encoded = (values['data-urlencode'] ?? []).map((part) =>
    part.replace(/^([^=]*=)?(.*)$/s, (_all, name = '', value) => name + encodeURIComponent(value.toWellFormed())),
  );
  const named = (values['data-urlencode'] ?? []).some((part) => /^[^=@]*@/.test(part));
  if (named || [...parts, ...encoded].some((part) => part.startsWith('@')))
    throw new Unusable('reads its data from a file (@): put them into the line');
  return parts.length + encoded.length === 0 ? null : [...parts, ...encoded].join(values.json ? '' : '&');
}

function headersOf({ header = [], cookie = [], user, compressed, referer, 'user-agent': agent }) {
  const headers = header.flatMap((text) => {
    if (text.startsWith('@')) throw new Unusable('reads headers from a file (@): put them into the line');
    const [, name, value] = /^([^:;]+)[:;]\s*(.*)$/.exec(text) ?? [];
    return name ? [{ name, value }] : [];
  });
  const has = (lowerCase) => headers.some(({ name }) => name.toLowerCase() === lowerCase);
  if (compressed && !has('accept-encoding')) headers.push({ name: 'accept-encoding', value: 'gzip, deflate, br' });
  if (agent) headers.push({ name: 'user-agent', value: agent });
  if (referer) headers.push({ name: 'referer', value: referer });
  if (cookie.some((text) => !text.includes('=')))
    throw new Unusable('reads cookies from a file (-b): put them into the line');
  for (const value of cookie) headers.push({ name: 'cookie', value });
  if (user) headers.push({ name: 'authorization', value: `Basic ${Buffer.from(user).toString('base64')}` });
  return headers;
}
