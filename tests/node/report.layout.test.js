import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, test } from 'node:test';
import { analyse } from '../../scripts/analyse/results.js';
import { openRun } from '../../scripts/analyse/run-folder.js';
import { answersOf } from '../../scripts/report/answers/story.js';
import { inks } from '../../scripts/report/charts/style.js';
import { chartsOf } from '../../scripts/report/draw.js';
import { picturesOf } from '../../scripts/report/pictures.js';
import { faultsOf } from './lib/layout.js';
import { publishedWithAnswers } from './lib/published.js';
import { shapes } from './lib/shapes.js';

const root = mkdtempSync(join(tmpdir(), 'report-layout-'));
after(() => rmSync(root, { recursive: true }));

const LOOKS = {
  light: { theme: 'light', width: 1140 },
  dark: { theme: 'dark', width: 1140 },
  phone: { theme: 'light', width: 360 },
};

/** What is wrong with the charts of a run, as files and on its page. */
async function faultsIn(results) {
  const faults = [];
  const add = async (name, spec, page) =>
    faults.push(...(await faultsOf(spec, page)).map((fault) => `${name}: ${fault}`));
  for (const { key, spec } of chartsOf(results)) await add(key, spec);
  for (const { key, picture } of picturesOf(results))
    for (const [name, look] of Object.entries(LOOKS))
      await add(`${key}, ${name}`, picture(look).spec, inks(look).ground);
  return faults;
}

for (const { file, results } of publishedWithAnswers())
  test(`charts of ${basename(file)}: no text covers another, none is cut or pale, no mark beyond its axis`, async () => {
    assert.deepEqual(await faultsIn(results), []);
  });

for (const [name, write] of Object.entries(shapes))
  test(`charts of a run whose answer is ${name}`, async () => {
    const results = analyse(openRun(write(join(root, name.replaceAll(' ', '-')))));
    results.answers = answersOf(results);
    const [{ facts }] = results.answers;
    assert.ok(facts !== null, results.answers[0].text);
    assert.deepEqual(await faultsIn(results), []);
  });

test('the layout test sees texts that collide, are cut or pale, and marks beyond the labels', async () => {
  const text = (value, x, more = {}) => ({
    data: { values: [{ value, x, y: 20 }] },
    mark: { type: 'text', align: 'left', ...more },
    encoding: {
      x: { field: 'x', type: 'quantitative', axis: { values: [0, 100] }, scale: { domain: [0, 200], nice: false } },
      y: { field: 'y', type: 'quantitative', scale: null, axis: null },
      text: { field: 'value' },
    },
  });
  const dot = text('', 150);
  const spec = {
    config: { background: '#ffffff' },
    hconcat: [
      {
        width: 200,
        height: 60,
        layer: [text('one', 10), text('two', 15), text('faint', 100, { color: '#cccccc' }), { ...dot, mark: 'point' }],
      },
    ],
  };
  const faults = (await faultsOf(spec)).join('\n');
  assert.match(faults, /"one" at .* overlaps "two"/);
  assert.match(faults, /"faint" .* contrast 1\.6/);
  assert.match(faults, /lies outside/);
});
