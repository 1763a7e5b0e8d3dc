/**
 * What a study is called, and who plays in it: above the moves, and at the edges of the board.
 *
 * @typedef {import("./api.js").Outline} Outline
 * @typedef {import("./boards.js").Known} Known
 * @typedef {import("../../types.js").Side} Side
 */
import { get } from "../dom.js";
import { SeatView } from "../seat.js";

/** @type {import("../../types.js").Seat["captured"]} */
const NOTHING = { roles: [], lead: null };

export class Heading {
  #far = new SeatView(get("seat-far"), () => "");
  #near = new SeatView(get("seat-near"), () => "");

  /** @param {Outline} study @param {import("./api.js").Book} book */
  title({ id, title: own, tags, opening }, book) {
    const many = book.chapters.length > 1;
    const place = book.chapters.findIndex((one) => one.id === id) + 1;
    const chapter = many ? `Chapter ${place} of ${book.chapters.length}` : "";
    const title = many ? book.title : own;
    document.title = `${title} · Tabiya`;
    get("title").textContent = title;
    get("title").title = title;
    get("topline-title").textContent = title;
    const told = (/** @type {string} */ name) => (/^[?.\s]*$/.test(tags[name] ?? "") ? "" : tags[name]);
    const where = [told("Site") || (told("Event") === title ? "" : told("Event")), told("Date").slice(0, 4)].filter((part) => /[^?]/.test(part));
    get("place").textContent = [chapter, many ? own : "", where.join(" "), opening].filter(Boolean).join(" · ") || "No opening yet";
  }

  /** @param {Outline} study @param {Known} board @param {Side} bottom */
  seats({ tags, nodes }, board, bottom) {
    const clocks = clocksAt(nodes, board.node);
    for (const [view, side] of /** @type {[SeatView, Side][]} */ ([[this.#near, bottom], [this.#far, bottom === "white" ? "black" : "white"]])) {
      const own = side === "white" ? 0 : 1;
      const colour = side === "white" ? "White" : "Black";
      const name = tags[colour];
      const rating = tags[`${colour}Elo`];
      const seat = { name: name && name !== "?" ? name : colour, person: true, clock_ms: clocks[own], ticking: false, thinking: false, captured: board.captured?.[own] ?? NOTHING };
      const turn = board.turn === side && !board.end ? (board.check ? "Check" : "To move") : "";
      view.show(seat, side, { turn, waits: true, note: /\d/.test(rating ?? "") ? `${colour} · ${rating}` : "" });
    }
    get("seat-near").setAttribute("aria-label", bottom === "white" ? "White" : "Black");
    get("seat-far").setAttribute("aria-label", bottom === "white" ? "Black" : "White");
  }
}

/** What both clocks showed after a move, if the record tells. @param {Outline["nodes"]} nodes @param {number} node @returns {[number | null, number | null]} */
function clocksAt(nodes, node) {
  /** @type {[number | null, number | null]} */
  const clocks = [null, null];
  if (!nodes.some(({ clock_ms }) => clock_ms !== undefined)) return clocks;
  for (let at = /** @type {number | null} */ (node); at !== null; at = nodes[at].parent) {
    const { side, clock_ms: left } = nodes[at];
    const own = side === "white" ? 0 : 1;
    clocks[own] ??= left ?? null;
    if (clocks[0] !== null && clocks[1] !== null) break;
  }
  return clocks;
}
