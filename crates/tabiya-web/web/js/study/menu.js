/**
 * What the menu of a study offers.
 *
 * @typedef {typeof import("./page.js").page} Page
 * @typedef {import("../menu.js").Item} Item
 */
import { get } from "../dom.js";
import { toast } from "../toast.js";
import { record } from "./api.js";
import { playFrom } from "./play.js";
import { help } from "./walk.js";

/** @param {Page} page @returns {Item[]} */
export function items(page) {
  const { id, node, ours, mainLine, outline } = page;
  if (id === null) return [];
  // Where the board has no room for its switches beside it.
  const threats = get("show-threats");
  const narrow = threats.offsetParent === null;
  const many = (page.book?.chapters.length ?? 1) > 1;
  const aside = !mainLine.includes(node);
  /** @type {Item[]} */
  const line = [
    { id: "act-promote", text: "Move this line up", icon: "raise", act: () => page.step({ step: "promote" }) },
    { id: "act-main", text: "Make it the main line", icon: "check", act: () => page.step({ step: "promote-to-main" }) },
  ];
  return [
    { id: "act-copy-pgn", text: many ? "Copy PGN of this chapter" : "Copy PGN", icon: "copy", act: () => page.copy(() => record(id), "The PGN is copied.") },
    { id: "act-copy-fen", text: "Copy FEN", icon: "copy", act: () => page.copy(() => page.fen(), "The FEN is copied.") },
    { id: "act-pgn", text: many ? "Save PGN of this chapter" : "Save PGN", icon: "download", href: `/api/studies/${id}/record` },
    ...(many ? [{ id: "act-pgn-all", text: "Save PGN of all chapters", icon: "download", href: `/api/studies/${id}/record?all=true` }] : []),
    null,
    ...(ours && aside ? line : []),
    ...(ours ? [{ id: "act-delete", text: "Delete from here on", icon: "close", act: () => page.remove(), off: (outline?.nodes.length ?? 1) < 2 }, null] : []),
    ...(narrow ? [{ id: "act-threats", text: threats.ariaPressed === "true" ? "Hide threats" : "Show threats", icon: "threat", act: () => threats.click() }] : []),
    { id: "act-editor", text: "Set up a position", icon: "board", act: () => page.ask("editor") },
    { id: "act-play", text: "Play from here", icon: "play", act: async () => playFrom(await page.fen()) },
    null,
    ...(ours ? [{ id: "act-rename", text: "Rename", icon: "pencil", act: () => page.ask("rename") }] : []),
    ...(ours ? [{ id: "act-chapter", text: "New chapter", icon: "plus", act: () => page.ask("chapter") }] : []),
    { id: "act-new", text: "New study", icon: "plus", act: () => page.ask("new") },
    { id: "act-shelf", text: "All studies", icon: "study", act: () => location.assign("/study") },
    { id: "act-keys", text: "Keys", icon: "keys", act: help },
    ...(ours ? [null, { id: "act-remove", text: "Delete the study", icon: "bin", act: () => page.discard() }] : []),
  ];
}

/** @param {() => Promise<string>} text @param {string} said */
export async function copy(text, said) {
  const words = await text();
  try {
    await navigator.clipboard.writeText(words);
    toast(said);
  } catch {
    toast("The browser does not let the page copy: use Save PGN.");
  }
}
