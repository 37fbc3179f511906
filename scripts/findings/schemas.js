/** What findings declare of results.json: each in its folder, under a title that is its key there. */
import { readdirSync, readFileSync } from 'node:fs';
import { FINDINGS } from './index.js';

const ORDER = Object.keys(FINDINGS);

/** @returns {{key: string, href: string, schema: object}[]} in the order of index.js; href: the schema's address */
export const schemasOfFindings = () =>
  readdirSync(import.meta.dirname, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => {
      const { href } = new URL(`${name}/schema.json`, import.meta.url);
      const schema = JSON.parse(readFileSync(new URL(href), 'utf8'));
      return { key: schema.title, href, schema };
    })
    .toSorted((a, b) => ORDER.indexOf(a.key) - ORDER.indexOf(b.key));
