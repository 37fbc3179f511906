// Usage: node tests/lib/manifest.js < MANIFEST.yaml
// Checks Kubernetes manifests field by field against tests/fixtures/kubernetes/fields.json; prints them as JSON, or each fault on a line and
// exit 1. A field that the list does not have is a fault: it would be dropped or refused by the server.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';

const known = JSON.parse(readFileSync(join(import.meta.dirname, '../fixtures/kubernetes/fields.json'), 'utf8'));
const faults = [];
const isText = (value) => typeof value === 'string' && value !== '' && !value.includes('{{');

const KINDS = {
  string: isText,
  strings: (value) => Object.values(value).length > 0 && Object.values(value).every(isText),
  list: (value) => Array.isArray(value) && value.every(isText),
  containers: (value) =>
    value.every(
      ({ name, image, env, command, args }) =>
        [name, image, ...command, ...args].every(isText) && env.every(isVariable),
    ),
};

const isVariable = ({ name, value, valueFrom }) =>
  isText(name) &&
  (valueFrom ? isText(valueFrom.secretKeyRef.name) && isText(valueFrom.secretKeyRef.key) : isText(value));

const fits = (value, wanted) => {
  if (Array.isArray(wanted)) return [value].flat().every((item) => wanted.includes(item));
  return KINDS[wanted] ? KINDS[wanted](value) : value === wanted;
};

/** {a: {b: 1}} -> [['a.b', 1]], not deeper than the list of known fields goes. */
function leaves(value, fields, path = '') {
  if (path in fields || value === null || typeof value !== 'object' || Array.isArray(value)) return [[path, value]];
  return Object.entries(value).flatMap(([key, inner]) => leaves(inner, fields, path ? `${path}.${key}` : key));
}

const documents = parseAllDocuments(readFileSync(0, 'utf8'));
for (const document of documents) {
  for (const error of document.errors) faults.push(error.message);
  const { apiVersion, kind, metadata, ...rest } = document.toJS();
  const { apiVersion: wanted, fields = {} } = known[kind] ?? {};
  if (apiVersion !== wanted || !/^[a-z0-9-]+$/.test(metadata.name))
    faults.push(`${kind} ${metadata.name}: ${apiVersion} is not ${wanted}`);
  const found = new Map(leaves(rest, fields));
  for (const [path, value] of found)
    if (!(path in fields) || !fits(value, fields[path]))
      faults.push(`${kind}: ${path} is ${JSON.stringify(value)}, expected ${JSON.stringify(fields[path])}`);
  for (const path of Object.keys(fields)) if (!found.has(path)) faults.push(`${kind}: ${path} is missing`);
}
for (const fault of faults) console.log(fault);
if (faults.length === 0) console.log(JSON.stringify(documents.map((document) => document.toJS())));
process.exitCode = faults.length === 0 ? 0 : 1;
