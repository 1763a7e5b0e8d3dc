/**
 * The language of the pages. They are written in English; another language is one file in /texts that names what every
 * English text is there. What a page shows is translated on its way to the eye, whoever wrote it: the page, a script, or
 * the server with a sentence of its own. What people wrote themselves is marked with `translate="no"`.
 *
 * This is the one script that runs before anything is drawn, so that no English is seen first. A language is a line in
 * LANGUAGES and its file; `untranslated`, in the browser's console, lists what the file still lacks.
 *
 * A text may have places for what changes: `"{name} offers a draw."`. What stands there is translated as well, where it
 * is known; `{by piece}` in a translation looks for "by knight" instead of "knight", for languages with cases.
 */
(() => {
  /** By what they call themselves. @type {Record<string, string>} */
  const LANGUAGES = { en: "English", de: "Deutsch", es: "Español" };
  const ATTRIBUTES = ["aria-label", "aria-valuetext", "title", "placeholder", "alt", "data-empty"];
  /** Moves and squares are the same everywhere. */
  const NOTATION = /(?<![\p{L}\d])(?:\d+(?:…|\.{1,3}) ?)?(?:[KQRBN]?[a-h]?[1-8]?x?[a-h][1-8](?:=[QRBN])?|O-O(?:-O)?|[a-h][1-8][a-h][1-8])[+#]?(?![\p{L}\d])/gu;

  /** @type {Map<string, string>} */
  const texts = new Map();
  /** Texts with places, those that say most first; where little is said, all that stands in the places must be known. @type {{ pattern: RegExp, names: string[], text: string, strict: boolean, part: string }[]} */
  const shapes = [];
  /** @type {Map<string, string | null>} */
  const found = new Map();
  /** What was put somewhere, so that it is not taken for news. @type {WeakMap<Node, Record<string, string>>} */
  const put = new WeakMap();
  /** @type {Set<string>} */
  const missing = new Set();

  const isWord = (/** @type {string} */ text) => /\p{L}{2}/u.test(text.replace(NOTATION, ""));

  /** Takes in a file of texts. @param {Record<string, string>} file */
  function learn(file) {
    for (const [english, text] of Object.entries(file)) {
      texts.set(english, text);
      if (!/\{\w+\}/.test(english)) continue;
      const names = [...english.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const between = english.split(/\{\w+\}/);
      const parts = between.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
      // Most texts are told apart by what they must have, before a pattern is tried.
      const part = between.reduce((longest, one) => (one.length > longest.length ? one : longest));
      const strict = parts.join("").replace(/\P{L}/gu, "").length < 6;
      // No place goes beyond a sentence or what is set apart.
      shapes.push({ pattern: new RegExp(`^${parts.join("((?:(?![.?!] | · ).)+?)")}$`, "u"), names, text, strict, part });
    }
    shapes.sort((a, b) => b.pattern.source.length - b.names.length * 30 - (a.pattern.source.length - a.names.length * 30));
  }

  /** What an English text is in the language, or null. @param {string} text @returns {string | null} */
  function look(text) {
    const known = found.get(text);
    if (known !== undefined) return known;
    found.set(text, null);
    if (found.size > 20_000) found.clear();
    const result = texts.get(text) ?? shaped(text) ?? pieced(text, " · ", false) ?? sentences(text) ?? ended(text) ?? begun(text)
      ?? pieced(text, ", ", true) ?? pieced(text, " – ", true) ?? pieced(text, " ", true);
    found.set(text, result);
    return result;
  }

  /** A text with places. @param {string} text */
  function shaped(text) {
    for (const { pattern, names, text: wanted, strict, part } of shapes) {
      const match = text.includes(part) ? pattern.exec(text) : null;
      if (!match || (strict && !match.slice(1).every((one) => !isWord(one) || look(one) !== null))) continue;
      const values = new Map(names.map((name, index) => [name, match[index + 1]]));
      return wanted.replace(/\{(?:([^{}]+) )?(\w+)\}/gu, (_, before, name) => {
        const value = values.get(name) ?? "";
        return (before ? look(`${before} ${value}`) : null) ?? look(value) ?? value;
      });
    }
    return null;
  }

  /** Pieces between separators: all of them must be known, or at least one. @param {string} text @param {string | RegExp} separator @param {boolean} all */
  function pieced(text, separator, all, joiner = String(separator)) {
    const pieces = text.split(separator);
    if (pieces.length < 2) return null;
    const done = pieces.map((piece) => (isWord(piece) ? look(piece) : piece));
    const enough = all ? done.every((one) => one !== null) && pieces.some(isWord) : pieces.some((piece, index) => isWord(piece) && done[index] !== null);
    return enough ? done.map((one, index) => one ?? pieces[index]).join(joiner) : null;
  }

  /** @param {string} text */
  const sentences = (text) => pieced(text, /(?<=[.!?:;]) /u, false, " ");

  /** The same without what ends it. @param {string} text */
  function ended(text) {
    const end = /[.:?!]$/.exec(text)?.[0];
    const rest = end ? look(text.slice(0, -1)) : null;
    return rest === null ? null : rest + end;
  }

  /** The same without the sign or the dash before it. @param {string} text */
  function begun(text) {
    const before = /^[^\p{L}\d]+ /u.exec(text)?.[0];
    const rest = before ? look(text.slice(before.length)) : null;
    return rest === null ? null : before + rest;
  }

  /** @param {string} text with whatever blanks around it */
  function translated(text) {
    const core = text.trim().replace(/\s+/g, " ");
    if (!isWord(core)) return text;
    const result = look(core);
    if (result === null) missing.add(core);
    return result === null ? text : text.slice(0, text.length - text.trimStart().length) + result + text.slice(text.trimEnd().length);
  }

  /** @param {Element | null} element */
  const isLeft = (element) => !element || element.closest("[translate=no], script, style, textarea") !== null;

  /** @param {Node} node @param {string} what "" for its text, or an attribute @param {string} now @param {(text: string) => void} set */
  function change(node, what, now, set) {
    const known = put.get(node) ?? {};
    if (known[what] === now) return;
    const result = translated(now);
    put.set(node, { ...known, [what]: result });
    if (result !== now) set(result);
  }

  /** @param {Text} node */
  function text(node) {
    if (!isLeft(node.parentElement)) change(node, "", node.data, (result) => (node.data = result));
  }

  /** @param {Element} element @param {string} name */
  function attribute(element, name) {
    const now = element.getAttribute(name);
    if (now !== null && !isLeft(element)) change(element, name, now, (result) => element.setAttribute(name, result));
  }

  /** @param {Node} root */
  function all(root) {
    if (root instanceof Text) return text(root);
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
    for (let node = /** @type {Node | null} */ (root); node; node = walker.nextNode()) {
      if (node instanceof Text) text(node);
      else if (node instanceof Element) for (const name of ATTRIBUTES) attribute(node, name);
    }
  }

  /** @param {string} language */
  function begin(language) {
    try {
      // Waited for, like the styles: what comes of the page meanwhile could not be shown, and asked for later it would come
      // after all modules.
      const request = new XMLHttpRequest();
      request.open("GET", `/texts/${language}.json`, false);
      request.send();
      learn(JSON.parse(request.responseText));
      new MutationObserver((changes) => {
        for (const { type, target, attributeName, addedNodes } of changes) {
          if (type === "characterData") text(/** @type {Text} */ (target));
          else if (type === "attributes") attribute(/** @type {Element} */ (target), attributeName ?? "");
          else addedNodes.forEach(all);
        }
      }).observe(document, { subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: ATTRIBUTES });
      all(document);
    } catch {
      // Better in English than not at all.
      document.documentElement.lang = "en";
    }
  }

  /** What is wished for in the settings, else what the browser prefers. */
  function wanted() {
    try {
      const { language } = JSON.parse(localStorage.getItem("tabiya.settings") ?? "{}");
      if (language in LANGUAGES) return language;
    } catch {
      // What cannot be read was never said.
    }
    return navigator.languages.map((one) => one.slice(0, 2).toLowerCase()).find((one) => one in LANGUAGES) ?? "en";
  }

  // Where a game comes, the panel of a new one is not shown before it. The page itself knows later.
  document.documentElement.classList.toggle("coming", /[?&]game=/.test(location.search));

  const language = wanted();
  document.documentElement.lang = language;
  Object.assign(globalThis, { languages: LANGUAGES, untranslated: missing });
  if (language !== "en") begin(language);
})();
