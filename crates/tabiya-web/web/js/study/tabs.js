/** Moves, review, notes, explorer, chapters: one of them at a time. */
import { get } from "../dom.js";

/** @typedef {"moves" | "review" | "notes" | "explorer" | "chapters"} Tab */
/** @type {Tab[]} */
const TABS = ["moves", "review", "notes", "explorer", "chapters"];

export class Tabs {
  /** @type {Tab} */
  now = "moves";
  #changed;

  /** @param {() => void} changed */
  constructor(changed) {
    this.#changed = changed;
    for (const tab of TABS) get(`tab-${tab}`).addEventListener("click", () => this.open(tab));
    this.open("moves");
  }

  /** @param {Tab} tab */
  open(tab) {
    this.now = tab;
    get("table").dataset.tab = tab;
    for (const one of TABS) {
      get(`tab-${one}`).setAttribute("aria-selected", String(one === tab));
      get(`panel-${one}`).hidden = one !== tab;
    }
    this.#changed();
  }

  /** A small number beside the name; none if it is 0. @param {Tab} tab @param {number} count */
  count(tab, count) {
    const mark = get(`tab-${tab}`).querySelector("sup");
    if (mark) mark.textContent = count ? String(count) : "";
  }
}
