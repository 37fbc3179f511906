/** What each metric of an answer is called on an axis, and in which unit it is drawn. */
import { factor } from '../../analyse/words.js';
import { COUNT_LABEL, MS_LABEL, msText } from './parts.js';

/** What a p95 is, as figures say it under their heading. */
export const P95_MEANING = '95 % of answers came within this time';

const latency = (heading) => ({
  ...{ heading, unit: () => 'milliseconds', label: MS_LABEL },
  ...{ of: (us) => us / 1000, text: msText },
});

export const METRICS = {
  throughput: {
    ...{ heading: 'Throughput', unit: (units) => `${units} per second`, label: COUNT_LABEL },
    ...{ of: (value) => value, text: factor },
  },
  capacity: {
    ...{ heading: 'Capacity', unit: (units) => `${units} per second within the objective`, label: COUNT_LABEL },
    ...{ of: (value) => value, text: factor },
  },
  p50: latency('Median latency'),
  p95: latency('95th percentile of latency'),
  p99: latency('99th percentile of latency'),
  cpu_per_request: { ...latency('Processor time'), unit: () => 'milliseconds per request' },
  speedup: {
    ...{ heading: 'How many times as fast', unit: () => 'time without the index / time with it' },
    ...{ label: `${COUNT_LABEL} + '×'`, of: (value) => value, text: (value) => `${factor(value)}×` },
  },
  lost: {
    ...{ heading: 'Documents lost', unit: (units) => `% of the ${units} acknowledged`, label: COUNT_LABEL },
    ...{ of: (share) => 100 * share, text: (value) => `${factor(value)} %` },
  },
};
