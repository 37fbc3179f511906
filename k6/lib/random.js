// Random numbers from a seed: the same seed, the same numbers, in k6 and in Node.

/** -> a function that gives numbers in [0, 1): mulberry32, by Tommy Ettinger, 32 bits of state. */
export function seeded(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** -> a seed of its own for stream `number` of `seed`: neighbours share nothing (the finaliser of MurmurHash3). */
export function streamSeed(seed, number) {
  let h = (Math.imul(seed, 0x9e3779b1) ^ number) >>> 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** -> a whole number from low to high, both included. */
export const between = (random, low, high) => low + Math.floor(random() * (high - low + 1));

/** -> one of `list`. */
export const pick = (random, list) => list[Math.floor(random() * list.length)];
