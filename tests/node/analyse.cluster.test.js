/** Roles that are pods: what a report says of the machines that they are on. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { bottleneck } from '../../scripts/analyse/bottleneck.js';
import { moved, sharedCores } from '../../scripts/analyse/cautions/machine.js';
import { cautions } from '../../scripts/analyse/cautions.js';
import { disturbedText } from '../../scripts/analyse/marks.js';
import { placements } from '../../scripts/analyse/placement.js';
import { judge, readObjectives } from '../../scripts/findings/objectives/find.js';
import { answersOf } from '../../scripts/report/answers/story.js';
import { resourceChart } from '../../scripts/report/charts/bars.js';
import { PAPER } from '../../scripts/report/charts/style.js';
import { databaseBlocks } from '../../scripts/report/database.js';
import { machineBriefly, machineText } from '../../scripts/report/machine.js';
import { compared } from '../../scripts/report/markdown.js';
import { post } from '../../scripts/report/post.js';
import { toMarkdown } from '../../scripts/report/to-markdown.js';
import { analysed } from './lib/analysed.js';
import { verdictOf } from './lib/verdict.js';

const PUBLISHED = new URL(
  '../../results/published/20261128-1ab122083317/kubernetes-3-nodes-2-cores.quick.json',
  import.meta.url,
);

const environment = { stack: 'kubernetes', machine: { cpu: "The driver's", cores: 8 } };
const cell = (...counts) => ({
  ...{
    database: 'tpch',
    resources: { cores: 2, machine_count: Math.max(...counts), roles: { postgres: { cpu_cores: 0.5 } } },
  },
  trials: counts.map((machine_count) => ({ verdict: 'valid', machine_count })),
});

test('roles share cores in trials whose nodes are one machine, and the driver has nothing to do with it', () => {
  const shared = (...cells) => sharedCores({ environment, cells });
  assert.match(shared(cell(1, 1), cell(1)), /^Load generator, target and database.* share 2 cores of one machine/);
  assert.equal(shared(cell(2), cell(3, 3)), false);
  assert.match(
    shared(cell(1, 2, 1), cell(1)),
    /^In 3 of 4 trials load generator, target and database.* shared 2 cores of one machine/,
  );
  const ofBefore = { ...cell(1), trials: [{ verdict: 'valid' }] };
  assert.match(shared(ofBefore), / share 2 cores of one machine/);
  assert.equal(shared({ database: 'tpch', resources: null, trials: [{ verdict: 'valid' }] }), false);
  assert.match(sharedCores({ environment: { ...environment, stack: 'local' }, cells: [cell()] }), / share 8 cores /);
});

test('pods that were on other nodes in other trials are a caution, unless all nodes are one machine', () => {
  const at = (name, target, generator, trials) =>
    Array.from({ length: trials }, () => ({
      target: name,
      status: { processes: { generator: { nodes: [generator] }, target: { nodes: [target] }, postgres: { pid: 7 } } },
    }));
  const caution = (trials, ...counts) => moved({ cells: [cell(...counts)], placed: placements(trials) });
  const trials = [...at('raw', 'a', 'l', 3), ...at('raw', 'b', 'l', 2), ...at('pooled', 'a', 'l', 5)];
  assert.equal(
    caution(trials, 2),
    "Pods were not on the same nodes in all trials that are compared: pooled's target was on a in 5 trials; raw's target was on a in 3 trials and on b in 2. Where the nodes differ, ratios hold that difference, too.",
  );
  assert.equal(caution(trials, 1, 1), false);
  assert.match(caution([...trials, ...at('raw', 'b', 'm', 1)], 1), /generator was on l in 10 trials and on m in 1; /);
  assert.equal(caution([...at('raw', 'a', 'l', 3), ...at('pooled', 'a', 'l', 3)], 2), false);
  const apart = [...at('raw', 'a', 'l', 1), ...at('pooled', 'b', 'l', 1)];
  assert.match(caution(apart, 2), /raw's target was on a in 1 trial; pooled's target was on b in 1 trial\./);
});

test('a database whose pod is not what it was has died, whatever its counters say', () => {
  const died = (alive) =>
    verdictOf(({ status }) => Object.assign(status.processes.postgres, alive)).reasons.map(({ text }) => text);
  assert.deepEqual(died({ alive_before: true, alive_after: true }), []);
  assert.deepEqual(died({ alive_before: true, alive_after: false }), ['the database died during the trial']);
  assert.deepEqual(died({ alive_before: false }), ['the database was not running when the trial began']);
});

test('a driver whose clock is behind the generator’s says nothing of the trial', () => {
  const judged = (resources) =>
    verdictOf(({ summary, status }) => {
      Object.assign(summary.resources, resources);
      status.ended_at = new Date(Date.parse(status.ended_at) - 5000).toISOString();
    }).reasons.map(({ check }) => check);
  assert.deepEqual(judged({}), ['clock_jump']);
  assert.deepEqual(judged({ machines: [{ roles: ['generator', 'target'], clock_step_s: 0, cpu_steal_share: 0 }] }), []);
});

test('what other programs took is a share of the cores of the machine on which they did', () => {
  const text = (cores) =>
    `other programs, the cluster's own among them, used 1.00 of the ${cores} cores of target's machine`;
  const disturbed = (cores) =>
    disturbedText([
      {
        resources: { cores: 2 },
        trials: [{ verdict: 'suspect', reasons: [{ check: 'other_programs', value: 1, text: text(cores) }] }],
      },
    ]);
  assert.deepEqual([disturbed(2), disturbed(16)], ['other programs took up to 1.00 of 2 cores', null]);
});

test('of roles on several machines no cores are shared', () => {
  const use = { generator: { cpu_cores: 1 }, target: { cpu_cores: 1 }, postgres: { cpu_cores: 2 } };
  const chart = (machine_count) =>
    JSON.stringify(
      resourceChart([{ target: 'raw', variant: 'base', resources: { cores: 2, machine_count, roles: use } }], {
        look: PAPER,
      }),
    );
  assert.match(chart(1), /cores used, of 2/);
  assert.doesNotMatch(chart(2), /cores used, of/);
  const [objective] = readObjectives().filter(({ metric }) => metric === 'cpu_share');
  const share = (machine_count) =>
    judge([objective], [{ ...objective, resources: { cores: 4, machine_count, roles: use } }])[0].measured;
  assert.deepEqual([share(1), share(2)], [0.75, null]);
});

test('nobody is told of the driver where the nodes are not known', () => {
  assert.equal(machineText({ environment }), 'a Kubernetes cluster whose nodes the driver may not list');
});

/** A run on three nodes that were one machine, with what is changed. */
const onOneMachine = (change = () => {}) => {
  const results = JSON.parse(readFileSync(PUBLISHED, 'utf8'));
  change(results);
  return results;
};

test('nodes whose pods were on one machine are not told as machines of their own, unless a pod does not tell', () => {
  const brief = (change) => machineBriefly(onOneMachine(change));
  assert.equal(brief(), '3 nodes of a Kubernetes cluster, all pods on one machine');
  assert.match(
    machineText(onOneMachine()),
    /^3 nodes of a Kubernetes cluster, all pods on one machine: 2 cores, Debian/,
  );
  const several = '3 nodes of a Kubernetes cluster';
  const changed = (changeTrial) => (results) => {
    for (const { trials, calibration } of results.cells) if (!calibration) changeTrial(trials[0]);
  };
  assert.equal(brief(changed((trial) => Object.assign(trial, { machine_count: 2 }))), several);
  assert.equal(brief(changed((trial) => trial.not_measured.push('other_programs'))), several);
  assert.equal(
    brief((results) => Object.assign(results.placed[0].nodes, { generator: ['node3'] })),
    several,
  );
  assert.equal(
    brief((results) => Object.assign(results.environment, { nodes: results.environment.nodes.slice(1, 2) })),
    '1 node of a Kubernetes cluster',
  );
});

test('where the responder that does nothing was is recorded, too', () => {
  const mutate = (summary) => {
    const role = summary.cell.target === 'null' ? 'null' : 'target';
    const processes = { generator: { nodes: ['l'] }, [role]: { nodes: ['a'] } };
    return { ...summary, status: { ...summary.status, processes } };
  };
  const { results } = analysed({ targets: { raw: () => 60 }, levels: [10], blocks: 2, ceiling_rps: 5000, mutate });
  assert.deepEqual(results.placed, [
    { target: 'raw', nodes: { generator: ['l'], target: ['a'] }, trials: 2 },
    { target: 'null', nodes: { generator: ['l'], null: ['a'] }, trials: 1 },
  ]);
});

test('a post of a cluster says where roles were, and what of the processors each used', () => {
  const results = onOneMachine(({ placed }) => {
    placed.push({ target: 'null', nodes: { generator: ['node2', 'node3'], null: ['node2'] }, trials: 4 });
  });
  const text = toMarkdown(post(results, answersOf(results), new Map()));
  assert.match(
    text,
    /^- Nodes: generator on node2 and node3; postgres on node1; target on node2; the responder that does nothing on node2\.$/m,
  );
  assert.match(
    text,
    /^- Cores used, medians over trials: pooled with 10 users: generator 0\.76, postgres 0\.20, target 0\.59; raw with 10 users: generator 0\.11, .+\.$/m,
  );
  assert.equal(moved({ ...results, cells: [cell(2)] }), false, 'each role of what is compared stayed');
});

test('a database that does not tell where it is shares no cores that are known', () => {
  const silent = onOneMachine(({ cells }) => {
    for (const { resources } of cells) delete resources.roles.postgres;
  });
  assert.match(sharedCores(onOneMachine()), /^Load generator, target and database share 2 cores/);
  assert.match(sharedCores(silent), /^Load generator and target share 2 cores/);
});

test('nothing is said of pods that is true of the machine of the driver alone', () => {
  const told = cautions(onOneMachine()).join('\n');
  assert.match(
    told,
    /^The operating system's limits, as read in a load generator's pod, were lower than the most that the plan could need: .* allow 470\.$/m,
  );
  assert.doesNotMatch(told, /sysctl|Measured in a container/);
  const asked = onOneMachine(({ cells }) => {
    for (const cell of cells) cell.tool = 'pgbench';
  });
  assert.match(toMarkdown(databaseBlocks(asked)), / The largest database takes 22\.6 MiB\. A block/);
});

test('of several machines none is the host that limits', () => {
  const busy = (machine_count) => ({
    ...{ cores: 2, host: { cpu_busy_share: 1 }, waits: null, machine_count },
    roles: { generator: { cpu_cores: 0.9 }, target: { cpu_cores: 1 } },
  });
  const limit = (resources) => bottleneck({ cell: { tool: 'k6' }, resources, headroom: 9 }).is;
  assert.deepEqual([limit(busy(1)), limit(busy(2))], ['host', 'none']);
});

test('pods of before, which together named more cores than their one machine has, are judged by those', () => {
  const roles = { generator: { cpu_cores: 1.9, cores_allowed: 4 } };
  const resources = { cores: 2, host: {}, waits: null, machine_count: 1, roles };
  assert.equal(bottleneck({ cell: { tool: 'k6' }, resources, headroom: 9 }).is, 'generator');
});

test('where each role was, and in how many trials', () => {
  const status = (target) => ({
    processes: {
      generator: { pid: null, nodes: ['node3', 'node2'], alive_before: true, alive_after: true },
      target: { pid: null, nodes: [target], alive_before: true, alive_after: true },
    },
  });
  const placed = placements(
    [status('node1'), status('node2'), status('node1'), { processes: { target: { pid: 4711 } } }].map((one) => ({
      target: 'raw',
      status: one,
    })),
  );
  assert.deepEqual(placed, [
    { target: 'raw', nodes: { generator: ['node2', 'node3'], target: ['node1'] }, trials: 2 },
    { target: 'raw', nodes: { generator: ['node2', 'node3'], target: ['node2'] }, trials: 1 },
  ]);
  assert.match(
    JSON.stringify(compared({ cells: [], run: {}, environment, placed })),
    /generator on node2 and node3; target on node1 \(2 trials\), node2 \(1 trial\)/,
  );
});
