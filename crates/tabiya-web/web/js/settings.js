/**
 * What this browser likes: looks, sounds, words. Kept here, told to nobody.
 *
 * @typedef {object} Settings
 * @property {string} language "auto", or one of those in language.js, which reads this before anything is drawn
 * @property {"auto" | "light" | "dark"} appearance
 * @property {string} theme one of THEMES
 * @property {import("../board/artwork.js").Set} pieces
 * @property {"inside" | "outside" | "none"} coordinates
 * @property {"table" | "window"} arrangement of a game of chess, where there is room
 * @property {boolean} sound
 * @property {number} volume 0 to 100
 * @property {boolean} text
 */

import { artOf } from "../board/artwork.js";
import { make } from "./dom.js";

const KEY = "tabiya.settings";

/** @type {Settings} */
const DEFAULTS = { language: "auto", appearance: "auto", theme: "walnut", pieces: "vector", coordinates: "inside", arrangement: "table", sound: true, volume: 70, text: false };

/** @type {Settings} */
let current = { ...DEFAULTS };
try {
  current = { ...DEFAULTS, ...JSON.parse(localStorage.getItem(KEY) ?? "{}") };
} catch {
  // What cannot be read is as if it had never been said.
}

/** The window is 640 by 640 pixels, and the game stands beside it. */
const roomy = matchMedia("(min-width: 1140px) and (min-height: 660px)");

/** Whether the game is arranged as a window: the pixel board in its wide frame, with what was taken in two rows at the top. */
export function isWindow() {
  return current.arrangement === "window" && roomy.matches && document.body.dataset.game === "chess";
}

/** What is liked; in the window everything is made of pixels. @returns {Settings} */
export function settings() {
  return isWindow() ? { ...current, pieces: "pixel", theme: "pixel" } : current;
}

/** Puts the settings to work on the page. */
function apply() {
  const root = document.documentElement;
  const { theme, pieces, appearance, coordinates, text } = settings();
  root.dataset.theme = theme;
  root.dataset.pieces = pieces;
  root.dataset.appearance = appearance;
  root.dataset.arrangement = isWindow() ? "window" : "table";
  for (const board of document.querySelectorAll("tabiya-board")) {
    board.setAttribute("pieces", pieces);
    board.setAttribute("coordinates", coordinates);
    board.toggleAttribute("text", text);
    board.toggleAttribute("framed", isWindow());
  }
  document.dispatchEvent(new CustomEvent("settings"));
}

/** @param {Partial<Settings>} changes */
export function change(changes) {
  current = { ...current, ...changes };
  localStorage.setItem(KEY, JSON.stringify(current));
  apply();
}

/** The boards: a block of colours in board.css, and what it is called. @type {[string, string][]} */
const THEMES = [["walnut", "Walnut"], ["slate", "Slate"], ["moss", "Moss"], ["sea", "Sea"], ["plum", "Plum"], ["paper", "Paper"], ["pixel", "Pixel"]];

/** @type {[Settings["pieces"], string][]} */
const SETS = [["vector", "Turned"], ["cut", "Cut"], ["pixel", "Pixel"]];

/** @type {[keyof Settings, string, [string, string][]][]} */
const SEGMENTS = [
  ["appearance", "Page", [["auto", "As the system"], ["light", "Light"], ["dark", "Dark"]]],
  ["coordinates", "Coordinates", [["inside", "Inside"], ["outside", "Outside"], ["none", "None"]]],
  ["arrangement", "Arrangement of a game", [["table", "Table"], ["window", "Window of 640 × 640"]]],
];

/** The dialogue, made when it is first wanted. */
function dialogue() {
  const form = make("form", { method: "dialog" }, make("h2", { id: "settings-title" }, "Settings"));
  const group = (/** @type {string} */ name, /** @type {HTMLElement} */ inside) => form.append(make("fieldset", { class: "setting-group" }, make("legend", { class: "label" }, name), inside));
  const [page, coordinates, arrangement] = SEGMENTS.map(([key, , options]) => make("div", { class: "segment" }, ...options.map(([value, text]) => make("label", {}, choice(key, value), text))));
  const languages = Object.entries(/** @type {{ languages: Record<string, string> }} */ (/** @type {unknown} */ (globalThis)).languages).map(([value, name]) => make("option", { value, lang: value, translate: "no", selected: current.language === value }, name));
  group("Language", make("select", { name: "language", "aria-label": "Language" }, make("option", { value: "auto" }, "As the browser"), ...languages));
  group("Page", page);
  group("Board", make("div", { class: "swatches" }, ...THEMES.map(([value, text]) => make("label", { class: "swatch", "data-theme": value }, choice("theme", value), sample(["rook", "knight"], "vector"), make("span", {}, text)))));
  group("Pieces", make("div", { class: "swatches" }, ...SETS.map(([value, text]) => make("label", { class: "swatch" }, choice("pieces", value), sample(["king", "knight"], value), make("span", {}, text)))));
  group("Coordinates", coordinates);
  group("Arrangement of a game", arrangement);
  const volume = make("input", { type: "range", name: "volume", min: "0", max: "100", step: "5", value: String(current.volume), "aria-label": "Volume" });
  group("Sound", make("div", { class: "volume" }, make("label", { class: "tick" }, make("input", { type: "checkbox", name: "sound", checked: current.sound }), "On"), volume));
  group("Reading", make("label", { class: "tick" }, make("input", { type: "checkbox", name: "text", checked: current.text }), "Board in words, for screen readers"));
  form.append(make("menu", {}, make("button", { class: "main" }, "Done")));
  form.addEventListener("change", (event) => {
    const input = /** @type {HTMLInputElement} */ (event.target);
    if (input.name === "language") return speak(/** @type {Settings["language"]} */ (input.value));
    change({ [input.name]: input.type === "checkbox" ? input.checked : input.type === "range" ? Number(input.value) : input.value });
  });
  const dialog = make("dialog", { id: "settings", "aria-labelledby": "settings-title" }, form);
  document.body.append(dialog);
  return dialog;
}

/** Another language begins with the page. @param {Settings["language"]} language */
function speak(language) {
  change({ language });
  location.reload();
}

/** @param {keyof Settings} key @param {string} value */
function choice(key, value) {
  return make("input", { type: "radio", name: key, value, checked: current[key] === value });
}

/** Two pieces on four squares. @param {import("../types.js").Role[]} roles @param {Settings["pieces"]} set */
function sample(roles, set) {
  const square = (/** @type {string} */ colour, /** @type {SVGElement[]} */ ...art) => make("i", { class: colour }, ...art);
  return make("span", { class: "sample", "aria-hidden": "true" },
    square("light", artOf(roles[0], "black", set)), square("dark"), square("dark"), square("light", artOf(roles[1], "white", set)));
}

/** @type {HTMLDialogElement | null} */
let opened = null;
document.getElementById("open-settings")?.addEventListener("click", () => (opened ??= dialogue()).showModal());
roomy.addEventListener("change", apply);
apply();
