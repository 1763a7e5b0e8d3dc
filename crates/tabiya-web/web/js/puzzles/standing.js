/**
 * How one stands: the rating and its way, this sitting, the daily puzzle, the themes, what was tried before.
 *
 * @typedef {import("./api.js").You} You
 * @typedef {import("./api.js").Outcome} Outcome
 * @typedef {import("./api.js").Tried} Tried
 * @typedef {import("./api.js").Puzzle} Puzzle
 */
import { svg } from "../../board/artwork.js";
import { get, icon, locale, make } from "../dom.js";
import { miniature } from "../figures.js";

/** So many are shown of a sitting. */
const SITTING = 10;
/** @type {Record<Outcome, string>} */
const WORDS = { solved: "Solved", hinted: "Solved with a hint", missed: "Missed" };
/** @type {Record<Outcome, string>} */
const ICONS = { solved: "check", hinted: "hint", missed: "close" };

/** What was tried on this page, in order. @type {Outcome[]} */
const sitting = [];

/** The rating, and by how much it changed. @param {You} you @param {number | null} [change] */
export function showYou(you, change = null) {
  // Until it is known somewhat, a rating is a guess, and says so.
  get("rating").textContent = you.deviation > 150 ? `${you.rating}?` : String(you.rating);
  get("rating").title = you.deviation > 150 ? "Still a guess: solve a few more." : "";
  if (change !== null) {
    const box = get("change");
    box.textContent = `${change < 0 ? "−" : "+"}${Math.abs(change)}`;
    box.className = `small num ${change < 0 ? "down" : "up"}`;
  }
  const days = you.days > 1 ? [`${you.days} days running`] : [];
  get("streak").textContent = [...days, ...(you.best > 0 ? [`${you.streak} in a row`, `best ${you.best}`] : [])].join(" · ");
}

/** Adds what came of a puzzle. @param {Outcome} outcome */
export function add(outcome) {
  sitting.push(outcome);
  showSitting();
}

export function showSitting() {
  const last = sitting.slice(-(SITTING - 1));
  const rest = Array.from({ length: SITTING - last.length }, (_, index) => make("i", { class: index ? "" : "now" }));
  const queue = get("queue");
  queue.replaceChildren(...last.map((outcome) => make("i", { class: outcome })), ...rest);
  const missed = sitting.filter((one) => one === "missed").length;
  queue.setAttribute("aria-label", sitting.length ? `${sitting.length - missed} solved, ${missed} missed` : "Nothing tried yet");
}

/** A day as people say it. @param {string} date */
export function dayOf(date) {
  return new Date(`${date}T12:00:00`).toLocaleDateString(locale, { day: "numeric", month: "long" });
}

/** @param {Puzzle} puzzle */
export function showDaily({ scenes, solver, date, outcome }) {
  get("daily-board").replaceChildren(miniature(scenes[1], solver));
  get("daily-words").textContent = `${dayOf(date ?? "")} · ${outcome ? WORDS[outcome].toLowerCase() : "not yet tried"}`;
}

/** @param {Tried[]} tries the latest first */
export function showHistory(tries) {
  get("history-words").textContent = tries.length ? "What you have tried, the latest first." : "Nothing yet. Solve a puzzle, and it is kept here.";
  get("history").replaceChildren(...tries.map(({ id, at, outcome, rating, change }) => {
    const day = new Date(at).toLocaleDateString(locale, { day: "numeric", month: "short" });
    const by = `${change < 0 ? "−" : "+"}${Math.abs(change)}`;
    return make("li", {}, make("a", { href: `/puzzles?id=${id}`, class: outcome }, icon(ICONS[outcome]), make("span", {}, WORDS[outcome]), make("small", {}, `${day} · ${by}`), make("span", {}, String(rating))));
  }));
  spark(tries.slice(0, 30).map(({ rating }) => rating).reverse());
}

/** The way of a rating. @param {number[]} ratings */
function spark(ratings) {
  const picture = get("spark");
  if (ratings.length < 2) return picture.replaceChildren();
  const low = Math.min(...ratings), high = Math.max(...ratings, low + 40);
  const points = ratings.map((rating, index) => [2 + (index * 174) / (ratings.length - 1), 50 - ((rating - low) * 44) / (high - low)].map((one) => one.toFixed(1)));
  const way = `M${points.map((point) => point.join(" ")).join("L")}`;
  const [x, y] = points[points.length - 1];
  picture.replaceChildren(svg("path", { class: "area", d: `${way}L176 56L2 56Z` }), svg("path", { d: way }), svg("circle", { cx: x, cy: y, r: "3.5" }));
}

/** The themes to choose from. @param {import("./api.js").Overview["themes"]} themes @param {string | null} chosen @param {(name: string | null) => void} choose */
export function showThemes(themes, chosen, choose) {
  const all = [{ name: null, label: "All puzzles", count: null }, ...themes.filter(({ count }) => count > 0)];
  get("themes").replaceChildren(...all.map(({ name, label, count }) => {
    const chip = make("button", { type: "button", class: "chip", "aria-pressed": String(name === chosen) }, label);
    if (count !== null) chip.append(make("small", {}, String(count)));
    chip.addEventListener("click", () => choose(name));
    return chip;
  }));
}
