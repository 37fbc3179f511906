import assert from 'node:assert/strict';
import { test } from 'node:test';
import { marksText } from '../../scripts/analyse/marks.js';
import { indexText } from '../../scripts/findings/index-pairs/tell.js';
import { lossesIn, survivalText } from '../../scripts/findings/survival/answer.js';
import { sentences } from '../../scripts/report/sentences.js';

const texts = (results) => sentences({ questions: [], run: { blocks: 3 }, ...results }).map(({ text }) => text);

test('answers in the order of the questions, then objectives', () => {
  const questions = ['First?', 'Second?'].map((ask, i) => ({
    ask,
    text: `Answer ${i}.`,
    claim: i === 0,
    comparisons: [],
  }));
  const told = sentences({
    run: { blocks: 3 },
    questions,
    objectives: [{ name: 'goal', metric: 'p95_us', met: true }],
  });
  assert.deepEqual(told, [
    { ask: 'First?', text: 'Answer 0.', brief: 'Answer 0.', claim: true },
    { ask: 'Second?', text: 'Answer 1.', brief: 'Answer 1.', claim: false },
    { ask: null, text: '1 of 1 objective met: goal (p95).', brief: '1 of 1 objective met: goal (p95).', claim: true },
  ]);
});

const side = (name, marks) => ({
  name,
  cells: [{ trials: marks.map((check, i) => ({ block: i + 1, verdict: 'valid', reasons: check ? [{ check }] : [] })) }],
});

test('in brief: a ranking without its ratios, marks without their counts', () => {
  const questions = [
    { ask: 'Which?', kind: 'rank', answered: true, brief: 'A served the most.', text: 'A served the most: 2 times B.' },
    {
      ask: 'What?',
      kind: 'compare',
      answered: true,
      text: `A (variant a; ${marksText(['drift', 'ramp'], [side('a', ['drift', 'ramp', null]), side('pool-1', ['drift', null])])}; the index won 2 of 2).`,
    },
    { ask: 'Why?', kind: 'rank', answered: false, text: 'No answer: it did not run.' },
  ];
  const briefs = sentences({ run: { blocks: 3 }, questions: questions.map((q) => ({ comparisons: [], ...q })) });
  assert.deepEqual(
    briefs.map(({ brief }) => brief),
    [
      'A served the most.',
      'A (variant a; some trials are marked; the index won 2 of 2).',
      'No answer: it did not run.',
    ],
  );
});

test('nothing asked, nothing answered', () => {
  assert.deepEqual(texts({}), []);
  assert.deepEqual(
    texts({ questions: undefined, headlines: [{ text: 'Pooled was faster.' }] }),
    [],
    'what figures chose',
  );
});

test('objectives say where they were judged', () => {
  const trials = [[], [{ check: 'drift' }], [{ check: 'errors' }]].map((reasons, i) => ({
    ...{ block: i + 1, verdict: ['valid', 'suspect', 'invalid'][i], reasons },
  }));
  const cell = { id: 'c', workload: 'documents-insert', tool: 'wrk', model: 'closed', level: 16, share: null, trials };
  const objectives = [{ name: 'insert', metric: 'p95_us', met: true, cell: 'c' }];
  const twin = { ...cell, id: 'd', trials: [] }; // on another database
  const both = [...objectives, { ...objectives[0], met: null, cell: 'd' }];
  const [text] = texts({ objectives: both, cells: [cell, twin], environment: { scale: 0.1 } });
  assert.equal(
    text,
    '1 of 2 objectives met: insert (p95) (documents-insert with 16 HTTP connections, scale 0.1; some trials are marked: throughput that drifted (1 of 2)).',
  );
});

test('objectives: how many, and which were missed', () => {
  const objectives = [true, false, null].map((met, i) => ({ name: `goal ${i}`, metric: 'p95_us', met }));
  assert.deepEqual(texts({ objectives }), ['1 of 3 objectives met: goal 0 (p95); missed: goal 1 (p95).']);
});

test('an index: with its interval; that no difference was shown where that includes 1; its title with the bounds alone', () => {
  const faster = { ratio: 12.4885, low: 12.1622, high: 12.8236, differs: true };
  const kinds = [
    { results: [0, 0], speedup: { ratio: 27.76, low: 24, high: 32 } },
    { results: [1000, null], speedup: { ratio: 3.473, low: 3.2, high: 3.8 } },
  ];
  const plan = (...lines) => [{ collection: 'indexed', age: 18, documents: 11682, plan: lines }];
  const whole = { level: 1, pairs: 458, wins: 458, speedup: faster, by_results: kinds };
  assert.match(
    indexText({ ...whole, plans: plan('Index Scan using "indexed..key" on indexed') }).text,
    /^With 1 user, queries ran 3\.47 to 27\.8 times as fast on average with the index, by how many documents they found, 12\.5 times as fast over all \(95 % interval 12\.2 to 12\.8\); .* \(least where 1,000, the limit, were found, most where 0; the plan for 11,682 matches, cut at the limit, does not use it\)\.$/,
  );
  const slower = { results: [1000, null], speedup: { ratio: 0.8, low: 0.7, high: 0.9 } };
  for (const [other, told] of [
    [slower, 'from 0.8 times where 1,000, the limit, were found to 27.8 times where 0 were found'],
    [{ ...slower, speedup: { ratio: 1.2, low: 0.7, high: 2 } }, 'from 1.2 times where 1,000, the limit, were'],
  ]) {
    const { text } = indexText({ ...whole, by_results: [kinds[0], other] });
    assert.match(text, /^With 1 user, queries ran 12\.5 times as fast with the index on average \(/);
    assert.ok(text.includes(told), text);
  }
  assert.doesNotMatch(indexText({ ...whole, plans: plan('Bitmap Index Scan on "indexed.age"') }).text, /plan/);
  const about = (speedup, ...more) => indexText({ level: 1, pairs: 458, wins: 458, speedup }, ...more);
  assert.equal(
    about(faster).text,
    'With 1 user, queries ran 12.5 times as fast with the index on average (95 % interval 12.2 to 12.8); the index won 458 of 458 pairs of equal answers.',
  );
  assert.equal(
    about(faster, 'some trials marked').title,
    'With 1 user, queries ran 12.5 times as fast with the index on average (12.2 to 12.8; some trials marked)',
  );
  assert.match(
    about({ ratio: 0.8, low: 0.6, high: 0.9, differs: true }).text,
    /^With 1 user, queries took 25 % longer with the index on average \(95 % interval 11 to 67 %\);/,
  );
  assert.match(
    about({ ratio: 1.1, low: 0.9, high: 1.3, differs: false }).text,
    /no difference was shown with the index \(speed-up 1.1, 95 % interval 0.9 to 1.3\);/,
  );
});

test('survival: lost of all that was acknowledged, in every round', () => {
  const survival = [
    { profile: 'durable', round: 1, acknowledged: 5000, lost: 0 },
    { profile: 'no-fsync', round: 1, acknowledged: null, lost: null },
    { profile: 'durable', round: 2, acknowledged: 6000, lost: 1 },
    { profile: 'unlogged', round: 1, acknowledged: 4000, lost: 4000, loaded_lost: 10000 },
  ];
  const { text, title } = survivalText(...lossesIn(survival));
  assert.equal(
    text,
    "Acknowledged documents lost in 2 kills of the server's processes under load, the power staying on: durable 1 of 11,000, no-fsync unknown, unlogged 4,000 of 4,000, and 5,000 in each kill that were loaded before (the kernel keeps what killed processes wrote).",
  );
  assert.equal(
    title,
    'Acknowledged documents lost in 2 kills under load, the power staying on: durable 1 of 11,000, no-fsync unknown, unlogged 4,000 of 4,000, and 5,000 in each kill that were loaded before',
  );
});
