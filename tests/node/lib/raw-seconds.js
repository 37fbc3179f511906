/** Raw files of a trial by the second: k6's and the sampler's, as they are found in a run. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The titles of what is drawn of them. */
export const PANELS = [
  'Marks',
  'Answers per second',
  'Latency',
  'In flight',
  'Processor',
  'Sessions of the database that are not idle',
];

/** Cores that each role uses, and what sessions do, in second s of the window. */
export const CORES = { generator: 0.25, postgres: 1.2, target: 0.5 };
const activity = (s) => ({ 'active:CPU': 2 + (s % 2), 'active:IO:WALSync': 1, 'idle:Client:ClientRead': 7 });

/**
 * @param {string} folder of a trial with a summary.json @param {object} [more] pauses: of k6's second 2; vacuum: seconds in which an autovacuum worker is seen
 */
export function writeRaw(folder, { pause = { from_ms: 2400, ms: 350 }, vacuum = [3] } = {}) {
  const { window, lead_in, timeline } = JSON.parse(readFileSync(join(folder, 'summary.json'), 'utf8'));
  const lines = (objects) => `${objects.map((object) => JSON.stringify(object)).join('\n')}\n`;
  const seconds = Array.from({ length: lead_in.seconds + timeline.length }, (_, t) => ({
    ...{ type: 'second', t, requests: 60, errors: {}, answers: 60 },
    ...(t === 2 ? { pause } : {}),
    latency: {
      count: 60,
      counts: [
        [1000, 50],
        [2000, 9],
        [40_000 + t, 1],
      ],
    },
  }));
  writeFileSync(join(folder, 'raw.k6.ndjson'), lines([{ type: 'meta', version: 2 }, ...seconds, { type: 'total' }]));
  const start = Date.parse(window.start);
  const readings = Array.from({ length: timeline.length + 3 }, (_, i) => {
    const at = i - 1.3; // seconds into the window
    const roles = Object.entries(CORES).map(([name, cores]) => [name, { pid: 7, cpu_s: 10 + cores * (at + 2) }]);
    const seen = vacuum.includes(Math.floor(at)) ? { 'autovacuum worker': 1 } : {};
    return {
      t: new Date(start + at * 1000).toISOString(),
      ...{ roles: Object.fromEntries(roles), host: { cores: 2 }, activity: { ...activity(Math.floor(at)), ...seen } },
    };
  });
  writeFileSync(join(folder, 'sampler.ndjson'), `${lines(readings)}{"t":"cut sho`);
}
