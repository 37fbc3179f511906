/** Entry of scripts/publish.sh: a run into results/published, and the generated parts of README.md and docs/; or one of its answers on stdout. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { writeAtomic } from '../analyse/files.js';
import { analyse, retold } from '../analyse/results.js';
import { DamagedRun, fail, guardStdout, openRun, readIfThere, readResults } from '../analyse/run-folder.js';
import { plural } from '../analyse/words.js';
import { answerPicture } from './answers/picture.js';
import { answersOf } from './answers/story.js';
import { updateGenerated } from './generated.js';
import { machineName } from './machine.js';
import { answerPost, MOST_BYTES } from './post.js';
import { writePost } from './post-files.js';
import { currentPublished, listPublished, publicationOf, readCatalogue, writeCatalogue } from './published.js';
import { toPng, toSvg } from './render.js';
import { toMarkdown } from './to-markdown.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    'with-invalid': { type: 'boolean', default: false },
    supersedes: { type: 'string' },
    question: { type: 'string' },
    posts: { type: 'boolean', default: false },
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
  if (values.question !== undefined) await tell(positionals[0], Number(values.question));
  else {
    if (positionals.length > 0) await publish(positionals[0]);
    if (values.posts) await tellAgain();
    await updateGenerated(values);
  }
} catch (error) {
  fail(error);
}

async function publish(folder) {
  if (statSync(folder, { throwIfNoEntry: false })?.isFile())
    throw new DamagedRun(`${folder}: is a file; name the run's folder`);
  const results = readResults(folder);
  refuse(folder, results);
  const publication = publicationOf(results);
  const entry = catalogueEntry(folder, publication);
  const path = join(values.root, publication.path);
  if (existsSync(`${path}.json`))
    throw new DamagedRun(
      `${folder}: ${path}.json is of the same day and commit; to publish one of two such runs would be to choose between them`,
    );
  mkdirSync(join(values.root, publication.folder), { recursive: true });
  await putPost(path, results, supersededBy(entry)); // in place of that of a publication that was cut short, as its results.json is not there
  writeAtomic(`${path}.json`, readFileSync(join(folder, 'results.json')));
  writeCatalogue(values.root, [...readCatalogue(values.root).filter((other) => !isOf(other, publication)), entry]);
  process.stderr.write(`published: ${path}.json, ${path}/post.md\n`);
  const { size } = statSync(join(path, 'post.md'));
  if (size > MOST_BYTES)
    process.stderr.write(`warning: post.md has ${size} bytes, more than 6 KB: its questions or its why are too long\n`);
}

/** The post of a published run, whole or not at all. @param {string} path of its folder */
async function putPost(path, results, earlier) {
  const unfinished = join(dirname(path), `.unfinished.${process.pid}`);
  mkdirSync(unfinished);
  try {
    await writePost(unfinished, results, earlier);
    rmSync(path, { recursive: true, force: true });
    renameSync(unfinished, path);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

/** The posts of all current runs by today's rules. */
async function tellAgain() {
  for (const { current, results, earlier } of currentPublished(values.root)) {
    const path = join(values.root, current);
    await putPost(path, retold(results), earlier);
    process.stderr.write(`told again: ${path}/post.md\n`);
  }
}

/** One answer on stdout, its pictures in the run's charts; those of a results.json alone in a folder of their own. */
async function tell(folder, number) {
  guardStdout();
  const results = retold(readResults(folder));
  const answers = answersOf(results, earlierThan(results));
  const answer = answers[number - 1];
  if (!answer) {
    const listed = answers.map(({ ask }, i) => `${i + 1} ${ask}`).join('; ');
    throw new DamagedRun(`${folder}: has no question ${number}; ${listed ? `it has: ${listed}` : 'it was asked none'}`);
  }
  const charts = new Map();
  if (answer.facts !== null) {
    const output = statSync(folder).isFile() ? mkdtempSync(join(tmpdir(), 'pglab-pictures-')) : folder;
    const { spec, alt } = answerPicture(answer);
    const [svg, file] = [await toSvg(spec), join('charts', answer.key)];
    mkdirSync(join(output, 'charts'), { recursive: true });
    writeAtomic(join(output, `${file}.svg`), svg);
    writeAtomic(join(output, `${file}.png`), toPng(svg));
    charts.set(answer.key, { file: `${file}.svg`, alt });
    process.stderr.write(`pictures: ${join(output, 'charts')}: ${answer.key}.svg and ${answer.key}.png\n`);
  }
  process.stdout.write(toMarkdown(answerPost(results, answer, charts)));
}

/** What is published of the same experiment and machine, and was measured before: the newest first. */
function earlierThan({ run, environment }) {
  const entry = readCatalogue(values.root).find((one) =>
    isOf(one, { experiment: run.experiment, machine: machineName(environment) }),
  );
  const published = entry ? [{ result: entry.current }, ...entry.supersedes] : [];
  return supersededBy({ supersedes: published }).filter((other) => other.run.started_at < run.started_at);
}

/** Results that the run replaces, the newest first. */
function supersededBy({ supersedes }) {
  return supersedes.map(({ result }) => readResults(join(values.root, `${result}.json`)));
}

function isOf({ experiment, machine }, publication) {
  return experiment === publication.experiment && machine === publication.machine;
}

/** What the catalogue will say of this run. @throws {DamagedRun} when it replaces another without a reason, or gives one and replaces none */
function catalogueEntry(folder, publication) {
  const { experiment, machine, path } = publication;
  const { supersedes: why } = values;
  const before = readCatalogue(values.root).find((entry) => isOf(entry, publication));
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
    throw new DamagedRun(
      `${folder}: is published already, as ${already.file}; a published results.json is never rewritten`,
    );
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
