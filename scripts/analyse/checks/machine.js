/** Did the machine leave the trial its processors, and did all processes run? */
import { sum } from '../numbers.js';
import { listed } from '../phrases.js';
import { isOfPods } from '../placement.js';
import { plural } from '../words.js';
import { missing, NOT_APPLICABLE, NOT_MEASURED, PASS, percent, suspect } from './outcome.js';

export const checks = { watched, stopped, processor_taken: processorTaken, other_programs: otherPrograms };

export const about = {
  watched: { finds: 'resources not watched' },
  stopped: { finds: 'processes stopped for a time' },
  processor_taken: { finds: 'processor time that the hypervisor took', isDisturbing: true },
  other_programs: { finds: 'other programs at work', isDisturbing: true },
};

/** A process that was found stopped once a second or more rarely may have been so all the time in between: SIGSTOP, a debugger, cpulimit. */
function stopped({ summary, limit }) {
  const shares = Object.entries(summary.resources?.roles ?? {}).flatMap(([role, { stopped_share, each = [] }]) => [
    ...each.map((one, i) => [`load generator ${i + 1}`, one.stopped_share]),
    [role === 'generator' ? 'the load generator' : `role ${role}`, stopped_share],
  ]);
  const seen = shares.filter(([, share]) => !missing(share));
  if (seen.length === 0) return NOT_MEASURED;
  const [role, share] = seen.reduce((most, entry) => (entry[1] > most[1] ? entry : most));
  if (share <= limit('stopped_share')) return PASS;
  return suspect(
    share,
    limit('stopped_share'),
    `${role} was stopped in ${percent(share)} of the readings, one for each second`,
  );
}

/** A trial that nobody watched may have shared the machine with anything: the more others take of it, the less the sampler sees of a short one. */
function watched({ cell, status, summary, limit }) {
  const seconds = cell.requests ? summary.window.seconds : cell.duration_s; // a fixed number of requests may take less
  if (!status?.sampled || seconds < limit('watched_from_s')) return NOT_APPLICABLE;
  const unknown = 'what else used the processors is unknown';
  if (missing(summary.resources))
    return suspect(0, limit('watched_from_s'), `the sampler left no readings: ${unknown}`);
  if (missing(summary.resources.roles?.generator?.cpu_cores))
    return suspect(0, limit('watched_from_s'), `the sampler did not see the load generator at work: ${unknown}`);
  const silent = podsOf(summary.resources).filter(([, { cpu_cores }]) => missing(cpu_cores));
  if (silent.length > 0)
    return suspect(
      0,
      limit('watched_from_s'),
      `${listed(silent.map(([pod]) => pod))} told nothing for a part of the time: ${unknown}`,
    );
  return PASS;
}

/** Processor time that a hypervisor gave to other machines, of all cores or of one, or that a container's quota withheld. */
function processorTaken({ summary, limit }) {
  const { host, machines = [host ?? {}] } = summary.resources ?? {};
  const worst = (key) => Math.max(...machines.map((machine) => machine[key] ?? 0));
  const [stolen, ofOne] = ['cpu_steal_share', 'cpu_steal_core_share'].map(worst);
  const stops = stopsOf(summary.resources ?? {});
  const [allowed, allowedOfOne] = [limit('processor_taken_share'), limit('processor_taken_core_share')];
  const where = machines.length > 1 ? ' of a node' : '';
  if (stolen > allowed)
    return suspect(stolen, allowed, `other virtual machines took ${percent(stolen)} of the processor time${where}`);
  if (ofOne > allowedOfOne)
    return suspect(ofOne, allowedOfOne, `other virtual machines took ${percent(ofOne)} of one core's time`);
  const stop = stops.find(({ share }) => share > allowed);
  if (stop) return suspect(stop.share, allowed, stop.text);
  const isUntold = machines.every((machine) => missing(machine.cpu_steal_share));
  const isUnknown = stops.some(({ share }) => missing(share));
  return (isOfPods(summary.resources) ? isUntold || isUnknown : isUntold && isUnknown) ? NOT_MEASURED : PASS;
}

/** What was read of each pod, by its name in sentences; none where pods do not tell. */
const podsOf = (resources) =>
  isOfPods(resources)
    ? Object.entries(resources.roles ?? {}).flatMap(([role, use]) =>
        use.each ? use.each.map((one, i) => [`${role} ${i + 1}`, one]) : [[role, use]],
      )
    : [];

/** In which share of the time a quota of processor time had something stopped: of pods each, whose own limit it is, else the container that all is in. */
function stopsOf(resources) {
  if (!isOfPods(resources)) {
    const share = resources.host?.cpu_throttled_share;
    const text = `the container was stopped for up to ${percent(share)} of the time: its processor quota was used up`;
    return [{ share, text }];
  }
  return podsOf(resources).map(([pod, { throttled_share: share }]) => ({
    share,
    text: `up to ${percent(share)} of the time ${pod}'s pod was stopped: its limit of cores was used up`,
  }));
}

/**
 * Processor time that neither the measured processes nor the sampler used: of a backup, an indexer, somebody else's build. From a pod nothing tells the
 * cluster's own programs, such as the kubelet, from others.
 */
function otherPrograms({ cell, summary, limit }) {
  const { cores, roles = {}, host = {}, machines, sampler_cpu_cores: own } = summary.resources ?? {};
  const needed = ['generator', ...(cell.database === 'none' ? [] : ['postgres'])];
  const answers = roles.target ?? roles.null ?? (cell.target === 'postgres' ? roles.postgres : undefined);
  const measured = Object.values(roles).map((role) => role?.cpu_cores);
  if (!answers || needed.some((role) => !roles[role]) || [cores, host.cpu_busy_share, own, ...measured].some(missing))
    return NOT_MEASURED;
  const all = machines ?? [{ ...host, cores, used_cores: sum(measured) + own }];
  if (all.some(({ used_cores, cpu_busy_share: busy }) => missing(used_cores) || missing(busy))) return NOT_MEASURED;
  const excess = all.map(({ used_cores: used, cpu_busy_share: busy, ...machine }) => {
    const allowed = Math.max(limit('other_programs_cores'), limit('other_programs_share') * used);
    return { ...machine, allowed, others: busy * machine.cores - used };
  });
  const worst = excess.reduce((a, b) => (b.others - b.allowed > a.others - a.allowed ? b : a));
  if (worst.others <= worst.allowed) return PASS;
  const [who, whose] = machines
    ? ["other programs, the cluster's own among them,", `of ${worst.roles.join(' and ')}'s machine`]
    : ['other programs', 'that the run may use'];
  return suspect(
    worst.others,
    worst.allowed,
    `${who} used ${worst.others.toFixed(2)} of the ${plural(worst.cores, 'core')} ${whose}`,
  );
}
