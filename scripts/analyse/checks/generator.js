/** Is it the target that was measured, or the generator? Marks, not refusals. */
import { generatorCores } from '../generator.js';
import { missing, NOT_APPLICABLE, NOT_MEASURED, PASS, percent, suspect } from './outcome.js';

export function generatorCpu({ cell, summary, limit }) {
  const used = summary.resources?.roles?.generator?.cpu_cores;
  const allowed = generatorCores(cell, summary.resources);
  if (missing(used) || missing(allowed)) return NOT_MEASURED;
  const share = used / allowed;
  if (share <= limit('generator_cpu_share')) return PASS;
  return suspect(
    share,
    limit('generator_cpu_share'),
    `the generator used ${percent(share)} of the ${allowed} cores it may use`,
  );
}

export function headroom({ cell, headroom: factor, limit }) {
  if (cell.block === 0) return NOT_APPLICABLE;
  if (missing(factor)) return NOT_MEASURED;
  if (factor >= limit('headroom')) return PASS;
  return suspect(
    factor,
    limit('headroom'),
    `against a responder that does nothing the generator reaches only ${factor.toFixed(2)} times this: the row measures the generator too`,
  );
}
