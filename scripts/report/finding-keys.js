/** What docs/results.md tells of the keys of findings, from their schemas. */
import { schemasOfFindings } from '../findings/schemas.js';
import { heading, paragraph, table } from './blocks.js';

/** @returns {object[]} blocks: for each finding a heading, what it is, and each key that is described */
export const findingKeys = () =>
  schemasOfFindings().flatMap(({ key, schema }) => [
    heading(4, `\`${key}\``),
    paragraph(schema.description),
    table(key, ['key', 'contents'], described(schema)),
  ]);

/** @param {object} schema @param {string} [path] of what it is of: 'trials[].bracket', none of an entry @returns {[string, string][]} */
function described({ items, anyOf = [], properties = {} }, path = '') {
  const within = (name) => (path ? `${path}.${name}` : name);
  return [
    ...(items ? described(items, path && `${path}[]`) : []),
    ...anyOf.flatMap((schema) => described(schema, path)),
    ...Object.entries(properties).flatMap(([name, schema]) => [
      ...(schema.description ? [[`\`${within(name)}\``, schema.description]] : []),
      ...described(schema, within(name)),
    ]),
  ];
}
