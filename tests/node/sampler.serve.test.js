/** What pods tell of themselves, from their samplers' answers to what is said of a trial. */
import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { bottleneck } from '../../scripts/analyse/bottleneck.js';
import { countedMachines } from '../../scripts/analyse/placement.js';
import { clockAhead } from '../../scripts/probes/sampler/clock.js';
import { readHost } from '../../scripts/probes/sampler/host.js';
import { openRole } from '../../scripts/probes/sampler/roles.js';
import { answering, freePort, start } from '../lib/process.js';
import { fakePod } from './lib/fake-proc.js';
import { CELL, verdictOf } from './lib/verdict.js';

const QUIET = { boot: 'a', cores: 2, limit: 0, busy: 0, used: 0, throttled: 0 };

/**
 * Starts the sampler of a pod. @param {object} shape boot, cores, limit; in each second: busy, of its machine, used and throttled, its own
 * @returns {Promise<{url: string, goOn: (seconds: number) => void}>} goOn: so much later
 */
async function pod(t, shape) {
  const { limit, busy, used, throttled, throttled_before = 0, ...machine } = { ...QUIET, ...shape };
  const proc = mkdtempSync(join(tmpdir(), 'pod-'));
  const goOn = (s) =>
    fakePod(proc, {
      ...{ ...machine, at_s: 1000 + s, busy_s: 500 + busy * s, used_s: 90 + used * s },
      throttled_s: throttled === null ? null : throttled_before + throttled * s,
    });
  goOn(0);
  const port = await freePort();
  const { child } = start(['scripts/probes/sampler/serve.js', String(port), String(limit), proc]);
  t.after(() => {
    child.kill();
    rmSync(proc, { recursive: true });
  });
  const url = `http://127.0.0.1:${port}/`;
  await answering(url);
  return { url, goOn };
}

/** The sampler's lines of three seconds, from what pods answer. @param {Object<string, object|object[]>} pods by role @param {(line, s) => void} [change] */
async function linesOf(t, pods, change = () => {}) {
  const roles = Object.entries(pods).map(([role, those]) => [role, openRole(those)]);
  t.after(() => {
    for (const [, role] of roles) role.close();
  });
  const lines = [];
  for (const s of [0, 1, 2]) {
    for (const { goOn } of Object.values(pods).flat()) goOn?.(s);
    const readings = await Promise.all(roles.map(async ([name, role]) => [name, await role.read()]));
    const line = { t: `2026-11-28T10:00:0${s}.000Z`, clock_s: 100 + s, roles: Object.fromEntries(readings) };
    lines.push({ ...line, host: readHost(), stats: null, activity: null, sampler: { cpu_s: 0 } });
    change(lines.at(-1), s);
  }
  return lines;
}

/** What is made of them: summary.resources. */
async function resourcesOf(t, pods, change) {
  const lines = await linesOf(t, pods, change);
  const filter = 'include "samples"; resources({duration_s: 2}; null)';
  const jq = execFileSync('jq', ['-L', join(import.meta.dirname, '../../scripts/jq'), filter], {
    input: JSON.stringify(lines),
  });
  return JSON.parse(jq);
}

/** Outcomes of one check: {verdict, text} of its reason, 'not measured' or 'pass'. */
function outcome(check, resources) {
  const { reasons, not_measured } = verdictOf((trial) => {
    trial.status.sampled = true;
    trial.summary.resources = resources;
  });
  const reason = reasons.find((one) => one.check === check);
  return reason ? `${reason.verdict}: ${reason.text}` : not_measured.includes(check) ? 'not measured' : 'pass';
}

const limitOf = (resources) => bottleneck({ cell: CELL, resources, headroom: 9 });

test('each role is judged by the cores of its own machine, or by its limit, whatever the first generator’s has', async (t) => {
  const around = async (postgres, target = {}) =>
    resourcesOf(t, {
      generator: await pod(t, { boot: 'a', cores: 2, used: 0.5, busy: 0.5 }),
      target: await pod(t, { boot: 'b', cores: 4, used: 0.4, busy: 0.4, ...target }),
      postgres: await pod(t, { boot: 'c', cores: 8, ...postgres }),
    });
  const idle = await around({ used: 2, busy: 2 });
  assert.deepEqual(
    Object.values(idle.roles).map(({ cores_allowed }) => cores_allowed),
    [2, 8, 4],
    'of 128 that the kernel names, and of all, though the sampler has one',
  );
  assert.equal(limitOf(idle).is, 'none');
  const full = await around({ used: 7.8, busy: 7.8 });
  assert.deepEqual(limitOf(full), {
    is: 'database',
    evidence: [
      { is: 'database', text: 'used 98 % of its 8 cores' },
      { is: 'host', text: "98 % of the cores of postgres's machine busy" },
    ],
  });
  assert.equal(limitOf(await around({ used: 0.5, busy: 7.8 })).is, 'host', "others' programs fill it");
  const kept = await around({ used: 2, busy: 2, limit: 2 });
  assert.equal(limitOf(kept).evidence[0].text, 'used 100 % of its 2 cores');
});

test('busy cores that roles share are those of their machine, in a trial and over trials', async (t) => {
  const shared = { boot: 'b', cores: 4, busy: 3.9 };
  const resources = await resourcesOf(t, {
    generator: await pod(t, { boot: 'a', used: 0.5, busy: 0.5 }),
    target: await pod(t, { ...shared, used: 0.7 }),
    postgres: await pod(t, { ...shared, used: 3.2 }),
  });
  assert.deepEqual(
    resources.machines.map(({ roles }) => roles),
    [['generator'], ['postgres', 'target']],
  );
  const text = '98 % of the cores of its machine busy, 82 % of what the roles there used its own';
  for (const seen of [resources, countedMachines(resources)]) {
    assert.equal(limitOf(seen).is, 'database');
    assert.equal(limitOf(seen).evidence[0].text, text);
  }
});

test('what our pods on one machine use is not another’s, and where one does not tell nothing is known', async (t) => {
  const on = (more) => pod(t, { boot: 'm', cores: 8, busy: 4, used: 1, ...more });
  const target = await on();
  const postgres = await on();
  const others = async (generator) => outcome('other_programs', await resourcesOf(t, { generator, target, postgres }));
  assert.equal(await others([await on(), await on()]), 'pass');
  assert.match(
    await others(await on()),
    /^suspect: other programs, the cluster's own among them, used [\d.]+ of the 8 cores of generator and postgres and target's machine$/,
  );
  assert.equal(await others([await on(), { url: 'http://127.0.0.1:1/' }]), 'not measured');
  assert.equal(await others([await on(), await on({ boot: null })]), 'not measured');
});

test('a limit that was used up is of the pod that has it: not of the first before, and not of the sampler', async (t) => {
  const quiet = { target: await pod(t, {}), postgres: await pod(t, {}) };
  const ofSampler = ({ host }, s) => {
    host.throttled_s = s / 2;
  };
  const taken = async (pods) => outcome('processor_taken', await resourcesOf(t, { ...quiet, ...pods }, ofSampler));
  const before = await pod(t, { throttled_before: 100 });
  assert.equal(await taken({ generator: [before, await pod(t, {})] }), 'pass');
  assert.equal(
    await taken({ generator: [before, await pod(t, { throttled: 0.25 })] }),
    "suspect: up to 25 % of the time generator 2's pod was stopped: its limit of cores was used up",
  );
  assert.equal(
    await taken({ generator: before, postgres: await pod(t, { throttled: 0.5 }) }),
    "suspect: up to 50 % of the time postgres's pod was stopped: its limit of cores was used up",
  );
  assert.equal(await taken({ generator: before, target: await pod(t, { throttled: null }) }), 'not measured');
});

test('a pod that tells nothing for most of the time may have been too busy: what it told before says nothing, and that is a mark', async (t) => {
  const pods = {
    generator: await pod(t, { boot: 'a' }),
    target: await pod(t, { boot: 'b' }),
    postgres: await pod(t, {}),
  };
  const after = (line, s) => {
    if (s > 0) line.roles.target = null;
  };
  const resources = await resourcesOf(t, pods, after);
  assert.equal(resources.roles.target.cpu_cores, null);
  for (const check of ['other_programs', 'processor_taken']) assert.equal(outcome(check, resources), 'not measured');
  assert.equal(
    outcome('watched', resources),
    'suspect: target told nothing for a part of the time: what else used the processors is unknown',
  );
  assert.equal(outcome('watched', await resourcesOf(t, pods)), 'pass');
});

test('a sampler that begins again counts its pod’s stops from zero: those before and after it are added', async (t) => {
  const pods = { generator: await pod(t, {}), target: await pod(t, {}), postgres: await pod(t, {}) };
  const resources = await resourcesOf(t, pods, ({ roles }, s) => {
    roles.target.throttled_s = [7, 7.5, 0.5][s];
  });
  assert.equal(resources.roles.target.throttled_share, 0.25);
});

test('a clock that is set on a generator’s machine is seen, whatever the others do', async (t) => {
  const pods = {
    generator: await pod(t, { boot: 'a' }),
    target: await pod(t, { boot: 'b' }),
    postgres: await pod(t, { boot: 'c' }),
  };
  const jump = async (role, by_s, then_s = 0) =>
    outcome(
      'clock_jump',
      await resourcesOf(t, pods, ({ roles }, s) => {
        if (by_s === null) roles[role].machine.clock_ahead_s = null;
        else roles[role].machine.clock_ahead_s += [0, by_s, then_s][s]; // forth, and back within the trial
      }),
    );
  assert.equal(await jump('generator', 0), 'pass');
  const of = "the clock of a load generator's machine was set";
  assert.match(await jump('generator', -0.3), new RegExp(`^invalid: ${of} back by 0\\.(29|30)`));
  assert.match(await jump('generator', 0.05), new RegExp(`^suspect: ${of} forward by 0\\.0(4|5)`));
  assert.match(await jump('generator', -0.06, 0.07), new RegExp(`^invalid: ${of} forward by 0\\.1[23]`), 'at once');
  assert.equal(await jump('postgres', 5), 'pass');
  assert.equal(await jump('generator', null), 'not measured');
});

test('how far a clock is ahead is the same until it is set, and is read again where something came in between', () => {
  let [steady_ms, set_ms, reads] = [5000, 1_700_000_000_000, 0];
  const steady = () => {
    steady_ms += 0.1;
    return steady_ms;
  };
  const wall = () => {
    reads += 1;
    if (reads === 1) steady_ms += 40; // something else ran
    return set_ms + steady_ms;
  };
  const ahead_s = clockAhead({ wall, steady });
  assert.ok(Math.abs(ahead_s - 1_700_000_000) < 0.002, `${ahead_s}`);
  assert.equal(reads, 2);
  set_ms += 250;
  assert.ok(Math.abs(clockAhead({ wall, steady }) - ahead_s - 0.25) < 0.002);
  assert.ok(Math.abs(clockAhead() - clockAhead()) < 0.02, 'our own, which nobody sets');
});

test('generators read clocks by their samplers; one that does not answer has none, and those after it are read', async (t) => {
  const urls = [(await pod(t, {})).url, 'http://127.0.0.1:1/', '', (await pod(t, {})).url];
  const { stdout } = await promisify(execFile)(process.execPath, ['scripts/generators/clocks.js', ...urls]);
  const lines = stdout.trimEnd().split('\n');
  assert.deepEqual(
    [1, 2, 3, 4].map((number) => lines.filter((line) => line.startsWith(`${number} `)).length),
    [10, 0, 0, 10],
  );
  for (const line of lines) {
    const [, asked, told, answered] = line.split(' ').map(Number);
    assert.ok(asked - 1000 <= told && told <= answered + 1000, line); // it counts in milliseconds
  }
});
