/** Entry of scripts/publish.sh: a run into results/published, and the README's results. */
import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { writeAtomic } from '../analyse/files.js';
import { DamagedRun, fail, readResults } from '../analyse/run-folder.js';
import { plural } from '../analyse/words.js';
import { drawCharts } from './draw.js';
import { post } from './post.js';
import { listPublished, publishedName } from './published.js';
import { updateReadme } from './readme.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    'with-invalid': { type: 'boolean', default: false },
    root: { type: 'string' },
    readme: { type: 'string' },
  },
});

try {
  if (positionals.length > 0) await publish(positionals[0]);
  updateReadme(values.readme, values.root);
} catch (error) {
  fail(error);
}

async function publish(folder) {
  const results = readResults(folder);
  refuse(folder, results);
  const { date, name } = publishedName(results);
  const day = join(values.root, date);
  mkdirSync(day, { recursive: true });
  const path = free(join(day, name));
  const unfinished = join(day, `.unfinished.${process.pid}`);
  mkdirSync(unfinished);
  try {
    const charts = await drawCharts(unfinished, results);
    writeAtomic(join(unfinished, 'post.md'), post(results, charts));
    renameSync(unfinished, path);
    cpSync(join(folder, 'results.json'), `${path}.json`, { errorOnExist: true, force: false });
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  process.stderr.write(`published: ${path}.json, ${path}/post.md\n`);
}

/** Of a second run on one day the name gets a number. */
function free(path) {
  const taken = (candidate) => existsSync(candidate) || existsSync(`${candidate}.json`);
  let number = 1;
  while (taken(number === 1 ? path : `${path}.${number}`)) number += 1;
  return number === 1 ? path : `${path}.${number}`;
}

/** @throws {DamagedRun} when the run is not fit to be published */
function refuse(folder, { run, verdicts }) {
  const already = listPublished(values.root).find(({ file }) => readResults(file).run.id === run.id);
  if (already)
    throw new DamagedRun(`${folder}: is published already, as ${already.file}; what is published is never rewritten`);
  if (verdicts.valid + verdicts.suspect === 0)
    throw new DamagedRun(`${folder}: has no usable trial: there is nothing to publish`);
  const faults = [
    verdicts.invalid > 0 && plural(verdicts.invalid, 'invalid trial'),
    verdicts.not_run > 0 && `${plural(verdicts.not_run, 'trial')} that did not run`,
  ].filter(Boolean);
  if (faults.length > 0 && !values['with-invalid'])
    throw new DamagedRun(
      `${folder}: has ${faults.join(' and ')}; --with-invalid publishes it all the same, and says so first`,
    );
}
