// Figures as k6 writes them in its end-of-test summary: 3.5 kB, 242.42ms, 1m30s, 99.98%.

const TIME_UNITS = { s: ['s', 0.001], ms: ['ms', 1], us: ['µs', 1000] };
const BYTE_UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];

/** value as a short decimal: cut, not rounded, after `digits` places. */
function cut(value, digits) {
  return String(Math.trunc(value * 10 ** digits) / 10 ** digits);
}

/** bytes -> text. */
export function bytes(value) {
  const step = value < 1000 ? 0 : Math.min(Math.floor(Math.log10(value) / 3), BYTE_UNITS.length - 1);
  const scaled = value / 1000 ** step;
  return `${scaled.toFixed(step > 0 && scaled < 10 ? 1 : 0)} ${BYTE_UNITS[step]}`;
}

/** milliseconds -> text, in `unit` (s, ms, us) or, when that is empty, in the unit that suits. */
export function time(ms, unit = '') {
  if (TIME_UNITS[unit]) return (ms * TIME_UNITS[unit][1]).toFixed(2) + TIME_UNITS[unit][0];
  if (ms === 0) return '0s';
  if (ms < 0.001) return `${cut(ms * 1e6, 0)}ns`;
  if (ms < 1) return `${cut(ms * 1000, 2)}µs`;
  if (ms < 1000) return `${cut(ms, 2)}ms`;
  if (ms < 60_000) return `${cut(ms / 1000, 2)}s`;
  const hours = Math.floor(ms / 3_600_000);
  return `${hours ? `${hours}h` : ''}${Math.floor(ms / 60_000) % 60}m${cut((ms % 60_000) / 1000, 0)}s`;
}

/** a figure of `metric` ({type, contains} as handleSummary gets it) -> text. */
export function figure(value, metric, unit) {
  if (metric.type === 'rate') return `${(Math.trunc(value * 10_000) / 100).toFixed(2)}%`;
  if (metric.contains === 'data') return bytes(value);
  if (metric.contains === 'time') return time(value, unit);
  return String(Number(value.toFixed(6)));
}
