/** What survives when the server is killed under load, and what each promise costs. */
import { isCopy } from '../../analyse/figures.js';
import { bytes, NOTHING, percentile, rate, share } from '../../analyse/format.js';
import { heading, paragraph, table } from '../../report/blocks.js';

/**
 * The speed of each database profile whose server was killed, beside what it lost.
 * @param {{survival?: object[]|null, cells: object[]}} results results.json @returns {object[]} blocks; none of a run that killed nothing
 */
export function blocks({ survival, cells }) {
  if (!survival) return [];
  const profiles = [...new Set(survival.map(({ profile }) => profile))];
  const rows = profiles.flatMap((profile) => {
    const rounds = survival.filter((round) => round.profile === profile);
    const lost = rounds
      .map((round) => (round.lost === null ? NOTHING : `${round.lost} of ${round.acknowledged}`))
      .join(', ');
    const measured = cells.filter((cell) => cell.database === profile && cell.throughput_rps);
    return (measured.length > 0 ? measured : [{}]).map((cell) => [
      (cell.variant ?? 'base') === 'base' ? profile : `${profile} (${cell.variant})`,
      cell.level ?? NOTHING,
      rate(cell.throughput_rps?.median),
      percentile(cell.latency_us, 'p95'),
      share(cell.errors?.share),
      bytes(cell.database_counts?.wal_bytes_per_request),
      isCopy(cell.variant ?? 'base') ? NOTHING : lost,
    ]);
  });
  const why = survival.find((round) => round.why)?.why;
  return [
    heading(2, 'Durability: what each promise costs, and whether it holds'),
    paragraph(
      `Lost: how many of the documents acknowledged before the server was killed under load were gone afterwards, in each round.${why ? ` ${NOTHING}: ${why}.` : ''}`,
    ),
    table(
      'Durability',
      ['database', '>users', '>answers/s', '>p95', '>errors', '>WAL per request', 'lost, of those acknowledged'],
      rows,
    ),
  ];
}
