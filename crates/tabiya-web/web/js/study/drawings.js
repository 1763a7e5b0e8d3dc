/**
 * Arrows and circles as records write them: a colour and two squares, or one.
 *
 * @typedef {import("../../board/marks.js").Drawing} Drawing
 */

/** In the order of the board's colours: green, red, blue, yellow. */
const COLOURS = "GRBY";

/** @param {string[]} codes @returns {Drawing[]} */
export function read(codes) {
  return codes.map((code) => ({ colour: COLOURS.indexOf(code[0]), from: code.slice(1, 3), to: code.slice(3, 5) || code.slice(1, 3) }));
}

/** @param {Drawing[]} drawings @returns {string[]} */
export function write(drawings) {
  return drawings.map(({ from, to, colour }) => COLOURS[colour] + from + (from === to ? "" : to));
}
