// Reads clocks by the one of the machine that it runs on: node scripts/generators/clocks.js URL..., of samplers (scripts/probes/sampler/serve.js). Prints lines
// "number asked told answered", the number of the URL from 1, times in microseconds since 1970; none for a clock that does not answer within 5 s, or an empty URL.
const TIMES = 10;

const now = () => Math.round(1000 * (performance.timeOrigin + performance.now()));

for (const [i, url] of process.argv.slice(2).entries())
  for (let time = 0; time < TIMES; time += 1) {
    try {
      const asked = now();
      const told = await (await fetch(new URL('clock', url), { signal: AbortSignal.timeout(5000) })).text();
      console.log([i + 1, asked, told, now()].join(' '));
    } catch {
      break;
    }
  }
