/** Charts with a bar per target: use of processor and memory, and the throughput of the targets side by side. */
import { groupBy, sum } from '../../analyse/numbers.js';
import { levelPhrase } from '../../analyse/phrases.js';
import { isOneMachine } from '../../analyse/placement.js';
import { byName, seriesName } from '../../analyse/words.js';
import { rolePalette, waitPalette } from '../palette.js';
import { msText, seriesScales } from './parts.js';
import { spaced, valueAxis, valueScale } from './scales.js';
import { BESIDE, framed, inks, panelTitle, SPACING } from './style.js';

const ROW = 38;
const TARGET = 54;
const SHARE_TEXT = 128;
const NAME_CHARACTER = 7.5;
const PAPER_WIDTH = 760;
const MIB = 2 ** 20;

const row = (names) => ({
  field: 'series',
  type: 'nominal',
  title: null,
  sort: names,
  axis: { labelFontSize: 13, labelLimit: 180, ticks: false, domain: false },
});

/** As panelSize, with room for names at the left and for `right` pixels of text behind the longest bar. */
function barPanel(look, names, count, right = 16) {
  const all = look.width ?? PAPER_WIDTH;
  const beside = count > 1 && all >= BESIDE;
  const left = Math.min(180, Math.max(...names.map((name) => name.length)) * NAME_CHARACTER) + 12;
  const room = beside ? (all - SPACING) / count : all;
  return { width: Math.max(120, Math.floor(room - left - right)), arrange: beside ? 'hconcat' : 'vconcat' };
}

/**
 * Processor time and memory by role.
 * @param {object[]} cells of one level @param {{look: object}} options
 * @returns {object|null} null when nothing was sampled
 */
export function resourceChart(cells, { look }) {
  const watched = cells.filter((cell) => cell.resources?.roles);
  const uses = watched.flatMap((cell) =>
    Object.entries(cell.resources.roles).map(([role, use]) => ({
      series: seriesName(cell),
      role,
      cores: use?.cpu_cores ?? null,
      mib: use?.rss_max_bytes ? use.rss_max_bytes / MIB : null,
    })),
  );
  if (!uses.some(({ cores }) => cores !== null)) return null;
  const names = [...new Set(watched.map(seriesName))].sort(byName);
  const roles = [...new Set(uses.map(({ role }) => role))].sort();
  const cores = watched.every(({ resources }) => isOneMachine(resources)) ? watched[0].resources.cores : null;
  const of = cores === null ? '' : `, of ${cores}`;
  const { width, arrange } = barPanel(look, names, 2);
  const base = { look, names, roles, width, colours: rolePalette(roles, look.theme) };
  return framed(
    [
      stacked(uses, base, { field: 'cores', heading: 'Processor', unit: `cores used${of}`, limit: cores }),
      stacked(uses, base, { field: 'mib', heading: 'Memory', unit: 'largest resident size by role, MiB', limit: null }),
    ],
    { look, arrange },
  );
}

/** As many kinds of wait are told apart; the rest are one. */
const MOST_WAITS = 5;
const LEAST_SESSIONS = 0.005; // less is nothing, as shown

/**
 * What the sessions of the database did, of those that were active.
 * @param {object[]} cells of one level @param {{look: object}} options
 * @returns {object|null} null where no session was seen
 */
export function waitsChart(cells, { look }) {
  const all = cells.flatMap((cell) =>
    Object.entries(cell.resources?.waits ?? {})
      .filter(([what, sessions]) => what.startsWith('active:') && sessions >= LEAST_SESSIONS)
      .map(([what, sessions]) => ({
        series: seriesName(cell),
        role: what.split(':').slice(1).join(': '),
        sessions,
      })),
  );
  if (all.length === 0) return null;
  const sums = [...groupBy(all, ({ role }) => role)].map(([role, uses]) => [
    role,
    sum(uses.map((use) => use.sessions)),
  ]);
  const told = sums
    .toSorted((a, b) => b[1] - a[1])
    .slice(0, MOST_WAITS)
    .map(([role]) => role);
  const roles = [...told, ...(sums.length > told.length ? ['other'] : [])];
  const uses = [...groupBy(all, ({ series }) => series)].flatMap(([series, own]) =>
    roles.map((role) => {
      const same = own.filter((use) => (role === 'other' ? !told.includes(use.role) : use.role === role));
      return { series, role, sessions: same.length > 0 ? sum(same.map((use) => use.sessions)) : null };
    }),
  );
  const names = [...new Set(cells.map(seriesName))].sort(byName);
  const { width, arrange } = barPanel(look, names, 1);
  const base = { look, names, roles, width, colours: waitPalette(roles, look.theme) };
  const heading = 'Active sessions of the database';
  const unit = 'on average, by what they wait for; CPU: running, or waiting for a processor';
  return framed([stacked(uses, base, { field: 'sessions', heading, unit, limit: null })], { look, arrange });
}

function stacked(uses, { look, names, roles, width, colours }, { field, heading, unit, limit }) {
  const x = {
    field: 'from',
    type: 'quantitative',
    title: null,
    axis: { tickCount: 5, format: ',~r' },
    ...(limit ? { scale: { domain: [0, limit] } } : {}),
  };
  const color = {
    field: 'role',
    type: 'nominal',
    scale: { domain: roles, range: roles.map((role) => colours.get(role)) },
    legend: { columns: width < 300 ? 2 : 5 },
  };
  const values = segments(uses, names, field);
  const longest = limit ?? Math.max(...values.map(({ to }) => to));
  const named = values.filter(({ role, from, to }) => ((to - from) / longest) * width > role.length * 8 + 6);
  const y = row(names);
  return {
    width,
    height: names.length * ROW,
    title: panelTitle(heading, unit, width),
    layer: [
      {
        data: { values },
        mark: { type: 'bar', height: { band: 0.66 }, stroke: inks(look).ground, strokeWidth: 2 },
        encoding: {
          x,
          x2: { field: 'to' },
          y,
          color,
          tooltip: [
            { field: 'series', title: 'target' },
            { field: 'role' },
            { field: 'use', title: unit, format: ',.3~r' },
          ],
        },
      },
      {
        data: { values: named },
        mark: { type: 'text', fontSize: 12, color: inks(look).ink },
        encoding: { x: { field: 'middle', type: 'quantitative' }, y, text: { field: 'role' } },
      },
    ],
  };
}

/** Each role's part of its target's bar. */
function segments(uses, names, field) {
  return names.flatMap((name) => {
    let to = 0;
    return uses
      .filter((use) => use.series === name && use[field] !== null)
      .map(({ series, role, [field]: use }) => {
        const from = to;
        to += use;
        return { series, role, use, from, to, middle: (from + to) / 2 };
      });
  });
}

/**
 * Targets side by side: each one's throughput as a share of the fastest, and what a request costs more there. In a closed model users /
 * throughput is the time that one request takes (Little's law), so both come from one figure.
 * @param {object[]} cells of one level, closed model @param {{colours: Map, look: object}} options
 * @returns {object|null} null with fewer than two to compare
 */
export function targetsChart(cells, { colours, look }) {
  const shown = cells
    .filter((cell) => cell.model === 'closed' && cell.throughput_rps?.median > 0)
    .sort((a, b) => b.throughput_rps.median - a.throughput_rps.median);
  if (shown.length < 2) return null;
  const values = shown.map((cell) => besideFirst(cell, shown[0].throughput_rps.median));
  const names = values.map(({ series }) => series);
  const { width, arrange } = barPanel(look, names, 1, SHARE_TEXT);
  const scale = valueScale(values.flatMap(({ min, max }) => [min, max]));
  const isLog = scale.type === 'log';
  const sizeOf = (tick) => tick.toLocaleString('en-US').length * NAME_CHARACTER;
  const x = valueAxis(scale, { values: spaced(scale.values, scale, width, sizeOf), format: ',~r' });
  const { color } = seriesScales(names, colours);
  const tooltip = [
    { field: 'series', title: 'target' },
    { field: 'median', title: 'answers/s', format: ',.4~r' },
    { field: 'share', title: '% of the fastest', format: '.3~r' },
    { field: 'added_ms', title: 'added ms', format: ',.3~r' },
  ];
  const unit = `answers per second ${levelPhrase(shown[0])}; whiskers span the trials${isLog ? ' (log scale)' : ''}; beside them: share of the fastest, and how much longer a request takes on average`;
  return framed(
    [
      {
        width,
        height: names.length * TARGET,
        title: panelTitle('Targets side by side', unit, width),
        data: { values },
        layer: [
          {
            mark: isLog
              ? { type: 'circle', size: 160, opacity: 0.9 }
              : { type: 'bar', height: { band: 0.62 }, opacity: 0.9 },
            encoding: { x: x('median'), y: row(names), color, tooltip },
          },
          {
            mark: { type: 'rule', strokeWidth: 1.5, color: inks(look).ink },
            encoding: { x: x('min'), x2: { field: 'max' }, y: row(names) },
          },
          {
            mark: { type: 'text', align: 'left', dx: 9, fontSize: 12, color: inks(look).ink },
            encoding: { x: x('max'), y: row(names), text: { field: 'text' } },
          },
        ],
      },
    ],
    { look, arrange },
  );
}

/** A target's throughput beside the highest, and what it takes longer. */
function besideFirst(cell, first) {
  const { median, min, max } = cell.throughput_rps;
  const added_ms = 1000 * cell.level * (1 / median - 1 / first);
  const share = (100 * median) / first;
  const text = added_ms === 0 ? 'fastest' : `${Number(share.toPrecision(2))} %, +${msText(added_ms)}`;
  return { series: seriesName(cell), median, min, max, share, added_ms, text };
}
