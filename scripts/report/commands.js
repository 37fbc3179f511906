/** What a person types, and the help of each command: the comment at the top of its file. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/** Paths of the commands: run-all-tests.sh and scripts/*.sh, without links to commands that have moved. */
export const commands = () => [
  'run-all-tests.sh',
  ...readdirSync(join(ROOT, 'scripts'), { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.sh'))
    .map(({ name }) => `scripts/${name}`)
    .sort(),
];

/** The help of a command, as its --help prints it. */
export function commandHelp(path) {
  const [, ...lines] = readFileSync(join(ROOT, path), 'utf8').split('\n');
  return lines
    .slice(
      0,
      lines.findIndex((line) => !line.startsWith('#')),
    )
    .map((line) => line.replace(/^# ?/, ''))
    .join('\n');
}
