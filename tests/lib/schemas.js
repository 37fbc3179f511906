/** The schemas of what stages exchange (scripts/declared/schema/), and the parts of results.json that findings declare (scripts/findings/). */
import { readdirSync, readFileSync } from 'node:fs';
import Ajv2020 from 'ajv/dist/2020.js';

const SCRIPTS = new URL('../../scripts/', import.meta.url);
const DECLARED = 'declared/schema/';
const FILES = [
  ...readdirSync(new URL(DECLARED, SCRIPTS)).map((name) => DECLARED + name),
  ...readdirSync(new URL('findings/', SCRIPTS)).map((name) => `findings/${name}/schema.json`),
];

/**
 * Each file is known to ajv by its address, so that a $ref to another file is relative to the one that it stands in.
 * @param {object} [options] of ajv
 * @returns {{validatorOf: (name: string) => Function, errorsText: (errors: object[]) => string}} name: of a file without .json
 */
export function schemas(options = {}) {
  const ajv = new Ajv2020({ allowUnionTypes: true, strict: false, ...options });
  for (const { href } of FILES.map((file) => new URL(file, SCRIPTS)))
    ajv.addSchema(JSON.parse(readFileSync(new URL(href), 'utf8')), href);
  return {
    validatorOf: (name) => ajv.getSchema(new URL(`${DECLARED}${name}.json`, SCRIPTS).href),
    errorsText: (errors) => ajv.errorsText(errors),
  };
}
