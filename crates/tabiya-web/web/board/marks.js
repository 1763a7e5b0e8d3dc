/**
 * Marks on the board, each a shape as well as a colour: brackets for the last move, a halo for check, a dot or a ring for
 * a destination, arrows and circles drawn by hand. One unit is one square.
 *
 * @typedef {{ x: number, y: number }} Point Column and row of the screen, from the top left.
 * @typedef {{ from: string, to: string, colour: number }} Drawing An arrow, or a circle where both are the same.
 */
import { available, svg } from "./artwork.js";

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
 * @param {Point} at @param {boolean} takes @param {import("./artwork.js").Set} set
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
 * What a study points out.
 *
 * @param {import("../types.js").StudyMark} mark @param {(name: string) => Point} at
 * @returns {{ under: SVGElement[], over: SVGElement[] }}
 */
export function study(mark, at) {
  switch (mark.kind) {
    case "line":
      return { under: [], over: [arrow(at(mark.from), at(mark.to), `line rank${mark.rank}`)] };
    case "told":
      return { under: [], over: [arrow(at(mark.from), at(mark.to), `told ${mark.tone}`)] };
    case "look":
      return { under: [], over: [ray(at(mark.from), at(mark.to), `look ${mark.role}`), sign(at(mark.from), mark.role)] };
    case "pin":
      return { under: [ray(at(mark.by), at(mark.king), "pinline")], over: [diamond(at(mark.at))] };
    case "heat":
      return heat(at(mark.at), mark.white, mark.black);
    case "glyph":
      return { under: [], over: [glyph(at(mark.at), mark.text, mark.tone)] };
  }
}

/** A thin line between the middles of two squares. @param {Point} from @param {Point} to @param {string} name */
function ray(from, to, name) {
  return svg("line", { x1: from.x + 0.5, y1: from.y + 0.5, x2: to.x + 0.5, y2: to.y + 0.5, class: name });
}

/** A cross on what attacks, a ring on what defends. @param {Point} at @param {string} role */
function sign({ x, y }, role) {
  const d = "M0.08 0.08L0.26 0.26M0.26 0.08L0.08 0.26";
  return role === "attacks"
    ? svg("g", { class: "sign attacks", transform: `translate(${x} ${y})` }, [svg("path", { d, class: "edge" }), svg("path", { d })])
    : svg("g", { class: "sign defends", transform: `translate(${x} ${y})` }, [
        svg("circle", { cx: 0.17, cy: 0.17, r: 0.09, class: "edge" }), svg("circle", { cx: 0.17, cy: 0.17, r: 0.09 }),
      ]);
}

/** A diamond round a piece that must stay in its line. @param {Point} at */
function diamond({ x, y }) {
  return svg("path", { d: `M${x + 0.5} ${y + 0.03}L${x + 0.97} ${y + 0.5}L${x + 0.5} ${y + 0.97}L${x + 0.03} ${y + 0.5}Z`, class: "pinned" });
}

/**
 * Who controls a square: a wash for the stronger side, dots for White's pieces, small squares for Black's.
 *
 * @param {Point} at @param {number} white @param {number} black
 */
function heat({ x, y }, white, black) {
  const tone = white > black ? "white" : white < black ? "black" : "even";
  const by = Math.min(3, Math.abs(white - black));
  const pips = (/** @type {number} */ count) => [...Array(Math.min(count, 6)).keys()];
  return {
    under: [svg("rect", { x, y, width: 1, height: 1, class: `heat ${tone} by${by}` })],
    over: [svg("g", { class: "pips" }, [
      ...pips(white).map((index) => svg("circle", { cx: x + 0.1 + index * 0.135, cy: y + 0.9, r: 0.05, class: "white" })),
      ...pips(black).map((index) => svg("rect", { x: x + 0.85 - index * 0.135, y: y + 0.05, width: 0.095, height: 0.095, class: "black" })),
    ])],
  };
}

/** A sign like !? in the corner of a square. @param {Point} at @param {string} text @param {string} tone */
function glyph({ x, y }, text, tone) {
  // Inside the board, on the last rank and file too.
  const cx = x + 0.8, cy = y + 0.2;
  const words = svg("text", { x: cx, y: cy, "text-anchor": "middle", "dominant-baseline": "central" });
  words.textContent = text;
  return svg("g", { class: `glyph ${tone}` }, [svg("circle", { cx, cy, r: 0.19 }), words]);
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
