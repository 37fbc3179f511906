/** Entry of scripts/publish.sh: a run into results/published, and the generated parts of README.md and docs/. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { writeAtomic } from '../analyse/files.js';
import { analyse } from '../analyse/results.js';
import { DamagedRun, fail, openRun, readIfThere, readResults } from '../analyse/run-folder.js';
import { plural } from '../analyse/words.js';
import { drawCharts } from './draw.js';
import { updateGenerated } from './generated.js';
import { post } from './post.js';
import { listPublished, publishedPlace, readIndex, writeIndex } from './published.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    'with-invalid': { type: 'boolean', default: false },
    supersedes: { type: 'string' },
    root: { type: 'string' },
    readme: { type: 'string' },
    docs: { type: 'string' },
  },
});

/** Options that may leave out some of what the experiment asks. */
const NARROWING = {
  levels: '--levels',
  targets: '--targets',
  workloads: '--workloads',
  blocks: '--blocks',
  duration_s: '--duration',
};

try {
  if (positionals.length > 0) await publish(positionals[0]);
  await updateGenerated(values);
} catch (error) {
  fail(error);
}

async function publish(folder) {
  if (statSync(folder, { throwIfNoEntry: false })?.isFile())
    throw new DamagedRun(`${folder}: is a file; name the run's folder`);
  const results = readResults(folder);
  refuse(folder, results);
  const place = publishedPlace(results);
  const entry = indexEntry(folder, place);
  const path = join(values.root, place.path);
  if (existsSync(`${path}.json`))
    throw new DamagedRun(
      `${folder}: ${path}.json is of the same day and commit; to publish one of two such runs would be to choose between them`,
    );
  mkdirSync(join(values.root, place.folder), { recursive: true });
  const unfinished = join(values.root, place.folder, `.unfinished.${process.pid}`);
  mkdirSync(unfinished);
  try {
    const text = post(results, await drawCharts(unfinished, results), supersededBy(entry));
    writeAtomic(join(unfinished, 'post.md'), text);
    for (const file of readdirSync(join(unfinished, 'charts')))
      if (!text.includes(`(charts/${file})`)) rmSync(join(unfinished, 'charts', file));
    rmSync(path, { recursive: true, force: true }); // of a publication that was cut short, as its results.json is not there
    renameSync(unfinished, path);
    writeAtomic(`${path}.json`, readFileSync(join(folder, 'results.json')));
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  writeIndex(values.root, [...readIndex(values.root).filter((other) => !isOf(other, place)), entry]);
  process.stderr.write(`published: ${path}.json, ${path}/post.md\n`);
}

/** Results that the run replaces, the newest first. */
function supersededBy({ supersedes }) {
  return supersedes.map(({ result }) => readResults(join(values.root, `${result}.json`)));
}

function isOf({ experiment, machine }, place) {
  return experiment === place.experiment && machine === place.machine;
}

/** What the index will say of this run. @throws {DamagedRun} when it replaces another without a reason, or gives one and replaces none */
function indexEntry(folder, place) {
  const { experiment, machine, path } = place;
  const { supersedes: why } = values;
  const before = readIndex(values.root).find((entry) => isOf(entry, place));
  if (!before) {
    if (why !== undefined) throw new DamagedRun(`${folder}: there is no ${experiment} on ${machine} to supersede`);
    return { experiment, machine, current: path, supersedes: [] };
  }
  if (why === undefined)
    throw new DamagedRun(
      `${folder}: ${before.current} is the current ${experiment} on ${machine}; say why this run replaces it: --supersedes "REASON"`,
    );
  return {
    experiment,
    machine,
    current: path,
    supersedes: [{ result: before.current, why }, ...before.supersedes],
  };
}

function sha256(file) {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

/** @throws {DamagedRun} when the run is not fit to be published */
function refuse(folder, results) {
  const { run, environment, verdicts } = results;
  if (!/^[\da-f]{7,64}$/.test(run.git_commit ?? '0000000'))
    throw new DamagedRun(`${folder}: results.json names ${JSON.stringify(run.git_commit)} as its commit`);
  if (JSON.stringify(analyse(openRun(folder))) !== JSON.stringify(results))
    throw new DamagedRun(
      `${folder}: results.json is not what the run's other files give; make it again: ./run-all-tests.sh --from analyse ${folder}`,
    );
  if (sha256(join(folder, 'plan.json')) !== run.plan_hash)
    throw new DamagedRun(
      `${folder}: plan.json is not the plan that was measured: what was asked may have been written after the answer`,
    );
  const options = readIfThere(join(folder, 'options.json')) ?? {};
  const narrowed = Object.keys(NARROWING).filter((key) => (options[key] ?? null) !== null);
  if (narrowed.length > 0)
    throw new DamagedRun(
      `${folder}: was run with ${narrowed.map((key) => NARROWING[key]).join(' and ')}: publish a run of the whole experiment`,
    );
  const already = listPublished(values.root).find(({ file }) => readResults(file).run.id === run.id);
  if (already)
    throw new DamagedRun(`${folder}: is published already, as ${already.file}; what is published is never rewritten`);
  if (verdicts.valid + verdicts.suspect === 0)
    throw new DamagedRun(`${folder}: has no usable trial: there is nothing to publish`);
  if (!run.git_commit || environment?.git?.dirty)
    throw new DamagedRun(
      `${folder}: was not measured from a clean commit, so nobody could repeat it: commit first, then run again`,
    );
  if (environment?.changed?.length > 0)
    throw new DamagedRun(
      `${folder}: was measured in parts that differ (${environment.changed.join(', ')}), so nobody could repeat it: run it again in one`,
    );
  const faults = [
    verdicts.invalid > 0 && plural(verdicts.invalid, 'invalid trial'),
    verdicts.not_run > 0 && `${plural(verdicts.not_run, 'trial')} that did not run`,
  ].filter(Boolean);
  if (faults.length > 0 && !values['with-invalid'])
    throw new DamagedRun(
      `${folder}: has ${faults.join(' and ')}; --with-invalid publishes it all the same, and the post says so first`,
    );
}
