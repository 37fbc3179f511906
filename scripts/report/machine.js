/** What the machine of a run is called: at length, in a picture, and in the names of published files. */
import { isAllOneMachine } from '../analyse/cautions/machine.js';
import { bytes } from '../analyse/format.js';
import { plural } from '../analyse/words.js';

const isCluster = (environment) => environment?.stack === 'kubernetes';

/** The machine in one sentence: 'AMD EPYC, 2 cores, 23.5 GiB of memory, Debian 12, Linux 6.1'; of a cluster its nodes. @param {object} results results.json */
export const machineText = (results) => machineParts(results).join(', ');

/** What machineText joins, the processor or the cluster's nodes first. @returns {string[]} */
export function machineParts(results) {
  const { environment } = results;
  if (isCluster(environment)) return [[nodesText(results), kindsText(environment)].filter(Boolean).join(': ')];
  const { cpu, cores, memory_bytes, os, kernel } = environment?.machine ?? {};
  return cpu ? [cpu, plural(cores, 'core'), `${bytes(memory_bytes)} of memory`, os, kernel] : ['an unrecorded machine'];
}

/** 'AMD EPYC, 2 cores', or '3 nodes of a Kubernetes cluster'; undefined where it is not recorded. */
export function machineBriefly(results) {
  const { environment } = results;
  if (isCluster(environment)) return nodesText(results);
  const { cpu, cores } = environment?.machine ?? {};
  return cpu && `${cpu}, ${plural(cores, 'core')}`;
}

/** '3 nodes of a Kubernetes cluster, all pods on one machine' */
function nodesText({ environment: { nodes }, ...results }) {
  if (!nodes) return 'a Kubernetes cluster whose nodes the driver may not list';
  const where = nodes.length > 1 && isAllOneMachine(results) ? ', all pods on one machine' : '';
  return `${plural(nodes.length, 'node')} of a Kubernetes cluster${where}`;
}

/** '2 of c5.xlarge, 4 cores, Debian 12, kubelet v1.34.4; 1 of ...'; nothing where the nodes are not known. */
function kindsText({ nodes }) {
  const kinds = (nodes ?? []).map(({ instance_type: type, cores, os, kubelet }) =>
    [...(type ? [type] : []), plural(cores, 'core'), os, `kubelet ${kubelet}`].join(', '),
  );
  const different = [...new Set(kinds)];
  const count = (kind) => kinds.filter((one) => one === kind).length;
  return different.map((kind) => (different.length > 1 ? `${count(kind)} of ${kind}` : kind)).join('; ');
}

const slug = (text) =>
  text
    .toLowerCase()
    .replace(/\((r|tm)\)|@.*$|\b(cpu|processor)\b/g, ' ')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

/**
 * 'amd-epyc-7543-2-cores', from the processor's model and the number of cores; of a cluster 'kubernetes-3-nodes-c5-xlarge', from its nodes.
 * @param {object|null} environment
 */
export function machineName(environment) {
  if (isCluster(environment)) return clusterName(environment.nodes ?? []);
  const { cpu, cores } = environment?.machine ?? {};
  return [slug(cpu ?? '') || 'unknown-machine', cores && `${cores}-core${cores === 1 ? '' : 's'}`]
    .filter(Boolean)
    .join('-');
}

function clusterName(nodes) {
  const kinds = nodes.map(({ instance_type: type, cores }) => slug(type ?? `${cores}-cores`));
  return ['kubernetes', nodes.length > 0 && `${nodes.length}-nodes`, ...new Set(kinds.toSorted())]
    .filter(Boolean)
    .join('-');
}
