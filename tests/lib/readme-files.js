// Usage: node tests/lib/readme-files.js README SECTION FOLDER
// Does what a section of the README tells its reader to: a code block below a line that is nothing but a path in backquotes goes
// into that file below FOLDER, which must not have it yet. Prints {"files": [{"path", "lines"}], "commands": [the lines of its sh blocks]}.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const [readme, section, folder] = process.argv.slice(2);
const BLOCK = /(?:^`([\w./-]+)`\n\n)?^```(\w+)\n(.*?)^```$/gms;

const text = readFileSync(readme, 'utf8')
  .split(/^## /m)
  .find((part) => part.startsWith(`${section}\n`));
const blocks = [...text.matchAll(BLOCK)].map(([, path, language, body]) => ({ path, language, body }));
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
