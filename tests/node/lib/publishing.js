/** Synthetic runs that are analysed, and published into folders of their own. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { writeSyntheticRun } from './synthetic.js';

export const repository = join(import.meta.dirname, '../../..');
export const root = mkdtempSync(join(tmpdir(), 'publish-'));
export const [published, readme] = [join(root, 'published'), join(root, 'README.md')];
const docs = join(root, 'docs');
const NAME = 'synthetic-2-cores.synthetic';
const SWEEP = {
  targets: { raw: () => 60, rollup: (n) => 2000 * (n / (n + 4)) },
  levels: [1, 10],
  tools: ['k6'],
  questions: [
    {
      ...{ ask: 'What does a rollup gain?', primary: true, metric: 'throughput', kind: 'pair', dimension: 'target' },
      ...{ where: {}, why: null },
      sides: ['rollup', 'raw'].map((name) => ({ name, cells: [`tpch@1.${name}.base.analytics.k6.closed-0010`] })),
    },
  ],
};

after(() => rmSync(root, { recursive: true }));

before(() => {
  writeFileSync(readme, '# Title\n<!-- results:begin -->\nold\n<!-- results:end -->\nrest\n');
  cpSync(join(repository, 'docs'), docs, { recursive: true });
});

export function run(script, ...args) {
  const env = { ...process.env, PUBLISHED: published, README: readme, DOCS: docs };
  const { status, stdout, stderr } = spawnSync(join(repository, `scripts/${script}.sh`), args, {
    encoding: 'utf8',
    env,
  });
  return { status, stdout, stderr };
}

/** What a function of the scripts prints. */
const shell = (text, ...args) =>
  execFileSync('bash', ['-c', `source scripts/lib/common.bash && ${text}`, 'bash', ...args], {
    cwd: repository,
    encoding: 'utf8',
  });

export const git = (digit, dirty = false) => ({ commit: digit.repeat(40), dirty });
export const place = (digit) => `20260105-${digit.repeat(12)}/${NAME}`;

/** An analysed run of an experiment, measured from a commit of its own. */
export function analysed(name, { experiment = 'synthetic', measured = git('b'), ...truth } = {}) {
  const folder = writeSyntheticRun(join(root, name), { ...SWEEP, ...truth });
  const change = (file, changed) => {
    const path = join(folder, file);
    const before = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
    writeFileSync(path, JSON.stringify({ ...before, ...changed }));
  };
  change('plan.json', { experiment });
  change('environment.json', { git: measured });
  const plan_hash = createHash('sha256')
    .update(readFileSync(join(folder, 'plan.json')))
    .digest('hex');
  const environment_hash = shell('environment_hash "$1/environment.json"', folder).trim();
  change('provenance.json', { git_commit: measured.commit, plan_hash, environment_hash });
  const files = readdirSync(join(folder, 'cells'), { recursive: true });
  for (const file of files.filter((path) => path.endsWith('summary.json'))) change(join('cells', file), { plan_hash });
  assert.equal(run('stages/analyse', folder).status, 0);
  return folder;
}
