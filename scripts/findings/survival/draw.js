/** What the picture of an answer shows of servers that were killed. */
import { groupBy, sum } from '../../analyse/numbers.js';

/**
 * What each promise costs beside the share of acknowledged documents that it lost, of all kills and of each: a trade.
 * @param {object} results results.json @param {object} _question that asks for it @param {object|null} cost what the picture of the costs shows, if they were measured
 * @returns {object|null} see report/answers/facts.js
 */
export function facts({ survival }, _question, cost) {
  const kills = [...groupBy(survival ?? [], ({ profile }) => profile)].map(([name, rounds]) => {
    const counted = rounds.filter(({ lost }) => lost !== null);
    const total = (key) => sum(counted.map((round) => round[key]));
    return {
      ...{ name, series: '', role: 'compared', low: null, high: null },
      value: counted.length > 0 ? total('lost') / total('acknowledged') : null,
      trials: counted.map(({ lost, acknowledged }) => ({ value: lost / acknowledged, verdict: 'valid', trial: null })),
    };
  });
  if (kills.every(({ value }) => value === null)) return null;
  const order = cost?.panels[0].rows.map(({ name }) => name) ?? [];
  const lost = {
    ...{ metric: 'lost', units: 'documents' },
    rows: kills.toSorted((a, b) => order.indexOf(a.name) - order.indexOf(b.name)),
  };
  return {
    ...{ shape: 'rows', metric: 'lost', units: 'documents', by: 'database' },
    ...{ reference: cost?.reference ?? null, confidence: cost?.confidence ?? null },
    panels: [...(cost?.panels ?? []), lost],
    absent: [...new Set(survival.filter((round) => round.lost === null).map(({ profile }) => profile))],
  };
}
