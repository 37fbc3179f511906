/** Roles that are pods: what a report says of the machines that they are on. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bottleneck } from '../../scripts/analyse/bottleneck.js';
import { sharedCores } from '../../scripts/analyse/cautions/machine.js';
import { placements } from '../../scripts/analyse/placement.js';
import { compared, machineText } from '../../scripts/report/markdown.js';

const environment = { stack: 'kubernetes', machine: { cpu: "The driver's", cores: 8 } };
const cell = (machine_count) => ({ database: 'tpch', resources: { cores: 2, machine_count } });

test('roles share cores where the nodes of all cells are one machine, and the driver has nothing to do with it', () => {
  assert.match(
    sharedCores({ environment, cells: [cell(1), cell(1)] }),
    /target and database.* share 2 cores of one machine/,
  );
  assert.equal(sharedCores({ environment, cells: [cell(1), cell(3)] }), false);
  assert.equal(sharedCores({ environment, cells: [{ database: 'tpch', resources: null }] }), false);
  assert.match(sharedCores({ environment: { ...environment, stack: 'local' }, cells: [cell()] }), / share 8 cores /);
});

test('nobody is told of the driver where the nodes are not known', () => {
  assert.equal(machineText(environment), 'a Kubernetes cluster whose nodes the driver may not list');
});

test('of several machines none is the host that limits', () => {
  const busy = (machine_count) => ({
    ...{ cores: 2, host: { cpu_busy_share: 1 }, waits: null, machine_count },
    roles: { generator: { cpu_cores: 0.9 }, target: { cpu_cores: 1 } },
  });
  const limit = (resources) => bottleneck({ cell: { tool: 'k6' }, resources, headroom: 9 }).is;
  assert.deepEqual([limit(busy(1)), limit(busy(2))], ['host', 'none']);
});

test('where each role was, and in how many trials', () => {
  const status = (target) => ({
    processes: {
      generator: { pid: null, nodes: ['node3', 'node2'], alive_before: true, alive_after: true },
      target: { pid: null, nodes: [target], alive_before: true, alive_after: true },
    },
  });
  const placed = placements([
    status('node1'),
    status('node2'),
    status('node1'),
    { processes: { target: { pid: 4711 } } },
  ]);
  assert.deepEqual(placed, [
    { nodes: { generator: ['node2', 'node3'], target: ['node1'] }, trials: 2 },
    { nodes: { generator: ['node2', 'node3'], target: ['node2'] }, trials: 1 },
  ]);
  assert.match(
    JSON.stringify(compared({ cells: [], run: {}, environment, placed })),
    /generator on node2 and node3; target on node1 \(2 trials\), node2 \(1 trial\)/,
  );
});
