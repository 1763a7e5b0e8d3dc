/**
 * The vector pieces: our own drawings on a 45-unit grid.
 *
 * Every piece is a pile of closed outlines, painted from the first to the last with one stroke weight, so that the seams of
 * a turned piece (foot, body, collar, head) come from the pile itself. All stand on the same foot and are told apart
 * by their outline; white and black differ in colour only, which the style sheet gives.
 *
 * @typedef {"pawn" | "knight" | "bishop" | "rook" | "queen" | "king"} Role
 * @typedef {"white" | "black"} Side
 */

/** Half the width of the grid: the axis of everything turned on a lathe. */
const AXIS = 22.5;

/**
 * A closed outline from its left half, drawn from the top of the axis down to its foot: the right half is its mirror
 * image. The half is written in absolute `M`, `L` and `C`.
 *
 * @param {string} half
 * @returns {string}
 */
function turned(half) {
  const segments = half.trim().split(/(?=[MLC])/).map((text) => {
    const numbers = text.slice(1).trim().split(/[\s,]+/).map(Number);
    const points = [];
    for (let i = 0; i < numbers.length; i += 2) points.push([numbers[i], numbers[i + 1]]);
    return { letter: text[0], points };
  });
  const line = segments.flatMap((segment) => segment.points);
  const mirror = (/** @type {number[]} */ [x, y]) => `${+(2 * AXIS - x).toFixed(3)} ${y}`;
  let back = "";
  let end = line.length - 1;
  for (const { letter, points } of segments.slice(1).reverse()) {
    const reversed = line.slice(end - points.length, end).reverse();
    back += letter + reversed.map(mirror).join(" ");
    end -= points.length;
  }
  return `${half.trim()} L${mirror(line[line.length - 1])} ${back}Z`;
}

/** Turned grooves, which only large pieces show: in the foot, above it, and round a crown or a mitre. */
const GROOVE = "M11.6 37.8 H33.4";
const RING = "M15.6 33.2 C20 34 25 34 29.4 33.2";
const BAND = "M14.4 17.6 C18.4 18.9 26.6 18.9 30.6 17.6";

const FOOT = turned("M22.5 35.6 L13.4 35.6 C11.6 35.6 10.4 36.7 10.4 38.3 L10.4 40 L22.5 40");
const COLLAR = turned("M22.5 20.4 L16.4 20.4 C14.4 20.4 14.4 23.4 16.4 23.4 L22.5 23.4");
const COLUMN = turned("M22.5 22 L18.4 22 C18 27.5 16.6 31.6 13.2 35.6 L22.5 35.6");

/** @param {number} x @param {number} y @param {number} r */
const ball = (x, y, r) => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;

/**
 * What is painted for each role: `fill` outlines in order, then `line`s that are only stroked and `dot`s that are only
 * filled, both in the colour of details; `fine` lines are for large squares.
 *
 * @type {Record<Role, { fill: string[], line: string[], dot: string[], fine: string[] }>}
 */
export const VECTOR = {
  pawn: {
    fill: [
      turned("M22.5 21 L19 21 C18.6 27.4 17.2 31.6 14 35.6 L22.5 35.6"),
      FOOT,
      turned("M22.5 20 L17.4 20 C15.5 20 15.5 22.8 17.4 22.8 L22.5 22.8"),
      ball(22.5, 14.4, 5.6),
    ],
    line: [],
    dot: [],
    fine: [GROOVE, "M16.2 32.6 C20 33.4 25 33.4 28.8 32.6"],
  },
  knight: {
    fill: [
      "M32.2 35.6 C34.4 25.4 33.2 12.8 22.4 9.2 L20.2 4.8 C18.4 6 17.2 7.6 16.7 9.6 C14 11 12.5 13.2 11.5 15.8 C10.5 18.4 8.4 20.4 7.6 22.8 " +
        "C6.9 25.1 8.1 27 9.8 27.4 C11 27.7 12 27.2 12.8 26.4 C13.8 25.5 15.2 25.1 16.8 24.8 C18.8 24.4 20.6 23.6 21.6 21.8 C22 26.6 13.8 28.6 13.2 35.6 Z",
      FOOT,
    ],
    line: ["M25.4 13.8 C28.9 18.4 29.6 25.4 28.4 31.6"],
    dot: [ball(16.2, 15.2, 1.25), ball(10.3, 23.6, 0.85)],
    fine: [GROOVE, "M27.9 17.6 C30.6 22 31.2 27 30.6 31.8", "M14.6 33 C20 34.2 27 34.2 31 33"],
  },
  bishop: {
    fill: [
      COLUMN,
      FOOT,
      turned("M22.5 6.8 C18.6 9.2 14.6 12.4 14.6 16.4 C14.6 18.3 15.7 19.7 17.2 20.4 L22.5 20.4"),
      COLLAR,
      ball(22.5, 5.4, 2.2),
    ],
    line: ["M26.9 10.4 L22.6 15.6"],
    dot: [],
    fine: [GROOVE, RING, "M15.6 18.4 C19 19.5 26 19.5 29.4 18.4"],
  },
  rook: {
    fill: [
      turned("M22.5 17 L16.8 17 C16.8 25 16.2 30.8 13 35.6 L22.5 35.6"),
      FOOT,
      "M11.8 7.2 H16.6 V10.2 H20.1 V7.2 H24.9 V10.2 H28.4 V7.2 H33.2 V13.4 L29.8 17.4 H15.2 L11.8 13.4 Z",
    ],
    line: [],
    dot: [],
    fine: [GROOVE, RING, "M14.4 15.2 H30.6", "M17.2 20.4 H27.8"],
  },
  queen: {
    fill: [
      COLUMN,
      FOOT,
      turned("M22.5 8 L19.3 14.9 L14.9 8.6 L14 15.4 L8.2 12 C9.6 15.8 12.6 18.4 16.6 20.4 L22.5 20.4"),
      COLLAR,
      ball(22.5, 6.2, 2),
      ball(14.6, 7.2, 1.9),
      ball(30.4, 7.2, 1.9),
      ball(7.6, 11.2, 1.8),
      ball(37.4, 11.2, 1.8),
    ],
    line: [],
    dot: [],
    fine: [GROOVE, RING, BAND],
  },
  king: {
    fill: [
      COLUMN,
      FOOT,
      "M20.9 2.2 H24.1 V4.7 H26.8 V7.9 H24.1 V12 H20.9 V7.9 H18.2 V4.7 H20.9 Z",
      turned("M22.5 10.4 C19 10.4 14.8 11 11.6 12.9 C12.4 16 14.6 18.6 16.8 20.4 L22.5 20.4"),
      COLLAR,
    ],
    line: [],
    dot: [],
    fine: [GROOVE, RING, BAND, "M13.6 13.9 C18.6 12.6 26.4 12.6 31.4 13.9"],
  },
};
