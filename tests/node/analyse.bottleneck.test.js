import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bottleneck, settled } from '../../scripts/analyse/bottleneck.js';
import { analysed, asked, SWEEP, side } from './lib/analysed.js';

test('processor time of a request is that of all that serve it, the load generator left out', () => {
  const timeOf = (roles) => {
    const watched = (summary) => {
      summary.resources = {
        roles: Object.fromEntries(Object.entries(roles).map(([name, cpu_cores]) => [name, { cpu_cores }])),
      };
      return summary;
    };
    const { results } = analysed({ ...SWEEP, levels: [10], mutate: watched });
    const [{ throughput_rps, cpu_us_per_request }] = results.cells.find(({ target }) => target === 'raw').trials;
    return cpu_us_per_request && (cpu_us_per_request * throughput_rps) / 1e6;
  };
  const cores = timeOf({ generator: 0.9, target: 0.25, cube: 1, postgres: 0.25, standby1: 0.1 });
  assert.ok(Math.abs(cores - 1.6) < 1e-3, `${cores}`);
  assert.equal(timeOf({ generator: 0.9, target: 0.25, cube: null, postgres: 0.25 }), null);
  assert.equal(timeOf({ generator: 0.9, target: 0.25 }), null, 'a database that nobody watched');
});

test('a row that measures the generator is marked, and its ratio is a lower bound', () => {
  const { results } = analysed({
    ...{ ...SWEEP, targets: { raw: () => 100, hello: () => 900 }, ceiling_rps: 1200 },
    questions: [asked([side('hello'), side('raw')])],
  });
  assert.equal(results.verdicts.suspect, 9);
  const [{ text, context }] = results.questions;
  assert.match(text, /hello served [\d.]+ times as many /);
  assert.match(context, /; k6 was near its own limit, so it may be more/);
  assert.ok(results.cautions.some((text) => text.includes('the load generator may be the limit')));
});

test('what limited a cell is settled where all trials agree', () => {
  const overall = { is: 'pool', evidence: [{ is: 'pool', text: '1.2 requests waiting' }] };
  assert.equal(settled(overall, ['pool', 'pool', null]).is, 'pool');
  assert.deepEqual(settled(overall, ['pool', 'none', 'generator']), { ...overall, is: 'unsettled' });
  assert.equal(settled(null, [null]), null);
});

test('bottleneck: one rule explains before the next; null when nothing was watched', () => {
  const judged = (resources, headroom = 9) => bottleneck({ cell: { tool: 'k6' }, resources, headroom });
  const roles = (changes) => ({ cores: 2, roles: { generator: { cpu_cores: 0.4 }, ...changes }, host: {}, waits: {} });
  assert.equal(judged(null), null);
  assert.equal(judged(roles({})).is, 'none');
  assert.equal(judged(roles({}), 1.2).is, 'generator');
  assert.equal(judged(roles({ target: { pool_waiting_mean: 0.02 } })).is, 'none');
  assert.equal(judged(roles({ generator: { cpu_cores: 1.8 } })).is, 'generator');
  assert.equal(judged(roles({ target: { elu: 0.97, pool_waiting_mean: 12 } })).is, 'target');
  assert.deepEqual(
    judged(roles({ target: { elu: 0.5, pool_waiting_mean: 12 }, postgres: { cpu_cores: 1.8 } })).evidence.map(
      ({ is }) => is,
    ),
    ['database', 'pool'],
  );
  assert.equal(judged({ ...roles({}), waits: { 'active:Lock:tuple': 6 } }).is, 'lock');
  assert.equal(
    judged({ ...roles({}), waits: { 'active:LWLock:WALWrite': 6, 'idle:Client:ClientRead': 10 } }).is,
    'database',
  );
  const busy = (cores) => ({ ...roles(cores), host: { cpu_busy_share: 0.98 } });
  assert.equal(judged(busy({ postgres: { cpu_cores: 1.4 } })).is, 'database');
  assert.equal(judged(busy({ postgres: { cpu_cores: 0.5 }, target: { cpu_cores: 0.5 } })).is, 'host');
  assert.equal(judged(busy({ postgres: { cpu_cores: 1.4 }, target: { cpu_cores: null } })).is, 'host');
  const beside = { ...busy({ target: { cpu_cores: 0.04 } }), cores: 2 };
  beside.roles.generator.cpu_cores = 0.075;
  assert.equal(judged(beside).is, 'host', 'other programs fill it, whoever of ours uses the most');
  assert.equal(
    judged(beside).evidence[0].text,
    '98 % of the cores busy, 6 % of that by the load generator and what it asked',
  );
  assert.equal(judged({ cores: null, roles: { target: { elu: null } } }).is, 'none');
});

test('bottleneck: a role that is kept to some cores fills these, not the machine', () => {
  const judged = (roles) =>
    bottleneck({ cell: { tool: 'k6' }, resources: { cores: 8, roles, host: {}, waits: {} }, headroom: 9 });
  const used = (cpu_cores, cores_allowed, more) => ({ cpu_cores, cores_allowed, ...more });
  assert.deepEqual(judged({ target: used(0.4, 2, { elu: 0.4 }), postgres: used(2.9, 3) }), {
    is: 'database',
    evidence: [{ is: 'database', text: 'used 97 % of its 3 cores' }],
  });
  assert.equal(judged({ target: used(0.4, 2, { elu: 0.4 }), postgres: used(2.4, 3) }).is, 'none');
  assert.equal(judged({ target: used(0.4, 8, { elu: 0.4 }), postgres: used(2.9, 8) }).is, 'none');
  assert.equal(
    judged({ target: used(0.4, 2, { elu: 0.4 }), postgres: used(7.5, 128) }).is,
    'database',
    'of the 8 there are',
  );
  assert.equal(judged({ target: used(1.9, 2, { elu: null }), postgres: used(0.5, 3) }).is, 'target', 'a JVM');
  assert.equal(judged({ target: used(1.9, 2, { elu: 0.6 }), postgres: used(0.5, 3) }).is, 'none', 'Node says itself');
});

test('busy cores are nobody’s where none but the load generator was watched', () => {
  const limit = (roles) =>
    bottleneck({ cell: {}, resources: { cores: 2, host: { cpu_busy_share: 0.99 }, roles }, headroom: 30 });
  assert.deepEqual(limit({ generator: { cpu_cores: 0.2 } }).evidence, [{ is: 'host', text: '99 % of the cores busy' }]);
  assert.equal(limit({ generator: { cpu_cores: 1.5 }, target: { cpu_cores: 0.2 } }).is, 'generator');
  assert.equal(limit({ generator: { cpu_cores: 0.2 }, target: { cpu_cores: 1.5 } }).is, 'target');
  // its database was not watched
  assert.equal(limit({ generator: { cpu_cores: 0.2 }, target: { cpu_cores: 0.6 } }).is, 'host');
});
