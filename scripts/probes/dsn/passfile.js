import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * The password that libpq finds for this server in file (unset: ~/.pgpass); undefined where it finds none, or where it leaves the file
 * alone because others may read it. host is what the connection string calls it, undefined for libpq's own socket folder.
 * https://www.postgresql.org/docs/current/libpq-pgpass.html
 */
export function findPassword({ host = 'localhost', port, database, user }, file = join(homedir(), '.pgpass')) {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (!stat?.isFile() || (stat.mode & 0o077) !== 0) return undefined;
  const connection = [host, port, database, user];
  for (const line of readFileSync(file, 'utf8').split(/\r?\n/)) {
    if (line.startsWith('#')) continue;
    const fields = /^((?:[^\\:]|\\.)*):((?:[^\\:]|\\.)*):((?:[^\\:]|\\.)*):((?:[^\\:]|\\.)*):((?:[^\\:]|\\.)*)/
      .exec(line)
      ?.slice(1);
    if (!fields) continue;
    const plain = (field) => field.replace(/\\(.)/g, '$1');
    if (connection.every((value, i) => fields[i] === '*' || plain(fields[i]) === value)) return plain(fields[4]);
  }
  return undefined;
}
