/** A cell of results.json whose trials, one a block, had these throughputs. */
export function cell(target, variant, level, rps, { tool = 'wrk', verdicts = [] } = {}) {
  const sorted = rps.toSorted((a, b) => a - b);
  const id = `tpch.${target}.${variant}.echo.${tool}.closed-${level}`;
  return {
    ...{ id, database: 'tpch', target, variant, workload: 'echo', tool, model: 'closed', level, calibration: false },
    throughput_rps: { median: sorted[sorted.length >> 1], min: sorted[0], max: sorted.at(-1) },
    latency_us: { p95: 1000 * level },
    trials_planned: rps.length,
    resources: { roles: { target: { pool_waiting_mean: level / 2, event_loop_delay_p99_ms: 3 } } },
    trials: rps.map((throughput_rps, i) => ({
      id: `0${i + 1}/${id}`,
      block: i + 1,
      verdict: verdicts[i] ?? 'valid',
      throughput_rps,
      successes: 100_000,
    })),
  };
}

/** A run of these cells; a variant's name ends with its pool size, if it has one. */
export function run(cells, report) {
  const groups = cells.map(({ target, variant }) => {
    const size = /-(\d+)$/.exec(variant)?.[1];
    return { target, variant: { name: variant, env: size ? { POOL_SIZE: size } : {}, args: [] } };
  });
  return { plan: { groups }, experiment: report ? { report } : {} };
}
