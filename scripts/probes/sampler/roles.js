import { ProcessTree } from './process-tree.js';
import { Several, SeveralPods } from './several.js';
import { TargetStats } from './target-stats.js';

const UNKNOWN = { read: () => null, close: () => {} };

/**
 * What a watch file calls a role, made readable: an object whose read() gives one reading, or a promise of it, or null while there is
 * nothing to read; close() lets go of its files.
 *   1234                  a process and its descendants
 *   [1234, 1240]          several
 *   {"url": "http://…"}   a pod that tells of itself there, see serve.js; [{"url"}, …] several
 */
export function openRole(role) {
  if (Number.isInteger(role) && role > 0) return new ProcessTree(role);
  if (Array.isArray(role) && role.every((pid) => Number.isInteger(pid) && pid > 0)) return new Several(role);
  if (Array.isArray(role) && role.every((one) => typeof one?.url === 'string'))
    return new SeveralPods(role.map(({ url }) => url));
  if (typeof role?.url === 'string') return new TargetStats(role.url);
  return UNKNOWN;
}
