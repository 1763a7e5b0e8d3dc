/**
 * The board in words, for those who listen to it.
 *
 * @typedef {import("../types.js").Piece} Piece
 * @typedef {import("../types.js").Position} Position
 * @typedef {import("../types.js").Role} Role
 */
import { name } from "./geometry.js";

/** @type {Record<string, Role>} */
const BY_LETTER = { K: "king", Q: "queen", R: "rook", B: "bishop", N: "knight" };

/** @type {Record<Role, string>} */
const LETTERS = { king: "k", queen: "q", rook: "r", bishop: "b", knight: "n", pawn: "p" };

/** @type {Role[]} */
const ORDER = ["king", "queen", "rook", "bishop", "knight", "pawn"];

/** A move as it is said: `Nxf3+` is "knight takes f3, check". @param {string} text */
export function spoken(text) {
  const end = text.endsWith("#") ? ", checkmate" : text.endsWith("+") ? ", check" : "";
  const move = text.replace(/[+#!?]+$/, "");
  if (/^[O0]-[O0]-[O0]$/.test(move)) return "castles long" + end;
  if (/^[O0]-[O0]$/.test(move)) return "castles short" + end;
  const coordinates = /^([a-z]\d+)([a-z]\d+)$/.exec(move);
  if (coordinates) return `${coordinates[1]} to ${coordinates[2]}${end}`;
  const parts = /^([KQRBN]?)(.*?)(x?)([a-z]\d+)(?:=([QRBN]))?$/.exec(move);
  if (!parts) return text;
  const [, letter, origin, takes, to, promotion] = parts;
  const words = [letter ? BY_LETTER[letter] : "", origin, takes ? "takes" : "", to];
  if (promotion) words.push("becomes", BY_LETTER[promotion]);
  return words.filter(Boolean).join(" ") + end;
}

/** @param {Piece | undefined} piece */
export function called(piece) {
  return piece ? `${piece.side} ${piece.role}` : "empty";
}

/** Where all pieces stand, a sentence for each side. @param {Position} position */
export function placement({ pieces }) {
  return ["White", "Black"].map((side) => {
    const own = pieces.filter((piece) => piece.side === side.toLowerCase());
    const kinds = ORDER.map((role) => {
      const at = own.filter((piece) => piece.role === role).map((piece) => piece.at).sort();
      return at.length ? `${role}${at.length > 1 ? "s" : ""} ${at.join(" ")}` : "";
    }).filter(Boolean);
    return `${side}: ${kinds.join(", ") || "nothing"}.`;
  }).join(" ");
}

/** Where the piece on a square may go, or why there is nothing to say. @param {Position} position @param {string} at */
export function moves({ pieces, destinations }, at) {
  const piece = pieces.find((one) => one.at === at);
  if (!piece) return `${at} is empty.`;
  const targets = destinations.find((one) => one.from === at)?.to ?? [];
  const names = targets.map((one) => (one.takes ? "takes " : "") + one.at);
  return `${called(piece)} ${at}: ${names.join(", ") || "no moves"}.`;
}

/**
 * The board as a table: capital letters are White's, a dot or a dash an empty square.
 *
 * @param {Position} position @param {"white" | "black"} bottom
 * @returns {{ columns: string[], rows: { name: string, cells: string[] }[] }}
 */
export function table({ columns, rows, pieces }, bottom) {
  const by = new Map(pieces.map((piece) => [piece.at, piece]));
  const across = [...Array(columns).keys()], down = [...Array(rows).keys()];
  if (bottom === "white") down.reverse();
  else across.reverse();
  return {
    columns: across.map((column) => name({ column, row: 0 })[0]),
    rows: down.map((row) => ({
      name: String(row + 1),
      cells: across.map((column) => {
        const piece = by.get(name({ column, row }));
        if (!piece) return (column + row) % 2 === 0 ? "-" : "·";
        const letter = LETTERS[piece.role];
        return piece.side === "white" ? letter.toUpperCase() : letter;
      }),
    })),
  };
}
