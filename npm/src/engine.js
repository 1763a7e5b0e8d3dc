/** The engine, in a thread of its own: whoever asks goes on meanwhile. */
import { compile, here, TabiyaError } from "../program/program.js";

/** A thread, in a browser and under Node. @returns {Promise<{ post: (what: any) => void, hear: (hear: (what: any) => void, fail: (error: any) => void) => void, end: () => void }>} */
async function thread() {
  const url = new URL("../program/worker.js", import.meta.url);
  if (typeof Worker === "function") {
    const worker = new Worker(url, { type: "module" });
    return {
      post: (what) => worker.postMessage(what),
      hear: (hear, fail) => {
        worker.onmessage = ({ data }) => hear(data);
        worker.onerror = fail;
      },
      end: () => worker.terminate(),
    };
  }
  // @ts-ignore only under Node
  const { Worker: Thread } = await import("node:worker_threads");
  const worker = new Thread(url);
  return {
    post: (what) => worker.postMessage(what),
    hear: (hear, fail) => {
      worker.on("message", hear);
      worker.on("error", fail);
    },
    end: () => void worker.terminate(),
  };
}

export class Engine {
  #module;
  /** @type {Awaited<ReturnType<typeof thread>> | null} */
  #thread = null;
  /** One question after the other. @type {Promise<unknown>} */
  #turn = Promise.resolve();
  #closed = false;

  /** @param {{ wasm?: string | URL }} [options] where the program lies, if not beside the package */
  constructor({ wasm = here } = {}) {
    this.#module = compile(wasm);
    // Whoever asks hears of it.
    this.#module.catch(() => {});
  }

  /** @param {any} position @param {any} [options] */
  analyse(position, { depth, nodes, time, lines, hash, onInfo, signal } = {}) {
    return this.#ask({ call: "analyse", at: place(position), depth, nodes, time, lines, hash }, onInfo, signal);
  }

  /** @param {any} position @param {{ player?: string, seed?: number, signal?: AbortSignal }} [options] */
  move(position, { player = "tabiya", seed = 0, signal } = {}) {
    return this.#ask({ call: "move", at: place(position), player, seed }, undefined, signal);
  }

  /** @param {string} record @param {{ onProgress?: (progress: { done: number, of: number }) => void, signal?: AbortSignal }} [options] */
  review(record, { onProgress, signal } = {}) {
    return this.#ask({ call: "review", record }, onProgress, signal);
  }

  /** @param {number} [depth] */
  bench(depth) {
    return this.#ask({ call: "bench", depth });
  }

  close() {
    this.#closed = true;
    this.#end();
  }

  #end() {
    this.#thread?.end();
    this.#thread = null;
  }

  /** @param {object} question @param {(found: any) => void} [hear] @param {AbortSignal} [signal] @returns {Promise<any>} */
  #ask(question, hear, signal) {
    const answer = this.#turn.then(() => this.#now(question, hear, signal));
    this.#turn = answer.catch(() => {});
    return answer;
  }

  /** @param {object} question @param {(found: any) => void} [hear] @param {AbortSignal} [signal] */
  async #now(question, hear, signal) {
    if (this.#closed) throw new TabiyaError("The engine is closed.");
    signal?.throwIfAborted();
    const module = await this.#module;
    this.#thread ??= await thread();
    const mine = this.#thread;
    /** The last that was heard. @type {any} */
    let last = null;
    return new Promise((resolve, reject) => {
      const stop = () => {
        // Only its end ends the work; the next question begins another.
        this.#end();
        if (last?.lines?.length) resolve({ best: last.lines[0].uci[0], ponder: last.lines[0].uci[1] ?? null, ...last });
        else reject(signal?.reason);
      };
      signal?.addEventListener("abort", stop, { once: true });
      mine.hear(
        ({ heard, ok, error }) => {
          if (heard !== undefined) {
            last = heard;
            return hear?.(heard);
          }
          signal?.removeEventListener("abort", stop);
          if (error === undefined) resolve(ok);
          else reject(new TabiyaError(error));
        },
        (error) => {
          this.#end();
          reject(new TabiyaError(`The engine ended: ${error.message ?? error}`));
        },
      );
      mine.post({ module, question });
    });
  }
}

/** @param {any} position a `Position`, a FEN, or nothing for the usual start */
function place(position) {
  if (position === undefined || position === null) return {};
  return typeof position === "string" ? { fen: position } : position.at;
}
