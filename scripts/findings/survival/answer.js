/** Which acknowledged documents are lost when the server is killed; and what the picture of that shows. */
import { unanswered } from '../../analyse/answers/refused.js';
import { count } from '../../analyse/effects.js';
import { groupBy, sum } from '../../analyse/numbers.js';
import { plural } from '../../analyse/words.js';

export const kind = 'lost';

/** @param {object} _question of plan.json @param {object} known see answered @returns {object} an answer, see answered */
export function answer(_question, { survival }) {
  if (!survival?.length) return unanswered('no server was killed');
  return { answered: true, claim: true, ...survivalText(...lossesIn(survival)) };
}

/** @param {object[]} rounds survival.json @returns {[kills: number, profiles: [string, {lost, acknowledged, loaded_lost}|null][]]} loaded_lost: of the documents that were there before */
export function lossesIn(rounds) {
  const profiles = [...groupBy(rounds, ({ profile }) => profile)].map(([profile, same]) => {
    if (same.some((round) => round.lost === null)) return [profile, null];
    const total = (key) => sum(same.map((round) => round[key] ?? 0));
    return [profile, { lost: total('lost'), acknowledged: total('acknowledged'), loaded_lost: total('loaded_lost') }];
  });
  return [Math.max(...rounds.map(({ round }) => round)), profiles];
}

/** @param {[profile: string, counts: {lost: number, acknowledged: number, loaded_lost: number}|null][]} profiles null: cannot be known @returns {{text: string, title: string}} */
export function survivalText(kills, profiles) {
  const parts = profiles.map(([profile, counts]) =>
    counts === null
      ? `${profile} unknown`
      : `${profile} ${count(counts.lost)} of ${count(counts.acknowledged)}${counts.loaded_lost > 0 ? `, and ${count(Math.round(counts.loaded_lost / kills))} in each kill that were loaded before` : ''}`,
  );
  const isUnknown = profiles.some(([, counts]) => counts === null);
  const why = isUnknown ? ' (the kernel keeps what killed processes wrote)' : '';
  return {
    text: `Acknowledged documents lost in ${plural(kills, 'kill')} of the server's processes under load, the power staying on: ${parts.join(', ')}${why}.`,
    title: `Acknowledged documents lost in ${plural(kills, 'kill')} under load, the power staying on: ${parts.join(', ')}`,
  };
}

/**
 * What each promise costs beside the share of acknowledged documents that it lost, of all kills and of each: a trade.
 * @param {object} results results.json @param {object} _question that asks for it @param {(results: object) => object|null} costOf what the picture of the costs shows, if they were measured
 * @returns {object|null} see report/answers/facts.js
 */
export function facts(results, _question, costOf) {
  const { survival } = results;
  const cost = costOf(results);
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
