/** A cell over the runs that measured it: the figures of the trials that count. Runs in the page, too. */

/**
 * @param {{run, cells}[]} runs results.json, or what the page has of them @param {string} id of a cell
 * @returns {{run, at, commit, throughput: number[], p95: number[]}[]} p95 in ms; see trendChart
 */
export function pointsOf(runs, id) {
  return runs.flatMap(({ run, cells }) => {
    const cell = cells.find((candidate) => candidate.id === id);
    const used = cell?.trials.filter(({ verdict }) => verdict !== 'invalid') ?? [];
    const of = (key, scale) =>
      used
        .map((trial) => trial[key])
        .filter((value) => value > 0)
        .map((value) => value / scale);
    const quotable = (cell?.latency_us?.p95 ?? null) !== null;
    if (used.length === 0) return [];
    return {
      run: run.id,
      at: run.started_at,
      commit: run.git_commit?.slice(0, 12) ?? null,
      throughput: of('throughput_rps', 1),
      p95: quotable ? of('p95_us', 1000) : [],
    };
  });
}
