// The two halves of resolving EXTERNAL_DSN around libpq, which says in between what it makes of it:
//   node scripts/probes/dsn/main.js ask SYSTEM_FOLDER                        prints {conninfo, password, parameters}; conninfo becomes
//                                                                            an argument, and so is without the password
//   node scripts/probes/dsn/main.js settle <{parameters, endpoint, read_only}   prints {variables, connection, notes}, see settle.js
import { readFileSync } from 'node:fs';
import { Fault, run } from '../../../apps/lib/fault.js';
import { format, parse } from './conninfo.js';
import { withDefaults } from './defaults.js';
import { notHandedOver, settle } from './settle.js';

const ANSWER_S = '2'; // unless the user grants another time

function ask(systemFolder) {
  const parameters = withDefaults(parse(process.env.EXTERNAL_DSN), process.env, systemFolder);
  if (parameters.sslpassword) throw new Fault(64, notHandedOver('sslpassword')); // before it is in an argument
  // no tool in Node or on the JVM speaks Kerberos's encryption, which libpq would prefer
  const { password, sslkey_format: _, ...shown } = { connect_timeout: ANSWER_S, gssencmode: 'disable', ...parameters };
  return { conninfo: format(shown), password: password ?? null, parameters };
}

run(async () => {
  const [verb, systemFolder] = process.argv.slice(2);
  const answer = verb === 'ask' ? ask(systemFolder) : settle(JSON.parse(readFileSync(0, 'utf8')));
  console.log(JSON.stringify(answer));
});
