/**
 * Positions for the board from what is told of them in short.
 *
 * @typedef {import("../../types.js").Piece} Piece
 * @typedef {import("./api.js").Step} Step
 * @typedef {import("./api.js").Scene} Scene
 */
import { piecesOf } from "../figures.js";

/** The pieces of a FEN. @param {string} fen @returns {Piece[]} */
export function piecesOfFen(fen) {
  const rows = fen.split(" ")[0].split("/");
  const all = rows.flatMap((row, index) => {
    let file = 0;
    return [...row].flatMap((letter) => {
      if (/\d/.test(letter)) {
        file += Number(letter);
        return [];
      }
      file += 1;
      return [`${letter}${"abcdefgh"[file - 1]}${8 - index}`];
    });
  });
  return piecesOf(all.join(" "));
}

/** A step of a line as the board shows it; nobody moves there. @param {Step} step @returns {Scene} */
export const sceneOf = (step) => ({ ...step, columns: 8, rows: 8, pieces: piecesOfFen(step.position), destinations: [], marks: [] });

/** The squares of a move as programs write it. @param {string} uci @returns {[string, string]} */
export const squaresOf = (uci) => [uci.slice(0, 2), uci.slice(2, 4)];
