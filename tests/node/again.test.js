import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import Ajv2020 from 'ajv/dist/2020.js';
import { currentPublished } from '../../scripts/report/published.js';

const repository = join(import.meta.dirname, '../..');
const text = (path) => readFileSync(join(repository, path), 'utf8');
const read = (path) => JSON.parse(text(path));
const folder = 'scripts/declared/again';
const writeUps = readdirSync(join(repository, folder)).map((file) => ({ file, ...read(join(folder, file)) }));

/** What one of a unit is in the unit that it is compared in: seconds, bytes, a share. Units that are not here are compared with themselves. */
const COMPARED_IN = {
  us: ['s', 1e-6],
  ms: ['s', 1e-3],
  s: ['s', 1],
  min: ['s', 60],
  kB: ['bytes', 1e3],
  MB: ['bytes', 1e6],
  GB: ['bytes', 1e9],
  '%': ['', 0.01],
  times: ['', 1],
};
const comparable = ({ value, unit }) => {
  const [dimension, factor] = COMPARED_IN[unit] ?? [unit, 1];
  return { dimension, value: value * factor };
};

/** Two numbers that differ by less, as a share, are equal but for the arithmetic. */
const ROUNDING = 1e-9;

/** -> what a check computes from the figures: its left side, rounded as its result is, and whether it holds. */
function evaluate(check, figures) {
  const figure = (id) => {
    assert.ok(figures.has(id), `no figure ${id}`);
    return comparable(figures.get(id));
  };
  const parts = [check.figure, ...(check.plus ?? [])].map(figure);
  const { dimension } = parts[0];
  for (const part of parts) assert.equal(part.dimension, dimension, `${check.figure} plus another unit`);
  const value = parts.reduce((total, part) => total + part.value, 0);
  const divisor = check.over && figure(check.over);
  const left = divisor ? value / divisor.value : value;
  const other = typeof check.to === 'string' ? figure(check.to) : undefined;
  if (other) assert.equal(other.dimension, divisor && divisor.dimension === dimension ? '' : dimension, check.to);
  const right =
    other?.value ?? (divisor ? check.to : comparable({ ...figures.get(check.figure), value: check.to }).value);
  const off = Math.abs(left / right - 1);
  const holds = { below: left < right, above: left > right, equal: off < ROUNDING, about: off <= check.within }[
    check.is
  ];
  const digits = String(check.result).split('.')[1]?.length ?? 0;
  return { holds, result: Number(left.toFixed(digits)) };
}

/** Numbers as people write them: 16,000 and 4.9, but not the 95 of p95. */
const numbersIn = (words) =>
  [...words.matchAll(/(?<![\w.])\d{1,3}(?:,\d{3})+|(?<![\w.])\d+(?:\.\d+)?/g)].map(([number]) =>
    Number(number.replaceAll(',', '')),
  );

const runOf = (id) => id.split('.')[0];

/** -> the numbers that a sentence may name: those of its checks and runs, and those that say how the write-up's runs were made. */
function known(checks, figures, runs) {
  const ids = checks
    .flatMap(({ figure, plus = [], over, to }) => [figure, ...plus, over, to])
    .filter((id) => figures.has(id));
  const named = new Set(ids.map(runOf));
  return new Set([
    ...[...figures.values()].filter(({ id }) => named.has(runOf(id))).map(({ value }) => value),
    ...checks.flatMap(({ result, to, within = 0 }) => [result, to, within * 100]),
    ...numbersIn(
      Object.values(runs)
        .flatMap(({ what }) => Object.values(what))
        .join(' '),
    ),
  ]);
}

const ascending = (lines) => lines.every((line, i) => i === 0 || line >= lines[i - 1]);

test('there are five write-ups', () => {
  assert.deepEqual(writeUps.map(({ file }) => file).sort(), [
    'connections.json',
    'cube.json',
    'documents.json',
    'drivers.json',
    'replicated.json',
  ]);
});

for (const { file, ...writeUp } of writeUps) {
  const { runs, claims, targets } = writeUp;
  const figures = new Map(writeUp.figures.map((figure) => [figure.id, figure]));

  test(`${file} is of its schema`, () => {
    const validate = new Ajv2020({ allowUnionTypes: true }).compile(read('scripts/declared/schema/again.json'));
    assert.ok(validate(writeUp), JSON.stringify(validate.errors));
  });

  test(`${file}: ids are unique, and a figure's says its run and metric`, () => {
    for (const part of [writeUp.figures, claims, targets]) {
      const ids = part.map(({ id }) => id);
      assert.deepEqual(
        ids.filter((id, i) => ids.indexOf(id) !== i),
        [],
      );
    }
    for (const { id, metric } of figures.values()) assert.equal(id.split('.').at(-1), metric, id);
    assert.deepEqual([...new Set([...figures.keys()].map(runOf))].sort(), Object.keys(runs).sort());
  });

  test(`${file}: lines ascend`, () => {
    for (const part of [writeUp.figures, claims, targets]) {
      assert.ok(ascending(part.map(({ line }) => line)));
      for (const { id, line, also = [] } of part) assert.ok(ascending(also) && !also.includes(line), id);
    }
  });

  test(`${file}: checks follow from its figures`, () => {
    for (const [name, { checks = [] }] of [...Object.entries(runs), ...claims.map((claim) => [claim.id, claim])])
      for (const check of checks) {
        const { holds, result } = evaluate(check, figures);
        assert.equal(check.holds, holds, `${name}: ${JSON.stringify(check)}`);
        if ('result' in check) assert.equal(check.result, result, `${name}: ${JSON.stringify(check)}`);
      }
  });

  test(`${file}: claims hold as their checks do`, () => {
    for (const { id, checks = [], holds_in_its_own_figures: verdict } of claims) {
      const all = checks.every(({ holds }) => holds);
      if (verdict === null) assert.ok(all, `${id}: a check does not hold`);
      else assert.equal(verdict, all, id);
      if (verdict !== null) assert.ok(checks.length > 0, `${id}: nothing is checked`);
    }
  });

  test(`${file}: sentences name no number that does not follow`, () => {
    const sentences = [
      ...Object.entries(runs).map(([run, { checks = [], measures }]) => ({
        of: run,
        words: measures,
        checks: [...checks, ...[...figures.keys()].filter((id) => runOf(id) === run).map((figure) => ({ figure }))],
      })),
      ...claims.map(({ id, checks = [], why }) => ({ of: id, words: why, checks })),
      ...claims.filter(({ checks }) => checks).map(({ id, checks, says }) => ({ of: id, words: says, checks })),
    ];
    for (const { of, words, checks } of sentences) {
      const numbers = known(checks, figures, runs);
      assert.deepEqual(
        numbersIn(words).filter((number) => !numbers.has(number)),
        [],
        `${of}: ${words}`,
      );
    }
  });

  test(`${file}: why a figure has none here is said of each run, and of no other`, () => {
    const page = text('docs/again.md');
    const part = page.slice(page.indexOf(`## ${file.replace('.json', '')}\n`)).split(/\n## /)[0];
    for (const [key, { absent }] of Object.entries(runs)) {
      const told = part.split(/\n### /).find((run) => run.split('\n')[0].split(', ')[0] === key);
      assert.equal(absent !== undefined, told.includes('without a counterpart'), key);
    }
  });

  test(`${file}: what asks the same here exists`, () => {
    const namesOf = ({ variants = [{ name: 'base' }], profile }) =>
      variants.map(({ name }) => (profile === 'ramp' ? `${name}-ramp`.replace('base-', '') : name));
    for (const [run, { here }] of Object.entries(runs))
      for (const counterpart of here.flatMap((one) => (one.over ? [one, { ...one, ...one.over }] : [one]))) {
        const { command, experiment, database, target, variant = 'base', workload, tool, level } = counterpart;
        if (command) assert.ok(existsSync(join(repository, command.split(' ')[0])), `${run}: ${command}`);
        else
          assert.ok(
            read(`scripts/declared/experiments/${experiment}.json`).cells.some(
              (cells) =>
                cells.databases.includes(database) &&
                cells.targets.includes(target) &&
                namesOf(cells).includes(variant) &&
                cells.workloads.includes(workload) &&
                cells.tools.includes(tool) &&
                cells.levels.includes(level),
            ),
            `${run}: ${experiment} has no ${target} ${variant} ${workload} ${tool} ${level} on ${database}`,
          );
      }
  });

  test(`${file}: what is asked of a claim here is a question of its experiment`, () => {
    for (const { id, asked } of claims.filter((claim) => claim.asked))
      assert.ok(
        read(`scripts/declared/experiments/${asked.experiment}.json`).questions.some(
          ({ ask }) => ask === asked.question,
        ),
        id,
      );
  });

  test(`${file}: targets are our objectives, or thresholds of our scripts`, () => {
    const objectives = read('scripts/declared/objectives.json');
    const METRICS = {
      throughput: /^throughput_rps$/,
      p95: /^p95_us$/,
      errors: /^error_share$/,
      size: /_bytes$/,
      share: /_share$/,
      rate: /_per_s$/,
    };
    for (const { id, metric, is, value, unit, objective, threshold } of targets) {
      assert.ok(!objective !== !threshold, `${id} is neither or both`);
      if (objective) {
        const ours = objectives.find(({ name, metric: key }) => name === objective && METRICS[metric].test(key));
        assert.ok(ours, `${id}: no such objective`);
        assert.equal(ours.must_be, is, id);
        if (value === null) continue;
        const our = comparable({ value: ours.limit, unit: ours.unit }).value;
        const limit = comparable({ value, unit }).value;
        assert.ok(Math.abs(our / limit - 1) < ROUNDING, `${id}: ${limit}, and ours is ${our}`);
      } else {
        const limit = comparable({ value, unit }).value;
        const written =
          metric === 'p95' ? `http_req_duration: ['p(95)<${limit * 1000}']` : `http_req_failed: ['rate<${limit}']`;
        assert.ok(text(`k6/${threshold}.js`).includes(written), `${id}: k6/${threshold}.js has no ${written}`);
      }
    }
  });
}

test('docs/again.md: ours is the geometric mean over blocks, and how many times theirs that is', () => {
  const page = text('docs/again.md');
  const part = page.slice(page.indexOf('### cube-30,'), page.indexOf('### cube-50,'));
  const [, variant = 'base', experiment] = /\n\| figure \| published \| cube(?: \((\w+)\))?, k6 30, ([a-z-]+) \|/.exec(
    part,
  );
  const { results } = currentPublished(join(repository, 'results/published')).find(
    (one) => one.experiment === experiment,
  );
  const { trials } = results.cells.find(({ id }) => id.endsWith(`.cube.${variant}.analytics.k6.closed-0030`));
  const logs = trials
    .filter(({ verdict }) => verdict !== 'invalid')
    .map(({ throughput_rps }) => Math.log(throughput_rps));
  const ours = Math.exp(logs.reduce((all, log) => all + log, 0) / logs.length);
  const [, theirs, told, times] = /\n\| throughput \| ([\d.,]+) requests\/s \| ([\d.,]+): ([\d.]+)×/.exec(part);
  const number = (digits) => Number(digits.replaceAll(',', ''));
  assert.ok(Math.abs(number(told) / ours - 1) < 0.01, `${told} ${ours}`);
  assert.ok(Math.abs(number(times) / (ours / number(theirs)) - 1) < 0.01, `${times}`);
});
