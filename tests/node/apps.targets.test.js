import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import Ajv from 'ajv/dist/2020.js';
import * as queries from '../../apps/lib/queries.js';

const ROOT = new URL('../../', import.meta.url);
const read = (path) => readFileSync(new URL(path, ROOT), 'utf8');
const compiled = (schema) =>
  new Ajv.default({ allErrors: true }).compile(JSON.parse(read(`scripts/declared/schema/${schema}.json`)));
const valid = compiled('target');
const validExample = compiled('example');

const names = readdirSync(new URL('apps/', ROOT)).filter((name) =>
  existsSync(new URL(`apps/${name}/target.json`, ROOT)),
);

test('the targets of the first comparison are there', () => {
  for (const name of ['raw', 'pooled', 'rollup', 'cube', 'null', 'external']) assert.ok(names.includes(name), name);
});

for (const name of names) {
  test(`apps/${name}/target.json is valid and names what exists`, () => {
    const target = JSON.parse(read(`apps/${name}/target.json`));
    assert.ok(valid(target), JSON.stringify(valid.errors));
    assert.equal(target.name, name);
    if (target.prepare) assert.ok(existsSync(new URL(target.prepare, ROOT)), target.prepare);
    const workloads = Array.isArray(target.workloads) ? target.workloads : Object.values(target.workloads).flat();
    for (const workload of Object.keys(target.expects ?? {})) assert.ok(workloads.includes(workload), workload);
    for (const { argv } of target.processes) {
      if (argv[0] === 'node') assert.ok(existsSync(new URL(argv[1], ROOT)), argv[1]);
      if (argv[1] === 'apps/lib/main.js') assert.ok(existsSync(new URL(`apps/${argv[2]}/db.js`, ROOT)), argv[2]);
    }
  });
}

for (const name of readdirSync(new URL('scripts/sql/verify/', ROOT)).filter((file) => file.endsWith('.json')))
  test(`scripts/sql/verify/${name} is valid`, () => {
    assert.ok(validExample(JSON.parse(read(`scripts/sql/verify/${name}`))), JSON.stringify(validExample.errors));
  });

test('the materialised view holds the very query that the other targets ask', () => {
  assert.ok(read('apps/rollup/prepare.sql').includes(queries.analytics));
});
