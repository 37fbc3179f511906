import { readFileSync } from 'node:fs';

/** Every limit of the verdicts, with its reason: scripts/declared/limits.json. */
export const LIMITS = JSON.parse(readFileSync(new URL('../declared/limits.json', import.meta.url), 'utf8'));

/**
 * The value of a limit, for a workload where it has its own.
 * @param {string} name key in limits.json
 * @param {string} [workload]
 */
export function limitOf(name, workload) {
  const { value, by_workload } = LIMITS[name];
  return by_workload?.[workload] ?? value;
}
