/** Texts that the page carries compressed. */
import { make } from './dom.js';

/** @param {string} id of a <script type="text/plain"> made by packed() @returns {Promise<string>} */
export async function unpack(id) {
  const bytes = Uint8Array.from(atob(document.getElementById(id).textContent), (character) => character.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).text();
}

/** Runs one that is a script. */
export async function run(id) {
  document.head.append(make('script', {}, await unpack(id)));
}
