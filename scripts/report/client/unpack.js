/** Texts that the page carries compressed. */

/** @param {string} id of a <script type="text/plain"> made by packed() @returns {Promise<string>} */
export async function unpack(id) {
  const bytes = Uint8Array.from(atob(document.getElementById(id).textContent), (character) => character.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).text();
}
