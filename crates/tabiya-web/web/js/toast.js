/** A word in passing, perhaps with one thing to do about it. */

/** @type {HTMLElement | null} */
let shown = null;

/** @param {string} text @param {{ label: string, act: () => void }} [offer] */
export function toast(text, offer) {
  shown?.remove();
  const box = document.createElement("div");
  box.className = "toast";
  box.setAttribute("role", "status");
  box.append(text);
  if (offer) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = offer.label;
    button.addEventListener("click", () => {
      box.remove();
      offer.act();
    });
    box.append(button);
  }
  document.body.append(box);
  shown = box;
  setTimeout(() => box.remove(), offer ? 12_000 : 4000);
}
