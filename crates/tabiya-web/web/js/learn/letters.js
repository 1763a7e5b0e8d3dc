/**
 * Answers on their way to the server, and the cards that are still to be asked. Both stay in this browser until the server has
 * them: it may be away for days. An answer has a name, so that one that is sent twice counts once.
 *
 * @typedef {import("./api.js").Given} Given
 * @typedef {import("./api.js").Card} Card
 */
import { Refused } from "../api.js";
import { LATER } from "../outbox.js";
import { answer } from "./api.js";

const ANSWERS = "tabiya.learn.answers";
const CARDS = "tabiya.learn.cards";
const AGAIN = 3000;
/** So many go together. */
const TOGETHER = 100;

/** @template T @param {string} key @param {T} none @returns {T} */
function read(key, none) {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null") ?? none;
  } catch {
    return none;
  }
}

/** Keeps something in the browser; without room it lasts as long as the page. @param {string} key @param {unknown} value */
function write(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // The page goes on without.
  }
}

export class Letters {
  /** @type {Given[]} */
  #waiting = read(ANSWERS, []);
  #sending = false;
  #told;

  /** @param {(away: boolean, waiting: number) => void} told whenever something was sent, or could not be */
  constructor(told) {
    this.#told = told;
    setInterval(() => void this.send(), AGAIN);
    addEventListener("online", () => void this.send());
  }

  get waiting() {
    return this.#waiting.length;
  }

  /** Keeps an answer, in the place of an earlier one with its name, and sends it. @param {Given} given */
  put(given) {
    // Other pages of this browser may have answered meanwhile.
    this.#waiting = [...read(ANSWERS, this.#waiting).filter((/** @type {Given} */ { name }) => name !== given.name), given];
    write(ANSWERS, this.#waiting);
    void this.send();
  }

  async send() {
    if (this.#sending || this.#waiting.length === 0) return;
    this.#sending = true;
    const some = this.#waiting.slice(0, TOGETHER);
    try {
      await answer(some);
      this.#drop(some);
      this.#told(false, this.#waiting.length);
    } catch (error) {
      const later = error instanceof Refused && (LATER.includes(error.status) || error.status === 401 || error.status === 403);
      // What the server will never take must not hold up the rest.
      if (!later) this.#drop(some);
      this.#told(later, this.#waiting.length);
    } finally {
      this.#sending = false;
    }
    if (this.#waiting.length > 0 && some.length === TOGETHER) void this.send();
  }

  /** @param {Given[]} sent */
  #drop(sent) {
    const isSent = (/** @type {Given} */ one) => sent.some(({ name, grade }) => name === one.name && grade === one.grade);
    this.#waiting = read(ANSWERS, this.#waiting).filter((/** @type {Given} */ one) => !isSent(one));
    write(ANSWERS, this.#waiting);
  }
}

/** The cards that were to be asked when the server was last there. @returns {Card[]} */
export const keptCards = () => read(CARDS, []);

/** @param {Card[]} cards */
export const keepCards = (cards) => write(CARDS, cards);

/** Has the browser keep the page itself, where it can: over http it does so for this machine only. */
export async function keepPage() {
  try {
    await navigator.serviceWorker.register("/learn-worker.js", { scope: "/learn" });
    const { active } = await navigator.serviceWorker.ready;
    const parts = performance.getEntriesByType("resource").map(({ name }) => new URL(name)).filter(({ origin, pathname }) => origin === location.origin && !pathname.startsWith("/api/"));
    active?.postMessage(["/learn", ...new Set(parts.map(({ pathname }) => pathname))]);
  } catch {
    // Then the page opens only while there is a server.
  }
}
