/** Was the target measured, or the load generator? Such trials are marked, not refused. */
import { doesNothing, generatorCores } from '../generator.js';
import { generatorsOf } from '../generators.js';
import { isCalibration } from '../identity.js';
import { AGAINST_NULL, MAY_BE_LIMIT, plural } from '../words.js';
import { missing, NOT_APPLICABLE, NOT_MEASURED, PASS, percent, suspect } from './outcome.js';

export const checks = { generator_cpu: generatorCpu, headroom };

export const about = { generator_cpu: { isOfGenerator: true }, headroom: { isOfGenerator: true } };

function generatorCpu({ cell, summary, limit }) {
  const used = summary.resources?.roles?.generator?.cpu_cores;
  const allowed = generatorCores(cell, summary.resources);
  const isWhole = !generatorsOf({ cell, summary })?.some(({ cpu_cores }) => missing(cpu_cores));
  if (missing(used) || missing(allowed) || !isWhole) return NOT_MEASURED;
  const share = used / allowed;
  if (share <= limit('generator_cpu_share')) return PASS;
  return suspect(
    share,
    limit('generator_cpu_share'),
    `the load generator used ${percent(share)} of its ${plural(allowed, 'core')}`,
  );
}

function headroom({ cell, headroom: factor, reconciliation, limit }) {
  if (isCalibration(cell) || doesNothing(reconciliation?.expects)) return NOT_APPLICABLE;
  if (missing(factor)) return NOT_MEASURED;
  if (factor >= limit('headroom')) return PASS;
  return suspect(
    factor,
    limit('headroom'),
    factor < 1
      ? `the calibration is at fault: ${AGAINST_NULL}, the same load ran slower, ${factor.toFixed(2)} times as fast`
      : `${AGAINST_NULL}, the same load ran only ${factor.toFixed(2)} times as fast: ${MAY_BE_LIMIT}`,
  );
}
