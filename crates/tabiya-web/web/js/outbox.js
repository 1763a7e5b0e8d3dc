/**
 * A move on its way to the server. If the line is cut it waits and goes when the server answers again; it carries the number of
 * half-moves it was meant for, so that a move that is sent twice is played once.
 *
 * @typedef {{ said: string, view: any }} Done
 * @typedef {{ id: number, ply: number, body: object, token: string | null }} Letter
 */
import { ask, Refused } from "./api.js";

/** What a server says that is not there, or a proxy before it. */
export const LATER = [0, 429, 502, 503, 504];
const AGAIN = 2000;

export class Outbox {
  /** @type {Letter | null} */
  #letter = null;
  #sending = false;
  #done;
  #refused;
  #waiting;

  /** @param {(done: Done) => void} done @param {(error: unknown) => void} refused @param {() => void} waiting */
  constructor(done, refused, waiting) {
    this.#done = done;
    this.#refused = refused;
    this.#waiting = waiting;
    setInterval(() => void this.send(), AGAIN);
  }

  get isEmpty() {
    return this.#letter === null;
  }

  /** The number of half-moves that the waiting move was meant for. */
  get ply() {
    return this.#letter?.ply ?? null;
  }

  /** @param {Letter} letter */
  async put(letter) {
    this.#letter = letter;
    await this.send();
  }

  /** Forgets the move: the game has gone another way. */
  clear() {
    this.#letter = null;
  }

  /** Sends what waits. */
  async send() {
    const letter = this.#letter;
    if (!letter || this.#sending) return;
    this.#sending = true;
    try {
      const body = { ...letter.body, ply: letter.ply };
      const done = await ask("POST", `/games/${letter.id}/moves`, { body, token: letter.token, patience: 8000 });
      if (this.#letter !== letter) return;
      this.#letter = null;
      this.#done(done);
    } catch (error) {
      if (this.#letter !== letter) return;
      if (error instanceof Refused && LATER.includes(error.status)) return this.#waiting();
      this.#letter = null;
      this.#refused(error);
    } finally {
      this.#sending = false;
    }
  }
}
