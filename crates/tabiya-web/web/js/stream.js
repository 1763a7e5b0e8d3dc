/**
 * Listens to a game, and goes on listening whatever happens to the line: connects again by itself, sooner when the browser
 * is back online or looked at again. Each event is the whole view, so nothing is missed.
 *
 * @typedef {import("../types.js").View} View
 * @typedef {import("../types.js").Presence} Presence
 *
 * @typedef {object} Listener
 * @property {string | null} token of the seat that listens, if it is one
 * @property {(view: View) => void} view
 * @property {(presence: Presence) => void} presence
 * @property {(nonce: string) => void} ping to be answered at once
 * @property {(lost: boolean) => void} connection
 */

/** A line on which nothing was heard for so long is given up; the server speaks every 15 seconds at least. */
const SILENCE = 40_000;
const SHORTEST = 300, LONGEST = 8000;

export class Stream {
  #url;
  #listener;
  #stopped = false;
  #controller = new AbortController();
  #seen = "";
  #wait = SHORTEST;
  #heard = 0;
  /** Ends the pause before the next try. */
  #hurry = () => {};
  #watch = 0;

  /** @param {number} id @param {Listener} listener */
  constructor(id, listener) {
    this.#url = `/api/games/${id}/events`;
    this.#listener = listener;
    addEventListener("online", this.#back);
    addEventListener("offline", this.#away);
    document.addEventListener("visibilitychange", this.#look);
    this.#watch = window.setInterval(() => performance.now() - this.#heard > SILENCE && this.#controller.abort(), 5000);
    void this.#run();
  }

  stop() {
    this.#stopped = true;
    clearInterval(this.#watch);
    removeEventListener("online", this.#back);
    removeEventListener("offline", this.#away);
    document.removeEventListener("visibilitychange", this.#look);
    this.#controller.abort();
    this.#hurry();
  }

  #back = () => {
    this.#wait = SHORTEST;
    this.#hurry();
  };

  #away = () => this.#controller.abort();

  /** Whoever comes back to a sleeping page wants to see the game as it is. */
  #look = () => {
    if (document.visibilityState !== "visible") return;
    if (performance.now() - this.#heard > SILENCE / 2) this.#controller.abort();
    this.#back();
  };

  async #run() {
    while (!this.#stopped) {
      this.#controller = new AbortController();
      this.#heard = performance.now();
      try {
        await this.#connect(this.#controller.signal);
      } catch {
        // The line is cut, or there is none.
      }
      if (this.#stopped) return;
      this.#listener.connection(true);
      await this.#pause();
    }
  }

  /** @param {AbortSignal} signal */
  async #connect(signal) {
    /** @type {Record<string, string>} */
    const headers = { accept: "text/event-stream" };
    if (this.#listener.token) headers.authorization = `Bearer ${this.#listener.token}`;
    if (this.#seen) headers["last-event-id"] = this.#seen;
    const response = await fetch(this.#url, { headers, signal, cache: "no-store" });
    // The server asks for its password again.
    if (response.status === 401) location.reload();
    if (!response.ok || !response.body) return;
    this.#wait = SHORTEST;
    this.#listener.connection(false);
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      this.#heard = performance.now();
      const events = (text + value).split("\n\n");
      text = events.pop() ?? "";
      for (const event of events) this.#take(event);
    }
  }

  /** @param {string} event */
  #take(event) {
    const fields = new Map(event.split("\n").map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon), line.slice(colon + 1).trimStart()];
    }));
    const data = fields.get("data");
    if (data === undefined || this.#stopped) return;
    const name = fields.get("event");
    if (name === "ping") this.#listener.ping(data);
    else if (name === "presence") this.#listener.presence(JSON.parse(data));
    else if (name === undefined) {
      this.#seen = fields.get("id") ?? "";
      this.#listener.view(JSON.parse(data));
    }
  }

  /** Waits longer after each failure, not as long as all others. */
  #pause() {
    const time = this.#wait * (0.7 + 0.6 * Math.random());
    this.#wait = Math.min(LONGEST, this.#wait * 2);
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, time);
      this.#hurry = () => {
        clearTimeout(timer);
        resolve(undefined);
      };
    });
  }
}
