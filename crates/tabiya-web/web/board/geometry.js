/**
 * Squares by name, and where they lie on the screen. `a1` is White's left corner, on a board of any size up to 26.
 *
 * @typedef {{ column: number, row: number }} Place Counted from zero, from White's left corner.
 * @typedef {{ columns: number, rows: number, bottom: "white" | "black" }} Layout
 */

/** @param {Place} place */
export function name({ column, row }) {
  return String.fromCharCode(97 + column) + (row + 1);
}

/** @param {string} text @returns {Place} */
export function place(text) {
  return { column: text.charCodeAt(0) - 97, row: Number(text.slice(1)) - 1 };
}

/**
 * The column and row of the screen, from the top left, where a square is drawn.
 *
 * @param {string} at @param {Layout} layout
 * @returns {{ x: number, y: number }}
 */
export function onScreen(at, { columns, rows, bottom }) {
  const { column, row } = place(at);
  return bottom === "white"
    ? { x: column, y: rows - 1 - row }
    : { x: columns - 1 - column, y: row };
}

/**
 * The square drawn at a column and row of the screen; nothing outside of the board.
 *
 * @param {number} x @param {number} y @param {Layout} layout
 * @returns {string | null}
 */
export function atScreen(x, y, { columns, rows, bottom }) {
  if (x < 0 || y < 0 || x >= columns || y >= rows) return null;
  return bottom === "white"
    ? name({ column: x, row: rows - 1 - y })
    : name({ column: columns - 1 - x, row: y });
}

/** Whether a square is dark: a1 is. @param {string} at */
export function isDark(at) {
  const { column, row } = place(at);
  return (column + row) % 2 === 0;
}
