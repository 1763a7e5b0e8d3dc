/** What runs in the thread of the engine. Where there is only a little to do it is kept for the next question. */
import { start, TabiyaError } from "./program.js";

const isBrowser = "WorkerGlobalScope" in globalThis;
// @ts-ignore only under Node
const port = isBrowser ? self : (await import("node:worker_threads")).parentPort;
const post = (/** @type {any} */ what) => port?.postMessage(what);

/** @type {ReturnType<typeof start> | null} */
let ask = null;

/** @param {{ module: WebAssembly.Module, question: object }} asked */
function answer({ module, question }) {
  try {
    ask ??= start(module);
    post({ ok: ask(question, (heard) => post({ heard })) });
  } catch (error) {
    if (!(error instanceof TabiyaError)) ask = null;
    post({ error: error instanceof TabiyaError ? error.message : `The program has failed: ${error}` });
  }
}

if (isBrowser) self.onmessage = ({ data }) => answer(data);
else /** @type {any} */ (port).on("message", answer);
