// Usage: node tests/lib/readme-files.js PAGE FOLDER
// Does what a page of the documentation tells its reader to do: a code block below a line that is only a path in backquotes goes into
// that file below FOLDER, which must not have it yet. Prints {"files": [{"path", "lines"}], "commands": [the lines of its sh blocks]}.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const [page, folder] = process.argv.slice(2);
const BLOCK = /(?:^`([\w./-]+)`\n\n)?^```(\w+)\n(.*?)^```$/gms;

const blocks = [...readFileSync(page, 'utf8').matchAll(BLOCK)].map(([, path, language, body]) => ({
  path,
  language,
  body,
}));
const named = blocks.filter(({ path }) => path !== undefined);
for (const { path, body } of named) {
  mkdirSync(join(folder, dirname(path)), { recursive: true });
  writeFileSync(join(folder, path), body, { flag: 'wx' });
}
const files = named.map(({ path, body }) => ({ path, lines: body.split('\n').length - 1 }));
const commands = blocks
  .filter(({ path, language }) => path === undefined && language === 'sh')
  .flatMap(({ body }) => body.trim().split('\n'));
console.log(JSON.stringify({ files, commands }));
