/** results/published: chosen runs, `<YYYYMMDD>/<machine>.<experiment>[.<n>].json`, never rewritten. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readResults } from '../analyse/run-folder.js';

const FILE = /^(?<machine>[a-z0-9-]+)\.(?<experiment>[^.]+)(?:\.(?<again>\d+))?\.json$/;
const DATE = /^\d{8}$/;

const slug = (text) =>
  text
    .toLowerCase()
    .replace(/\((r|tm)\)|@.*$|\b(cpu|processor)\b/g, ' ')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

/** 'amd-epyc-7543-2-cores', from the processor's model and the number of cores. @param {object|null} environment */
export function machineName(environment) {
  const { cpu, cores } = environment?.machine ?? {};
  return [slug(cpu ?? '') || 'unknown-machine', cores && `${cores}-core${cores === 1 ? '' : 's'}`]
    .filter(Boolean)
    .join('-');
}

/** Where a run's results belong: {date, name} of its first day in UTC. */
export function publishedName(results) {
  const { started_at, experiment } = results.run;
  return {
    date: (started_at ?? '').slice(0, 10).replaceAll('-', ''),
    name: `${machineName(results.environment)}.${experiment.replace(/[^A-Za-z0-9-]+/g, '-')}`,
  };
}

/**
 * All that is published, oldest first.
 * @param {string} root results/published
 * @returns {{date, machine, experiment, again: number, path: string, file: string}[]} path: below root, without .json
 */
export function listPublished(root) {
  if (!existsSync(root)) return [];
  const found = readdirSync(root)
    .filter((date) => DATE.test(date))
    .flatMap((date) =>
      readdirSync(join(root, date)).flatMap((file) => {
        const { machine, experiment, again } = FILE.exec(file)?.groups ?? {};
        if (!machine) return [];
        const path = `${date}/${file.replace(/\.json$/, '')}`;
        return [{ date, machine, experiment, again: Number(again ?? 1), path, file: join(root, date, file) }];
      }),
    );
  return found.sort((a, b) => (a.date < b.date ? -1 : Number(a.date > b.date)) || a.again - b.again);
}

/** The newest of each experiment on each machine, with its results, by machine and experiment. */
export function newestPublished(root) {
  const newest = new Map(listPublished(root).map((entry) => [`${entry.machine} ${entry.experiment}`, entry]));
  return [...newest.keys()].sort().map((key) => ({ ...newest.get(key), results: readResults(newest.get(key).file) }));
}
