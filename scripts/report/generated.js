/** The parts of README.md and docs/ that a program writes, each between `<!-- NAME:begin -->` and `<!-- NAME:end -->`, and one picture. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeAtomic } from '../analyse/files.js';
import { LIMITS } from '../analyse/limits.js';
import { DamagedRun } from '../analyse/run-folder.js';
import { againBlocks } from './again/page.js';
import { code, heading, list } from './blocks.js';
import { commandHelp, commands } from './commands.js';
import { findingKeys } from './finding-keys.js';
import { allAnswers, PICTURE, readmePicture, readmeResults } from './readme.js';
import { toMarkdown } from './to-markdown.js';

/** @type {{file: string, name: string, blocks: (paths) => object[]}[]} file: below docs, or the README */
const PARTS = [
  { file: 'README.md', name: 'results', blocks: ({ root }) => readmeResults(root) },
  { file: 'answers.md', name: 'answers', blocks: ({ root }) => allAnswers(root) },
  { file: 'again.md', name: 'again', blocks: ({ root }) => againBlocks(root) },
  { file: 'results.md', name: 'findings', blocks: findingKeys },
  {
    file: 'reference.md',
    name: 'commands',
    blocks: () => commands().flatMap((path) => [heading(3, path), code('text', commandHelp(path))]),
  },
  {
    file: 'methodology.md',
    name: 'limits',
    blocks: () => [list(Object.entries(LIMITS).map(([name, { value, why }]) => `\`${name}\` **${value}**: ${why}`))],
  },
];

/**
 * What each generated part should say and what it says.
 * @param {{root: string, readme: string, docs: string}} paths root: results/published
 * @returns {{path, name, right: string, present: string, whole: string}[]} whole: the file with the right text
 * @throws {DamagedRun} when a mark is missing
 */
export function generatedParts(paths) {
  return PARTS.map(({ file, name, blocks }) => {
    const path = file === 'README.md' ? paths.readme : join(paths.docs, file);
    const { before, present, after } = split(path, name);
    const right = `\n${toMarkdown(blocks(paths))}`;
    return { path, name, right, present, whole: before + right + after };
  });
}

function split(path, name) {
  const [begin, end] = [`<!-- ${name}:begin -->`, `<!-- ${name}:end -->`];
  const text = readFileSync(path, 'utf8');
  const from = text.indexOf(begin) + begin.length;
  const to = text.indexOf(end);
  if (!text.includes(begin) || to < from)
    throw new DamagedRun(`${path}: the lines ${begin} and ${end} are missing or not in this order`);
  return { before: text.slice(0, from), present: text.slice(from, to), after: text.slice(to) };
}

/** Writes every part, and the README's picture. */
export async function updateGenerated(paths) {
  for (const { path, whole } of generatedParts(paths)) writeAtomic(path, whole);
  const picture = await readmePicture(paths.root);
  if (picture !== null) writeAtomic(join(paths.root, PICTURE), picture);
}
