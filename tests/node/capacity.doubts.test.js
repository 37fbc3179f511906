/** What is said against capacities, of two published runs: one on a quiet machine, one whose host took processor time. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { againstText, doubtsOf } from '../../scripts/analyse/capacity/doubts.js';
import { heldAtFirst, lacksText, lateText, positionOf } from '../../scripts/analyse/capacity/signs.js';
import { cautions } from '../../scripts/analyse/cautions.js';
import { retold } from '../../scripts/analyse/results.js';
import { readResults } from '../../scripts/analyse/run-folder.js';
import { tables } from '../../scripts/findings/capacity/table.js';
import { blocks } from '../../scripts/findings/capacity/tell.js';
import { answerPicture } from '../../scripts/report/answers/picture.js';
import { answersOf } from '../../scripts/report/answers/story.js';
import { answerBlocks } from '../../scripts/report/answers/table.js';
import { inks } from '../../scripts/report/charts/style.js';
import { post } from '../../scripts/report/post.js';
import { answersCsv } from '../../scripts/report/post-csv.js';
import { sentences } from '../../scripts/report/sentences.js';
import { summary } from '../../scripts/report/terminal.js';
import { toMarkdown } from '../../scripts/report/to-markdown.js';
import { faultsOf } from './lib/layout.js';

const PUBLISHED = join(import.meta.dirname, '../../results/published');
const QUIET = readResults(join(PUBLISHED, '20261127-c5ba6255069a/amd-epyc-2-cores.capacity.json'));
const DISTURBED = readResults(join(PUBLISHED, '20261128-913766e0ac11/intel-xeon-2-cores.capacity.json'));
const of = ({ capacities }, target) => capacities.find((capacity) => capacity.target === target);
const search = (results, target, block) => of(results, target).trials.find((trial) => trial.block === block);
const told = (results, target) => toMarkdown(blocks(of(results, target), undefined, results.cells));

test('a search that was cut short says what it lacks: a second probe of a rate, or rates that are close', () => {
  assert.equal(lacksText(search(DISTURBED, 'cube', 3)), '354 was tried only once');
  assert.equal(
    lacksText(search(DISTURBED, 'cube', 2)),
    '304 was tried only once, 304 and 362 are 19 % apart',
    'a disturbed probe is none',
  );
  assert.equal(lacksText(search(DISTURBED, 'raw', 1)), '75 and 82 were tried only once, they are 9.3 % apart');
  const probes = ['held', 'held', 'failed', 'held'].map((outcome, i) => ({ level: i < 2 ? 60 : 61, outcome }));
  assert.equal(lacksText({ bracket: { low: 60, high: 61 }, probes }), 'the probes of 61 do not agree');
  const wide = { kind: 'at least', capacity: 60, failed: 120, bracket: null };
  assert.equal(
    lacksText({
      ...wide,
      probes: [60, 60, 120].map((level) => ({ level, outcome: level === 60 ? 'held' : 'failed' })),
    }),
    '120 was tried only once, 60 and 120 are 100 % apart',
  );
  assert.match(
    told(DISTURBED, 'cube'),
    /\| 3 \| 336\.9 \| 347 \| 354 \| 3 % below what held \| 14, 5 of them disturbed \| the probes were spent before the search had ended: 354 was tried only once \|/,
  );
});

/** Of the objective of these runs. */
const PARTS = QUIET.capacities[0].objective.parts;

test('where a block’s answer lies, and whether what failed above it was the load generator’s, in runs of before, too', () => {
  const at = (trials) => trials.map(positionOf);
  assert.deepEqual(at(of(DISTURBED, 'pooled').trials), ['middle', 'below', 'below', 'middle']);
  assert.equal(positionOf({ ...search(DISTURBED, 'pooled', 2), bracket: null }), null);
  assert.deepEqual(
    of(QUIET, 'rollup').trials.map((trial) => lateText(trial, PARTS)?.slice(0, 9)),
    [undefined, 'in 1 of 1', undefined, 'in 2 of 2'],
  );
  assert.equal(lateText(search(DISTURBED, 'rollup', 1), PARTS), null);
  const late = { level: 2784, outcome: 'failed', reasons: [{ check: 'dispatch_lag' }] };
  const least = { kind: 'at least', capacity: 1392, failed: 2784, bracket: null, probes: [late, late] };
  assert.match(lateText(least, PARTS), /^in 2 of 2 probes that failed above it/);
  const verdicts = (results) => of(results, 'rollup').trials.map(({ verdict }) => verdict);
  assert.deepEqual(verdicts(QUIET), ['valid', 'suspect', 'valid', 'valid'], 'before that rule');
  const anew = retold(QUIET);
  assert.deepEqual(verdicts(anew), ['valid', 'suspect', 'valid', 'suspect']);
  assert.deepEqual(of(anew, 'rollup').verdicts, { valid: 2, suspect: 2, invalid: 0 });
  assert.match(anew.questions[0].context, /; k6 was near its own limit with rollup, so it may be more\./);
});

test('all of them in sentences', () => {
  assert.deepEqual(doubtsOf(DISTURBED.capacities), [
    'At 150 % of their capacities raw, pipelined and cluster kept p95 below its limit in 7 of 9 seconds, so these may be higher.',
    'In 5 of 24 searches a rate more than 3 % above the lowest that failed held at first and not later: the answer is what is taken after a higher load was tried, or what was measured became slower meanwhile.',
    'Every search of rollup was cut short, and 10 of 20 others: the probes were spent before the highest rate that held and the lowest that failed were at most 3 % apart and each confirmed by a second probe; in 7 they are further apart, by up to 19 %; 10 of their 196 probes were disturbed.',
    'In 13 of 24 searches the fit through the probes lies more than 3 % below the highest rate that held: the answer is set to 3 % below what held, so it may be too low, or too high if what failed there or below was no chance; the intervals of that run do not allow for that.',
  ]);
  const one = { ...of(DISTURBED, 'raw'), trials: [search(DISTURBED, 'raw', 1)] };
  assert.deepEqual(doubtsOf([one]), [
    'At 150 % of its capacity raw kept p95 below its limit in 7 of 9 seconds, so that may be higher.',
    'The search was cut short: the probes were spent before the highest rate that held and the lowest that failed were at most 3 % apart and each confirmed by a second probe; they are 9.3 % apart.',
    'The fit through the probes lies more than 3 % below the highest rate that held: the answer is set to 3 % below what held, so it may be too low, or too high if what failed there or below was no chance; the intervals of that run do not allow for that.',
  ]);
  const clean = { ...of(QUIET, 'cluster'), trials: of(QUIET, 'cluster').trials.filter(({ why }) => why === null) };
  assert.deepEqual(doubtsOf([clean]), []);
  assert.equal(againstText(clean), '');
});

test('searches that only found a lower bound, or were disturbed close above it, are told', () => {
  const results = structuredClone(QUIET);
  const [first, second] = of(results, 'pooled').trials;
  Object.assign(first, { kind: 'at least', why: 'disturbed', bracket: null });
  Object.assign(second, { why: 'disturbed' });
  const [told] = doubtsOf([of(results, 'pooled')]);
  assert.equal(
    told,
    '1 of 4 searches found only a lower bound, and in 1 the probes close above the answer were disturbed.',
  );
  assert.match(againstText(of(results, 'pooled')), /^1 of 4 only a lower bound; 1 of 4 disturbed close above it/);
});

test('a rate that held only before the target was overloaded is told', () => {
  // a real search of four places that serve at half their speed once they were overloaded (tests/e2e/capacity.bats)
  const course = '217+ 434- 307- 258- 217- 217- 108+ 153+ 182+ 199+ 208- 203- 199+ 203-'.split(' ');
  const probes = course.map((text) => ({
    level: Number.parseInt(text, 10),
    outcome: text.endsWith('+') ? 'held' : 'failed',
    reasons: [],
  }));
  const trial = { ...search(QUIET, 'cluster', 1), bracket: { low: 199, high: 203, fitted: 0 }, why: null, probes };
  assert.equal(heldAtFirst(trial), 217);
  assert.equal(heldAtFirst({ ...trial, probes: probes.slice(1) }), null, 'where it never held');
  assert.equal(heldAtFirst({ ...trial, probes: probes.toReversed() }), null, 'what was cold at first is not tired');
  assert.equal(
    heldAtFirst({ ...trial, bracket: { low: 208, high: 212, fitted: 0 } }),
    null,
    'chance, close to the answer',
  );
  const bounded = { ...trial, bracket: null, capacity: 182, kind: 'at least', why: 'disturbed' };
  assert.equal(heldAtFirst(bounded), 217, 'of which only a lower bound was found');
  const once = [
    { level: 217, outcome: 'held' },
    { level: 182, outcome: 'failed' },
    { level: 182, outcome: 'held' },
  ];
  assert.equal(heldAtFirst({ ...bounded, probes: once }), null, 'one of three probes of the answer itself');
  assert.equal(heldAtFirst({ ...bounded, capacity: null }), null, 'an answer that is not known says why');
  const again = probes.map((probe, i) => (i > 0 && probe.level === 217 ? { ...probe, outcome: 'disturbed' } : probe));
  assert.equal(heldAtFirst({ ...trial, probes: again }), 217, 'it was disturbed later, and a lower one failed');
  const one = { ...of(QUIET, 'cluster'), trials: [trial] };
  assert.match(againstText(one), /^1 of 1 took more at first/);
  assert.deepEqual(doubtsOf([one]), [
    'In 1 of 1 search 217, above the answer, held at first and not later: the answer is what is taken after a higher load was tried, or what was measured became slower meanwhile.',
  ]);
  assert.match(toMarkdown(blocks(one, undefined, QUIET.cells)), /217 held at first and not later/);
});

test('a server that answered nothing for a time in some probes is told', () => {
  const results = structuredClone(QUIET);
  const capacity = of(results, 'pooled');
  for (const [i, value] of [260, 310].entries())
    capacity.trials[i].probes[0].reasons.push({ check: 'paused', verdict: 'suspect', value, limit: 200, text: '' });
  assert.match(againstText(capacity), /2 of 4 answered nothing at times/);
  assert.match(
    doubtsOf([capacity]).join(' '),
    /In 2 of \d+ probes nothing was answered for a time, at most 310 ms: of a pause that comes back every few seconds/,
  );
});

test('errors of the probes that failed above it, and that nobody looked for other programs, are told', () => {
  const [first] = of(QUIET, 'raw').trials;
  const text = '98.2 % of 431 requests failed (423 status_4xx)';
  const reasons = [{ check: 'errors', verdict: 'invalid', value: 0.982, limit: 0.001, text }];
  const probes = first.probes.map((probe) => (probe.outcome === 'failed' ? { ...probe, reasons } : probe));
  const capacity = { ...of(QUIET, 'raw'), trials: [{ ...first, probes }], unwatched: true };
  assert.match(againstText(capacity), /1 of 1 failed with errors; other programs were not looked for$/);
  const late = probes.map((probe) => ({ ...probe, reasons: [...probe.reasons, { check: 'dispatch_lag' }] }));
  assert.equal(lateText({ ...first, probes: late }, PARTS), null, 'nobody waited');
  const gone = {
    check: 'processes',
    verdict: 'invalid',
    value: 'target',
    limit: 'alive',
    text: 'target died during the trial',
  };
  const ended = { ...first, probes: [{ ...probes[0], reasons: [gone] }] };
  assert.match(againstText({ ...capacity, trials: [ended] }), /1 of 1 the target ended/);
  const worker = { ...gone, value: 1, limit: 0, text: '1 worker of target died during the trial' };
  const recycled = { ...first, probes: [{ ...probes[0], reasons: [worker] }] };
  assert.doesNotMatch(againstText({ ...capacity, trials: [recycled] }), /ended/);
  const ofDatabase = { ...first, probes: [{ ...probes[0], reasons: [{ ...gone, value: 'postgres' }] }] };
  assert.doesNotMatch(againstText({ ...capacity, trials: [ofDatabase] }), /ended/);
  const at = (...outcomes) => ({
    ...{ ...first, kind: 'at least', bracket: null, capacity: 397, why: 'disturbed' },
    probes: outcomes.map((outcome) => ({ level: 397, outcome, reasons: [] })),
  });
  assert.match(
    againstText({ ...capacity, trials: [at('held', 'disturbed')] }),
    /only a lower bound; 1 of 1 tried only once/,
  );
  assert.doesNotMatch(againstText({ ...capacity, trials: [at('held', 'held')] }), /once/);
  const few = { ...first, probes: probes.map((probe) => ({ ...probe, reasons: [{ ...reasons[0], value: 0.002 }] })) };
  assert.doesNotMatch(againstText({ ...capacity, trials: [few] }), /errors/, 'as many as the objective allows');
  const spent = [...first.probes, ...Array.from({ length: 3 }, () => ({ level: 50, outcome: 'failed', reasons }))];
  const unknown = { ...first, kind: 'unknown', why: 'overload', bracket: null, capacity: null, probes: spent };
  assert.match(againstText({ ...capacity, trials: [unknown] }), /1 of 1 failed with errors/, 'the last of all');
  assert.equal(
    doubtsOf([capacity]).at(-1),
    'Other programs on the machine of raw were not looked for: what they took looks like its own limit.',
  );
  assert.match(
    toMarkdown(blocks(capacity, undefined, QUIET.cells)),
    /that failed had too many errors, the last: 98\.2 % of 431 requests failed \(423 status_4xx\)/,
  );
});

test('on a terminal without room for it, what speaks against each stands below the table', () => {
  const results = { ...retold(DISTURBED), questions: [] };
  const shown = summary(results, 'RUN', { width: 80 }).replaceAll(/\s+/g, ' ');
  assert.ok(!shown.includes('what speaks against it'), shown);
  assert.ok(
    shown.includes(
      'rollup: 4 of 4 cut short; 3 of 4 took more at first; 1 of 4 set 3 % below what held; 1 of 4 partly the load generator’s',
    ),
    shown,
  );
});

test('a search whose rates fail as narrowly far apart, and a target that lets more through for a time, are told', () => {
  const capacity = structuredClone(of(QUIET, 'pooled'));
  const [trial] = capacity.trials;
  const failed = trial.probes.filter(({ outcome, limited }) => outcome === 'failed' && !limited);
  const narrowly = (probe, level) => Object.assign(probe, { level, beyond_share: 0.06, allowed_share: 0.05 });
  const flat = 'failed as narrowly at other rates';
  assert.doesNotMatch(againstText(capacity), new RegExp(flat));
  const above = Math.max(...trial.probes.map(({ level }) => level)) + 1; // nothing held there
  narrowly(failed[0], above);
  narrowly(failed[1], 1.49 * above);
  assert.doesNotMatch(againstText(capacity), new RegExp(flat));
  narrowly(failed[1], 1.5 * above);
  assert.match(againstText(capacity), new RegExp(`1 of 4 ${flat}`));
  assert.match(
    doubtsOf([capacity]).join(' '),
    /In 1 of 4 searches a rate and one at least half as high again failed as narrowly: .+ chance may have decided/,
  );
  trial.probes.push({ ...failed[0], outcome: 'held' });
  assert.doesNotMatch(againstText(capacity), new RegExp(flat), 'it held there later: the target was cold');
  trial.probes.pop();
  for (const probe of failed) delete probe.allowed_share;
  assert.doesNotMatch(againstText(capacity), new RegExp(flat), 'in results of before');
  for (const probe of failed) probe.allowed_share = 0.05;
  failed[1].beyond_share = 0.11;
  assert.doesNotMatch(againstText(capacity), new RegExp(flat), 'more than narrowly');

  const limited = structuredClone(of(QUIET, 'pooled'));
  const { overload } = limited;
  Object.assign(overload, {
    good_rps: 0.95 * overload.rate_rps,
    wrong_rps: 50,
    unanswered_rps: 0,
    unsent: 0,
    disturbed: [],
  });
  assert.doesNotMatch(againstText(limited), /may be lower/, 'what failed was slow, and not refused');
  const errors = [{ check: 'errors', value: 0.05, limit: 0, verdict: 'invalid', text: '5 % errors (status_4xx 40)' }];
  for (const { probes } of limited.trials)
    for (const probe of probes)
      if (probe.outcome === 'failed') Object.assign(probe, { limited: null, reasons: errors });
  assert.match(againstText(limited), /may be lower: at 150 % only 95 % of it was answered rightly/);
  assert.match(
    doubtsOf([limited]).join(' '),
    /^What pooled did not take was answered with errors: where these come from a limit on requests that .+ for long\. Asked for 150 %, pooled answered 95 % of its capacity rightly\./,
  );
  overload.unanswered_rps = 60;
  assert.doesNotMatch(againstText(limited), /may be lower/, 'it broke down, and refused nothing');
  overload.unanswered_rps = 0;
  errors[0].text = '5 % errors (status_5xx 40)';
  assert.doesNotMatch(againstText(limited), /may be lower/, 'it failed, and refused nothing');
  assert.match(
    doubtsOf([limited]).join(' '),
    /^What pooled did not take .+ is taken for long\.( In|$)/,
    'as 503 may be',
  );
  overload.held_share = 1;
  assert.doesNotMatch(againstText(limited), /may be higher/, 'a limit may count for longer than an overload lasts');
  errors[0].text = '5 % errors (check 40)';
  assert.match(againstText(limited), /may be higher/);
  assert.doesNotMatch(doubtsOf([limited]).join(' '), /What pooled did not take/, 'wrong answers are no limit');
  errors[0].text = '5 % errors (status_4xx 40)';
  overload.good_rps = 0.97 * overload.rate_rps;
  assert.doesNotMatch(againstText(limited), /may be lower/, 'as one that refuses what it cannot take');
  Object.assign(overload, { good_rps: 0.5 * overload.rate_rps, unsent: 3.1 * overload.rate_rps });
  assert.doesNotMatch(againstText(limited), /may be lower/, 'it was not asked for so much');
});

test('of users who think numbers are told, not rates', () => {
  const users = { ...of(DISTURBED, 'raw'), think_s: 5, overload: null };
  assert.ok(
    doubtsOf([users]).every((text) => !text.includes(' rate')),
    doubtsOf([users]).join(' '),
  );
});

test('the answer, its title and its table say them, and which of the others were not told apart', () => {
  const results = retold(DISTURBED);
  const [{ text, brief }] = sentences(results);
  assert.match(text, / Measured with analytics, k6, TPC-H scale 0\.01, 15,000 orders\. At 150 % of their capacities/);
  assert.match(text, /No order was shown between pipelined, cluster and pooled, nor between pooled and raw\.$/);
  assert.ok(!/trials? (are|is) marked/.test(text), text);
  assert.match(brief, /; some searches cut short; pipelined, cluster and raw may take more\.$/);
  const [answer] = answersOf(results);
  const shown = toMarkdown(answerBlocks(answer));
  assert.match(
    shown,
    /\| target \| requests\/s within the objective \| 95 % interval \| rollup over it, within blocks \[99\.67 % interval\] \| what speaks against it \|/,
  );
  assert.ok(
    shown.includes(
      '| rollup | 3,480 | 2,600 to 4,640 | – | 4 of 4 cut short; 3 of 4 took more at first; 1 of 4 set 3 % below what held; 1 of 4 partly the load generator’s |',
    ) &&
      shown.includes('| pooled | 110 | 109 to 111 | 31.7 [14.3, 70] | 2 of 4 set 3 % below what held |') &&
      shown.includes('may be higher: at 150 % p95 was below its limit in 7 of 9 s |'),
    shown,
  );
  assert.deepEqual(tables(results, [answer]), [], 'and nothing twice');
  assert.equal(tables(results).length, 3);
});

test('a picture of capacities has each one’s own interval, as its table has', async () => {
  const [answer] = answersOf(retold(DISTURBED));
  for (const { name, low, high } of answer.facts.panels[0].rows)
    assert.deepEqual([low, high], [of(DISTURBED, name).answer.low, of(DISTURBED, name).answer.high]);
  assert.match(answer.reads, /Bars: the 95 % interval of the capacity\./);
  for (const look of [undefined, { theme: 'dark', width: 360 }])
    assert.deepEqual(await faultsOf(answerPicture(answer, look).spec, inks(look ?? { theme: 'light' }).ground), []);
  const [header, ...rows] = answersCsv([answer])
    .split('\n')
    .map((line) => line.split(','));
  const cell = (row, key) => row[header.indexOf(key)];
  assert.deepEqual(
    ['low', 'high', 'confidence', 'ratio'].map((key) => cell(rows[0], key)),
    ['2601', '4644.3', '0.95', ''],
  );
  assert.deepEqual(
    rows.slice(1, 5).map((row) => cell(row, 'value')),
    ['4343.98', '3636.14', '3282.31', '2814.56'],
  );
});

test('overload: what was sent of it, and what that says of the capacity', () => {
  assert.match(
    told(DISTURBED, 'raw'),
    /At 150 % of the capacity 83 requests\/s were due for 10 s\. After the first second all were answered correctly\. \*\*In 7 of 9 seconds p95 was below its limit all the same, so the capacity may be higher\.\*\*/,
  );
  const late = structuredClone(DISTURBED);
  of(late, 'raw').overload.held_share = 0;
  assert.match(told(late, 'raw'), /all were answered correctly, but in 9 of 9 seconds p95 was above its limit\./);
  of(late, 'raw').overload.unsent = 10;
  assert.match(
    told(late, 'raw'),
    /all that were sent were answered correctly, but in 9 of 9 seconds p95 was not seen below its limit\./,
  );
  assert.match(
    told(DISTURBED, 'cube'),
    /\*\*Of 512 requests\/s, 150 % of the capacity, only 393\.8\/s were sent for 10 s \(115 % of the capacity\), as then all users of the load generator waited for answers\.\*\* After the first second 302\.3\/s were answered correctly, 89 % of the capacity\..+This was one trial of 40 s, disturbed \(processor time that the hypervisor took\) and not repeated\./,
  );
  assert.match(
    told(QUIET, 'pooled'),
    /By block 362 to 399\.5\. In at least one block most probes failed from 366 on, so plan for less\./,
  );
  const pooled = of(QUIET, 'pooled');
  const after = (seen) => againstText({ ...pooled, overload: { ...pooled.overload, normal_after_s: null, ...seen } });
  assert.match(after({ normal_before: true }), /p95 was not below its limit for good 20 s after overload$/);
  assert.doesNotMatch(after({ normal_before: false }), /for good/, 'it was above it before, too');
  assert.doesNotMatch(after({ normal_before: true, disturbed: ['processes'] }), /for good/, 'it had ended');
  assert.match(told(DISTURBED, 'raw'), /What limited it there is not known: on average these used 1\.66 of 2 cores\./);
});

test('capacities that fell from block to block, by more than chance, are a caution; a busy generator is another', () => {
  const cautioned = (results, start) => cautions(results).filter((text) => text.startsWith(start));
  const drift = 'From the first block to the last capacities';
  const [fell] = cautioned(DISTURBED, drift);
  assert.match(fell, /fell by 22 %, of all targets together \(95 % interval 10 to 32 %\).+became slower/);
  assert.deepEqual(cautioned(QUIET, drift), []);
  const backwards = DISTURBED.capacities.map((capacity) => ({
    ...capacity,
    trials: capacity.trials.map((trial) => ({ ...trial, block: 5 - trial.block })),
  }));
  assert.match(cautioned({ ...DISTURBED, capacities: backwards }, drift)[0], /rose by 28 %.+became faster/);
  const two = DISTURBED.capacities.map((capacity) => ({ ...capacity, trials: capacity.trials.slice(0, 2) }));
  assert.deepEqual(cautioned({ ...DISTURBED, capacities: two }, drift), []);
  const [busy] = cautioned(QUIET, 'Near its capacity the load generator');
  assert.match(busy, /: rollup \(0\.966 and 0\.584 cores\)\. /);
  const inEnvironment = (change) => ({ ...QUIET, environment: { ...QUIET.environment, ...change } });
  assert.deepEqual(cautioned(inEnvironment({ layout: 'pinned' }), 'Near its'), []);
  const many = { ...QUIET.environment.machine, cores: 16 };
  assert.deepEqual(cautioned(inEnvironment({ machine: many }), 'Near its'), [], 'one core of 16 is not missed');
});

test('a post: what disturbed probes, and users only where searches begin', () => {
  const results = retold(DISTURBED);
  const text = toMarkdown(post(results, answersOf(results), new Map()));
  assert.match(
    text,
    /299 probes by arrivals on a schedule, of which 14 were disturbed \(processor time that the hypervisor took; 8 of them of cube\) and failed, and so decided nothing\.\n- Where the searches begin: k6 with 16 users, 1 block,/,
  );
  assert.doesNotMatch(text, /## Up to which rate/);
});
