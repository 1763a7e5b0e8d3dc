/** Small things for making pages. */

/** The element of an id, which is there. @param {string} id */
export const get = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** How the page's language writes days and numbers. */
export const locale = document.documentElement.lang === "en" ? "en-GB" : document.documentElement.lang;

/**
 * A new element with attributes and what is in it. An attribute that is `false` or missing is left out.
 *
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, string | boolean | undefined>} [attributes]
 * @param {(Node | string)[]} inside
 */
export function make(tag, attributes = {}, ...inside) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(name, "");
    else if (value !== undefined && value !== false) element.setAttribute(name, value);
  }
  element.append(...inside);
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

/** One of our icons; words for readers stand on what it is in. @param {string} name */
export function icon(name) {
  const picture = document.createElementNS(SVG, "svg");
  picture.setAttribute("class", "i");
  picture.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `/icons.svg#${name}`);
  picture.append(use);
  return picture;
}
