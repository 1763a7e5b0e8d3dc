/**
 * Pieces as elements, in the set that the page has chosen. Colours come from the style sheet.
 *
 * @typedef {import("../art/vector.js").Role} Role
 * @typedef {import("../art/vector.js").Side} Side
 * @typedef {"vector" | "cut" | "pixel"} Set
 */
import { CUT } from "../art/cut.js";
import { VECTOR } from "../art/vector.js";
import { AVAILABLE, LARGE, SMALL, TAKES, tones } from "../art/pixel.js";

const SVG = "http://www.w3.org/2000/svg";

/**
 * @param {string} tag
 * @param {Record<string, string | number>} attributes
 * @param {SVGElement[]} [children]
 */
export function svg(tag, attributes, children = []) {
  const element = /** @type {SVGElement} */ (document.createElementNS(SVG, tag));
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

/** @param {string} drawing */
function pixels(drawing) {
  const { size, tones: t } = tones(drawing);
  return svg("svg", { viewBox: `0 0 ${size} ${size}`, class: "art pixel", "aria-hidden": "true" }, [
    svg("path", { class: "shade", d: t["+"] }),
    svg("path", { class: "light", d: t.o }),
    svg("path", { class: "line", d: t["#"] }),
  ]);
}

/** @type {Map<string, SVGElement>} */
const drawn = new Map();

/** @param {string} key @param {() => SVGElement} draw */
function once(key, draw) {
  let element = drawn.get(key);
  if (!element) drawn.set(key, (element = draw()));
  return /** @type {SVGElement} */ (element.cloneNode(true));
}

/**
 * A drawing of a piece. The small ones are for pieces that were taken.
 *
 * @param {Role} role @param {Side} side @param {Set} set @param {"large" | "small"} [size]
 */
export function artOf(role, side, set, size = "large") {
  const element = once(`${role} ${set} ${size}`, () => {
    if (set === "pixel") return pixels((size === "large" ? LARGE : SMALL)[role]);
    const { fill, line, dot, fine } = (set === "cut" ? CUT : VECTOR)[role];
    return svg("svg", { viewBox: "0 0 45 45", class: "art vector", "aria-hidden": "true" }, [
      ...fill.map((d) => svg("path", { class: "body", d })),
      ...line.map((d) => svg("path", { class: "detail", d })),
      ...dot.map((d) => svg("path", { class: "dot", d })),
      // Taken pieces are small.
      ...(size === "large" ? fine.map((d) => svg("path", { class: "detail fine", d })) : []),
    ]);
  });
  element.classList.add(side, role);
  return element;
}

/** The pixel square that shows where a piece may go, or what it may take. @param {boolean} takes */
export function available(takes) {
  return once(`available ${takes}`, () => pixels(takes ? TAKES : AVAILABLE));
}
