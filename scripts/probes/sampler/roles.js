import { Cgroup } from './cgroup.js';
import { readText } from './proc.js';
import { ProcessTree } from './process-tree.js';
import { Several } from './several.js';

const UNKNOWN = { read: () => null, close: () => {} };

/**
 * What a watch file calls a role, made readable: an object whose read() gives one reading, or null while there is
 * nothing to read; close() lets go of its files.
 *   1234                           a process and its descendants
 *   [1234, 1240]                     several
 *   {"cgroup": "/sys/fs/cgroup/…"}   a cgroup, version 2
 *   {"pid_file": "/…/postmaster.pid"}  the process whose pid is that file's first line
 */
export function openRole(role) {
  if (Number.isInteger(role) && role > 0) return new ProcessTree(role);
  if (Array.isArray(role) && role.every((pid) => Number.isInteger(pid) && pid > 0)) return new Several(role);
  if (typeof role?.cgroup === 'string') return new Cgroup(role.cgroup);
  if (typeof role?.pid_file === 'string') return openRole(Number.parseInt(readText(role.pid_file) ?? '', 10));
  return UNKNOWN;
}
