/**
 * The library of games: search, sort, open, select, import, the bin.
 *
 * @typedef {import("./games/words.js").Summary} Summary
 */
import { ask } from "./api.js";
import { get, icon, make } from "./dom.js";
import { dispose, save } from "./games/bin.js";
import { show } from "./games/preview.js";
import { receive } from "./games/import.js";
import { address, day, figure, games, left, length, look, opening, person, result } from "./games/words.js";
import "./settings.js";
import { toast } from "./toast.js";

const PAGE = 50;
/** What is sorted from the most on, if nothing else is said. */
const FALLING = ["date", "white-elo", "black-elo", "plies", "deleted"];

const form = /** @type {HTMLFormElement} */ (get("search"));
const rows = get("rows");
const all = /** @type {HTMLInputElement} */ (get("select-all"));
const confirm = /** @type {HTMLDialogElement} */ (get("confirm"));
/** How the list is sorted, and whether it is that of the bin. */
const view = { sort: "date", order: "descending", bin: false };
/** The games of the list, by their numbers. @type {Map<number, Summary>} */
const listed = new Map();
/** @type {Set<number>} */
const selected = new Set();
/** Where a selection of several begins. @type {HTMLElement | null} */
let anchor = null;
let asked = 0;
/** Where the list goes on, if it does. @type {string | null} */
let next = null;

/** @param {unknown} error */
const complain = (error) => toast(error instanceof Error ? error.message : String(error));

/** What the list is asked for. */
function wanted() {
  const query = new URLSearchParams();
  for (const [key, value] of new FormData(form)) if (value) query.set(key, String(value));
  if (view.bin) query.set("bin", "true");
  return query;
}

/** Whether anything but the whole list is asked for. */
function isNarrowed() {
  const query = wanted();
  query.delete("bin");
  return [...query].length > 0;
}

/** Shows the games that are asked for, or more of them. @param {boolean} [more] */
async function refresh(more = false) {
  const ticket = ++asked;
  const query = wanted();
  if (!more) void count(ticket, query.toString());
  query.set("sort", view.sort);
  query.set("order", view.order);
  if (!more) remember(query);
  query.set("limit", String(PAGE));
  let place = more ? next : null;
  /** @type {Summary[]} */
  const found = [];
  try {
    // Where little is found, the server looks at a part of its games at a time.
    do {
      if (place) query.set("after", place);
      const page = await ask("GET", `/games?${query}`);
      if (ticket !== asked) return;
      found.push(...page.games);
      place = page.next;
    } while (place && found.length < PAGE);
  } catch (error) {
    complain(error);
    return;
  }
  next = place;
  if (!more) {
    listed.clear();
    selected.clear();
    anchor = null;
    rows.replaceChildren();
  }
  const made = found.map((game) => {
    listed.set(game.id, game);
    return row(game);
  });
  rows.append(...made);
  get("more").hidden = !next;
  empty();
  headings();
  select();
  if (more) focusOn(made[0]);
  else hold(made[0] ?? null);
}

/** The list can be gone back to, and shown to others. @param {URLSearchParams} query */
function remember(query) {
  const kept = new URLSearchParams(query);
  if (view.sort === (view.bin ? "deleted" : "date") && view.order === "descending") for (const name of ["sort", "order"]) kept.delete(name);
  history.replaceState(null, "", kept.size ? `/games?${kept}` : "/games");
}

/** @param {number} ticket @param {string} query */
async function count(ticket, query) {
  try {
    const [here, mine, imported, bin] = await Promise.all([query, "source=mine", "source=imported", "bin=true"].map((one) => ask("GET", `/games/count?${one}`)));
    if (ticket !== asked) return;
    get("count").textContent = games(here.games, here.more);
    get("count-mine").textContent = figure(mine.games);
    get("count-imported").textContent = figure(imported.games);
    get("count-bin").textContent = bin.games ? figure(bin.games) : "";
    get("pending").hidden = !here.uncatalogued;
    get("pending").textContent = `${games(here.uncatalogued)} of an older version are still being sorted in.`;
    if (here.uncatalogued) setTimeout(() => ticket === asked && void count(ticket, query), 2000);
  } catch (error) {
    complain(error);
  }
}

/** Nothing found is not the same as nothing there. */
function empty() {
  const none = rows.children.length === 0;
  get("none").hidden = !(none && isNarrowed());
  get("bin-empty").hidden = !(none && !isNarrowed() && view.bin);
  get("empty").hidden = !(none && !isNarrowed() && !view.bin);
  get("list").hidden = none;
}

/** What a column is sorted by, and which way. */
function headings() {
  get("library").classList.toggle("bin", view.bin);
  get("heading").textContent = view.bin ? "Bin" : "Games";
  get("show-bin").hidden = view.bin;
  get("leave-bin").hidden = !view.bin;
  get("bin-note").hidden = !view.bin;
  for (const button of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-sort]"))) {
    const on = button.dataset.sort === view.sort;
    button.classList.toggle("on", on);
    button.classList.toggle("rising", on && view.order === "ascending");
  }
  for (const head of document.querySelectorAll("#list th")) {
    if (head.querySelector(".on")) head.setAttribute("aria-sort", view.order);
    else head.removeAttribute("aria-sort");
  }
  /** @type {HTMLSelectElement} */ (get("sort")).value = view.sort;
  const set = ["result", "game", "since", "until"].filter((name) => new FormData(form).get(name)).length;
  get("filters-set").textContent = set ? String(set) : "";
  get("filters").classList.toggle("set", set > 0);
}

/** @param {Summary} game */
function row(game) {
  const tick = make("input", { type: "checkbox", "aria-label": `Select: ${game.white} and ${game.black}`, tabindex: "-1" });
  const [white, black] = [person(game.white), person(game.black)];
  const names = make(game.deleted ? "span" : "a", { class: "name", ...(game.deleted ? {} : { href: address(game), tabindex: "-1" }) }, white, make("span", { class: "both" }, ` – ${black}`));
  const elo = (/** @type {number | null} */ rating) => (rating ? [make("span", { class: "elo" }, String(rating))] : []);
  const line = make("tr", { "data-id": String(game.id) },
    make("td", { class: "pick" }, make("label", {}, tick)),
    make("td", { class: "date" }, day(game.date)),
    make("td", { class: "white" }, make("div", {}, names, ...elo(game.white_elo))),
    make("td", { class: "black" }, make("div", {}, make("b", { class: "name" }, black), ...elo(game.black_elo))),
    make("td", { class: "result" }, make("span", { class: `score ${look(game)}`.trim(), title: game.end ?? undefined }, result(game))),
    make("td", { class: "event" }, game.deleted ? left(game) : (game.event ?? "")),
    make("td", { class: "opening" }, ...(game.eco ? [make("span", { class: "eco" }, game.eco)] : []), ` ${game.opening ?? ""}`, make("span", { class: "both" }, opening(game) ? ` · ${length(game)}` : length(game))),
    make("td", { class: "plies r" }, String(Math.ceil(game.plies / 2))));
  return line;
}

/** @param {Element | null | undefined} line */
const gameOf = (line) => listed.get(Number(/** @type {HTMLElement | null | undefined} */ (line)?.dataset.id));

/** Takes a game in hand: it is shown beside the list, and the keyboard is at it. @param {Element | null} line */
function hold(line) {
  for (const other of rows.querySelectorAll(".in-hand")) {
    other.classList.remove("in-hand");
    for (const stop of other.querySelectorAll("[tabindex]")) stop.setAttribute("tabindex", "-1");
  }
  line?.classList.add("in-hand");
  for (const stop of line?.querySelectorAll("[tabindex]") ?? []) stop.setAttribute("tabindex", "0");
  void show(gameOf(line) ?? null, view.bin, (action, { id }) => {
    const done = /** @type {HTMLElement | null} */ (line)?.dataset.done;
    if (!done) void act(action, [id]);
    // What has just been done can be undone here; a second click does it no second time.
    else if (done !== action) void take(action, [id]);
  });
}

/** @param {Element | null | undefined} line */
function focusOn(line) {
  if (!line) return;
  hold(line);
  /** @type {HTMLElement | null} */ (line.querySelector("a, button, input"))?.focus();
}

/** Shows what is selected. */
function select() {
  const lines = [...rows.querySelectorAll("tr:not(.gone)")];
  for (const line of lines) {
    const on = selected.has(Number(/** @type {HTMLElement} */ (line).dataset.id));
    line.classList.toggle("picked", on);
    const tick = line.querySelector("input");
    if (tick) tick.checked = on;
  }
  all.checked = lines.length > 0 && selected.size === lines.length;
  all.indeterminate = selected.size > 0 && !all.checked;
  get("selection").hidden = selected.size === 0;
  get("sources").hidden = selected.size > 0;
  get("selected").textContent = `${figure(selected.size)} selected`;
  for (const button of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("#selection [data-in]"))) button.hidden = (button.dataset.in === "bin") !== view.bin;
}

/** Selects a row, or all from the last one to it. @param {HTMLElement} line @param {boolean} several */
function pick(line, several) {
  const lines = /** @type {HTMLElement[]} */ ([...rows.querySelectorAll("tr:not(.gone)")]);
  const on = !selected.has(Number(line.dataset.id));
  const from = several && anchor ? lines.indexOf(anchor) : -1;
  const here = lines.indexOf(line);
  const some = from < 0 ? [line] : lines.slice(Math.min(from, here), Math.max(from, here) + 1);
  for (const { dataset } of some) {
    if (on || from >= 0) selected.add(Number(dataset.id));
    else selected.delete(Number(dataset.id));
  }
  anchor = line;
  select();
}

/** Does something with games, and shows the list anew. @param {"delete" | "restore" | "forget"} action @param {number[]} ids */
async function take(action, ids) {
  await dispose(action, ids).catch(complain);
  await refresh();
}

/**
 * Does something with games. Their rows stay where they are, so that a second click meets nothing else.
 *
 * @param {"delete" | "restore" | "forget"} action @param {number[]} ids
 */
async function act(action, ids) {
  const lines = /** @type {HTMLElement[]} */ (ids.map((id) => rows.querySelector(`tr[data-id="${id}"]:not(.gone)`)).filter(Boolean));
  if (!lines.length || (action === "forget" && !(await sure(ids.length)))) return;
  const mark = (/** @type {boolean} */ on) => {
    for (const line of lines) {
      line.classList.toggle("gone", on);
      line.dataset.done = on ? action : "";
    }
  };
  mark(true);
  try {
    await dispose(action, ids);
  } catch (error) {
    mark(false);
    complain(error);
    return;
  }
  const words = {
    delete: [ids.length === 1 ? "The game is in the bin." : `${games(ids.length)} are in the bin.`, "Deleted"],
    restore: [ids.length === 1 ? "The game is back." : `${games(ids.length)} are back.`, "Restored"],
    forget: [ids.length === 1 ? "The game is deleted for ever." : `${games(ids.length)} are deleted for ever.`, "Deleted for ever"],
  }[action];
  const undo = { delete: /** @type {const} */ ("restore"), restore: /** @type {const} */ ("delete"), forget: null }[action];
  for (const line of lines) {
    const game = gameOf(line);
    if (!game) continue;
    const button = make("button", { type: "button", class: "quiet compact" }, icon("restore"), action === "delete" ? "Restore" : "Undo");
    button.addEventListener("click", () => undo && void take(undo, [game.id]));
    line.replaceChildren(make("td", { colspan: "8" }, make("div", {}, make("span", {}, `${words[1]}: ${person(game.white)} – ${person(game.black)}`), ...(undo ? [button] : []))));
    selected.delete(game.id);
    game.deleted = action === "delete" ? Date.now() : null;
    if (action === "forget") listed.delete(game.id);
  }
  toast(words[0], undo ? { label: "Undo", act: () => void take(undo, ids) } : undefined);
  hold(rows.querySelector(".in-hand"));
  // The buttons that were pressed stay for a moment, so that a second click meets nothing else.
  setTimeout(select, 600);
  void count(asked, wanted().toString());
}

/** Asks before something is gone for good. @param {number} count @returns {Promise<boolean>} */
function sure(count) {
  get("confirm-text").textContent = count === 1 ? "This game cannot be had back then." : `These ${games(count)} cannot be had back then.`;
  confirm.returnValue = "";
  confirm.showModal();
  return new Promise((resolve) => confirm.addEventListener("close", () => resolve(confirm.returnValue === "yes"), { once: true }));
}

rows.addEventListener("click", (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  const line = /** @type {HTMLElement | null} */ (target.closest("tr"));
  const game = gameOf(line);
  if (!line || !game || line.classList.contains("gone") || target.closest("button")) return;
  const several = event.shiftKey;
  const selecting = get("library").classList.contains("selecting");
  if (target.closest("a")) {
    // On a phone the name is most of the row.
    if (!selecting) return;
    event.preventDefault();
  }
  if (target.closest(".pick") || selecting || game.deleted) {
    // A label is pressed, and then its box: once is enough.
    if (target.closest("label") && !(target instanceof HTMLInputElement)) return;
    pick(line, several);
    hold(line);
  } else if (event.ctrlKey || event.metaKey || several) {
    pick(line, several);
  } else {
    location.assign(address(game));
  }
});
rows.addEventListener("mousedown", (event) => event.shiftKey && event.preventDefault());

/** The game under the pointer is the one in hand, once it rests there. @type {number | undefined} */
let resting;
rows.addEventListener("pointerover", (event) => {
  if (event.pointerType !== "mouse") return;
  clearTimeout(resting);
  const line = /** @type {HTMLElement} */ (event.target).closest("tr");
  if (line && !line.classList.contains("in-hand") && !line.classList.contains("gone")) resting = window.setTimeout(() => line.isConnected && hold(line), 120);
});
rows.addEventListener("pointerleave", () => clearTimeout(resting));
rows.addEventListener("focusin", (event) => hold(/** @type {HTMLElement} */ (event.target).closest("tr")));

rows.addEventListener("keydown", (event) => {
  const line = /** @type {HTMLElement | null} */ (/** @type {HTMLElement} */ (event.target).closest("tr"));
  const game = gameOf(line);
  if (!line) return;
  const lines = [...rows.children];
  const here = lines.indexOf(line);
  const to = { ArrowDown: here + 1, ArrowUp: here - 1, Home: 0, End: lines.length - 1 }[event.key];
  if (to !== undefined) {
    event.preventDefault();
    focusOn(lines[Math.max(0, Math.min(lines.length - 1, to))]);
  } else if (game && !line.classList.contains("gone")) {
    if (event.key === " " && !(event.target instanceof HTMLInputElement && event.target.type !== "checkbox")) {
      event.preventDefault();
      pick(line, event.shiftKey);
    } else if (event.key === "Delete") {
      void act(view.bin ? "forget" : "delete", selected.size ? [...selected] : [game.id]);
    } else if (event.key === "Enter" && !game.deleted && !(event.target instanceof HTMLAnchorElement)) {
      location.assign(address(game));
    }
  }
});

all.addEventListener("change", () => {
  selected.clear();
  if (all.checked) for (const line of rows.querySelectorAll("tr:not(.gone)")) selected.add(Number(/** @type {HTMLElement} */ (line).dataset.id));
  select();
});
get("selection").addEventListener("click", async (event) => {
  const button = /** @type {HTMLElement} */ (event.target).closest("button");
  const ids = [...listed.keys()].filter((id) => selected.has(id));
  const action = button?.dataset.act;
  if (action === "delete" || action === "restore" || action === "forget") void act(action, ids);
  else if (action === "export") await save(ids).catch(complain);
  else if (action === "none") {
    selected.clear();
    get("library").classList.remove("selecting");
    select();
  }
});
get("select-some").addEventListener("click", () => get("library").classList.toggle("selecting"));

/** @param {string} sort */
function sortBy(sort) {
  const same = view.sort === sort;
  const falling = same ? view.order === "ascending" : FALLING.includes(sort);
  view.sort = sort;
  view.order = falling ? "descending" : "ascending";
  void refresh();
}
for (const button of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-sort]"))) button.addEventListener("click", () => sortBy(button.dataset.sort ?? "date"));
get("sort").addEventListener("change", (event) => {
  event.stopPropagation();
  sortBy(/** @type {HTMLSelectElement} */ (event.target).value);
});

/** @type {number | undefined} */
let typing;
form.addEventListener("input", (event) => {
  if (/** @type {HTMLElement} */ (event.target).id === "sort") return;
  clearTimeout(typing);
  typing = window.setTimeout(() => void refresh(), /** @type {HTMLElement} */ (event.target).matches("[type=search]") ? 120 : 0);
});
form.addEventListener("submit", (event) => event.preventDefault());
get("clear").addEventListener("click", () => {
  form.reset();
  void refresh();
});
get("more").addEventListener("click", () => void refresh(true));

/** @param {boolean} bin */
async function turn(bin) {
  view.bin = bin;
  view.sort = bin ? "deleted" : "date";
  view.order = "descending";
  form.reset();
  await refresh();
  get(bin ? "leave-bin" : "show-bin").focus({ preventScroll: true });
}
get("show-bin").addEventListener("click", () => void turn(true));
get("leave-bin").addEventListener("click", () => void turn(false));
document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || /** @type {HTMLElement} */ (event.target).closest("input:not([type=checkbox]), select, dialog")) return;
  event.preventDefault();
  /** @type {HTMLElement} */ (form.querySelector("[name=search]")).focus();
});
form.querySelector("[name=search]")?.addEventListener("keydown", (event) => {
  if (/** @type {KeyboardEvent} */ (event).key !== "ArrowDown") return;
  event.preventDefault();
  focusOn(rows.querySelector("tr"));
});
receive(() => void refresh());

for (const [name, value] of new URLSearchParams(location.search)) {
  const field = /** @type {RadioNodeList | HTMLInputElement | null} */ (form.elements.namedItem(name));
  if (name === "bin") view.bin = true;
  else if (name === "sort" || name === "order") view[name] = value;
  else if (field) field.value = value;
}
void refresh();
