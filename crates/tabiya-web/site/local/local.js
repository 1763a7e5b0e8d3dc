/**
 * The pages without a server. What they ask of `/api` goes to a worker in the same browser, which answers as the server does;
 * so no page knows the difference. This is a plain script, so that it is there before the modules of the page.
 */
(() => {
  /** @typedef {{ answer: (answer: any) => void, event: (text: string) => void, end: () => void }} Asker */
  const fetchOutside = globalThis.fetch.bind(globalThis);
  /** @type {Map<number, Asker>} */
  const askers = new Map();
  let count = 0;
  const worker = new Worker("/local/server.js", { type: "module" });

  worker.onmessage = ({ data: { id, answer, event, end } }) => {
    const asker = askers.get(id);
    if (!asker) return;
    if (answer) asker.answer(answer);
    else if (event !== undefined) asker.event(event);
    else if (end) asker.end();
  };

  /** @param {object} question @param {Asker} asker @returns {() => void} ends it */
  function ask(question, asker) {
    const id = ++count;
    askers.set(id, asker);
    worker.postMessage({ id, ...question });
    return () => {
      if (askers.delete(id)) worker.postMessage({ id, leave: true });
    };
  }

  /** Whether the worker answers for an address. @param {URL} url */
  const isOurs = (url) => url.origin === location.origin && url.pathname.startsWith("/api/");

  /** The browser may forget what it keeps, unless it is asked not to: as soon as there is something to keep. */
  let asksToKeep = () => {
    asksToKeep = () => {};
    void navigator.storage?.persist?.().catch(() => false);
  };

  /** @param {URL} url @param {RequestInit} [init] @returns {Promise<Response>} */
  function answer(url, { method = "GET", headers = {}, body, signal } = {}) {
    if (method === "POST") asksToKeep();
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      /** @type {ReadableStreamDefaultController<Uint8Array> | null} */
      let stream = null;
      const encoder = new TextEncoder();
      const leave = ask(
        { method, path: url.pathname.slice(4), query: url.search, token: new Headers(headers).get("authorization")?.slice(7) ?? null, body: body ?? null },
        {
          answer: ({ status, type, text, live }) => {
            if (!live) signal?.removeEventListener("abort", away);
            const told = live ? new ReadableStream({ start: (controller) => void (stream = controller), cancel: () => leave() }) : text;
            resolve(new Response(status === 204 ? null : told, { status, headers: { "content-type": type } }));
          },
          event: (text) => stream?.enqueue(encoder.encode(text)),
          end: () => stream?.close(),
        },
      );
      const away = () => {
        leave();
        stream?.error(signal?.reason);
        reject(signal?.reason);
      };
      signal?.addEventListener("abort", away, { once: true });
    });
  }

  globalThis.fetch = (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input, location.href);
    return isOurs(url) ? answer(url, init) : fetchOutside(input, init);
  };

  const EventSourceOutside = globalThis.EventSource;

  /** Events from the worker. */
  class LocalEvents extends EventTarget {
    static CONNECTING = 0;
    static OPEN = 1;
    static CLOSED = 2;
    readyState = 0;
    /** @type {((event: MessageEvent) => void) | null} */
    onmessage = null;
    /** @type {((event: Event) => void) | null} */
    onerror = null;
    /** @type {() => void} */
    #leave;

    /** @param {URL} url */
    constructor(url) {
      super();
      this.addEventListener("message", (event) => this.onmessage?.(/** @type {MessageEvent} */ (event)));
      this.addEventListener("error", (event) => this.onerror?.(event));
      this.#leave = ask({ method: "GET", path: url.pathname.slice(4), query: url.search, token: null, body: null }, {
        answer: ({ live }) => (live ? (this.readyState = 1) : this.#fail()),
        event: (text) => this.#take(text),
        end: () => this.#fail(),
      });
    }

    close() {
      this.readyState = 2;
      this.#leave();
    }

    #fail() {
      if (this.readyState === 2) return;
      this.readyState = 2;
      this.dispatchEvent(new Event("error"));
    }

    /** @param {string} text one event */
    #take(text) {
      if (this.readyState === 2) return;
      const field = (/** @type {string} */ name) => text.split("\n").find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
      const data = field("data");
      if (data !== undefined) this.dispatchEvent(new MessageEvent(field("event") ?? "message", { data }));
    }
  }

  // @ts-ignore what is ours is made here, all else as ever
  globalThis.EventSource = new Proxy(EventSourceOutside, {
    construct(target, [address, ...more]) {
      const url = new URL(address, location.href);
      return isOurs(url) ? new LocalEvents(url) : Reflect.construct(target, [address, ...more]);
    },
  });

  // What is here works without a network from the second visit on.
  if ("serviceWorker" in navigator) addEventListener("load", () => void navigator.serviceWorker.register("/service-worker.js").catch(() => {}));
})();
