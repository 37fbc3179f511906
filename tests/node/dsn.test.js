// What libpq would make of a connection string; tests/e2e/dsn.bats holds it against libpq itself.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Fault } from '../../apps/lib/fault.js';
import { format, parse } from '../../scripts/probes/dsn/conninfo.js';
import { withDefaults } from '../../scripts/probes/dsn/defaults.js';
import { findPassword } from '../../scripts/probes/dsn/passfile.js';
import { settle } from '../../scripts/probes/dsn/settle.js';

const folder = mkdtempSync(join(tmpdir(), 'dsn-test-'));
after(() => rmSync(folder, { recursive: true }));

function file(name, text, mode = 0o600) {
  const path = join(folder, name);
  writeFileSync(path, text, { mode });
  return path;
}

for (const [text, parameters] of [
  ['', {}],
  ['postgresql://', {}],
  ['postgres://localhost', { host: 'localhost' }],
  ['postgresql:///shop?host=/run/a%20b', { dbname: 'shop', host: '/run/a b' }],
  ['postgresql://%2Frun%2Fa%20b:5433/shop', { host: '/run/a b', port: '5433', dbname: 'shop' }],
  [
    'postgresql://a%40b:p%3Aq:r@[::1]:5433/sh%2Fop?sslmode=require',
    { user: 'a@b', password: 'p:q:r', host: '::1', port: '5433', dbname: 'sh/op', sslmode: 'require' },
  ],
  ['postgresql://one,[fe80::1]:2,three/shop', { host: 'one,fe80::1,three', port: ',2,', dbname: 'shop' }],
  ['postgresql://user@/shop', { user: 'user', dbname: 'shop' }],
  ['postgresql://h?ssl=true&options=-c%20a%3Db', { host: 'h', sslmode: 'require', options: '-c a=b' }],
  ['postgresql://h/d?dbname=other', { host: 'h', dbname: 'other' }],
  ["host=h  port = 5433 options='-c a=\\'b\\''", { host: 'h', port: '5433', options: "-c a='b'" }],
  ['password=a\\ b\\\\c dbname=', { password: 'a b\\c', dbname: '' }],
  ["user='' service=shop", { user: '', service: 'shop' }],
]) {
  test(`${text || 'nothing'} is ${JSON.stringify(parameters)}`, () => {
    assert.deepEqual(parse(text), parameters);
    assert.deepEqual(parse(format(parameters)), parameters);
  });
}

for (const text of [
  'secret',
  'host=h secret',
  "password='secret",
  'password=my secret host=h',
  'postgresql://u:secret@[::1/d',
  'postgresql://u:p@secret@h/d',
  'postgresql://u:secret/x@h/d',
  'postgresql://u:secret%zz@h/d',
  'postgresql://u:secret%00@h/d',
  'postgresql://h/d?password',
  'postgresql://h/d?password=secret=x',
]) {
  test(`${text} is refused, without a word of it`, () => {
    assert.throws(
      () => parse(text),
      (error) => error instanceof Fault && error.exitCode === 64 && !error.message.includes('secret'),
    );
  });
}

test('a service goes before variables, and what was said before both', () => {
  const user = file('user.conf', '[other]\nhost=other\n');
  file('pg_service.conf', '# system\n[shop]\nhost = spaces are kept\nport=1\nuser=service\n\n[more]\nport=2\n');
  const env = {
    PGSERVICE: 'shop',
    PGSERVICEFILE: user,
    PGUSER: 'env',
    PGSSLMODE: 'require',
    PGREQUIRESSL: '0',
    PGPORT: '3',
  };
  assert.deepEqual(withDefaults({ user: 'said' }, env, folder), {
    'host ': ' spaces are kept',
    port: '1',
    user: 'said',
    sslmode: 'require',
  });
  assert.equal(withDefaults({ service: 'other' }, env, folder).host, 'other');
  assert.throws(
    () => withDefaults({ service: 'none' }, env, folder),
    /^Error: --dsn: there is no service none in .*user.conf or .*pg_service.conf$/,
  );
  const nested = file('nested.conf', '[shop]\nservice=more\n');
  assert.throws(() => withDefaults({}, { ...env, PGSERVICEFILE: nested }, folder), /nested.conf, line 2/);
});

test('settings of a session that only variables have become options', () => {
  assert.deepEqual(withDefaults({ options: '-c a=b' }, { PGTZ: 'UTC', PGDATESTYLE: 'ISO, DMY', PGGEQO: 'default' }), {
    options: '-c a=b -c datestyle=ISO,\\ DMY -c timezone=UTC',
  });
});

test('the first line of a password file that fits', () => {
  const path = file(
    'passwords',
    ['#h:1:d:u:comment', 'h:2:d:u:port', 'h:1:d\\:x:u:a\\:b\\\\c', '*:*:*:u:any', ''].join('\n'),
  );
  const server = { host: 'h', port: '1', database: 'd:x', user: 'u' };
  assert.equal(findPassword(server, path), 'a:b\\c');
  assert.equal(findPassword({ ...server, host: undefined }, path), 'any');
  assert.equal(findPassword({ ...server, user: 'x' }, path), undefined);
  assert.equal(findPassword(server, file('open', '*:*:*:*:x', 0o640)), undefined);
  assert.equal(findPassword(server, join(folder, 'none')), undefined);
});

const endpoint = (version_num = 150018, tls = '') =>
  `${tls}\n${JSON.stringify({ host: 'h', port: '5432', user: 'u', database: 'd', version: '1', version_num })}\n`;

test('the password of a key is refused before it is in an argument', () => {
  const { status, stdout, stderr } = spawnSync('node', ['scripts/probes/dsn/main.js', 'ask', ''], {
    env: { ...process.env, EXTERNAL_DSN: 'host=h sslkey=/k sslpassword=secret' },
    encoding: 'utf8',
  });
  assert.equal(status, 64);
  assert.equal(stdout, '');
  assert.match(stderr, /^error: --dsn: sslpassword cannot be handed to tools and targets: .*\n$/);
  assert.ok(!stderr.includes('secret'));
});

test('a server older than 13 is refused', () => {
  assert.throws(
    () => settle({ parameters: {}, endpoint: endpoint(120022) }),
    /^Error: --dsn: the server is PostgreSQL 1; 13 or newer is needed$/,
  );
});

test('no backslash at the end of options takes the first space of what makes sessions read-only', () => {
  const options = (given) =>
    settle({ parameters: { options: given }, endpoint: endpoint(), read_only: true }).variables.PGOPTIONS;
  assert.equal(options(undefined), '-c default_transaction_read_only=on');
  assert.equal(options('-c a=b\\'), '-c a=b -c default_transaction_read_only=on');
  assert.equal(options('-c a=b\\\\'), '-c a=b\\\\ -c default_transaction_read_only=on');
  assert.equal(options('-c a=b\\\\\\'), '-c a=b\\\\ -c default_transaction_read_only=on');
});

test('what chose the server is not handed on, and nothing of TLS where there is none', () => {
  const parameters = {
    target_session_attrs: 'primary',
    passfile: '/x',
    sslrootcert: '/x',
    sslmode: 'prefer',
    application_name: 'a',
  };
  assert.deepEqual(settle({ parameters, endpoint: endpoint() }).variables, {
    PGHOST: 'h',
    PGPORT: '5432',
    PGUSER: 'u',
    PGDATABASE: 'd',
    PGAPPNAME: 'a',
    PGGSSENCMODE: 'disable',
    PGSSLMODE: 'disable',
  });
});
