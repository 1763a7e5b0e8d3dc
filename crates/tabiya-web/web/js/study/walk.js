/** Keys and wheel: the way through the moves, and what is done to them. */
import { showKeys } from "../keys.js";

/** What is different here. @type {[string[], string][]} */
const KEYS = [
  [["↑", "↓", "Home", "End"], "↑ ↓ to the other line if there is one; to the start, to the end"],
  [["!", "!!", "!?"], "judge the move; the other signs are under Notes"],
  [["Space"], "play the engine's move"],
  [["Del"], "delete from here on"],
  [["Ctrl Z"], "undo the last change"],
];

/** @typedef {"back" | "on" | "up" | "down" | "start" | "end"} Way */
/** @type {Record<string, Way>} */
const WAYS = { ArrowLeft: "back", ArrowRight: "on", ArrowUp: "up", ArrowDown: "down", Home: "start", End: "end", ",": "back", ".": "on" };
/** So far the wheel is turned for one move. */
const NOTCH = 40;

/**
 * @typedef {object} Walker
 * @property {boolean} open whether there is a study on the table
 * @property {(way: Way) => void} walk
 * @property {() => void} flip
 * @property {() => void} undo
 * @property {() => void} remove
 * @property {() => boolean} best plays the engine's move, if it has one
 * @property {(key: string) => boolean} judge a sign typed with one key or two; whether it was one
 */

/** @param {import("../../board/board.js").TabiyaBoard} board @param {Walker} walker */
export function listen(board, walker) {
  document.addEventListener("keydown", (event) => {
    if (walker.open && press(event, walker)) event.preventDefault();
  });
  let turned = 0;
  board.addEventListener("wheel", (event) => {
    if (event.ctrlKey || !walker.open) return;
    event.preventDefault();
    turned += event.deltaMode === 0 ? event.deltaY : event.deltaY * NOTCH;
    for (; Math.abs(turned) >= NOTCH; turned -= NOTCH * Math.sign(turned)) walker.walk(turned < 0 ? "back" : "on");
  }, { passive: false });
}

/** Whether the key was ours. @param {KeyboardEvent} event @param {Walker} walker */
function press(event, walker) {
  const target = /** @type {HTMLElement} */ (event.target);
  if (event.altKey || event.defaultPrevented || target.closest("input, textarea, select, dialog, [role='dialog'], .menu")) return false;
  if (event.ctrlKey || event.metaKey) {
    if (event.key.toLowerCase() !== "z") return false;
    walker.undo();
    return true;
  }
  const way = WAYS[event.key];
  if (way) walker.walk(way);
  else if (event.key === "F2") walker.flip();
  else if (event.key === "Delete") walker.remove();
  else if (event.key === " ") return !target.closest("button, a, summary, .tb-cells") && walker.best();
  else if (event.key === "?") walker.judge("?") || showKeys(KEYS);
  else return event.key === "!" && walker.judge("!");
  return true;
}

/** Shows what the keyboard can do here. */
export function help() {
  showKeys(KEYS);
}
