/**
 * Pieces off the board, and boards that are pictures.
 *
 * @typedef {import("../types.js").Piece} Piece
 * @typedef {import("../types.js").Role} Role
 * @typedef {import("../types.js").Side} Side
 */
import { artOf, svg } from "../board/artwork.js";

/** @type {Record<string, Role>} */
const ROLES = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };

/** The pieces of letters, White's in capitals. @param {string} letters */
export function figures(letters) {
  return [...letters].map((letter) => artOf(ROLES[letter.toLowerCase()], sideOf(letter), "vector"));
}

/** @param {string} letter @returns {Side} */
const sideOf = (letter) => (letter === letter.toUpperCase() ? "white" : "black");

/** Pieces as the server writes them in short: `Ke1 pa7`. @param {string} text @returns {Piece[]} */
export function piecesOf(text) {
  return text.split(" ").filter(Boolean).map((one) => ({ at: one.slice(1), side: sideOf(one[0]), role: ROLES[one[0].toLowerCase()] }));
}

/**
 * A small picture of a position.
 *
 * @param {{ columns: number, rows: number, pieces: Piece[], last: [string, string] | null }} position @param {Side} [bottom]
 */
export function miniature({ columns, rows, pieces, last }, bottom = "white") {
  const place = (/** @type {string} */ at) => {
    const x = at.charCodeAt(0) - 97, y = Number(at.slice(1)) - 1;
    return bottom === "white" ? { x, y: rows - 1 - y } : { x: columns - 1 - x, y };
  };
  const squares = Array.from({ length: columns * rows }, (_, index) => {
    const x = index % columns, y = Math.floor(index / columns);
    return svg("rect", { x: String(x), y: String(y), width: "1.01", height: "1.01", class: (x + y) % 2 ? "dark" : "light" });
  });
  const washes = (last ?? []).map((at) => svg("rect", { x: String(place(at).x), y: String(place(at).y), width: "1", height: "1", class: "wash" }));
  const men = pieces.map(({ at, side, role }) => {
    const drawing = artOf(role, side, "vector");
    for (const [name, value] of Object.entries({ x: place(at).x, y: place(at).y, width: 1, height: 1 })) drawing.setAttribute(name, String(value));
    return drawing;
  });
  return svg("svg", { viewBox: `0 0 ${columns} ${rows}`, "aria-hidden": "true" }, [...squares, ...washes, ...men]);
}
