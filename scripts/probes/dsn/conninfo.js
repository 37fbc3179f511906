import { Fault } from '../../../apps/lib/fault.js';

// What is wrong is told without a word of the text, which may hold a password.
const wrong = (what) => new Fault(64, `--dsn: ${what}`);

/**
 * Reads a connection string of libpq, a URI or keyword=value, as libpq does -> {keyword: value}. Whether libpq has such a keyword is
 * left to libpq. Throws a Fault (64). https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING
 */
export function parse(text) {
  const uri = /^postgres(?:ql)?:\/\//.exec(text);
  return uri ? fromUri(text.slice(uri[0].length)) : fromKeywords(text);
}

/** {keyword: value} as keyword='value' ... */
export const format = (parameters) =>
  Object.entries(parameters)
    .map(([keyword, value]) => `${keyword}='${value.replace(/[\\']/g, '\\$&')}'`)
    .join(' ');

function fromUri(text) {
  const parameters = {};
  const set = (keyword, value) => {
    if (value) parameters[keyword] = decode(value);
  };
  const [, login, place] = /^(?:([^@/]*)@)?(.*)$/s.exec(text);
  if (login !== undefined) {
    const [, user, password] = /^([^:]*)(?::(.*))?$/s.exec(login);
    set('user', user);
    set('password', password);
  }
  const [, addresses, database, query] = /^([^/?]*)(?:\/([^?]*))?(?:\?(.*))?$/s.exec(place);
  const hosts = addresses.split(',').map(hostAndPort);
  set('host', hosts.map(({ host }) => host).join(','));
  if (hosts.some(({ port }) => port)) set('port', hosts.map(({ port }) => port).join(','));
  set('dbname', database);
  for (const pair of query ? query.split('&') : []) {
    const [keyword, value, ...more] = pair.split('=');
    if (value === undefined || more.length > 0) throw wrong('a parameter after "?" is not keyword=value');
    const [name, given] = [decode(keyword), decode(value)];
    if (name === 'ssl' && given === 'true') parameters.sslmode = 'require';
    else parameters[name] = given;
  }
  return parameters;
}

function hostAndPort(text) {
  const match = /^(?:\[([^\]]+)\]|([^:@[\]]*))(?::(\d*))?$/.exec(text);
  if (match === null)
    throw wrong('a host is not name, name:port or [IPv6 address]:port (in a password, @ is written %40 and / %2F)');
  return { host: match[1] ?? match[2], port: match[3] ?? '' };
}

function decode(text) {
  try {
    const decoded = decodeURIComponent(text);
    if (!decoded.includes('\0')) return decoded;
  } catch {}
  throw wrong('a % is not followed by the two hexadecimal digits of a byte of UTF-8 (a % itself is %25)');
}

function fromKeywords(text) {
  const parameters = {};
  const one = /\s*([^\s=]+)\s*=\s*(?:'((?:[^'\\]|\\.)*)'|((?:[^\s'\\]|\\.?)(?:[^\s\\]|\\.?)*|))(?=\s|$)/sy;
  while (text.slice(one.lastIndex).trim() !== '') {
    const match = one.exec(text);
    if (match === null)
      throw wrong(`neither postgresql://... nor keyword=value ... (a value with spaces: keyword='a value')`);
    parameters[match[1]] = (match[2] ?? match[3]).replace(/\\(.?)/gs, '$1');
  }
  return parameters;
}
