/**
 * The buttons under a game: those that make sense now.
 *
 * @typedef {object} Doer
 * @property {(request: string) => Promise<void>} request
 * @property {() => void} newGame
 * @property {() => void} flip
 * @property {(by: number) => Promise<void>} rematch
 * @property {() => Promise<void>} verdict
 * @property {boolean} plays
 * @property {(text: string, bad?: boolean) => void} say
 *
 * @typedef {{ id: string, text: string, act: () => unknown, off?: boolean, main?: boolean, danger?: boolean, pressed?: boolean }} Action
 * @typedef {import("./play.js").View} View
 */
export class Actions {
  #holder;
  #doer;
  /** So that a game is not resigned by a slip: asked twice. */
  #sure = false;
  #threats = false;
  #opinion = false;

  /** @param {HTMLElement} holder @param {Doer} doer */
  constructor(holder, doer) {
    this.#holder = holder;
    this.#doer = doer;
  }

  /** @param {View | null} view */
  show(view) {
    const focused = document.activeElement?.id;
    const actions = view ? (view.end ? this.#after(view) : this.#during(view)) : [this.#fresh(true)];
    this.#holder.replaceChildren(...actions.map((action) => this.#button(action)));
    if (focused && this.#holder.querySelector(`#${focused}`)) document.getElementById(focused)?.focus();
  }

  /** @param {boolean} main @returns {Action} */
  #fresh(main) {
    return { id: "act-new", text: "New game", act: () => this.#doer.newGame(), main };
  }

  /** @param {View} view @returns {Action[]} */
  #during(view) {
    const { plays } = this.#doer;
    const ask = (/** @type {string} */ request) => () => this.#doer.request(request);
    const { offered, claim } = view.draw;
    /** @type {Action} */
    let draw = { id: "act-draw", text: "Offer draw", act: ask("offer-draw"), off: !plays || offered !== null };
    if (offered) draw = { ...draw, text: "Accept draw", act: ask("accept-draw"), off: !plays };
    if (claim) draw = { ...draw, text: "Claim draw", act: ask("claim-draw"), off: !plays };
    /** @type {Action[]} */
    const actions = [
      { id: "act-back", text: "Take back", act: ask("take-back"), off: !plays || !view.take_backs || view.moves.length === 0 },
      { id: "act-hint", text: "Hint", act: ask("hint"), off: !plays || view.reach.length === 0 },
      { id: "act-flip", text: "Flip", act: () => this.#doer.flip() },
      draw,
      { id: "act-resign", text: this.#sure ? "Really?" : "Resign", act: () => this.#resign(view), off: !plays, danger: this.#sure },
      this.#fresh(false),
      { id: "act-threats", text: "Threats", act: () => this.#toggle("threats", view), off: !plays, pressed: this.#threats },
    ];
    if (view.kind === "chess") {
      const act = () => this.#toggle("opinion", view);
      actions.push({ id: "act-opinion", text: "Opinion", act, off: !plays, pressed: this.#opinion });
    } else actions.push({ id: "act-solve", text: "Solve", act: () => this.#doer.verdict() });
    return [...actions, this.#save(view)];
  }

  /** @param {View} view @returns {Action[]} */
  #after(view) {
    this.#sure = false;
    const again = (/** @type {number} */ by) => () => this.#doer.rematch(by);
    const levels = view.kind === "chess" && view.seats.some((seat) => /level/.test(seat.name));
    return [
      { id: "act-rematch", text: "Rematch", act: again(0), main: true },
      ...(levels
        ? [{ id: "act-weaker", text: "Level −100", act: again(-100) }, { id: "act-stronger", text: "Level +100", act: again(100) }]
        : []),
      this.#fresh(false),
      { id: "act-flip", text: "Flip", act: () => this.#doer.flip() },
      this.#save(view),
    ];
  }

  /** @param {View} view @returns {Action} */
  #save(view) {
    const act = () => location.assign(`/api/games/${view.id}/record`);
    return { id: "act-save", text: view.kind === "chess" ? "Save PGN" : "Save file", act };
  }

  /** @param {View} view */
  #resign(view) {
    if (this.#sure) {
      this.#sure = false;
      return this.#doer.request("resign");
    }
    this.#sure = true;
    this.show(view);
    setTimeout(() => {
      if (!this.#sure) return;
      this.#sure = false;
      const button = document.getElementById("act-resign");
      if (button) button.textContent = "Resign";
      button?.classList.remove("danger");
    }, 4000);
  }

  /** @param {"threats" | "opinion"} what @param {View} view */
  #toggle(what, view) {
    if (what === "threats") this.#threats = !this.#threats;
    else this.#opinion = !this.#opinion;
    this.show(view);
    return this.#doer.request(what);
  }

  /** @param {Action} action */
  #button({ id, text, act, off, main, danger, pressed }) {
    const button = document.createElement("button");
    button.type = "button";
    button.id = id;
    button.textContent = text;
    button.disabled = Boolean(off);
    button.classList.toggle("main", Boolean(main));
    button.classList.toggle("danger", Boolean(danger));
    if (pressed !== undefined) button.setAttribute("aria-pressed", String(pressed));
    button.addEventListener("click", () => void act());
    return button;
  }
}
