/** The schemas of what stages exchange (scripts/declared/schema/), and the parts of results.json that findings declare (scripts/findings/). */
import { readdirSync, readFileSync } from 'node:fs';
import Ajv2020 from 'ajv/dist/2020.js';
import { schemasOfFindings } from '../../scripts/findings/schemas.js';

const DECLARED = new URL('../../scripts/declared/schema/', import.meta.url);

/** What stages exchange; results.json with the keys of findings. */
const exchanged = () =>
  readdirSync(DECLARED).map((name) => {
    const { href } = new URL(name, DECLARED);
    const schema = JSON.parse(readFileSync(new URL(href), 'utf8'));
    if (name === 'results.json')
      for (const { key, href: $ref } of schemasOfFindings()) schema.properties[key] = { $ref };
    return { schema, href };
  });

/**
 * Each file is known to ajv by its address, so that a $ref to another file is relative to the one that it stands in.
 * @param {object} [options] of ajv
 * @returns {{validatorOf: (name: string) => Function, errorsText: (errors: object[]) => string}} name: of a file without .json
 */
export function schemas(options = {}) {
  const ajv = new Ajv2020({ allowUnionTypes: true, strict: false, ...options });
  for (const { schema, href } of [...exchanged(), ...schemasOfFindings()]) ajv.addSchema(schema, href);
  return {
    validatorOf: (name) => ajv.getSchema(new URL(`${name}.json`, DECLARED).href),
    errorsText: (errors) => ajv.errorsText(errors),
  };
}
