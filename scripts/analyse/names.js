/** Targets and databases as a reader knows them: the label that each declares for itself. */
import { existsSync, readFileSync } from 'node:fs';
import { plural } from './words.js';

/** Of TPC-H at scale 1. */
const ORDERS = 1_500_000;

const ROOT = new URL('../../', import.meta.url);

function declared(path) {
  const file = new URL(path, ROOT);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
}

const target = (name) => declared(`apps/${name}/target.json`);
const profile = (name) => declared(`scripts/declared/databases/${name}.json`);
const VARIANTS = declared('scripts/declared/variants.json');

/** Whether a label already holds the name, whatever its spelling: 'Vert.x' holds 'vertx'. */
const holds = (label, name) =>
  label
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .includes(name.replace(/[^a-z0-9]/g, ''));

/** Where and on how much data: 'TPC-H scale 1'; nothing where no database was asked. @param {number} [scale] of the run */
export function datasetText(database, scale) {
  if (database === 'none') return null;
  const known = profile(database);
  const name = known?.label ?? database;
  return known && scale ? `${name} scale ${scale}` : name;
}

/** How much that is: '15,000 orders' of TPC-H at scale 0.01; null of other data. */
export const ordersText = (database, scale) =>
  profile(database)?.dataset === 'tpch' && scale ? plural(ORDERS * scale, 'order') : null;

/**
 * The names in one text. `label` stands in the sentence; `note` belongs in brackets after it: the name in tables and charts where a target or
 * database appears for the first time, and the variant.
 */
export class Names {
  #mentioned = new Set();

  /** @returns {{label: string, note: string|null}} {'a connection pool', 'pooled, variant close'} */
  target(name, variant = 'base') {
    const label = target(name)?.label ?? name;
    if (VARIANTS[variant]) return this.#noted(label, name, [variant], ` ${VARIANTS[variant]}`);
    return this.#noted(label, name, variant === 'base' ? [] : [`variant ${variant}`]);
  }

  /** Another variant of a target that was named just before. @returns {{label: string, note: string|null}} {'the same without keep-alive', 'close'} */
  variant(name) {
    if (VARIANTS[name]) return { label: `the same ${VARIANTS[name]}`, note: name };
    return { label: name === 'base' ? 'its base variant' : `its variant ${name}`, note: null };
  }

  /** @returns {{label: string, note: string|null}} */
  database(name) {
    const { compared_as, label } = profile(name) ?? {};
    return this.#noted(compared_as ?? label ?? name, name, []);
  }

  #noted(label, name, more, how = '') {
    const first = !this.#mentioned.has(name) && !holds(label, name);
    this.#mentioned.add(name);
    return { label: label + how, note: [...(first ? [name] : []), ...more].join(', ') || null };
  }
}
