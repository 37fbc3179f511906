/** Entry of scripts/stages/results-page.sh: results/index.html, over all runs and all published results. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { writeAtomic } from '../analyse/files.js';
import { DamagedRun, fail, readJson, readResults } from '../analyse/run-folder.js';
import { machineName } from './machine.js';
import { listPublished, postOf } from './published.js';
import { currentAnswers } from './readme.js';
import { resultsPage } from './results-page.js';

try {
  const root = process.argv[2];
  const { entries, left } = collect(root);
  const known = current(join(root, 'published'), left);
  writeAtomic(join(root, 'index.html'), await resultsPage(entries, left, known));
  for (const line of left) process.stderr.write(`left out: ${line}\n`);
  process.stderr.write(`index: ${join(root, 'index.html')}, ${entries.length} runs\n`);
} catch (error) {
  fail(error);
}

/** The answers of what is published, each with the link to its post; none where one of the results cannot be read. */
function current(published, left) {
  const linked = (answer) => ({ ...answer, link: `published/${postOf(published, answer.current)}` });
  try {
    return currentAnswers(published)
      .map(({ about, answers }) => ({ about, answers: answers.map(linked) }))
      .filter(({ answers }) => answers.length > 0);
  } catch (error) {
    if (!(error instanceof DamagedRun)) throw error;
    left.push(error.message);
    return [];
  }
}

/**
 * Every run once, newest first. A published run shows its report where that is still there, else its post.
 * @returns {{entries: {results, machine: string, published: boolean, link: string|null}[], left: string[]}} left: why runs were left out
 */
function collect(root) {
  const [byId, left] = [new Map(), []];
  const add = (path, link, published) => {
    try {
      const results = readResults(path);
      const known = byId.get(results.run.id);
      byId.set(results.run.id, {
        results,
        machine: machineName(results.environment),
        published,
        link: known?.link ?? link,
      });
    } catch (error) {
      if (!(error instanceof DamagedRun)) throw error;
      left.push(error.message);
    }
  };
  const runs = join(root, 'runs');
  for (const name of runFolders(runs)) {
    const reports = ['html', 'md'].map((kind) => `runs/${name}/report.${kind}`);
    add(join(runs, name), reports.find((report) => existsSync(join(root, report))) ?? null, false);
  }
  const published = join(root, 'published');
  for (const { file, path } of listPublished(published)) add(file, `published/${postOf(published, path)}`, true);
  const entries = [...byId.values()].sort((a, b) => (startOf(a) < startOf(b) ? 1 : -1));
  return { entries, left };
}

/** Names of all runs, those within a suite's folder too. */
function runFolders(runs) {
  if (!existsSync(runs)) return [];
  return readdirSync(runs)
    .sort()
    .flatMap((name) => {
      const suite = join(runs, name, 'suite.json');
      return existsSync(suite) ? readJson(suite).runs.map((run) => join(name, run)) : name;
    });
}

function startOf({ results }) {
  return results.run.started_at ?? '';
}
