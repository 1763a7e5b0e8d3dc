/**
 * The menu behind the three dots: made anew each time it is opened.
 *
 * @typedef {{ id: string, text: string, icon: string, act?: () => unknown, href?: string, off?: boolean } | null} Item null is a line between groups
 */
import { get, icon, make } from "./dom.js";

/** Lets every button with `data-menu` open the menu. @param {() => Item[]} items */
export function menu(items) {
  const box = get("menu");
  box.addEventListener("click", () => box.hidePopover());
  for (const opener of document.querySelectorAll("[data-menu]")) {
    opener.setAttribute("aria-haspopup", "menu");
    opener.addEventListener("click", () => {
      box.replaceChildren(...items().map(entry));
      box.showPopover();
      const at = opener.getBoundingClientRect(), size = box.getBoundingClientRect();
      box.style.left = `${Math.max(8, Math.min(innerWidth - size.width - 8, at.right - size.width))}px`;
      box.style.top = `${at.bottom + size.height + 8 > innerHeight ? Math.max(8, at.top - size.height - 4) : at.bottom + 4}px`;
      /** @type {HTMLElement | null} */ (box.querySelector("button:not([disabled]), a"))?.focus();
    });
  }
  box.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const all = /** @type {HTMLElement[]} */ ([...box.querySelectorAll("button:not([disabled]), a")]);
    const now = all.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    all[(now + step + all.length) % all.length]?.focus();
  });
}

/** @param {Item} item */
function entry(item) {
  if (!item) return make("hr");
  const inside = [icon(item.icon), item.text];
  if (item.href) return make("a", { id: item.id, href: item.href, download: true }, ...inside);
  const button = make("button", { type: "button", id: item.id, disabled: item.off }, ...inside);
  button.addEventListener("click", () => void item.act?.());
  return button;
}
