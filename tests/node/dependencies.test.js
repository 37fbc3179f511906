import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const repository = join(import.meta.dirname, '../..');
const text = (path) => readFileSync(join(repository, path), 'utf8');
const versionsIn = (path, pattern) => [...text(path).matchAll(pattern)].map(([, name, version]) => [name, version]);

/** What we declare to depend on: [name, version] each. */
const DECLARED = [
  ...['apps', 'apps/cube', 'scripts', 'tests'].flatMap((folder) => {
    const { dependencies = {}, devDependencies = {} } = JSON.parse(text(`${folder}/package.json`));
    return Object.entries({ ...dependencies, ...devDependencies });
  }),
  ...versionsIn('k6/build/go.mod', /^\t(\S+) (v\S+)$/gm),
  ...versionsIn('apps/jvm/pom.xml', /<artifactId>(?!pglab-)([\w-]+)<\/artifactId>\s*<version>([\w.-]+)<\/version>/g),
  ...versionsIn('docker/.env', /^(TPCHGEN|JUICEFS|HADOLINT)_VERSION=(.*)$/gm),
  ...versionsIn('docker/.env', /^\w+_IMAGE=(.*):(.*)$/gm),
  ...versionsIn('.github/workflows/ci.yml', /uses: (\S+)@\w{40} # (\S+)$/gm),
];

test('docs/dependencies.md names each dependency with its version: correct the table, with licence and what it is for', () => {
  const rows = text('docs/dependencies.md').split('\n');
  const missing = DECLARED.filter(
    ([name, version]) =>
      !rows.some((row) => {
        const [, names, versions] = row.split('|');
        return names?.toLowerCase().includes(name.toLowerCase()) && versions?.includes(version);
      }),
  );
  assert.deepEqual(missing, []);
  assert.ok(DECLARED.length > 30, `${DECLARED.length} were found`);
});
