// Usage: node scripts/probes/answers.js URL [--any-certificate]
// Asks once whether anything answers at http://, https:// or, where it is enough to connect, tcp://. Any HTTP status is an answer; with
// --any-certificate also that of a server whose certificate nobody vouches for, or that wants one of its clients.
// Exit 0; or 1, with the reason in one line, when nothing has answered within two seconds.
import { get as httpGet } from 'node:http';
import { get as httpsGet } from 'node:https';
import { connect } from 'node:net';

const LIMIT_S = 2;
const REASONS = {
  ECONNREFUSED: 'the connection is refused',
  ECONNRESET: 'the connection is closed without an answer',
  ENOTFOUND: 'the name is not known',
  EAI_AGAIN: 'the name cannot be looked up',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
};

const [text, option] = process.argv.slice(2);
const isLenient = option === '--any-certificate';

function ask(url) {
  if (url.protocol === 'http:') return httpGet(url, () => end(null));
  if (url.protocol === 'https:') return httpsGet(url, { rejectUnauthorized: !isLenient }, () => end(null));
  return connect({ host: url.hostname.replace(/^\[|\]$/g, ''), port: url.port }, () => end(null));
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
