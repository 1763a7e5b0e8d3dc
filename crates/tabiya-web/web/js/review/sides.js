/**
 * Accuracy and mistakes of both sides.
 *
 * @typedef {import("./api.js").Review} Review
 * @typedef {import("../../types.js").Side} Side
 */
import { make } from "../dom.js";

/** @type {["inaccuracies" | "mistakes" | "blunders", string, string, string][]} */
const COUNTS = [["inaccuracies", "inaccuracy", "Inaccuracies", "?!"], ["mistakes", "mistake", "Mistakes", "?"], ["blunders", "blunder", "Blunders", "??"]];

/**
 * @param {Review} review @param {Record<string, string>} tags @param {HTMLElement} readout what stands above the names
 * @param {(side: Side, judgement: string) => void} next
 */
export function sides(review, tags, readout, next) {
  const head = make(
    "tr",
    {},
    make("td", {}, readout),
    make("th", { scope: "col" }, "Accuracy"),
    ...COUNTS.map(([, , name, symbol]) => make("th", { scope: "col", title: name }, make("span", { "aria-hidden": "true" }, symbol), make("span", { class: "hidden" }, name))),
  );
  const row = (/** @type {Side} */ side) => {
    const colour = side === "white" ? "White" : "Black";
    const name = tags[colour] && tags[colour] !== "?" ? tags[colour] : colour;
    const { accuracy, loss } = review[side];
    const counts = COUNTS.map(([many, one, called]) => {
      const number = review[side][many];
      const label = `${called} of ${colour}: ${number}, to the next`;
      const button = make("button", { type: "button", class: `count ${one}`, "data-side": side, "data-judgement": one, "aria-label": label, disabled: number === 0 }, String(number));
      button.addEventListener("click", () => next(side, one));
      return make("td", {}, button);
    });
    const percent = make("td", { title: loss === null ? undefined : `Average loss: ${loss} hundredths of a pawn` }, make("b", {}, accuracy === null ? "–" : `${Math.round(accuracy)} %`));
    return make("tr", {}, make("th", { scope: "row", title: name }, make("i", { class: `disc ${side}` }), name), percent, ...counts);
  };
  return make("table", { class: "sides" }, make("thead", {}, head), make("tbody", {}, row("white"), row("black")));
}
