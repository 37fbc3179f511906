/**
 * results/published: chosen runs, `<YYYYMMDD>-<commit>/<machine>.<experiment>.json` never rewritten, with the post in a
 * folder of that name beside it.
 * (Folders made earlier have no commit in their name, and a number behind that of a second run of a day.) index.json says which one is current.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { writeAtomic } from '../analyse/files.js';
import { readIfThere, readResults } from '../analyse/run-folder.js';
import { machineName } from './machine.js';

const FILE = /^(?<machine>[a-z0-9-]+)\.(?<experiment>[^.]+)(?:\.\d+)?\.json$/;
const FOLDER = /^\d{8}(-[0-9a-f]{12})?$/;
const SCHEMA = 'published/1';

/** Where a run's results belong: {folder, machine, experiment, path}; the date is that of its start, in UTC. */
export function publicationOf({ run, environment }) {
  const folder = `${run.started_at.slice(0, 10).replaceAll('-', '')}-${run.git_commit.slice(0, 12)}`;
  const machine = machineName(environment);
  const experiment = run.experiment.replace(/[^A-Za-z0-9-]+/g, '-');
  return { folder, machine, experiment, path: `${folder}/${machine}.${experiment}` };
}

/**
 * All that is published.
 * @param {string} root results/published
 * @returns {{machine, experiment, path: string, file: string}[]} path: below root, without .json
 */
export function listPublished(root) {
  if (!existsSync(root)) return [];
  return readdirSync(root)
    .filter((folder) => FOLDER.test(folder))
    .flatMap((folder) =>
      readdirSync(join(root, folder)).flatMap((name) => {
        const { machine, experiment } = FILE.exec(name)?.groups ?? {};
        if (!machine) return [];
        return [
          { machine, experiment, path: `${folder}/${name.replace(/\.json$/, '')}`, file: join(root, folder, name) },
        ];
      }),
    );
}

/** Where a published result is told: as a page, or, of those made earlier, as Markdown alone. @param {string} path as of listPublished @returns {string} below root */
export const postOf = (root, path) => `${path}/post.${existsSync(join(root, path, 'post.html')) ? 'html' : 'md'}`;

const catalogueFile = (root) => join(root, 'index.json');

/**
 * index.json: an entry for each experiment and machine (scripts/declared/schema/published.json).
 * @returns {{experiment, machine, current: string, supersedes: {result, why}[]}[]} current, result: as the paths of listPublished
 */
export function readCatalogue(root) {
  return readIfThere(catalogueFile(root))?.results ?? [];
}

/** Writes index.json, sorted by experiment and machine. */
export function writeCatalogue(root, entries) {
  const key = ({ experiment, machine }) => `${experiment} ${machine}`;
  const results = entries.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
  writeAtomic(catalogueFile(root), `${JSON.stringify({ schema: SCHEMA, results }, null, 2)}\n`);
}

/** The current entries of the catalogue, each with its `results` and those that they replaced, as `earlier`. @throws {DamagedRun} when one is not there */
export function currentPublished(root) {
  const read = (path) => readResults(join(root, `${path}.json`));
  return readCatalogue(root).map((entry) => ({
    ...entry,
    results: read(entry.current),
    earlier: entry.supersedes.map(({ result }) => read(result)),
  }));
}

/** Where index.json and the folders disagree, a line each. */
export function catalogueFaults(root) {
  const published = new Map(listPublished(root).map((file) => [file.path, file]));
  const entries = readCatalogue(root);
  const named = entries.flatMap(({ current, supersedes, ...entry }) =>
    [current, ...supersedes.map(({ result }) => result)].map((path) => ({ ...entry, path })),
  );
  const times = (path) => named.filter((one) => one.path === path).length;
  const misplaced = named.filter(({ path, experiment, machine }) => {
    const file = published.get(path);
    return file && (file.experiment !== experiment || file.machine !== machine);
  });
  return [
    ...named.filter(({ path }) => !published.has(path)).map(({ path }) => `${path} is named and not there`),
    ...[...published.keys()].filter((path) => times(path) === 0).map((path) => `${path} is there and not named`),
    ...[...new Set(named.map(({ path }) => path))]
      .filter((path) => times(path) > 1)
      .map((path) => `${path} is named twice`),
    ...misplaced.map(({ path, experiment, machine }) => `${path} is named as ${experiment} on ${machine}`),
  ];
}
