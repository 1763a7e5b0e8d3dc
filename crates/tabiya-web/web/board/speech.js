/**
 * The board in words, for those who listen to it.
 *
 * @typedef {import("../types.js").Man} Man
 * @typedef {import("../types.js").Position} Position
 * @typedef {import("../types.js").Shape} Shape
 */
import { name } from "./geometry.js";

/** @type {Record<string, Shape>} */
const BY_LETTER = { K: "king", Q: "queen", R: "rook", B: "bishop", N: "knight" };

/** @type {Record<Shape, string>} */
const LETTERS = { king: "k", queen: "q", rook: "r", bishop: "b", knight: "n", pawn: "p" };

/** @type {Shape[]} */
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
  const [, letter, origin, takes, to, becomes] = parts;
  const words = [letter ? BY_LETTER[letter] : "", origin, takes ? "takes" : "", to];
  if (becomes) words.push("becomes", BY_LETTER[becomes]);
  return words.filter(Boolean).join(" ") + end;
}

/** @param {Man | undefined} man */
export function called(man) {
  return man ? `${man.side} ${man.shape}` : "empty";
}

/** Where all pieces stand, a sentence for each side. @param {Position} position */
export function pieces({ men }) {
  return ["White", "Black"].map((side) => {
    const own = men.filter((man) => man.side === side.toLowerCase());
    const kinds = ORDER.map((shape) => {
      const at = own.filter((man) => man.shape === shape).map((man) => man.at).sort();
      return at.length ? `${shape}${at.length > 1 ? "s" : ""} ${at.join(" ")}` : "";
    }).filter(Boolean);
    return `${side}: ${kinds.join(", ") || "nothing"}.`;
  }).join(" ");
}

/** Where the piece on a square may go, or why there is nothing to say. @param {Position} position @param {string} at */
export function moves({ men, reach }, at) {
  const man = men.find((one) => one.at === at);
  if (!man) return `${at} is empty.`;
  const targets = reach.find((one) => one.from === at)?.to ?? [];
  const names = targets.map((one) => (one.takes ? "takes " : "") + one.at);
  return `${called(man)} ${at}: ${names.join(", ") || "no moves"}.`;
}

/**
 * The board as a table: capital letters are White's, a dot or a dash an empty square.
 *
 * @param {Position} position @param {"white" | "black"} bottom
 * @returns {{ columns: string[], rows: { name: string, cells: string[] }[] }}
 */
export function table({ columns, rows, men }, bottom) {
  const by = new Map(men.map((man) => [man.at, man]));
  const across = [...Array(columns).keys()], down = [...Array(rows).keys()];
  if (bottom === "white") down.reverse();
  else across.reverse();
  return {
    columns: across.map((column) => name({ column, row: 0 })[0]),
    rows: down.map((row) => ({
      name: String(row + 1),
      cells: across.map((column) => {
        const man = by.get(name({ column, row }));
        if (!man) return (column + row) % 2 === 0 ? "-" : "·";
        const letter = LETTERS[man.shape];
        return man.side === "white" ? letter.toUpperCase() : letter;
      }),
    })),
  };
}
