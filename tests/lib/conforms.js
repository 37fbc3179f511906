// Usage: node tests/lib/conforms.js SCHEMA FILE...
// Checks JSON files against scripts/declared/schema/SCHEMA.json; prints each fault on a line, exit 1 when there is one.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv2020 from 'ajv/dist/2020.js';

const [schema, ...files] = process.argv.slice(2);
const read = (path) => JSON.parse(readFileSync(path, 'utf8'));
const ajv = new Ajv2020({ allowUnionTypes: true, strict: false, allErrors: true });
const validate = ajv.compile(read(join(import.meta.dirname, '../../scripts/declared/schema', `${schema}.json`)));

for (const file of files) {
  if (validate(read(file))) continue;
  console.log(`${file}: ${ajv.errorsText(validate.errors)}`);
  process.exitCode = 1;
}
