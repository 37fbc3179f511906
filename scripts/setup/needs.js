// Usage: node scripts/setup/needs.js STACK TARGETS FILE...
// Prints what set-up has to bring for experiments, suites or plans, a line each: commands, and paths in the clone. TARGETS: names
// separated by commas, the only ones that are meant; empty for all. Node reads these files because nothing else that reads JSON is there
// before set-up.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { TOOLS } from '../analyse/tools.js';

const ROOT = join(import.meta.dirname, '../..');
const DECLARED = join(ROOT, 'scripts/declared');
const ALWAYS = ['node', 'jq', 'curl', 'scripts/node_modules'];
const OF_DATASET = { tpch: ['bin/tpchgen-cli'] };
const OF_STORAGE = { juicefs: ['bin/juicefs'] };

function read(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    console.error(`error: ${path}: ${error.message}`);
    process.exit(64);
  }
}
const list = (value) => (Array.isArray(value) ? value : []); // a plan says what is wrong with an experiment, not this

/** The cells of an experiment, a suite or a plan: [{databases, targets, tools}]. */
function cellsOf({ cells, experiments, groups, open }) {
  if (experiments)
    return experiments.flatMap((name) =>
      cellsOf(read(name.endsWith('.json') ? name : join(DECLARED, 'experiments', `${name}.json`))),
    );
  if (!groups) return list(cells);
  return [...groups.flatMap((group) => group.cells), ...list(open).map(({ cell }) => cell)].map(
    ({ database, target, tool }) => ({ databases: [database], targets: [target], tools: [tool] }),
  );
}

/** A target's own declaration, and the packages of each folder that one of its processes is started from. */
function ofTarget(name) {
  const folder = (process.env.TARGET_FOLDERS ?? 'apps')
    .split(' ')
    .find((f) => existsSync(join(ROOT, f, name, 'target.json')));
  if (!folder) return [];
  const { needs, processes } = read(join(ROOT, folder, name, 'target.json'));
  return [...(needs ?? []), ...processes.flatMap(({ argv }) => argv.flatMap(packagesAround))];
}

/** -> [the node_modules of the nearest folder around that file of the clone which has a lockfile]. */
function packagesAround(word) {
  if (!word.includes('/') || !existsSync(join(ROOT, word))) return [];
  let folder = dirname(word);
  while (folder !== '.' && !existsSync(join(ROOT, folder, 'package-lock.json'))) folder = dirname(folder);
  return folder === '.' ? [] : [`${folder}/node_modules`];
}

function ofDatabase(name, stack) {
  const profile = join(DECLARED, 'databases', `${name}.json`);
  if (stack === 'external' || !existsSync(profile)) return name === 'none' ? [] : ['postgresql'];
  const { dataset, storage } = read(profile);
  return ['postgresql', ...(OF_DATASET[dataset] ?? []), ...(OF_STORAGE[storage] ?? [])];
}

const [stack, only, ...files] = process.argv.slice(2);
const needs = files
  .map(read)
  .flatMap(cellsOf)
  .flatMap(({ databases, targets, tools }) => {
    const names = list(targets).filter((name) => !only || name === 'null' || only.split(',').includes(name));
    if (names.length === 0) return [];
    return [
      ...list(tools).flatMap((tool) => TOOLS[tool]?.needs ?? []),
      ...list(databases).flatMap((name) => ofDatabase(name, stack)),
      ...names.flatMap(ofTarget),
    ];
  });
for (const need of new Set([...ALWAYS, ...needs])) console.log(need);
