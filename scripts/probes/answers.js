// Usage: node scripts/probes/answers.js [--any-certificate | --connect] URL
// Asks once whether anything answers at http:// or https://; at tcp://, and with --connect, it is enough to connect. Any HTTP status is an answer; with
// --any-certificate also that of a server whose certificate nobody vouches for, or that wants one of its clients.
// Exit 0; or 1, with the reason in one line, when nothing has answered within two seconds.
import { get as httpGet } from 'node:http';
import { get as httpsGet } from 'node:https';
import { connect } from 'node:net';
import { parseArgs } from 'node:util';

const LIMIT_S = 2;
const REASONS = {
  ECONNREFUSED: 'the connection is refused',
  ECONNRESET: 'the connection is closed without an answer',
  ENOTFOUND: 'the name is not known',
  EAI_AGAIN: 'the name cannot be looked up',
  EHOSTUNREACH: 'the host cannot be reached',
  EPROTO: 'it speaks no TLS: http, perhaps',
  ENETUNREACH: 'the network cannot be reached',
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'any-certificate': { type: 'boolean' }, connect: { type: 'boolean' } },
});
const [text] = positionals;
const isLenient = values['any-certificate'];
const PORTS = { 'http:': 80, 'https:': 443 };

function ask(url) {
  const isHttp = url.protocol in PORTS && !values.connect;
  if (isHttp && url.protocol === 'http:') return httpGet(url, () => end(null));
  if (isHttp) return httpsGet(url, { rejectUnauthorized: !isLenient }, () => end(null));
  const address = { host: url.hostname.replace(/^\[|\]$/g, ''), port: url.port || PORTS[url.protocol] };
  return connect(address, () => end(null));
}

function end(fault) {
  if (fault) console.log(fault);
  process.exit(fault ? 1 : 0);
}

if (!URL.canParse(text)) end('that is not a URL');
setTimeout(() => end(`no answer within ${LIMIT_S} s`), LIMIT_S * 1000);
ask(new URL(text)).on('error', (error) => {
  const first = error.errors?.[0] ?? error; // a name with several addresses fails once for each
  end(isLenient && /_ALERT_/.test(first.code) ? null : (REASONS[first.code] ?? first.message));
});
