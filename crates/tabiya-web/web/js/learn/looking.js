/**
 * Whose games are looked through, and how far that is.
 *
 * @typedef {import("./api.js").Overview} Overview
 */
import { get, make } from "../dom.js";
import { toast } from "../toast.js";
import { set } from "./api.js";

/** So many names are offered: whoever is to learn has most games. */
const MOST = 5;

/** The names that are pressed, once somebody has pressed one. @type {Set<string> | null} */
let chosen = null;

/** @param {Overview} overview @param {(overview: Overview) => void} told */
export function showLooking(overview, told) {
  const tell = async (/** @type {Parameters<typeof set>[0]} */ learner) => {
    try {
      told(await set(learner));
    } catch (error) {
      toast(error instanceof Error ? error.message : "");
    }
  };
  const { at, left, learned, goes_on: goesOn } = overview;
  const button = make("button", { type: "button", class: goesOn ? "" : "main big", id: "look" }, goesOn ? "Stop" : left ? "Look through my games" : "Look through every game I play");
  button.addEventListener("click", () => void tell({ goes_on: !goesOn }));
  const words = left === 0 ? (learned ? "All your games were looked through." : "No game of yours is here yet.") : left === 1 ? "1 game waits to be looked through." : `${left} games wait to be looked through.`;
  const bar = make("progress", { "aria-label": "Games looked through", max: String(Math.max(1, learned + left)), value: String(learned) });
  const now = at ? [make("p", { class: "muted small" }, at.of ? `Position ${at.done} of ${at.of}` : "Begins", at.players ? " · " : "", make("span", { translate: "no" }, at.players ? at.players.join(" – ") : ""))] : [];
  const box = make("div", { class: "looking" }, make("h3", {}, goesOn && left ? "Looking through your games" : "Your games"), make("p", {}, `${learned} done. ${words}`), bar, ...now,
    make("p", { class: "muted small" }, "It goes on in the background, also when this page is closed; games that are played come first."), make("div", { class: "row" }, button));
  // The finger stays where it is.
  const held = document.activeElement?.id === "look";
  get("looking").replaceChildren(box);
  // Nothing can be looked through before it is known whose games they are.
  get("looking").hidden = isUnknown(overview);
  if (held) button.focus();
  showNames(overview, tell);
}

/** Whether there are games, but nobody has said yet who plays them. @param {Overview} overview */
const isUnknown = ({ names, offered, left, learned }) => names.length === 0 && offered.length > 0 && left + learned === 0;

/** @param {Overview} overview @param {(learner: Parameters<typeof set>[0]) => Promise<void>} tell */
function showNames(overview, tell) {
  const { names, offered } = overview;
  const isFirst = isUnknown(overview);
  // Who has most games, by far, is the guess; it has to be confirmed.
  const [first, second] = offered;
  const guess = !names.length && first && first.games >= 3 && first.games >= 2 * (second?.games ?? 0) ? [first.name] : [];
  const pressed = chosen ?? new Set([...names, ...guess]);
  const extra = names.filter((name) => !offered.some((one) => one.name === name)).map((name) => ({ name, games: 0 }));
  get("names-words").textContent = offered.length ? (guess.length && !chosen ? "We guess that this is you. If not, choose another name." : "Choose every name under which you play.") : "No games with names were imported yet.";
  const held = /** @type {HTMLElement | null} */ (document.activeElement)?.dataset?.name;
  const likely = offered.filter(({ name }, index) => index < MOST || pressed.has(name));
  get("names").replaceChildren(...[...extra, ...likely].map(({ name, games }) => {
    const chip = make("button", { type: "button", class: "chip", translate: "no", "data-name": name, "aria-pressed": String(pressed.has(name)) }, name, " ", make("small", {}, games ? String(games) : ""));
    chip.addEventListener("click", () => {
      chosen = pressed;
      if (!pressed.delete(name)) pressed.add(name);
      chip.setAttribute("aria-pressed", String(pressed.has(name)));
    });
    if (name === held) queueMicrotask(() => chip.focus());
    return chip;
  }));
  const keep = get("keep-names");
  keep.textContent = isFirst ? "Find my mistakes" : "Keep";
  keep.className = isFirst ? "main big" : "";
  const form = /** @type {HTMLFormElement} */ (get("names-form"));
  form.onsubmit = (event) => {
    event.preventDefault();
    const field = /** @type {HTMLInputElement} */ (get("name"));
    const all = [...pressed, ...(field.value.trim() ? [field.value.trim()] : [])];
    if (isFirst && all.length === 0) {
      toast("Choose your name first.");
      return;
    }
    field.value = "";
    chosen = null;
    void tell(isFirst ? { names: all, goes_on: true } : { names: all });
  };
}
