/** A target in virtual time: a queue in order of arrival with c places, which answers a probe without anybody waiting for it. */

/**
 * Numbers in [0, 1) with a period beyond any simulation (sfc32, Chris Doty-Humphrey, public domain): seeded repeats after 2^32, fewer than one
 * setting of tests/bench/capacity.js draws.
 */
export function longRandom(seed) {
  let [a, b, c, count] = [seed | 0, 0x9e3779b9 | 0, 0x243f6a88 | 0, 1];
  const random = () => {
    const mixed = (((a + b) | 0) + count) | 0;
    count = (count + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + mixed) | 0;
    return (mixed >>> 0) / 2 ** 32;
  };
  for (let i = 0; i < 20; i += 1) random();
  return random;
}

/**
 * @param {object} queue places; arrivals: 'poisson' or 'schedule'; service: 'exponential' or 'fixed', 1 on average; random: see longRandom
 * @returns {(rate: number, probe: {warmup: number, samples: number, limit: number}) => number} the share of `samples` requests, sent after `warmup` others
 *   to an idle target, whose response from schedule took as long as `limit` or longer
 */
export function responder({ places, arrivals, service, random }) {
  const exponential = () => -Math.log(1 - random());
  const gap = arrivals === 'poisson' ? exponential : () => 1;
  const work = service === 'exponential' ? exponential : () => 1;
  const freeAt = new Float64Array(places);
  return (rate, { warmup, samples, limit }) => {
    freeAt.fill(0);
    let now = 0;
    let beyond = 0;
    for (let i = -warmup; i < samples; i += 1) {
      now += gap() / rate;
      let first = 0;
      for (let place = 1; place < places; place += 1) if (freeAt[place] < freeAt[first]) first = place;
      const end = Math.max(now, freeAt[first]) + work();
      freeAt[first] = end;
      if (i >= 0 && end - now >= limit) beyond += 1;
    }
    return beyond / samples;
  };
}
