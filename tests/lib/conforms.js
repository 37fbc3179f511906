// Usage: node tests/lib/conforms.js SCHEMA FILE...
// Checks JSON files against scripts/declared/schema/SCHEMA.json; prints each fault on a line, exit 1 when there is one.
import { readFileSync } from 'node:fs';
import { schemas } from './schemas.js';

const [schema, ...files] = process.argv.slice(2);
const read = (path) => JSON.parse(readFileSync(path, 'utf8'));
const { validatorOf, errorsText } = schemas({ allErrors: true });
const validate = validatorOf(schema);

for (const file of files) {
  if (validate(read(file))) continue;
  console.log(`${file}: ${errorsText(validate.errors)}`);
  process.exitCode = 1;
}
