/** Scripts and data for a page that opens from disk. */
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const path = (name) => fileURLToPath(new URL(name, import.meta.url));

/** A client script with all that it imports, as one minified text that may stand in a <script>. @param {string} entry file in client/ */
export async function bundled(entry) {
  const { outputFiles } = await build({
    entryPoints: [path(`client/${entry}`)],
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
