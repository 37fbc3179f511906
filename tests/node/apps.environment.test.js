import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  address,
  database,
  integer,
  listener,
  readEnvironment,
  refuseUnknown,
  text,
} from '../../apps/lib/environment.js';
import { Fault } from '../../apps/lib/fault.js';

const fault = (pattern) => (error) => error instanceof Fault && error.exitCode === 64 && pattern.test(error.message);

test('unset and empty variables take the fallback', () => {
  assert.deepEqual(readEnvironment(listener, { PORT: '' }), { HOST: '127.0.0.1', PORT: 3000 });
});

test('values are parsed', () => {
  const env = { PGHOST: 'db', PGPORT: '54329', PGUSER: 'app', PGDATABASE: 'tpch_sf1', PGPASSWORD: 'secret' };
  const { PGHOST, PGPORT, PGUSER, PGDATABASE, PGPASSWORD, PGSSLMODE } = readEnvironment(database, env);
  assert.deepEqual({ PGHOST, PGPORT, PGUSER, PGDATABASE, PGPASSWORD }, { ...env, PGPORT: 54329 });
  assert.equal(PGSSLMODE, '');
});

test('a required variable that is missing is named', () => {
  assert.throws(() => readEnvironment(database, { PGHOST: 'db' }), fault(/^PGUSER is not set/));
});

for (const value of ['abc', '0', '65536', '-1', '1.5', '1e3', ' 80', '80 ', '0x50', '９']) {
  test(`PORT ${JSON.stringify(value)} is refused`, () => {
    assert.throws(
      () => readEnvironment(listener, { PORT: value }),
      fault(/^PORT is ".*": must be a whole number from 1 to 65535$/),
    );
  });
}

test('an address loses its last slash and must be http or https', () => {
  const read = (value) => readEnvironment({ CUBE_URL: address('') }, { CUBE_URL: value }).CUBE_URL;
  assert.equal(read('https://cube.example/cubejs-api/v1/'), 'https://cube.example/cubejs-api/v1');
  assert.equal(read(''), '');
  for (const bad of ['cube.example', 'ftp://cube.example', 'http://', 'http:///x', 'http://a b']) {
    assert.throws(() => read(bad), fault(/^CUBE_URL is /), bad);
  }
});

test('the first of several faults is told', () => {
  const specification = { A: integer(1, 2, 1), B: text() };
  assert.throws(() => readEnvironment(specification, { A: '3' }), fault(/^A is "3"/));
});

test('what target.json or a variant sets and the target does not read is refused, but for what Node.js or a process beside it reads', () => {
  const specification = { POOL_SIZE: integer(1, 10, 1) };
  const refused = (SETTINGS) => () => refuseUnknown(specification, { SETTINGS });
  assert.throws(
    refused('POOL_SIZE POOL_SZE'),
    fault(/^target\.json or the variant sets POOL_SZE, which this target does not read; it reads POOL_SIZE$/),
  );
  assert.doesNotThrow(refused('POOL_SIZE NODE_OPTIONS CUBEJS_LOG_LEVEL'));
  assert.doesNotThrow(() => refuseUnknown(specification, {}));
});
