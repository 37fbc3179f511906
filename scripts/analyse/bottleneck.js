/** What limited a cell, by rules over the samples of its trials. */
import { coresAllowed, generatorCores } from './generator.js';
import { limitOf } from './limits.js';
import { sum } from './numbers.js';
import { isOfPods, machinesOf } from './placement.js';
import { plural } from './words.js';

const above = (value, limit) => value !== null && value !== undefined && value >= limit;
const share = (value) => `${Math.round(value * 100)} %`;

function largestWait(waits, kind) {
  const [name, count] = Object.entries(waits ?? {})
    .filter(([wait]) => kind.test(wait))
    .reduce((most, wait) => (wait[1] > most[1] ? wait : most), ['', 0]);
  return { name, count };
}

/** The role that uses most of the processor time that all roles use: {role, share}; null where one of them was not measured, or none but the load generator was watched. */
function largestConsumer(roles) {
  const used = Object.entries(roles).map(([role, use]) => ({ role, cores: use?.cpu_cores ?? null }));
  if (used.every(({ role }) => role === 'generator') || used.some(({ cores }) => cores === null)) return null;
  const total = used.reduce((all, { cores }) => all + cores, 0);
  const most = used.reduce((a, b) => (b.cores > a.cores ? b : a));
  return total === 0 ? null : { role: most.role, share: most.cores / total };
}

/** The evidence that a role uses most of the cores that it may use, which are all of them unless it is kept to some or has a machine of its own, or null. */
function fillsItsCores(use, { resources }) {
  const allowed = coresAllowed(use, resources);
  const used = allowed === null ? null : use?.cpu_cores / allowed;
  if (!above(used, limitOf('bottleneck_cpu_share'))) return null;
  const isKept = isOfPods(resources) || allowed < resources.cores;
  return `used ${share(used)} of ${isKept ? `its ${plural(allowed, 'core')}` : 'the cores'}`;
}

/** The evidence that one role fills busy cores, or null. Of several machines its own, where all that is there is there alone. */
function fillsTheCores(role, { resources, machines, roles }) {
  const there = (name) => machines.filter((machine) => machine.roles.includes(name));
  const [own, ...others] = there(role);
  if (others.length > 0 || !above(own?.cpu_busy_share, limitOf('bottleneck_host_busy'))) return null;
  if (own.roles.some((name) => there(name).length > 1)) return null;
  const most = largestConsumer(Object.fromEntries(own.roles.map((name) => [name, roles[name]])));
  const dominant = limitOf('bottleneck_dominant_share');
  if (most?.role !== role || most.share < dominant) return null;
  // others' programs may fill it, such as a database that was not watched
  if (roles[role].cpu_cores < dominant * own.cpu_busy_share * (own.cores ?? resources.cores)) return null;
  const [where, whose] = machines.length > 1 ? [' of its machine', 'the roles there'] : ['', 'the roles'];
  return `${share(own.cpu_busy_share)} of the cores${where} busy, ${share(most.share)} of what ${whose} used its own`;
}

const activeLoop = (use) =>
  above(use?.elu, limitOf('bottleneck_elu')) ? `event loop busy ${share(use.elu)} of the time` : null;

/** Of a server without an event loop, as on the JVM. */
const fillsAsThreads = (use, seen) => ((use?.elu ?? null) === null ? fillsItsCores(use, seen) : null);

/** Of a Node process that does not say how busy its event loop is. */
const fillsOneCore = (use) =>
  (use?.elu ?? null) === null && above(use?.cpu_cores, limitOf('bottleneck_elu'))
    ? `used ${use.cpu_cores.toFixed(2)} cores, and has one thread for its requests`
    : null;

/** Where what is measured takes less of the busy cores, others filled them. */
const OWN_PART = 0.5;

/** Each rule: a possible limit, and the evidence for it, or null. In the order in which one explains the next. */
const RULES = {
  generator(seen) {
    const allowed = generatorCores(seen.cell, seen.resources);
    const used = allowed === null ? null : seen.roles.generator?.cpu_cores / allowed;
    if (above(used, limitOf('generator_cpu_share'))) return `used ${share(used)} of its ${plural(allowed, 'core')}`;
    if (seen.headroom !== null && seen.headroom < limitOf('headroom')) return `headroom ${seen.headroom.toFixed(2)}`;
    return fillsTheCores('generator', seen);
  },
  lock({ waits }) {
    const { count } = largestWait(waits, /^active:Lock(:|$)/);
    return above(count, limitOf('bottleneck_waits'))
      ? `${count.toFixed(1)} sessions waiting for a lock on average`
      : null;
  },
  target(seen) {
    const { target } = seen.roles;
    return activeLoop(target) ?? fillsAsThreads(target, seen) ?? fillsTheCores('target', seen);
  },
  cube: (seen) => activeLoop(seen.roles.cube) ?? fillsOneCore(seen.roles.cube) ?? fillsTheCores('cube', seen),
  database(seen) {
    const full = fillsItsCores(seen.roles.postgres, seen);
    if (full) return full;
    const { name, count } = largestWait(seen.waits, /^active:(IO|LWLock|BufferPin|IPC|Extension)\b/);
    if (above(count, limitOf('bottleneck_waits'))) return `${count.toFixed(1)} sessions waiting on average (${name})`;
    return fillsTheCores('postgres', seen);
  },
  host({ machines, roles, resources }) {
    const busy = machines.find((machine) => above(machine.cpu_busy_share, limitOf('bottleneck_host_busy')));
    if (!busy) return null;
    const whose = machines.length > 1 ? ` of ${busy.roles.join(' and ')}'s machine` : '';
    const own = busy.roles.map((role) => roles[role]?.cpu_cores ?? null);
    const isAlone = busy.roles.every((role) => role === 'generator');
    const part =
      isAlone || own.includes(null) ? null : sum(own) / (busy.cpu_busy_share * (busy.cores ?? resources.cores));
    const others =
      part !== null && part < OWN_PART ? `, ${share(part)} of that by the load generator and what it asked` : '';
    return `${share(busy.cpu_busy_share)} of the cores${whose} busy${others}`;
  },
  pool({ roles }) {
    const waiting = roles.target?.pool_waiting_mean;
    return above(waiting, limitOf('bottleneck_waits'))
      ? `${waiting.toFixed(1)} requests waiting for a connection on average`
      : null;
  },
};

/**
 * @param {object|null} resources summary.resources, or the median over trials
 * @returns {{is: string, evidence: {is: string, text: string}[]}|null} `is`: generator, lock, target, cube, database, host, pool,
 *   or `none` when nothing that was watched reached its limit; null when nothing was watched
 */
export function bottleneck({ cell, resources, headroom }) {
  if (!resources) return null;
  const seen = {
    cell,
    resources,
    headroom,
    roles: resources.roles ?? {},
    machines: machinesOf(resources),
    waits: resources.waits,
  };
  const evidence = Object.entries(RULES)
    .map(([is, rule]) => ({ is, text: rule(seen) }))
    .filter(({ text }) => text !== null);
  return { is: evidence[0]?.is ?? 'none', evidence };
}

/**
 * What limited a cell: what limited each of its trials, where these agree.
 * @param {object|null} overall bottleneck of the medians over trials, whose evidence is shown @param {(string|null)[]} trials what limited each
 * @returns as bottleneck; `is`: unsettled where trials differ
 */
export function settled(overall, trials) {
  if (overall === null) return null;
  const [is, ...others] = new Set(trials.filter((limit) => limit !== null));
  return { ...overall, is: others.length > 0 ? 'unsettled' : (is ?? overall.is) };
}
