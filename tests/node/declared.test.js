import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import Ajv2020 from 'ajv/dist/2020.js';

const declared = join(import.meta.dirname, '../../scripts/declared');
const read = (path) => JSON.parse(readFileSync(join(declared, path), 'utf8'));
const all = (folder) => readdirSync(join(declared, folder)).map((file) => ({ file, ...read(join(folder, file)) }));
const experiments = all('experiments');
const suites = all('suites');

for (const [kind, entries] of Object.entries({ experiment: experiments, suite: suites }))
  test(`every ${kind} is of its schema, and its file bears its name`, () => {
    const validate = new Ajv2020({ allowUnionTypes: true, strict: false }).compile(read(`schema/${kind}.json`));
    for (const { file, ...entry } of entries) {
      assert.ok(validate(entry), `${file}: ${JSON.stringify(validate.errors)}`);
      assert.equal(file, `${entry.name}.json`);
    }
  });

test('every database profile is of its schema', () => {
  const validate = new Ajv2020({ allowUnionTypes: true, strict: false }).compile(read('schema/database.json'));
  for (const { file, ...profile } of all('databases'))
    assert.ok(validate(profile), `${file}: ${JSON.stringify(validate.errors)}`);
});

test('every load tool is of its schema, and is called and read by files of its name', () => {
  const tools = read('tools.json');
  const validate = new Ajv2020({ allowUnionTypes: true, strict: false }).compile(read('schema/tools.json'));
  assert.ok(validate(tools), JSON.stringify(validate.errors));
  const calls = readFileSync(join(declared, '../jq/argv.jq'), 'utf8');
  for (const name of Object.keys(tools)) {
    assert.ok(calls.includes(`if .tool == "${name}" then`), name);
    for (const file of [`argv-${name}.jq`, `summary-${name}.jq`])
      assert.ok(existsSync(join(declared, '../jq', file)), file);
  }
});

test('no suite is called like an experiment, and each names experiments that there are', () => {
  const names = new Set(experiments.map(({ name }) => name));
  for (const suite of suites) {
    assert.ok(!names.has(suite.name), suite.name);
    assert.deepEqual(
      suite.experiments.filter((name) => !names.has(name)),
      [],
    );
  }
});

test('full has every experiment, but those that it leaves out for a reason', () => {
  const full = suites.find(({ name }) => name === 'full');
  assert.deepEqual(
    [...full.experiments, ...Object.keys(full.left_out)].sort(),
    experiments.map(({ name }) => name).sort(),
  );
});
