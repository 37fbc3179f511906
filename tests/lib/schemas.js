/** The schemas of what stages exchange (scripts/declared/schema/), and the parts of results.json that findings declare (scripts/findings/). */
import { readdirSync, readFileSync } from 'node:fs';
import Ajv2020 from 'ajv/dist/2020.js';

const SCRIPTS = new URL('../../scripts/', import.meta.url);
const declared = (name) => new URL(`declared/schema/${name}.json`, SCRIPTS);
const findings = () =>
  readdirSync(new URL('findings/', SCRIPTS)).map((name) => new URL(`findings/${name}/schema.json`, SCRIPTS));

/**
 * Each file is known to ajv by its address, so that a $ref to another file is relative to the one that it stands in.
 * @param {object} [options] of ajv
 * @returns {{validatorOf: (name: string) => Function, errorsText: (errors: object[]) => string}} name: of a file without .json
 */
export function schemas(options = {}) {
  const ajv = new Ajv2020({ allowUnionTypes: true, strict: false, ...options });
  const add = (url) => ajv.addSchema(JSON.parse(readFileSync(url, 'utf8')), url.href);
  for (const url of findings()) add(url);
  return {
    validatorOf: (name) => {
      const { href } = declared(name);
      return ajv.getSchema(href) ?? add(declared(name)).getSchema(href);
    },
    errorsText: (errors) => ajv.errorsText(errors),
  };
}
