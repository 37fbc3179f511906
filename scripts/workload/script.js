/** The k6 script of some requests, to be read and edited. */

import { groupBy } from '../analyse/numbers.js';
import { decoded, isSecret as isSecretName, shownPath, variableOf } from './secrets.js';

const quoted = (text) =>
  `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n').replaceAll('\r', '\\r')}'`;
const nameOf = (name) => (/^[a-z_$][\w$]*$/i.test(name) ? name : quoted(name));

/** Stands for a value that the script takes from the environment, until its text is whole; in JSON, markOfNumber for one that is a number there. */
const mark = (variable) => `\uE000${variable}\uE001`;
const markOfNumber = (marked) => marked.replace('\uE000', '\uE002').replace('\uE001', '\uE003');

/** The variables of what nobody should read, by name and value: of several values of one name each has its own. */
class Secrets {
  #values = new Map();

  /** @param {boolean} [isSecret] whether the name says so @returns {string} the value's mark, or the value itself where anybody may read it */
  hidden(name, value, isSecret = isSecretName(name)) {
    if (!isSecret || value === '') return value;
    const base = variableOf(name);
    for (let number = 1; ; number += 1) {
      const variable = number === 1 ? base : `${base}_${number}`;
      if (!this.#values.has(variable)) this.#values.set(variable, value);
      if (this.#values.get(variable) === value) return mark(variable);
    }
  }

  /** @returns {string[]} such as "AUTHORIZATION='Bearer ...'" */
  get needed() {
    return [...this.#values].map(([variable, value]) => {
      const [, scheme] = /^(Bearer|Basic|Digest|Token) /i.exec(value) ?? [];
      return `${variable}=${scheme ? `'${scheme} ...'` : '...'}`;
    });
  }

  get names() {
    return [...this.#values.keys()];
  }
}

/**
 * @param {string} name of the script @param {string} source what it was made of @param {{origin, requests, insecure?: boolean}} recorded see requestsOfHar; insecure: whatever the server's certificate says
 * @returns {{text: string, needed: string[]}} the file's text; needed: variables that it takes from the environment, as a shell sets them
 */
export function scriptOf(name, source, recorded) {
  const {
    origin,
    requests,
    insecure = false,
  } = JSON.parse(JSON.stringify(recorded).replaceAll(/[\uE000-\uE003]/g, '')); // signs of ours
  const secrets = new Secrets();
  const steps = requests.map((request, i) => stepOf(request, i, secrets)).join('\n\n');
  const hasKeys = requests.some((request) => keysIn(request).length > 0);
  const { names } = secrets;
  const text = [
    `// k6/${name}.js: what ${source.replaceAll(/\s+/g, ' ')} asked of ${origin}, as one user asks it.`,
    '// Edit it: values that should differ from user to user, and checks that say more of an answer.',
    ...(requests.length > 1 ? ['// Pauses between requests are left out.'] : []),
    ...(names.length > 0 ? [`// It takes from the environment, so that no file holds them: ${names.join(', ')}.`] : []),
    "import { check } from 'k6';",
    "import http from 'k6/http';",
    '',
    ...(names.length > 0
      ? [
          `for (const name of [${names.map(quoted).join(', ')}]) if (!__ENV[name]) throw new Error(\`\${name} is not set\`);`,
          '',
        ]
      : []),
    ...(insecure ? ['export const options = { insecureSkipTLSVerify: true };', ''] : []),
    'export default function () {',
    steps,
    '}',
    ...(hasKeys ? ['', HAS_KEYS] : []),
  ].join('\n');
  return { text, needed: secrets.needed };
}

function stepOf(request, i, secrets) {
  const { method, path, body, status } = request;
  const of = `${method} ${shownPath(path)}`;
  const keys = keysIn(request);
  const checks = [
    status === null
      ? [`${of} succeeds`, '({ status }) => status >= 200 && status < 300']
      : [`${of} is ${status}`, `({ status }) => status === ${status}`],
    ...(keys.length > 0
      ? [[`${of} has ${keys.join(', ')}`, `(it) => hasKeys(it, [${keys.map(quoted).join(', ')}])`]]
      : []),
  ];
  const args = [
    quoted(method),
    inTemplate(`\uE000BASE_URL\uE001${hiddenInPath(path, secrets)}`),
    body === null ? 'null' : bodyOf(request, secrets),
  ];
  const headers = headersOf(request, secrets);
  return [
    `  ${i === 0 ? 'let answer' : 'answer'} = http.request(${args.join(', ')}${headers.length > 0 || status >= 300 ? ', {' : ');'}`,
    ...(headers.length > 0 ? ['    headers: {', ...headers.map((line) => `      ${line},`), '    },'] : []),
    ...(status >= 300 && status < 400 ? ['    redirects: 0,'] : []),
    ...(status >= 300 ? [`    responseCallback: http.expectedStatuses(${status}),`] : []),
    ...(headers.length > 0 || status >= 300 ? ['  });'] : []),
    '  check(answer, {',
    ...checks.map(([name, test]) => `    ${quoted(name.replaceAll(/:{2,}/g, ':'))}: ${test},`), // k6 keeps :: to itself
    '  });',
  ].join('\n');
}

/** A template literal. @param {string} text with marks, which are filled in as they are */
const inTemplate = (text) =>
  `\`${text
    .replaceAll('\\', '\\\\')
    .replaceAll('`', '\\`')
    .replaceAll('${', '\\${')
    .replaceAll(/\uE000(\w+)\uE001/g, (_all, variable) => `\${__ENV.${variable}}`)}\``;

/** What goes into the script for a value. @param {string} text with marks */
function literal(text) {
  const [, only] = /^\uE000(\w+)\uE001$/.exec(text) ?? [];
  if (only) return `__ENV.${only}`;
  return text.includes('\uE000') ? inTemplate(text) : quoted(text);
}

/** Values behind a name and =, whatever is between them, with marks for those that nobody should read. */
const hiddenBehindNames = (text, secrets) =>
  text.replaceAll(
    /(?<=^|[?&;#])([^=&?;#]+)=([^&;?#\uE000][^&;?#]*)/g,
    (_all, name, value) => `${name}=${secrets.hidden(decoded(name), value)}`,
  );

/** The same of a form, or a query, where such a value ends at & alone. */
const hiddenIn = (text, secrets) =>
  hiddenBehindNames(
    text.replaceAll(
      /(?<=^|&)([^=&]+)=([^&]*)/g,
      (_all, name, value) => `${name}=${secrets.hidden(decoded(name), value)}`,
    ),
    secrets,
  );

/** The same of a path, or an address, with its query. */
function hiddenInPath(text, secrets) {
  const [path, ...query] = text.split('?');
  return [hiddenBehindNames(path, secrets), ...(query.length > 0 ? [hiddenIn(query.join('?'), secrets)] : [])].join(
    '?',
  );
}

/** Of several headers of one name one, as HTTP has them mean the same (RFC 9110, section 5.3; of cookies RFC 6265, section 5.4). */
function headersOf({ headers, type }, secrets) {
  const asked = headers.filter(({ name }) => !/^content-type$/i.test(name));
  const lines = [...groupBy(asked, ({ name }) => name.toLowerCase())].map(([name, same]) => {
    const value = same.map((header) => header.value).join(name === 'cookie' ? '; ' : ', ');
    const shown = /^(?:https?:|\/)/.test(value) ? hiddenInPath(value, secrets) : value;
    return `${nameOf(name)}: ${literal(isSecretName(name) ? secrets.hidden(name, value) : shown)}`;
  });
  return type ? [...lines, `'content-type': ${quoted(type)}`] : lines;
}

/** What is in a list is what its name says; what is in an object has a name of its own, and all of it is secret where the object is: {name, isSecret}. */
const key = (around, name) =>
  around.isSecret ? { name: `${around.name}.${name}`, isSecret: true } : { name, isSecret: isSecretName(name) };
const TOP = { name: '', isSecret: false };

/** The same of the strings and numbers in a text of one JSON value or several, with marks. */
function hiddenInJson(text, secrets) {
  const open = [{ around: TOP, value: TOP }]; // each object and list, the innermost last: what is around its keys, and what a value in it is
  return text.replaceAll(/"((?:[^"\\]|\\.)*)"(\s*:)?|[{}[\]]|-?\d[\w.+-]*/g, (token, string, colon) => {
    const inner = open.at(-1);
    const { name, isSecret } = inner.value;
    if (colon) inner.value = key(inner.around, string);
    else if (token === '{' || token === '[') open.push({ around: inner.value, value: inner.value });
    else if (token === '}' || token === ']') open.splice(Math.max(1, open.length - 1));
    else if (string === undefined) return secrets.hidden(name, token, isSecret);
    else return `"${secrets.hidden(name, string, isSecret)}"`;
    return token;
  });
}

/** What a literal of JavaScript would change: long numbers, and a key that sets the prototype. */
const NO_LITERAL = /(?<![\w"])-?\d[\d.]{15,}|\d[eE][+-]?\d{3}|"__proto__"/;

/** A value of JSON with marks. @param {{name: string, isSecret: boolean}} of the key that it is under, itself or in a list, see key */
function hiddenValue(value, of, secrets) {
  const { name, isSecret } = of;
  if (Array.isArray(value)) return value.map((one) => hiddenValue(one, of, secrets));
  if (typeof value === 'string') return secrets.hidden(name, value, isSecret);
  if (typeof value === 'number') {
    const marked = secrets.hidden(name, String(value), isSecret);
    return marked === String(value) ? value : markOfNumber(marked);
  }
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([own, one]) => [own, hiddenValue(one, key(of, own), secrets)]));
}

/** Objects and lists in a body that is one to be edited; nested in one another without end they would be more than the stack takes. */
const MOST_PARTS = 1000;

/** JSON as an object, which is easier to edit. */
function bodyOf({ body, type }, secrets) {
  const parsed = parsedJson(body.replaceAll(/\\ue00[0-3]/gi, '')); // signs of ours, as above
  const isJson = /json/i.test(type ?? '') || (typeof parsed === 'object' && parsed !== null);
  const value = isJson ? parsed : undefined;
  if (value !== undefined && !NO_LITERAL.test(body) && body.split(/[[{]/).length <= MOST_PARTS) {
    const filled = JSON.stringify(hiddenValue(value, TOP, secrets))
      .replaceAll(/"\uE000(\w+)\uE001"/g, (_all, variable) => `__ENV.${variable}`)
      .replaceAll(/"\uE002(\w+)\uE003"/g, (_all, variable) => `Number(__ENV.${variable})`);
    return `JSON.stringify(${filled})`;
  }
  return literal((isJson ? hiddenInJson : hiddenIn)(body, secrets));
}

/** @returns {unknown} undefined where it is no JSON */
function parsedJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const MOST_KEYS = 6;

/** The keys of a JSON answer, or of the first of a list of them. @returns {string[]} at most six */
function keysIn({ answer }) {
  const value = [parsedJson(answer ?? 'null')].flat()[0];
  return typeof value === 'object' && value !== null ? Object.keys(value).slice(0, MOST_KEYS) : [];
}

const HAS_KEYS = `/** Whether an answer is JSON with these keys; of a list, its first element. */
function hasKeys(answer, keys) {
  try {
    const value = [answer.json()].flat()[0];
    return keys.every((key) => key in value);
  } catch {
    return false;
  }
}`;
