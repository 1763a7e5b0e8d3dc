/**
 * The studies that were begun, each with a picture of where one left it.
 *
 * @typedef {{ id: number, title: string, when: string, chapters: number, opening: string | null, moves: number, pieces: import("../../types.js").Piece[], last: [string, string] | null }} Card
 */
import { ask } from "../api.js";
import { get, locale, make } from "../dom.js";
import { miniature, piecesOf } from "../figures.js";

/** So many at once. */
const MANY = 24;

/** @typedef {"start" | "pgn" | "editor"} Beginning */
const RANK = ["r", "n", "b", "q", "k", "b", "n", "r"];
/** @type {[Beginning, string, string, string][]} what it is, in two lines, and the pieces of its picture */
const BEGINNINGS = [
  ["start", "From the first move", "An opening, an idea", RANK.flatMap((piece, file) => [`${piece.toUpperCase()}${"abcdefgh"[file]}1`, `P${"abcdefgh"[file]}2`, `p${"abcdefgh"[file]}7`, `${piece}${"abcdefgh"[file]}8`]).join(" ")],
  ["pgn", "A game", "Paste a PGN, and review it", "Kc1 Rd8 Bg5 Pa2 Pb2 Pc2 Pe4 Pf2 Pg2 Ph2 ke8 qe6 nb8 bf8 rh8 pa7 pe5 pf7 pg7 ph7"],
  ["editor", "A position", "Set it up by hand", "Kb8 Pb7 Rc1 kd7 ra2"],
];

export class Shelf {
  #element = get("shelf");
  #cards = get("cards");
  #more = get("shelf-more");
  #words = get("shelf-words");
  #notice = get("shelf-notice");
  /** Where the list goes on, if it does. @type {string | null} */
  #next = null;

  #anew;

  /** @param {(kind: Beginning) => void} anew */
  constructor(anew) {
    this.#anew = anew;
    get("shelf-new").addEventListener("click", () => anew("start"));
    this.#more.addEventListener("click", () => void this.#load());
  }

  /** @param {string} [notice] why one is here */
  async open(notice = "") {
    this.#element.hidden = false;
    this.#notice.textContent = notice;
    this.#cards.replaceChildren();
    this.#next = null;
    await this.#load();
    if (!this.#cards.children.length) this.#cards.append(...BEGINNINGS.map((one) => this.#beginning(one)));
  }

  close() {
    this.#element.hidden = true;
  }

  /** A way to begin, while there is nothing else. @param {typeof BEGINNINGS[number]} one */
  #beginning([kind, title, words, pieces]) {
    const board = make("span", { class: "mini" }, miniature({ columns: 8, rows: 8, pieces: piecesOf(pieces), last: null }));
    const button = make("button", { type: "button", class: "bookcard" }, board, make("b", {}, title), make("small", {}, words));
    button.addEventListener("click", () => this.#anew(kind));
    return make("li", {}, button);
  }

  async #load() {
    try {
      const after = this.#next ? `&after=${encodeURIComponent(this.#next)}` : "";
      /** @type {{ studies: Card[], next: string | null }} */
      const { studies, next } = await ask("GET", `/studies?limit=${MANY}${after}`);
      this.#cards.append(...studies.map(card));
      this.#next = next;
      this.#more.hidden = !next;
      this.#words.textContent = this.#cards.children.length ? "" : "Nothing here yet. Begin with a game, a position, or the first move.";
    } catch (error) {
      this.#notice.textContent = error instanceof Error ? error.message : String(error);
    }
  }
}

/** @param {Card} card */
function card({ id, title, when, chapters, opening, moves, pieces, last }) {
  const board = make("span", { class: "mini" }, miniature({ columns: 8, rows: 8, pieces, last }));
  const about = chapters > 1 ? `${chapters} chapters` : [opening, moves ? `${moves} ${moves === 1 ? "move" : "moves"}` : ""].filter(Boolean).join(" · ") || "A position";
  return make("li", {}, make("a", { class: "bookcard", href: `/study?study=${id}` }, board, make("b", {}, title), make("small", {}, about), make("small", {}, dayOf(when))));
}

/** A day as people say it: today, 12 November. @param {string} when like 2026-11-15 12:00 */
export function dayOf(when) {
  const day = new Date(`${when.slice(0, 10)}T12:00`);
  if (Number.isNaN(day.getTime())) return when;
  const now = new Date();
  if (day.toDateString() === now.toDateString()) return "today";
  const year = day.getFullYear() === now.getFullYear() ? undefined : "numeric";
  return day.toLocaleDateString(locale, { day: "numeric", month: "long", year });
}
