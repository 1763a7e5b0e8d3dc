/**
 * The buttons under a game: those that make sense now.
 *
 * @typedef {object} Doer
 * @property {(request: string) => Promise<void>} request
 * @property {() => void} newGame
 * @property {() => void} flip
 * @property {{ threats: boolean, evaluation: boolean }} shows what this page points out
 * @property {(what: "threats" | "evaluation") => void} toggle
 * @property {(by: number) => Promise<void>} rematch
 * @property {() => Promise<void>} verdict
 * @property {boolean} plays
 * @property {import("../types.js").Side | null} seat the side that is ours against somebody elsewhere
 * @property {() => void} invite
 * @property {() => void} talk
 * @property {() => Promise<void>} follow
 * @property {(text: string, bad?: boolean) => void} say
 *
 * @typedef {{ id: string, text: string, act: () => unknown, off?: boolean, main?: boolean, danger?: boolean, long?: boolean, pressed?: boolean }} Action
 * @typedef {import("./play.js").View} View
 */
export class Actions {
  #holder;
  #doer;
  /** So that a game is not resigned by a slip: asked twice. */
  #sure = false;

  /** @param {HTMLElement} holder @param {Doer} doer */
  constructor(holder, doer) {
    this.#holder = holder;
    this.#doer = doer;
  }

  /** @param {View | null} view */
  show(view) {
    const focused = document.activeElement?.id;
    const actions = view ? (view.end ? this.#after(view) : view.friend ? this.#between(view, view.friend) : this.#during(view)) : [this.#fresh(true)];
    this.#holder.replaceChildren(...actions.map((action) => this.#button(action)));
    if (focused && this.#holder.querySelector(`#${focused}`)) document.getElementById(focused)?.focus();
  }

  /** @param {boolean} main @returns {Action} */
  #fresh(main) {
    return { id: "act-new", text: "New game", act: () => this.#doer.newGame(), main };
  }

  /** @param {View} view @returns {Action[]} */
  #during(view) {
    const { plays, shows } = this.#doer;
    const ask = (/** @type {string} */ request) => () => this.#doer.request(request);
    const { offered, claim } = view.draw;
    /** @type {Action} */
    let draw = { id: "act-draw", text: "Offer draw", act: ask("offer-draw"), off: !plays || offered !== null };
    if (offered) draw = { ...draw, text: "Accept draw", act: ask("accept-draw"), off: !plays };
    if (claim) draw = { ...draw, text: "Claim draw", act: ask("claim-draw"), off: !plays };
    /** @type {Action[]} */
    const actions = [
      { id: "act-back", text: "Take back", act: ask("take-back"), off: !plays || !view.take_backs || view.moves.length === 0 },
      { id: "act-hint", text: "Hint", act: ask("hint"), off: !plays || view.destinations.length === 0 },
      { id: "act-flip", text: "Flip", act: () => this.#doer.flip() },
      draw,
      { id: "act-resign", text: this.#sure ? "Really?" : "Resign", act: () => this.#resign(view), off: !plays, danger: this.#sure },
      this.#fresh(false),
      { id: "act-threats", text: "Threats", act: () => this.#doer.toggle("threats"), pressed: shows.threats },
    ];
    if (view.kind === "chess") {
      actions.push({ id: "act-evaluation", text: "Evaluation", act: () => this.#doer.toggle("evaluation"), off: !plays, pressed: shows.evaluation });
    } else actions.push({ id: "act-solve", text: "Solve", act: () => this.#doer.verdict() });
    return [...actions, this.#save(view)];
  }

  /**
   * Against somebody elsewhere; those who watch may look at the board from the other side.
   *
   * @param {View} view @param {NonNullable<View["friend"]>} friend @returns {Action[]}
   */
  #between(view, friend) {
    const { seat } = this.#doer;
    const ask = (/** @type {string} */ request) => () => this.#doer.request(request);
    /** @type {Action} */
    const flip = { id: "act-flip", text: "Flip", act: () => this.#doer.flip() };
    if (!seat) return [flip, this.#fresh(false), this.#save(view)];
    if (friend.open)
      return [
        { id: "act-invite", text: "Invitation", act: () => this.#doer.invite(), main: true },
        { id: "act-abort", text: "Withdraw", act: ask("abort") }, flip, this.#fresh(false),
      ];
    const { offered, claim } = view.draw;
    const asked = view.take_back !== null && view.take_back !== seat;
    const draw = offered !== null && offered !== seat;
    /** @type {Action[]} */
    const actions = [];
    if (draw)
      actions.push({ id: "act-draw", text: "Accept draw", act: ask("accept-draw"), main: true }, { id: "act-no-draw", text: "No draw", act: ask("decline-draw") });
    if (asked)
      actions.push({ id: "act-back", text: "Allow take-back", act: ask("accept-take-back"), main: true }, { id: "act-no-back", text: "Refuse", act: ask("decline-take-back") });
    if (claim && view.turn === seat) actions.push({ id: "act-claim", text: "Claim draw", act: ask("claim-draw") });
    if (!asked) {
      const off = !view.take_backs || view.take_back !== null || !view.moves.some((one) => one.side === seat);
      actions.push({ id: "act-back", text: "Take back", act: ask("take-back"), off });
    }
    if (!draw) actions.push({ id: "act-draw", text: "Offer draw", act: ask("offer-draw"), off: offered !== null || view.moves.length < 2 });
    if (view.moves.length < 2) actions.push({ id: "act-abort", text: "Abort", act: ask("abort") });
    else actions.push({ id: "act-resign", text: this.#sure ? "Really?" : "Resign", act: () => this.#resign(view), danger: this.#sure });
    return [...actions, { id: "act-talk", text: "Say…", act: () => this.#doer.talk() }, flip, this.#save(view)];
  }

  /** @param {NonNullable<View["friend"]>} friend @returns {Action[]} */
  #again(friend) {
    const { seat } = this.#doer;
    const ask = (/** @type {string} */ request) => () => this.#doer.request(request);
    if (friend.next) return [{ id: "act-next", text: seat ? "Next game" : "Watch rematch", act: () => this.#doer.follow(), main: true }];
    if (!seat || friend.open) return [];
    if (friend.rematch && friend.rematch !== seat)
      return [
        { id: "act-rematch", text: "Play again", act: ask("rematch"), main: true },
        { id: "act-no-rematch", text: "No, thanks", act: ask("decline-rematch") },
      ];
    return [
      { id: "act-rematch", text: friend.rematch ? "Asked…" : "Rematch", act: ask("rematch"), main: true, off: friend.rematch === seat },
      { id: "act-talk", text: "Say…", act: () => this.#doer.talk() },
    ];
  }

  /** @param {View} view @returns {Action[]} */
  #after(view) {
    this.#sure = false;
    const again = (/** @type {number} */ by) => () => this.#doer.rematch(by);
    const levels = view.kind === "chess" && view.seats.some((seat) => /level/.test(seat.name));
    const reviewed = view.kind === "chess" && view.moves.length > 1;
    return [
      ...(view.friend ? this.#again(view.friend) : [{ id: "act-rematch", text: "Rematch", act: again(0), main: true }]),
      ...(levels
        ? [{ id: "act-weaker", text: "Level −100", act: again(-100) }, { id: "act-stronger", text: "Level +100", act: again(100) }]
        : []),
      ...(reviewed ? [{ id: "act-review", text: "Review this game", long: true, act: () => location.assign(`/study?game=${view.id}&review=1`) }] : []),
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

  /** @param {Action} action */
  #button({ id, text, act, off, main, danger, long, pressed }) {
    const button = document.createElement("button");
    button.type = "button";
    button.id = id;
    button.textContent = text;
    button.disabled = Boolean(off);
    button.classList.toggle("main", Boolean(main));
    button.classList.toggle("danger", Boolean(danger));
    button.classList.toggle("long", Boolean(long));
    if (pressed !== undefined) button.setAttribute("aria-pressed", String(pressed));
    button.addEventListener("click", () => void act());
    return button;
  }
}
