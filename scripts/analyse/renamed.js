/** Workloads that were renamed: earlier runs have the old names. */
import { readdirSync, readlinkSync } from 'node:fs';
import { join, parse } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/** {old name: workload}: an old name is a link beside the workload's file, in k6/, wrk/ or pgbench/. */
const RENAMED = Object.fromEntries(
  ['k6', 'wrk', 'pgbench'].flatMap((tool) =>
    readdirSync(join(ROOT, tool), { withFileTypes: true })
      .filter((entry) => entry.isSymbolicLink())
      .map(({ name }) => [parse(name).name, parse(readlinkSync(join(ROOT, tool, name))).name]),
  ),
);

/** @returns {object} the cell under today's name of its workload, in its id too; the cell itself when nothing was renamed */
export function withCurrentName(cell) {
  const workload = RENAMED[cell.workload];
  if (workload === undefined) return cell;
  return { ...cell, workload, id: cell.id.replace(`.${cell.workload}.`, `.${workload}.`) };
}
