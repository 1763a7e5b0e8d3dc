/**
 * Marks on the board, each a shape as well as a colour: brackets for the last move, a halo for check, a dot or a ring for
 * a destination, arrows and circles drawn by hand. One unit is one square.
 *
 * @typedef {{ x: number, y: number }} Point Column and row of the screen, from the top left.
 * @typedef {{ from: string, to: string, colour: number }} Drawing An arrow, or a circle where both are the same.
 */
import { available, svg } from "./pieces.js";

/** Four corner brackets. @param {Point} at @param {string} name */
export function brackets({ x, y }, name) {
  const a = 0.04, b = 0.27;
  const corner = (/** @type {number} */ sx, /** @type {number} */ sy) => {
    const px = x + 0.5 + sx * (0.5 - a), py = y + 0.5 + sy * (0.5 - a);
    return `M${px - sx * (b - a)} ${py}H${px}V${py - sy * (b - a)}`;
  };
  const d = corner(-1, -1) + corner(1, -1) + corner(1, 1) + corner(-1, 1);
  return svg("g", { class: name }, [
    svg("rect", { x, y, width: 1, height: 1, class: "wash" }),
    svg("path", { d, class: "bracket" }),
  ]);
}

/** A soft round glow with a firm rim. @param {Point} at */
export function halo({ x, y }) {
  return svg("g", { class: "check" }, [
    svg("rect", { x, y, width: 1, height: 1, class: "wash" }),
    svg("circle", { cx: x + 0.5, cy: y + 0.5, r: 0.44, class: "rim" }),
  ]);
}

/** A whole square washed, with a thin frame. @param {Point} at @param {string} name */
export function square({ x, y }, name) {
  return svg("g", { class: name }, [
    svg("rect", { x, y, width: 1, height: 1, class: "wash" }),
    svg("rect", { x: x + 0.035, y: y + 0.035, width: 0.93, height: 0.93, class: "frame" }),
  ]);
}

/**
 * Where a piece may go: a dot, or a ring round what it would take.
 *
 * @param {Point} at @param {boolean} takes @param {import("./pieces.js").Set} set
 */
export function target({ x, y }, takes, set) {
  if (set === "pixel") {
    const sprite = available(takes);
    for (const [key, value] of Object.entries({ x, y, width: 1, height: 1 })) sprite.setAttribute(key, String(value));
    sprite.classList.add("target", takes ? "takes" : "quiet");
    return sprite;
  }
  const middle = { cx: x + 0.5, cy: y + 0.5 };
  return takes
    ? svg("circle", { ...middle, r: 0.43, class: "target takes" })
    : svg("circle", { ...middle, r: 0.145, class: "target quiet" });
}

/** Three short strokes pointing at a piece in danger. @param {Point} at */
export function threat({ x, y }) {
  return svg("path", { d: `M${x + 0.06} ${y + 0.3}V${y + 0.06}H${x + 0.3}Z`, class: "threat" });
}

/**
 * An arrow between the middles of two squares, or a circle on one.
 *
 * @param {Point} from @param {Point} to @param {string} name
 */
export function arrow(from, to, name) {
  if (from.x === to.x && from.y === to.y)
    return svg("circle", { cx: to.x + 0.5, cy: to.y + 0.5, r: 0.455, class: `${name} circle` });
  const dx = to.x - from.x, dy = to.y - from.y;
  const length = Math.hypot(dx, dy), ux = dx / length, uy = dy / length;
  const at = (/** @type {number} */ along, /** @type {number} */ across) =>
    `${from.x + 0.5 + ux * along - uy * across} ${from.y + 0.5 + uy * along + ux * across}`;
  const tip = length - 0.08, neck = tip - 0.36, half = 0.085, wing = 0.23;
  const d = `M${at(0.28, half)}L${at(neck, half)}L${at(neck, wing)}L${at(tip, 0)}L${at(neck, -wing)}L${at(neck, -half)}L${at(0.28, -half)}Z`;
  return svg("path", { d, class: `${name} arrow` });
}
