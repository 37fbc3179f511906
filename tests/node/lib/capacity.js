/** Searches for a capacity against targets that only exist in the computer's memory. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { overBlocks } from '../../../scripts/analyse/capacity/answer.js';
import { judge, samplesFor, unseenShare } from '../../../scripts/analyse/capacity/objective.js';
import { secondsOf } from '../../../scripts/analyse/capacity/probes.js';
import { PROBES, probeOf, search, startOf } from '../../../scripts/analyse/capacity/search.js';
import { beyondDDc, beyondDM1, beyondMDc, beyondMMc, capacityOf } from './queues.js';
import { longRandom, responder } from './responder.js';

/** Fails unless a figure is within a share of another. @param {string} [what] it is */
export const near = (actual, expected, share, what = '') =>
  assert.ok(Math.abs(actual - expected) <= share * Math.abs(expected), `${what} ${actual}, not ${expected}`);

/** What an objective asks for, as the plan has it. @param {string} text @throws {Error} what is wrong with it */
export function partsOf(text) {
  const out = execFileSync('jq', ['-L', 'scripts/jq', '-c', 'include "objective"; objective'], {
    input: JSON.stringify(text),
    cwd: new URL('../../..', import.meta.url),
  });
  const { parts, fault } = JSON.parse(out);
  if (fault) throw new Error(fault);
  return parts;
}

/** Services take so many milliseconds on average, unless it is said otherwise. */
const SERVICE_MS = 1;
/** Of the lead-in of a real probe the rate is whole for so many seconds, and a real experiment has so many for each trial. */
const [WHOLE_S, TRIAL_S] = [3, 8];

const BEYOND = {
  'poisson exponential': beyondMMc,
  'poisson fixed': beyondMDc,
  'schedule exponential': beyondDM1,
  'schedule fixed': beyondDDc,
};

/**
 * One search.
 * @param {(rate: number, n: number) => object} ask the n-th probe, from 0 up, see probeOf @param {object} bounds see search
 * @returns {{answer: object, probes: object[]}}
 */
export function searched(ask, bounds) {
  const probes = [];
  for (;;) {
    const { next, ...answer } = search(probes, bounds);
    if (next === undefined) return { answer, probes };
    if (probes.length >= (bounds.budget ?? PROBES)) throw new Error('the search takes more probes than it may');
    probes.push(ask(next, probes.length));
  }
}

/** The rate up to which a queue meets a limit in theory, requests per second. @param {object} setting see runsOf @returns {number|null} */
export function truthOf({ arrivals, service, places, objective, service_ms = SERVICE_MS }) {
  const parts = partsOf(objective);
  const asked = { places, limit: parts[0].limit / 1000 / service_ms, allowed: allowedBy(parts) };
  const rate = capacityOf(BEYOND[`${arrivals} ${service}`], asked);
  return rate === null ? null : (rate * 1000) / service_ms;
}

/** The share of requests that the shipped judge allows beyond the limit. @param {object[]} parts one percentile */
function allowedBy(parts) {
  return judge(parts, { samples: samplesFor(parts), beyond: { [parts[0].metric]: 0 } }).excess.allowed;
}

/**
 * Measurements of a capacity, each of several blocks, each block one search from a start that was guessed.
 * @param {object} setting arrivals, service, places: see responder; service_ms: of a service, on average; objective: one percentile; times: how many times the
 *   samples that it needs a probe has, after a quarter as many to warm up, else as many as in the seconds of a real probe; blocks; runs; seed; guess: the start is off by up to this factor
 * @returns {Generator<{answer: object, blocks: {answer, probes}[]}>} answer: see overBlocks
 */
export function* runsOf({ objective, times, blocks, runs, seed = 1, guess = 4, service_ms = SERVICE_MS, ...queue }) {
  const truth = truthOf({ objective, service_ms, ...queue });
  const parts = partsOf(objective);
  const [{ metric, limit }] = parts;
  const lengthOf = (rate) =>
    times
      ? { warmup: (times * samplesFor(parts)) / 4, samples: times * samplesFor(parts) }
      : { warmup: WHOLE_S * rate, samples: rate * secondsOf(parts, rate, { duration_s: TRIAL_S }) };
  const random = longRandom(seed);
  const target = responder({ ...queue, random });
  const ask = (rate) => {
    const { warmup, samples } = lengthOf(rate);
    const probe = { warmup, samples, limit: limit / 1000 / service_ms };
    const figures = { samples, beyond: { [metric]: target((rate * service_ms) / 1000, probe) } };
    return probeOf(rate, judge(parts, figures), { samples });
  };
  for (let run = 0; run < runs; run += 1) {
    const guessed = truth * guess ** (2 * random() - 1);
    const searches = Array.from({ length: blocks }, (_, b) => searched(ask, { start: startOf(guessed, b + 1) }));
    const answers = searches.map(({ answer }) => ({
      ...answer,
      unseen: answer.rate > 0 ? unseenShare(parts, lengthOf(answer.rate).samples / answer.rate) : 0,
    }));
    yield { answer: overBlocks(answers), blocks: searches };
  }
}
