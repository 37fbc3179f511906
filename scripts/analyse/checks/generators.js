/** Did several generators make one load? Each that did not is named. A load of one generator has none of these checks. */
import { coresAllowed, threadsOf } from '../generator.js';
import { generatorsOf } from '../generators.js';
import { groupBy } from '../numbers.js';
import { listed } from '../phrases.js';
import { isOfPods } from '../placement.js';
import { invalid, missing, NOT_APPLICABLE, NOT_MEASURED, PASS, percent, suspect } from './outcome.js';

export const checks = {
  generators_ended: generatorsEnded,
  generators_began: generatorsBegan,
  generators_clocks: generatorsClocks,
  generators_shared: generatorsShared,
  generators_cpu: generatorsCpu,
};

export const about = {
  generators_ended: { finds: 'a load generator that failed', isDisturbing: true },
  generators_began: { finds: 'load generators that did not begin together', isDisturbing: true },
  generators_clocks: { finds: 'a load generator whose clock is off', isDisturbing: true, readsStatusAlone: true },
  generators_shared: { finds: 'a load generator that made less than its share', isDisturbing: true },
  generators_cpu: { finds: 'a load generator without processor time left', isOfGenerator: true },
};

const named = (generators) => `generator ${listed(generators.map(({ number }) => String(number)))}`;

/** All ran to their end, and left all that they measured. */
function generatorsEnded(trial) {
  const generators = generatorsOf(trial);
  if (generators === null) return NOT_APPLICABLE;
  if (generators.every(({ exit_code }) => missing(exit_code))) return NOT_MEASURED;
  const ended = generators.filter(({ exit_code }) => exit_code !== 0);
  if (ended.length > 0) {
    const codes = [...groupBy(ended, ({ exit_code }) => exit_code)].map(
      ([code, those]) => `${named(those)} of ${generators.length} ended with exit status ${code}`,
    );
    return invalid(ended.length, 0, listed(codes));
  }
  const cut = generators.filter(({ complete }) => !complete);
  return cut.length === 0
    ? PASS
    : invalid(cut.length, 0, `what ${named(cut)} of ${generators.length} measured is not whole`);
}

/** The generator of which a figure is farthest from 0, and that figure. */
function farthest(generators, key) {
  const known = generators.filter((generator) => !missing(generator[key]));
  return known.length === 0 ? null : known.reduce((a, b) => (Math.abs(b[key]) > Math.abs(a[key]) ? b : a));
}

/** All began at the agreed instant. In a ramp the first user of one may come later. */
function generatorsBegan(trial) {
  const generators = generatorsOf(trial);
  if (generators === null) return NOT_APPLICABLE;
  if (trial.cell.profile === 'ramp') return NOT_MEASURED;
  const off = farthest(generators, 'began_after_ms');
  if (off === null) return NOT_MEASURED;
  const ms = off.began_after_ms;
  const text = `${named([off])} began ${Math.abs(ms).toFixed(0)} ms ${ms > 0 ? 'after' : 'before'} the agreed instant`;
  const outcome = judged(ms, trial.limit, 'generator_began_ms', text);
  return outcome === PASS && generators.some(({ began_after_ms }) => missing(began_after_ms)) ? NOT_MEASURED : outcome;
}

/** All clocks agree with the one that they were read by, and are known well enough to say so: the driver's, or of pods the first generator's. One that could not be read may be off by anything. */
function generatorsClocks(trial) {
  const generators = generatorsOf(trial);
  if (generators === null) return NOT_APPLICABLE;
  const [known, unread] = [false, true].map((is) =>
    generators.filter(({ clock_offset_ms }) => missing(clock_offset_ms) === is),
  );
  const outcome = known.length === 0 ? PASS : clockOff(known, trial);
  if (outcome !== PASS || unread.length === 0) return outcome;
  return suspect(unread.length, 0, `the clock of ${named(unread)} could not be read before and after`);
}

/** The clock that may be farthest off. */
function clockOff(known, { summary, limit }) {
  const atMost = ({ clock_offset_ms, clock_error_ms }) => Math.abs(clock_offset_ms) + clock_error_ms;
  const off = known.reduce((a, b) => (atMost(b) > atMost(a) ? b : a));
  const { clock_offset_ms: ms, clock_error_ms: error } = off;
  const whose = whoseClock(summary);
  const text = `the clock of ${named([off])} was ${Math.abs(ms).toFixed(1)} ms ${ms > 0 ? 'ahead of' : 'behind'} ${whose} (known to ${error.toFixed(1)} ms)`;
  return judged(ms, limit, 'generator_clock_ms', text, atMost(off));
}

/** By whose clock those of generators were read; without a summary nothing tells pods from others. */
function whoseClock(summary) {
  if (!summary) return 'the one that it was read by';
  return isOfPods(summary.resources) ? "the first generator's" : "the driver's";
}

/** Of a time off in ms, which may be as much as `atMost`. */
function judged(ms, limit, name, text, atMost = Math.abs(ms)) {
  const [allowed, impossible] = [limit(name), limit(`${name}_invalid`)];
  if (Math.abs(ms) > impossible) return invalid(ms, impossible, text);
  return atMost > allowed ? suspect(ms, allowed, text) : PASS;
}

/** Each made its share of the requests. What one made whose file is not whole is not known. */
function generatorsShared(trial) {
  const generators = generatorsOf(trial);
  if (generators === null) return NOT_APPLICABLE;
  if (generators.some(({ share, complete }) => missing(share) || !complete)) return NOT_MEASURED;
  const least = generators.reduce((a, b) => (b.share / b.fair_share < a.share / a.fair_share ? b : a));
  const part = least.share / least.fair_share;
  const allowed = trial.limit('generator_part');
  if (part >= allowed) return PASS;
  return suspect(part, allowed, `${named([least])} made ${(100 * part).toFixed(1)} % of its share of the requests`);
}

/** None was at its own ceiling. What a command that runs the tool elsewhere takes here says nothing. */
function generatorsCpu(trial) {
  const generators = generatorsOf(trial);
  if (generators === null) return NOT_APPLICABLE;
  const { cell, summary } = trial;
  const coresOf = ({ number, cores_allowed }) =>
    Math.min(
      ...[
        coresAllowed({ cores_allowed }, summary.resources),
        threadsOf(cell.tool, cell.argvs?.[number - 1] ?? []),
      ].filter(Boolean),
    );
  const seen = generators.filter(({ cpu_cores }) => !missing(cpu_cores));
  if (seen.length === 0) return NOT_MEASURED;
  const most = seen
    .map((one) => ({ ...one, used: one.cpu_cores / coresOf(one) }))
    .reduce((a, b) => (b.used > a.used ? b : a));
  const allowed = trial.limit('generator_cpu_share');
  if (most.used <= allowed) return seen.length < generators.length ? NOT_MEASURED : PASS;
  return suspect(most.used, allowed, `${named([most])} used ${percent(most.used)} of its processor time`);
}
