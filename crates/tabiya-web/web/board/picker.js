/**
 * Asks what a pawn becomes: a short column of pieces over the square, best first.
 *
 * @typedef {import("../types.js").Role} Role
 */
import { artOf } from "./artwork.js";

/**
 * @param {object} question
 * @param {HTMLElement} question.surface where the column is shown
 * @param {{ x: number, y: number }} question.at the square, in squares from the top left
 * @param {number} question.rows how many rows the board has
 * @param {Role[]} question.roles
 * @param {import("../types.js").Side} question.side
 * @param {import("./artwork.js").Set} question.set
 * @returns {{ answer: Promise<Role | null>, close: () => void }} nothing if the question was waved away
 */
export function ask({ surface, at, rows, roles, side, set }) {
  const box = document.createElement("div");
  box.className = "tb-picker";
  box.setAttribute("role", "dialog");
  box.setAttribute("aria-modal", "true");
  box.setAttribute("aria-label", "What does the pawn become?");
  const fromTop = at.y < rows / 2;
  box.style.left = `calc(var(--rim) + var(--cell) * ${at.x})`;
  box.style.top = `calc(var(--rim) + var(--cell) * ${fromTop ? at.y : at.y - roles.length + 1})`;

  let done = (/** @type {Role | null} */ _shape) => {};
  /** @type {Promise<Role | null>} */
  const answer = new Promise((resolve) => {
    done = (role) => {
      veil.remove();
      resolve(role);
    };
  });
  let pressed = false;
  box.addEventListener("pointerdown", () => (pressed = true));
  const buttons = roles.map((role) => {
    const button = document.createElement("button");
    button.type = "button";
    button.dataset.role = role;
    button.setAttribute("aria-label", role);
    button.append(artOf(role, side, set));
    button.addEventListener("click", (event) => {
      // The end of the tap that has asked the question is not its answer.
      if (pressed || event.detail === 0) done(role);
    });
    return button;
  });
  box.append(...(fromTop ? buttons : [...buttons].reverse()));
  box.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    const letter = roles.find((role) => (role === "knight" ? "n" : role[0]) === event.key.toLowerCase());
    if (event.key === "Escape") done(null);
    else if (event.key === "Tab" || step) {
      const all = [...box.children];
      const here = all.indexOf(/** @type {Element} */ (document.activeElement));
      const by = step ?? (event.shiftKey ? -1 : 1);
      /** @type {HTMLElement} */ (all[(here + by + all.length) % all.length]).focus();
    } else if (letter) done(letter);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });

  const veil = document.createElement("div");
  veil.className = "tb-veil";
  veil.addEventListener("pointerdown", (event) => {
    if (event.target === veil) done(null);
    event.stopPropagation();
  });
  veil.append(box);
  surface.append(veil);
  buttons[0].focus({ preventScroll: true });
  return { answer, close: () => done(null) };
}
