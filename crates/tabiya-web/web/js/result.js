/**
 * The end of a game, as a card: who won, how, in which opening; what comes next.
 *
 * @typedef {import("./play.js").View} View
 * @typedef {import("../types.js").Side} Side
 * @typedef {{ id: string, text: string, icon?: string, act: () => unknown, off?: boolean }} Button
 */
import { icon, make } from "./dom.js";
import { figures } from "./figures.js";

/** @param {View} view @param {Side[]} own @returns {string} */
export function headline(view, own) {
  const winner = view.end?.winner;
  if (view.end?.result === "*") return "Broken off";
  if (!winner) return "A draw";
  if (own.length !== 1) return winner === "white" ? "White won" : "Black won";
  return own[0] === winner ? "You won" : "You lost";
}

/** How it ended, without saying again who won. @param {View} view */
function how({ end, moves }) {
  const text = (end?.text ?? "").replace(/: (White|Black) wins$/, "");
  const count = Math.ceil(moves.length / 2);
  return text === "Checkmate" ? `Checkmate in ${count} ${count === 1 ? "move" : "moves"}` : text;
}

/** @param {number} ms */
function minutes(ms) {
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/**
 * @param {HTMLElement} holder @param {View} view @param {Side[]} own
 * @param {{ main: Button | null, row: Button[], accuracy: number | null }} next
 */
export function showResult(holder, view, own, { main, row, accuracy }) {
  const focused = document.activeElement?.id;
  const winner = view.end?.winner ?? null;
  const kings = make("div", { class: winner ? "kings" : "kings even" });
  for (const art of figures(winner === "black" ? "kK" : "Kk")) kings.append(make("span", {}, art));
  const side = own.length === 1 ? own[0] : "white";
  const used = view.moves.filter((one) => one.side === side && one.spent_ms !== undefined);
  /** @type {[string, string][]} */
  const facts = [["Moves", String(Math.ceil(view.moves.length / 2))]];
  if (accuracy !== null) facts.unshift(["Accuracy", `${Math.round(accuracy)} %`]);
  if (used.length) facts.push([own.length === 1 ? "Time used" : "White's time", minutes(used.reduce((sum, one) => sum + (one.spent_ms ?? 0), 0))]);
  const opening = view.opening ? `${view.opening.eco} ${view.opening.name}` : "";
  holder.replaceChildren(
    kings,
    make("div", { class: "words" }, make("h2", {}, headline(view, own)), make("p", { class: "how" }, how(view)), make("p", { class: "what" }, opening)),
    make("dl", { class: "facts" }, ...facts.map(([name, value]) => make("div", {}, make("dt", {}, name), make("dd", {}, value)))),
    ...(main ? [button(main, "main big wide")] : []),
    ...(row.length ? [make("div", { class: "row" }, ...row.map((one) => button(one, "")))] : []),
  );
  holder.hidden = false;
  if (focused && holder.querySelector(`#${focused}`)) document.getElementById(focused)?.focus();
}

/** @param {Button} one @param {string} look */
function button({ id, text, icon: name, act, off }, look) {
  const element = make("button", { type: "button", id, class: look, disabled: off }, ...(name ? [icon(name)] : []), text);
  element.addEventListener("click", () => void act());
  return element;
}
