/**
 * The books, and what is made into one: a study, a text, games.
 *
 * @typedef {import("./api.js").Book} Book
 * @typedef {import("./api.js").Side} Side
 */
import { ask } from "../api.js";
import { get, make } from "../dom.js";
import { figures } from "../figures.js";
import { begin } from "../study/api.js";
import { toast } from "../toast.js";
import * as api from "./api.js";

const field = (/** @type {string} */ id) => /** @type {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} */ (get(id));

/** @param {Book[]} books @param {{ drill: (book: Book) => void, holes: (book: Book) => void, changed: () => void }} acts */
export function show(books, acts) {
  get("books").replaceChildren(...books.map((book) => row(book, acts)));
}

/** @param {Book} book @param {Parameters<typeof show>[1]} acts */
function row(book, { drill, holes, changed }) {
  const { title, color, cards, known, due } = book;
  const act = (/** @type {string} */ text, /** @type {() => void} */ work) => {
    const button = make("button", { type: "button" }, text);
    button.addEventListener("click", work);
    return button;
  };
  const part = (/** @type {string} */ name, /** @type {number} */ count) => {
    const one = make("i", { class: name });
    one.style.flex = String(count);
    return one;
  };
  const fresh = cards - known - due;
  const words = [`${known} of ${cards} known`, ...(due ? [`${due} due`] : [])].join(" · ");
  return make("li", {},
    make("span", { class: "what" }, make("span", { class: `face ${color}`, "aria-hidden": "true" }, ...figures(color === "white" ? "K" : "k")), make("b", { translate: "no" }, title), make("small", {}, words)),
    make("span", { class: "meter", "aria-hidden": "true" }, part("known", known), part("due", due), part("new", fresh)),
    make("span", { class: "acts" },
      act("Drill", () => drill(book)),
      act("What is missing", () => holes(book)),
      make("a", { class: "button", href: `/study?study=${book.study}` }, "Open book"),
      act("Remove", () => void remove(book, changed))));
}

/** @param {Book} book @param {() => void} changed */
async function remove(book, changed) {
  try {
    await api.remove(book);
    changed();
    toast("The book is removed; its study stays.", { label: "Undo", act: () => void api.add(book.study, book.color).then(changed) });
  } catch (error) {
    toast(error instanceof Error ? error.message : "");
  }
}

/** The form. @param {string[]} databases @param {() => void} changed */
export function prepare(databases, changed) {
  const source = /** @type {HTMLSelectElement} */ (get("source"));
  for (const name of databases.filter((one) => one !== "mine")) source.append(make("option", { value: `database:${name}` }, `The database ${name}`));
  const adapt = () => {
    const kind = source.value;
    const games = kind === "mine" || kind.startsWith("database:");
    get("field-study").hidden = kind !== "study";
    get("field-pgn").hidden = kind !== "pgn";
    get("field-moves").hidden = get("field-player").hidden = !games;
    get("field-title").hidden = kind === "study";
  };
  source.addEventListener("change", adapt);
  adapt();
  get("add").addEventListener("toggle", () => void studies());
  get("add-form").addEventListener("submit", (event) => {
    event.preventDefault();
    void add(source.value, changed);
  });
}

/** The studies to choose from. */
async function studies() {
  const list = /** @type {HTMLSelectElement} */ (get("study"));
  if (list.options.length) return;
  try {
    const { studies: all } = await ask("GET", "/studies");
    list.replaceChildren(...all.map((/** @type {{ id: number, title: string }} */ { id, title }) => make("option", { value: String(id), translate: "no" }, title || `${id}`)));
  } catch (error) {
    toast(error instanceof Error ? error.message : "");
  }
}

/** @param {string} source @param {() => void} changed */
async function add(source, changed) {
  const color = /** @type {Side} */ (/** @type {HTMLInputElement} */ (document.querySelector("[name='color']:checked")).value);
  const submit = /** @type {HTMLButtonElement} */ (get("add-book"));
  submit.disabled = true;
  try {
    let study = Number(field("study").value);
    if (source !== "study") {
      const database = source.startsWith("database:") ? source.slice("database:".length) : "mine";
      const pgn = source === "pgn" ? field("pgn").value : (await api.composed({ database, color, moves: field("moves").value, player: field("player").value })).pgn;
      const title = field("title").value.trim() || (color === "white" ? "My openings with White" : "My openings with Black");
      study = (await begin({ pgn, title })).book.id;
    }
    const book = await api.add(study, color);
    toast(book.cards === 1 ? "One position to know." : `${book.cards} positions to know.`);
    /** @type {HTMLDetailsElement} */ (get("add")).open = false;
    /** @type {HTMLSelectElement} */ (get("study")).replaceChildren();
    changed();
  } catch (error) {
    toast(error instanceof Error ? error.message : "");
  } finally {
    submit.disabled = false;
  }
}
