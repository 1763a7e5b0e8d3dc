/**
 * The engine on the device of whoever looks: the program in WebAssembly, in a thread of its own. The server is asked for the
 * program, and for nothing else; what is looked at stays here.
 *
 * @typedef {import("./api.js").Outline} Outline
 */
import { compile } from "../../program/program.js";

/** News come no more often than this; the last is never left out. */
const PAUSE_MS = 180;

/** @type {Promise<WebAssembly.Module> | null} */
let program = null;

function fetchProgram() {
  program ??= compile("/tabiya.wasm").catch((error) => {
    // Another time it may come.
    program = null;
    throw error;
  });
  return program;
}

/** The moves that lead to a node, as a study of their own, and the node there. @param {Outline} outline @param {number} node */
export function path({ tags, nodes }, node) {
  const moves = [];
  for (let at = nodes[node]; at.parent !== null; at = nodes[at.parent]) moves.unshift(at.san);
  const start = tags.FEN ? `[SetUp "1"]\n[FEN "${tags.FEN}"]\n\n` : "";
  return { study: { title: "", pgn: `${start}${moves.join(" ")} *\n`, here: 0, sequence: 0 }, node: moves.length };
}

/** The best lines, until there is no more to find or it is closed: the events are those of the server. */
export class DeviceLines extends EventTarget {
  #thread = new Worker("/program/worker.js", { type: "module" });
  /** What is not told yet. @type {unknown} */
  #news = null;
  #timer = 0;

  /** @param {ReturnType<typeof path>} place @param {number} lines */
  constructor(place, lines) {
    super();
    this.#thread.onmessage = ({ data: { heard, error } }) => {
      if (heard !== undefined) return this.#hear(heard);
      this.#tell();
      if (error === undefined) this.#end("ended", "The engine has seen enough.");
      else this.#end("failed", error);
    };
    const failed = () => this.#end("failed", "The engine cannot think on this device just now.");
    this.#thread.onerror = failed;
    fetchProgram().then((module) => this.#thread.postMessage({ module, question: { call: "lines", ...place, lines } }), failed);
  }

  close() {
    clearTimeout(this.#timer);
    this.#news = null;
    this.#thread.terminate();
  }

  /** @param {unknown} report */
  #hear(report) {
    this.#news = report;
    if (this.#timer) return;
    this.#tell();
    this.#timer = setTimeout(() => {
      this.#timer = 0;
      this.#tell();
    }, PAUSE_MS);
  }

  #tell() {
    if (this.#news) this.dispatchEvent(new MessageEvent("lines", { data: JSON.stringify(this.#news) }));
    this.#news = null;
  }

  /** @param {"ended" | "failed"} name @param {string} text */
  #end(name, text) {
    this.close();
    this.dispatchEvent(new MessageEvent(name, { data: JSON.stringify({ text }) }));
  }
}
