import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readmeBlock, splitReadme } from '../../scripts/report/readme.js';

const repository = join(import.meta.dirname, '../..');
const text = readFileSync(process.env.README ?? join(repository, 'README.md'), 'utf8');

test('the results in the README are those of results/published: scripts/publish.sh --readme writes them', () => {
  assert.equal(splitReadme(text).block, readmeBlock(join(repository, 'results/published')));
});

test('relative links in README, CONTRIBUTING and CHANGELOG lead somewhere', () => {
  const texts = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md'].map((file) =>
    readFileSync(join(repository, file), 'utf8'),
  );
  const links = texts.flatMap((part) => [...part.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, link]) => link));
  assert.deepEqual(
    links.filter((link) => !existsSync(join(repository, link))),
    [],
  );
});

test('the workflow runs the two commands of the README', () => {
  const [, commands] = /```sh\n(.+?)```/s.exec(text);
  const workflow = readFileSync(join(repository, '.github/workflows/ci.yml'), 'utf8');
  for (const line of commands.trim().split('\n'))
    assert.ok(workflow.includes(`- run: ${line.split('#')[0].trim()}\n`), line);
});
