/**
 * What this browser likes: looks, sounds, words. Kept here, told to nobody.
 *
 * @typedef {object} Settings
 * @property {"auto" | "light" | "dark"} appearance
 * @property {string} theme one of THEMES
 * @property {"vector" | "pixel"} pieces
 * @property {"inside" | "outside" | "none"} coordinates
 * @property {boolean} sound
 * @property {boolean} text
 */

const KEY = "tabiya.settings";

/** @type {Settings} */
const DEFAULTS = { appearance: "auto", theme: "walnut", pieces: "vector", coordinates: "inside", sound: true, text: false };

/** @type {Settings} */
let current = { ...DEFAULTS };
try {
  current = { ...DEFAULTS, ...JSON.parse(localStorage.getItem(KEY) ?? "{}") };
} catch {
  // What cannot be read is as if it had never been said.
}

export function settings() {
  return current;
}

/** Puts the settings to work on the page. */
function apply() {
  const root = document.documentElement;
  root.dataset.theme = current.theme;
  root.dataset.pieces = current.pieces;
  root.dataset.appearance = current.appearance;
  for (const board of document.querySelectorAll("tabiya-board")) {
    board.setAttribute("pieces", current.pieces);
    board.setAttribute("coordinates", current.coordinates);
    board.toggleAttribute("text", current.text);
  }
  document.dispatchEvent(new CustomEvent("settings"));
}

/** @param {Partial<Settings>} changes */
function change(changes) {
  current = { ...current, ...changes };
  localStorage.setItem(KEY, JSON.stringify(current));
  apply();
}

/** The boards: a block of colours in board.css, and what it is called. @type {[string, string][]} */
const THEMES = [["walnut", "Walnut"], ["slate", "Slate"], ["paper", "Paper"], ["pixel", "Pixel"]];

/** @type {[keyof Settings, string, [string, string][]][]} */
const CHOICES = [
  ["appearance", "Page", [["auto", "As the system"], ["light", "Light"], ["dark", "Dark"]]],
  ["theme", "Board", THEMES],
  ["pieces", "Pieces", [["vector", "Drawn"], ["pixel", "Pixel"]]],
  ["coordinates", "Coordinates", [["inside", "Inside"], ["outside", "Outside"], ["none", "None"]]],
];

/** @type {["sound" | "text", string][]} */
const TICKS = [["sound", "Sounds"], ["text", "Board in words, for screen readers"]];

/** The dialogue, made when it is first wanted. */
function dialogue() {
  const dialog = document.createElement("dialog");
  dialog.id = "settings";
  dialog.setAttribute("aria-labelledby", "settings-title");
  const form = document.createElement("form");
  form.method = "dialog";
  const title = document.createElement("h2");
  title.id = "settings-title";
  title.textContent = "Settings";
  form.append(title);
  for (const [key, legend, options] of CHOICES) {
    const set = document.createElement("fieldset");
    set.className = "choice";
    const name = document.createElement("legend");
    name.textContent = legend;
    set.append(name, ...options.map(([value, text]) => option("radio", key, value, text)));
    form.append(set);
  }
  for (const [key, text] of TICKS) form.append(option("checkbox", key, "on", text));
  const menu = document.createElement("menu");
  const done = document.createElement("button");
  done.className = "main";
  done.textContent = "Done";
  menu.append(done);
  form.append(menu);
  form.addEventListener("change", (event) => {
    const input = /** @type {HTMLInputElement} */ (event.target);
    change({ [input.name]: input.type === "checkbox" ? input.checked : input.value });
  });
  dialog.append(form);
  document.body.append(dialog);
  return dialog;
}

/** @param {"radio" | "checkbox"} type @param {keyof Settings} key @param {string} value @param {string} text */
function option(type, key, value, text) {
  const label = document.createElement("label");
  if (type === "checkbox") label.className = "tick";
  const input = document.createElement("input");
  input.type = type;
  input.name = key;
  input.value = value;
  input.checked = type === "checkbox" ? Boolean(current[key]) : current[key] === value;
  label.append(input, text);
  return label;
}

/** @type {HTMLDialogElement | null} */
let opened = null;
document.getElementById("open-settings")?.addEventListener("click", () => (opened ??= dialogue()).showModal());
apply();
