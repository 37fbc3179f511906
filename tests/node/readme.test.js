import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import Ajv2020 from 'ajv/dist/2020.js';
import { CHECKS } from '../../scripts/analyse/checks/index.js';
import { FINDINGS } from '../../scripts/findings/index.js';
import { schemasOfFindings } from '../../scripts/findings/schemas.js';
import { generatedParts } from '../../scripts/report/generated.js';
import { catalogueFaults } from '../../scripts/report/published.js';
import { currentAnswers, PICTURE, readmePicture } from '../../scripts/report/readme.js';

const repository = join(import.meta.dirname, '../..');
const docs = process.env.DOCS ?? join(repository, 'docs');
const readme = process.env.README ?? join(repository, 'README.md');
const root = process.env.PUBLISHED ?? join(repository, 'results/published');
const at = (path) => join(repository, path);
const text = readFileSync(readme, 'utf8');
const page = (name) => readFileSync(join(docs, name), 'utf8');
const pages = [
  ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'results/README.md', 'docker/README.md'],
  ...readdirSync(at('docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

test('generated parts are up to date: scripts/publish.sh --readme writes them', () => {
  const stale = generatedParts({ root, readme, docs }).filter(({ right, present }) => present !== right);
  assert.deepEqual(
    stale.map(({ path, name }) => `${path}: ${name}`),
    [],
  );
});

test("the README's picture is up to date: scripts/publish.sh --readme draws it", async () => {
  assert.ok(
    readFileSync(join(root, PICTURE), 'utf8') === (await readmePicture(root)),
    `${PICTURE} differs from what is drawn now`,
  );
});

test('current posts say what the README and docs/answers.md say: scripts/publish.sh --posts writes them', () => {
  const stale = currentAnswers(root).flatMap(({ answers }) =>
    answers.filter(({ text, current }) => {
      const post = readFileSync(join(root, current, 'post.md'), 'utf8').replaceAll('**', '');
      return !post.includes(text);
    }),
  );
  assert.deepEqual(
    stale.map(({ experiment, ask }) => `${experiment}: ${ask}`),
    [],
  );
});

test('index.json names every published result, and nothing else', () => {
  const json = (path) => JSON.parse(readFileSync(path, 'utf8'));
  const validate = new Ajv2020().compile(json(at('scripts/declared/schema/published.json')));
  assert.ok(validate(json(join(root, 'index.json'))), JSON.stringify(validate.errors));
  assert.deepEqual(catalogueFaults(root), []);
});

test('the README stays short', () => {
  assert.ok(text.split('\n').length <= 150, `${text.split('\n').length} lines`);
  assert.ok(Buffer.byteLength(text) <= 12 * 1024, `${Buffer.byteLength(text)} bytes`);
});

/** The anchor that GitHub gives a heading. */
const anchor = (heading) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
const anchors = (path) =>
  [...readFileSync(path, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading]) => anchor(heading.trim()));

test('links in the documentation lead somewhere, to headings too', () => {
  const broken = pages.flatMap((file) =>
    [...readFileSync(at(file), 'utf8').matchAll(/\]\((?!https?:)([^)\s]*)\)/g)]
      .map(([, link]) => link)
      .filter((link) => {
        const [path, heading] = link.split('#');
        const target = path === '' ? at(file) : join(at(dirname(file)), path);
        return !existsSync(target) || (heading && !(statSync(target).isFile() && anchors(target).includes(heading)));
      })
      .map((link) => `${file}: ${link}`),
  );
  assert.deepEqual(broken, []);
});

test('paths in backquotes exist', () => {
  const PLACES = /`((?:scripts|apps|k6|wrk|pgbench|docker|tests|docs)\/[\w./-]+\.\w+)/g;
  const made = new Set([...page('adding.md').matchAll(/^`(.+)`$/gm)].map(([, path]) => path));
  const absent = pages.flatMap((file) =>
    [...readFileSync(at(file), 'utf8').matchAll(PLACES)]
      .map(([, path]) => path)
      .filter((path) => !made.has(path) && !existsSync(at(path)))
      .map((path) => `${file}: ${path}`),
  );
  assert.deepEqual(absent, []);
});

test('the walks of CONTRIBUTING.md pass through what is there: eight stations at most, none twice', () => {
  const [, rows] = /\| what \| goes through \|\n.+\n((?:\|.+\n)+)/.exec(readFileSync(at('CONTRIBUTING.md'), 'utf8'));
  for (const row of rows.trim().split('\n')) {
    const stations = row.split('; ').map((station) => /`([\w/*.-]+\.\w+)`(?:: `(\w+)`)?/.exec(station).slice(1));
    assert.ok(stations.length <= 8, row);
    assert.equal(new Set(stations.map(([path]) => path)).size, stations.length, row);
    for (const [path, name] of stations.filter(([, defined]) => defined)) {
      const definition = new RegExp(`(?:function|func|def|const|\\)) ${name}\\b|^${name}\\(\\)`, 'm');
      assert.match(readFileSync(at(path), 'utf8'), definition, path);
    }
  }
});

test('every key of results.json is explained, and every check', () => {
  const { properties, $defs } = JSON.parse(readFileSync(at('scripts/declared/schema/results.json'), 'utf8'));
  const ofFindings = schemasOfFindings().map(({ key }) => key);
  assert.deepEqual(
    ofFindings,
    Object.keys(FINDINGS),
    'of each finding scripts/findings/index.js has the title of its schema.json',
  );
  const keys = [...[properties, $defs.cell.properties, $defs.trial.properties].flatMap(Object.keys), ...ofFindings];
  const explained = (name, word) => page(name).includes(`\`${word}\``);
  const ranges = new Set(['p90_us', 'p95_us']); // `p50_us` to `p99_us`
  assert.deepEqual(
    keys.filter((key) => !ranges.has(key) && !explained('results.md', key)),
    [],
  );
  assert.deepEqual(
    Object.keys(CHECKS).filter((check) => !explained('methodology.md', check)),
    [],
  );
});

test('the workflow runs the commands that the README starts with, and pins what it uses', () => {
  const [, commands] = /```sh\n(.+?)```/s.exec(text);
  const workflow = readFileSync(at('.github/workflows/ci.yml'), 'utf8');
  const runs = [...workflow.matchAll(/- run: (.+)/g)].map(([, command]) => command.replace(/ --ci$/, ''));
  for (const line of commands.trim().split('\n')) assert.ok(runs.includes(line.split('#')[0].trim()), line);
  for (const [line] of workflow.matchAll(/uses: .+/g))
    assert.match(line, /^uses: [\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  for (const [line, version] of workflow.matchAll(/(?:node|go)-version: (.+)/g))
    assert.match(version, /^\d+\.\d+\.\d+$/, line);
  const [, go] = /go-version: (.+)/.exec(workflow);
  assert.ok(readFileSync(at('docker/.env'), 'utf8').includes(`GO_IMAGE=golang:${go}-`), `Go ${go}`);
});
