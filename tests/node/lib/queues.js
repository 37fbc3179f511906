/**
 * Queues whose answers are known: the share of requests that take longer than a limit, and the rate at which that share is the one allowed. Times in
 * units of the mean service, rates in requests per such unit. One queue in order of arrival, c places.
 */

/**
 * Poisson arrivals, exponential service: M/M/c. A request waits with Erlang's probability C, then for an exponential time of rate c - rate (Erlang
 * 1917; L. Kleinrock, Queueing Systems I, 1975, section 3.5); the response is the sum of that and a service.
 * @param {number} rate below places @param {number} places @param {number} limit @returns {number} P(response > limit)
 */
export function beyondMMc(rate, places, limit) {
  const waits = erlangC(rate, places);
  const drain = places - rate;
  const service = Math.exp(-limit);
  const both =
    Math.abs(drain - 1) < 1e-9 ? (1 + limit) * service : (drain * service - Math.exp(-drain * limit)) / (drain - 1);
  return (1 - waits) * service + waits * both;
}

/** P(a request waits), by way of Erlang's loss formula and its recursion B(n) = a B(n-1) / (n + a B(n-1)). */
export function erlangC(load, places) {
  let loss = 1;
  for (let n = 1; n <= places; n += 1) loss = (load * loss) / (n + load * loss);
  return (places * loss) / (places - load * (1 - loss));
}

/**
 * Arrivals on a schedule, exponential service, one place: D/M/1. A request finds the queue busy with probability s, the root of
 * s = exp(-(1 - s) / rate), and its response is exponential of rate 1 - s (Kleinrock, section 6.4, GI/M/1).
 */
export function beyondDM1(rate, places, limit) {
  if (places !== 1) throw new Error('one place');
  let [low, high] = [0, 1 - 1e-12];
  if (rate >= 1) return 1;
  // s - exp(-(1 - s) / rate) rises through its root and comes back to 0 at s = 1
  while (high - low > 1e-13) {
    const middle = (low + high) / 2;
    if (middle < Math.exp(-(1 - middle) / rate)) low = middle;
    else high = middle;
  }
  return Math.exp(-(1 - low) * limit);
}

/**
 * Poisson arrivals, fixed service: M/D/c, exactly up to the truncation of the number in system. With (k - 1) <= x < k and u = k - x,
 * P(wait <= x) = sum over j < kc of P(j arrivals in u) P(at most c + kc - 1 - j in system) (G. J. Franx, A simple solution for the M/D/c waiting time
 * distribution, Operations Research Letters 29, 2001), where the number in system satisfies Crommelin's equations (1932): after one service time
 * those in service are gone, and the arrivals of that time are there.
 */
export function beyondMDc(rate, places, limit) {
  const wait = limit - 1;
  if (wait < 0) return 1;
  const atMost = cumulative(numbersInSystem(rate, places));
  const k = Math.floor(wait) + 1;
  const arrivals = poisson(rate * (k - wait), k * places);
  let within = 0;
  for (let j = 0; j < k * places; j += 1)
    within += arrivals[j] * atMost[Math.min(atMost.length - 1, places + k * places - 1 - j)];
  return 1 - within;
}

const TINY = 1e-13;

/** The stationary distribution, by repeating the step of one service time until nothing changes. */
function numbersInSystem(rate, places) {
  const size = places + Math.ceil(14 / (1 - rate / places)) + 40; // the tail falls as exp(-2 (1 - rate / places) n)
  const arrivals = poisson(rate, Math.ceil(rate + 12 * Math.sqrt(rate) + 20));
  let shares = new Float64Array(size);
  shares[0] = 1;
  for (let change = 1; change > TINY; ) {
    const next = new Float64Array(size);
    shares.forEach((share, n) => {
      if (share === 0) return;
      const left = Math.max(0, n - places);
      arrivals.forEach((chance, j) => {
        next[Math.min(size - 1, left + j)] += share * chance;
      });
    });
    change = next.reduce((most, share, n) => Math.max(most, Math.abs(share - shares[n])), 0);
    shares = next;
  }
  return shares;
}

function poisson(mean, size) {
  const chances = new Float64Array(size);
  chances[0] = Math.exp(-mean);
  for (let j = 1; j < size; j += 1) chances[j] = (chances[j - 1] * mean) / j;
  return chances;
}

function cumulative(shares) {
  let total = 0;
  return shares.map((share) => {
    total += share;
    return total;
  });
}

/** Arrivals on a schedule, fixed service: D/D/c. Nobody waits, up to the rate at which the places are full; beyond it the queue grows without end. */
export const beyondDDc = (rate, places, limit) => (rate <= places && limit >= 1 ? 0 : 1);

/**
 * Users who think for an exponential time, exponential service, one place: M/M/1//N, the machine repairman. Who asks sees the others as they would be
 * without them (arrival theorem: S. S. Lavenberg, M. Reiser, J. Appl. Prob. 17, 1980), and with n before them waits for n + 1 services.
 * @param {number} users @param {number} think mean, in units of the mean service @param {number} limit @returns {number} P(response > limit)
 */
export function beyondThinking(users, think, limit) {
  let [state, all, beyond] = [1, 0, 0]; // of n at the place among the others, times a constant
  let [term, within] = [Math.exp(-limit), Math.exp(-limit)]; // P(fewer than n + 1 services end within the limit)
  for (let n = 0; n < users; n += 1) {
    all += state;
    beyond += state * within;
    state *= (users - 1 - n) / think;
    term *= limit / (n + 1);
    within += term;
  }
  return beyond / all;
}

/** The most users whose share beyond a limit is the one allowed. @returns {number} whole */
export function usersWithin({ think, limit, allowed }) {
  let users = 0;
  while (beyondThinking(users + 1, think, limit) <= allowed) users += 1;
  return users;
}

/**
 * The rate at which the share beyond a limit is the one allowed.
 * @param {(rate, places, limit) => number} beyond rising in the rate @returns {number|null} null: at no rate
 */
export function capacityOf(beyond, { places, limit, allowed }) {
  let [low, high] = [1e-6 * places, places / 2];
  if (beyond(low, places, limit) > allowed) return null;
  while (high < places * (1 - 1e-7) && beyond(high, places, limit) <= allowed)
    [low, high] = [high, (high + places) / 2];
  while (high - low > 1e-7 * places) {
    const middle = (low + high) / 2;
    if (beyond(middle, places, limit) <= allowed) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
