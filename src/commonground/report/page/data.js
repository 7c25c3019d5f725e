// What is packed into the page: sentences and openings at once, drawings when one is asked for.

const unpacking = new Map();

/** Return what a data block holds; it is unpacked once. */
function unpacked(id) {
  if (!unpacking.has(id)) unpacking.set(id, unpack(document.getElementById(id).textContent));
  return unpacking.get(id);
}

async function unpack(text) {
  const bytes = Uint8Array.from(atob(text.trim()), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}
