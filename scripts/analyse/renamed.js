/** Names of before: of cells without their scale, and of workloads that were renamed. */
import { readdirSync, readlinkSync } from 'node:fs';
import { dirname, join, parse } from 'node:path';
import { TOOLS } from './tools.js';

const ROOT = join(import.meta.dirname, '../..');

/** Where tools have their scripts: k6, wrk, ... */
const FOLDERS = Object.values(TOOLS).flatMap(({ scripts }) => (scripts ? [dirname(scripts)] : []));

/** {old name: workload}: an old name is a link beside the workload's file. */
const RENAMED = Object.fromEntries(
  FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { withFileTypes: true })
      .filter((entry) => entry.isSymbolicLink())
      .map(({ name }) => [parse(name).name, parse(readlinkSync(join(ROOT, folder, name))).name]),
  ),
);

/**
 * A cell of a run of any age under today's name: ids of before have no scale, and some workloads were called otherwise.
 * @param {object} cell @param {{scale?: number}|null} environment of its run
 */
export function withCurrentName(cell, environment) {
  const workload = (cell.script ? null : RENAMED[cell.workload]) ?? cell.workload; // somebody's own script is called as its file is
  const id = cell.id?.replace(`.${cell.workload}.`, `.${workload}.`);
  if (id === undefined || id.includes('@') || WITHOUT_SCALE.has(cell.database) || !environment?.scale)
    return { ...cell, workload, id };
  const { scale } = environment;
  return { ...cell, workload, scale, id: id.replace(`${cell.database}.`, `${cell.database}@${scale}.`) };
}

/** What pglab loads no data into. */
const WITHOUT_SCALE = new Set(['none', 'external']);
