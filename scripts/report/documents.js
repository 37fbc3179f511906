/** What the documents suite adds to a report: objectives, the gain from an index, and what survives a crash at what cost. */
import { metricText } from '../analyse/phrases.js';
import { factor, plural } from '../analyse/words.js';
import { code, folded, heading, paragraph, table } from './blocks.js';
import { bytes, duration, NOTHING, percentile, rate, ratio, share } from './format.js';

/** @returns {object[]} blocks; none of a run that measured nothing of it */
export function documentsBlocks(results) {
  return [...objectives(results.objectives ?? []), ...index(results.index_pairs), ...durability(results)];
}

const FIGURES = {
  us: duration,
  bytes,
  share,
  'requests/s': (value) => `${rate(value)}/s`,
  'bytes/s': (value) => `${value < 1 ? '0 B' : bytes(value)}/s`,
  'share of the cores': share,
};

function objectives(judged) {
  if (judged.length === 0) return [];
  const met = { true: 'met', false: '**missed**', null: 'not measured' };
  const rows = judged.map(({ name, metric, must_be, limit, unit, measured, met: answer, cell }) => [
    name,
    metricText(metric),
    `${must_be} ${FIGURES[unit](limit)}`,
    measured === null ? NOTHING : FIGURES[unit](measured),
    met[answer],
    cell,
  ]);
  const counts = ['met', '**missed**', 'not measured'].map((word) => rows.filter((row) => row[4] === word).length);
  return [
    heading(2, 'Objectives'),
    paragraph(`${counts[0]} met, ${counts[1]} missed${counts[2] > 0 ? `, ${counts[2]} not measured` : ''}.`),
    table('Objectives', ['objective', 'figure', '>required', '>measured', 'verdict', 'cell'], rows),
  ];
}

/** The gain from an index. @param {object|null} pairs see analyse/index-pairs.js */
export function index(pairs) {
  return (pairs?.cells ?? []).length === 0
    ? []
    : [heading(2, 'Gain from the index'), ...pairs.cells.flatMap(indexCell), ...(pairs.plans ?? []).map(plan)];
}

function indexCell({ id, pairs, wins, losses, ties, speedup, best, worst, by_results }) {
  const part = (count) => `${count} (${share(count / pairs)})`;
  const single = (pair) => `${factor(pair.speedup)}× (documents found: ${range(pair.results)})`;
  return [
    heading(3, id),
    paragraph(
      `${pairs} pairs of equal answers: the index won ${part(wins)}, lost ${part(losses)}, tied ${part(ties)}. Speed-up, geometric mean over trials: ${ratio(speedup)}. Best pair ${single(best)}, worst ${single(worst)}.`,
    ),
    table(
      'Speed-up by documents found',
      ['documents found', '>pairs', '>speed-up'],
      by_results.map((row) => [range(row.results), row.pairs, ratio(row.speedup)]),
    ),
  ];
}

function range([least, most]) {
  if (most === null) return `${least}, the limit`;
  return least === most ? `${least}` : `${least} to ${most}`;
}

const plan = ({ collection, age, documents, plan: lines }) =>
  folded(`Plan: ${collection}, age ${age} (${plural(documents, 'document')})`, code('', lines.join('\n')));

/** The speed of each database profile whose server was killed, beside what it lost. */
function durability({ survival, cells }) {
  if (!survival) return [];
  const profiles = [...new Set(survival.map(({ profile }) => profile))];
  const rows = profiles.flatMap((profile) => {
    const rounds = survival.filter((round) => round.profile === profile);
    const lost = rounds
      .map((round) => (round.lost === null ? NOTHING : `${round.lost} of ${round.acknowledged}`))
      .join(', ');
    const measured = cells.filter((cell) => cell.database === profile && cell.throughput_rps);
    return (measured.length > 0 ? measured : [{}]).map((cell) => [
      profile,
      cell.level ?? NOTHING,
      rate(cell.throughput_rps?.median),
      percentile(cell.latency_us, 'p95'),
      share(cell.errors?.share),
      bytes(cell.database_counts?.wal_bytes_per_request),
      lost,
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
