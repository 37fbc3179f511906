/** The k6 script of some requests, to be read and edited. */

/** Headers that nobody should read: the script takes them from the environment. */
const SECRET = /authorization|cookie|token|secret|api-?key|session|password|signature/i;

const quoted = (text) =>
  `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n').replaceAll('\r', '\\r')}'`;
const variableOf = (header) => header.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_');
const nameOf = (name) => (/^[a-z_$][\w$]*$/i.test(name) ? name : quoted(name));

/**
 * @param {string} name of the script @param {string} source what it was made of @param {{origin, requests}} recorded see requestsOfHar
 * @returns {string} the file's text
 */
export function scriptOf(name, source, { origin, requests }) {
  const secrets = [
    ...new Set(
      requests.flatMap(({ headers }) =>
        headers.filter((header) => SECRET.test(header.name)).map((header) => variableOf(header.name)),
      ),
    ),
  ];
  const hasKeys = requests.some((request) => keysIn(request).length > 0);
  return [
    `// k6/${name}.js: what ${source} asked of ${origin}, as one user asks it.`,
    '// Edit it: values that should differ from user to user, and checks that say more of an answer.',
    ...(secrets.length > 0
      ? [`// It takes from the environment, so that no file holds them: ${secrets.join(', ')}.`]
      : []),
    "import { check } from 'k6';",
    "import http from 'k6/http';",
    '',
    'export default function () {',
    requests.map(stepOf).join('\n\n'),
    '}',
    ...(hasKeys ? ['', HAS_KEYS] : []),
  ].join('\n');
}

function stepOf(request, i) {
  const { method, path, body, status } = request;
  const of = `${method} ${path.split('?')[0]}`;
  const keys = keysIn(request);
  const checks = [
    status === null
      ? [`${of} succeeds`, '({ status }) => status >= 200 && status < 300']
      : [`${of} is ${status}`, `({ status }) => status === ${status}`],
    ...(keys.length > 0
      ? [[`${of} has ${keys.join(', ')}`, `(it) => hasKeys(it, [${keys.map(quoted).join(', ')}])`]]
      : []),
  ];
  const words = [
    quoted(method),
    `\`\${__ENV.BASE_URL}${path.replaceAll('\\', '\\\\').replaceAll('`', '\\`').replaceAll('${', '\\${')}\``,
    body === null ? 'null' : bodyOf(request),
  ];
  const headers = headersOf(request);
  return [
    `  ${i === 0 ? 'let answer' : 'answer'} = http.request(${words.join(', ')}${headers.length > 0 || status >= 300 ? ', {' : ');'}`,
    ...(headers.length > 0 ? ['    headers: {', ...headers.map((line) => `      ${line},`), '    },'] : []),
    ...(status >= 300 && status < 400 ? ['    redirects: 0,'] : []),
    ...(status >= 300 ? [`    responseCallback: http.expectedStatuses(${status}),`] : []),
    ...(headers.length > 0 || status >= 300 ? ['  });'] : []),
    '  check(answer, {',
    ...checks.map(([name, test]) => `    ${quoted(name)}: ${test},`),
    '  });',
  ].join('\n');
}

function headersOf({ headers, type }) {
  const lines = headers
    .filter(({ name }) => !/^content-type$/i.test(name))
    .map(
      ({ name, value }) =>
        `${nameOf(name.toLowerCase())}: ${SECRET.test(name) ? `__ENV.${variableOf(name)}` : quoted(value)}`,
    );
  return type ? [...lines, `'content-type': ${quoted(type)}`] : lines;
}

/** JSON as an object, which is easier to edit. */
function bodyOf({ body, type }) {
  try {
    if (/json/i.test(type ?? '')) return `JSON.stringify(${JSON.stringify(JSON.parse(body))})`;
  } catch {
    // what calls itself JSON and is not, is sent as it was
  }
  return quoted(body);
}

const MOST_KEYS = 6;

/** The keys of a JSON answer, or of the first of a list of them. @returns {string[]} at most six */
function keysIn({ answer }) {
  try {
    const value = [JSON.parse(answer ?? 'null')].flat()[0];
    return typeof value === 'object' && value !== null ? Object.keys(value).slice(0, MOST_KEYS) : [];
  } catch {
    return [];
  }
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
