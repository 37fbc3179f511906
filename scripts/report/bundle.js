/** Scripts and data for a page that opens from disk. */
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { LIMITS, limitOf } from '../analyse/limits.js';
import { TOOLS } from '../analyse/tools.js';

const path = (name) => fileURLToPath(new URL(name, import.meta.url));

/** Parts of the chart library that no chart uses: maps, networks, trees, clouds of words, placing of labels, ... They are a sixth of it. */
const UNUSED = [
  'd3-geo',
  'topojson-client',
  'vega-crossfilter',
  'vega-force',
  'vega-geo',
  'vega-hierarchy',
  'vega-label',
  'vega-projection',
  'vega-voronoi',
  'vega-wordcloud',
];

/** Limits and tools are read from files, which a page has not: it has what they say, of limits without the reasons. */
const declared = {
  name: 'declared',
  setup({ onLoad }) {
    const values = Object.fromEntries(
      Object.entries(LIMITS).map(([name, { value, by_workload }]) => [name, { value, by_workload }]),
    );
    const limits = `export const LIMITS = ${JSON.stringify(values)};\nexport ${limitOf}`;
    const tools = `export const TOOLS = ${JSON.stringify(TOOLS)};`;
    onLoad({ filter: /\/analyse\/limits\.js$/ }, () => ({ contents: limits }));
    onLoad({ filter: /\/analyse\/tools\.js$/ }, () => ({ contents: tools }));
  },
};

/** A page shows what was found and answered before: to find and to answer takes files. */
const findings = {
  name: 'findings',
  setup({ onLoad }) {
    onLoad({ filter: /\/findings\/[\w-]+\/(find|answer)\.js$/ }, () => ({ contents: 'export const find = null;' }));
  },
};

/** A client script with all that it imports, as one minified text that may stand in a <script>. @param {string} entry file in client/ */
export async function bundled(entry) {
  const { outputFiles } = await build({
    entryPoints: [path(`client/${entry}`)],
    plugins: [declared, findings],
    alias: Object.fromEntries(UNUSED.map((name) => [name, path('client/nothing.cjs')])),
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    legalComments: 'none',
    logLevel: 'error',
  });
  return outputFiles[0].text.trim().replaceAll('</script', '<\\/script');
}

/** A style sheet with all that it imports, minified. */
export async function styled(file) {
  const { outputFiles } = await build({
    entryPoints: [path(file)],
    bundle: true,
    minify: true,
    write: false,
    logLevel: 'error',
  });
  return outputFiles[0].text.trim();
}

/** Text, compressed, for unpack() in client/unpack.js. @returns {string} base64 of gzip */
export const packed = (text) => gzipSync(text, { level: 9 }).toString('base64');
