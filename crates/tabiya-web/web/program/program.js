/** The program in WebAssembly: questions and answers are texts of JSON that lie in one buffer. */

/** What was asked for cannot be done: the message is a sentence that says why. */
export class TabiyaError extends Error {
  name = "TabiyaError";
}

/** Where it lies, if nobody says otherwise. */
export const here = new URL("../tabiya.wasm", import.meta.url);

/** The program, ready to be started, as often as one likes. @param {string | URL} [address] @returns {Promise<WebAssembly.Module>} */
export async function compile(address = here) {
  const url = new URL(address, import.meta.url);
  if (url.protocol === "file:") {
    // @ts-ignore only under Node
    const { readFile } = await import("node:fs/promises");
    return WebAssembly.compile(await readFile(url));
  }
  const response = await fetch(url);
  if (!response.ok) throw new TabiyaError(`The program could not be fetched from ${url}.`);
  // Browsers keep what they have compiled from a stream. A server that does not know the type of the file shall not stop anybody.
  const kept = response.clone();
  return WebAssembly.compileStreaming(response).catch(async () => WebAssembly.compile(await kept.arrayBuffer()));
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * Starts the program. What it finds on the way is told to `hear`.
 *
 * @param {WebAssembly.Module} module
 * @returns {(question: object, hear?: (found: any) => void) => any}
 */
export function start(module) {
  /** @type {(found: any) => void} */
  let listener = () => {};
  const { exports } = new WebAssembly.Instance(module, {
    tabiya: {
      now: () => performance.now(),
      hear: (/** @type {number} */ at, /** @type {number} */ length) => listener(JSON.parse(text(at, length))),
    },
  });
  const { memory, tabiya_prepare, tabiya_answer, tabiya_text } = /** @type {any} */ (exports);
  const text = (/** @type {number} */ at, /** @type {number} */ length) => decoder.decode(new Uint8Array(memory.buffer, at, length));
  return (question, hear = () => {}) => {
    const bytes = encoder.encode(JSON.stringify(question));
    const at = tabiya_prepare(bytes.length);
    new Uint8Array(memory.buffer, at, bytes.length).set(bytes);
    listener = hear;
    const length = tabiya_answer();
    const { ok, error } = JSON.parse(text(tabiya_text(), length));
    if (error !== undefined) throw new TabiyaError(error);
    return ok;
  };
}
