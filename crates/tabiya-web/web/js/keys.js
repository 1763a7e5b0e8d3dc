/** What the keyboard can do, told when `?` is pressed. */
import { get, make } from "./dom.js";

/** @type {[string[], string][]} */
const KEYS = [
  [["e4", "Nf3"], "type a move, anywhere on the page; Enter plays it"],
  [["←", "→"], "one move back, one on"],
  [["↑", "↓", "Home", "End"], "to the start, to the end"],
  [["Tab"], "to the squares; there the arrows walk over the board, Enter takes and puts down"],
  [[",", "."], "one move back or on while you are on the squares"],
  [["F2"], "flip the board"],
  [["Esc"], "put down, take back what was prepared"],
  [["?"], "this list"],
];

/** Opens the list. @param {[string[], string][]} [own] what is different on a page: instead of what the same keys do elsewhere, or besides */
export function showKeys(own = []) {
  const instead = new Map(own.map((one) => [one[0].join(), one]));
  const known = KEYS.map((one) => instead.get(one[0].join()) ?? one);
  const all = [...known.slice(0, -1), ...own.filter((one) => !known.includes(one)), ...known.slice(-1)];
  const dialog = /** @type {HTMLDialogElement} */ (get("keys"));
  get("keys-list").replaceChildren(...all.flatMap(([keys, text]) => [make("dt", {}, ...keys.flatMap((key) => [make("kbd", {}, key), " "])), make("dd", {}, text)]));
  if (!dialog.open) dialog.showModal();
}
