/**
 * The ladder as people see it: the steps, what is done of each, and how far the tables are.
 *
 * @typedef {import("./api.js").Ladder} Ladder
 * @typedef {import("./api.js").Rung} Rung
 * @typedef {import("./api.js").Ending} Ending
 * @typedef {import("./api.js").Making} Making
 */
import { get, icon, locale, make } from "../dom.js";

/** @type {Record<Ending["standing"], string>} */
const WORDS = { new: "not tried yet", begun: "not done yet", done: "done", due: "comes back today" };
/** @type {Record<Ending["standing"], string | null>} */
const ICONS = { new: null, begun: null, done: "check", due: "clock" };

/** What is to be done, in a sentence. @param {Ending} ending */
export function task({ task: what, solver }) {
  if (what === "win") return solver === "white" ? "White to move and win" : "Black to move and win";
  return solver === "white" ? "White to move and draw" : "Black to move and draw";
}

/** @param {Ladder} ladder @param {(id: string) => void} open */
export function show({ rungs, next }, open) {
  get("ladder").replaceChildren(...rungs.map((rung, index) => step(rung, index, next, open)));
}

/** @param {Rung} rung @param {number} index @param {string | null} next @param {(id: string) => void} open */
function step({ title, endings }, index, next, open) {
  const done = endings.filter(({ standing }) => standing === "done" || standing === "due").length;
  const places = endings.map((ending, place) => {
    const { id, standing } = ending;
    const name = ICONS[standing];
    const one = make("button", { type: "button", class: standing, "data-id": id, "aria-label": `${title} · ${place + 1} · ${task(ending)} · ${WORDS[standing]}`, title: `${task(ending)} · ${WORDS[standing]}` }, name ? icon(name) : String(place + 1));
    if (id === next) one.setAttribute("aria-current", "true");
    one.addEventListener("click", () => open(id));
    return make("li", {}, one);
  });
  return make("li", { class: done === endings.length ? "all" : "" },
    make("span", { class: "at", "aria-hidden": "true" }, String(index + 1)),
    make("span", { class: "what" }, make("b", {}, title), make("small", {}, `${done} of ${endings.length}`)),
    make("ol", { class: "places" }, ...places));
}

/** When something comes back, in words. @param {number} due */
export function back(due) {
  const days = Math.round((due - Date.now()) / 86_400_000);
  if (days < 1) return "It comes back today.";
  if (days === 1) return "It comes back tomorrow.";
  return days < 60 ? `It comes back in ${days} days.` : `It comes back on ${new Date(due).toLocaleDateString(locale, { day: "numeric", month: "long", year: "numeric" })}.`;
}

/** Who plays the other side, and how far the tables are. @param {Ending} ending @param {Making} making @param {boolean} mayMake @param {() => void} begin */
export function showKnown({ known, men, material }, making, mayMake, begin) {
  const box = get("known");
  if (known === "tables") return box.replaceChildren(make("p", { class: "small muted" }, "Tables know every position of this ending: the other side plays perfectly."));
  if (men > 4) return box.replaceChildren(make("p", { class: "small muted" }, "No table of five men is here: the engine plays the other side and judges."));
  const words = make("p", { class: "small muted" }, "The tables of this ending are not there yet: until they are, the engine stands in.");
  if (making.running) {
    const { done, of, now } = making;
    const part = now && now.of > 0 ? now.done / now.of : 0;
    const bar = make("progress", { max: String(Math.max(of, 1)), value: (done + part).toFixed(2), "aria-label": "Tables being made" });
    const which = now ? `Making ${now.ending}: ${done} of ${of} tables are done.` : `${done} of ${of} tables are done.`;
    return box.replaceChildren(words, bar, make("p", { class: "small muted num" }, which));
  }
  if (making.failed) words.textContent = making.failed;
  box.replaceChildren(words);
  if (!mayMake) return;
  const button = make("button", { type: "button", id: "make-tables", title: `Tables of ${material} and the others of four men` }, "Make the tables (64 MB, some minutes)");
  button.addEventListener("click", begin);
  box.append(button);
}
