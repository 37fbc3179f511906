/** The database itself: its buffers, its log, its statements one by one, and its profiles against one another. */
import { askedBy } from '../analyse/comparisons.js';
import { bytes, NOTHING, rate, ratio } from '../analyse/format.js';
import { diskReads } from '../analyse/placement.js';
import { levelNoun, seriesName } from '../analyse/words.js';
import { folded, heading, paragraph, table } from './blocks.js';
import { RATIOS_TEXT } from './section.js';

/** @returns {object[]} blocks; none where pgbench measured nothing */
export function databaseBlocks(results) {
  const cells = results.cells.filter((cell) => cell.tool === 'pgbench' && !cell.calibration);
  if (cells.length === 0) return profileRatios(results);
  return [...buffers(results, cells), ...statements(cells), ...profileRatios(results)];
}

function buffers({ environment }, cells) {
  const rows = cells
    .filter(({ database_counts: counts }) => counts !== null)
    .map(({ database_counts: counts, ...cell }) => [
      cell.database,
      `${cell.workload}${cell.variant === 'base' ? '' : ` (${cell.variant})`}`,
      cell.level,
      rate(cell.throughput_rps?.median),
      bytes(counts.size_bytes),
      environment?.databases?.[cell.database]?.settings?.shared_buffers ?? NOTHING,
      hits(counts.buffer_hit_ratio),
      counts.blocks_read_per_request ?? NOTHING,
      fromDisk(cell.resources),
      counts.buffers_checkpoint ?? NOTHING,
      counts.buffers_clean ?? NOTHING,
      counts.buffers_backend ?? NOTHING,
      counts.wal_bytes_per_request === null
        ? NOTHING
        : Math.round(counts.wal_bytes_per_request).toLocaleString('en-US'),
    ]);
  const header = [
    'database',
    'workload',
    '>clients',
    '>transactions/s',
    '>size',
    '>shared_buffers',
    '>buffer hits',
    '>blocks read per transaction',
    '>read from disk, whole machine',
    '>written by checkpoints',
    '>by the background writer',
    '>by backends',
    '>WAL bytes per transaction',
  ];
  return [
    heading(2, 'Buffers and log'),
    paragraph(pageCache(environment, cells)),
    table('Buffers and log, medians over trials', header, rows),
  ];
}

/** What a read that misses the buffers costs depends on whether the kernel still has the page. */
function pageCache(environment, cells) {
  const machine = environment?.machine?.memory_bytes;
  const largest = Math.max(...cells.map((cell) => cell.database_counts?.size_bytes ?? 0));
  if (!machine || largest === 0) return null;
  const memory = environment.stack === 'kubernetes' ? '' : `, the machine has ${bytes(machine)} of memory`; // a driver's says nothing of its cluster
  const limits = [...new Set(cells.map(({ database }) => database))].flatMap((database) => {
    const limit = environment.databases?.[database]?.settings?.['pglab.memory_bytes'];
    return limit ? [`The server of ${database} may take ${bytes(Number(limit))}, page cache included.`] : [];
  });
  const where =
    'A block that is not in the buffers comes from the page cache or, where that has not got it either, from the disk.';
  return [`Medians over trials. The largest database takes ${bytes(largest)}${memory}.`, ...limits, where].join(' ');
}

function fromDisk(resources) {
  const read = diskReads(resources);
  return read === null ? NOTHING : `${bytes(read)}/s`;
}

function hits(share) {
  return share === null ? NOTHING : `${(share * 100).toFixed(2)} %`;
}

/** What `pgbench -r` prints, over trials. Reading the clock for each statement costs throughput, so such trials are a variant. */
function statements(cells) {
  const measured = cells.filter((cell) => cell.statements);
  if (measured.length === 0) return [];
  const rows = measured.flatMap((cell) =>
    cell.statements.map(({ text, latency_ms: { median, min, max }, failures }) => [
      cell.database,
      seriesName(cell),
      cell.level,
      `\`${text}\``,
      median,
      min === max ? NOTHING : `${min}–${max}`,
      failures ?? NOTHING,
    ]),
  );
  const header = ['database', 'target', '>clients', 'statement', '>ms, median over trials', '>range', '>failures'];
  return [folded('Latency of each statement', table('Latency of each statement', header, rows))];
}

function profileRatios({ comparisons, questions }) {
  const asked = askedBy(questions?.filter(({ answered }) => answered));
  const rows = comparisons
    .filter(({ kind, variant }) => kind === 'database' && variant === 'base')
    .map((entry) => [
      `${entry.numerator} / ${entry.denominator}`,
      `${entry.target}, ${entry.workload}`,
      `${entry.level} ${levelNoun(entry, entry.level)}`,
      ...['throughput', 'p50', 'p95'].map((metric) => ratio(entry[metric], asked(entry, metric))),
    ]);
  const header = ['ratio', 'of', 'at', '>answers/s', '>p50', '>p95'];
  if (rows.length === 0) return [];
  return [
    heading(2, 'Database profiles compared'),
    paragraph(RATIOS_TEXT),
    table('Ratios between database profiles', header, rows),
  ];
}
