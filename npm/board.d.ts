import type { BoardPosition, Role, Side } from "./src/index.js";

/**
 * `<tabiya-board>`: a board that knows no rules. It shows a position, lets pieces go where the position says, and tells
 * what somebody wants with events `move` ({ from, to, promotion }) and `typed` ({ text }).
 * Attributes: `pieces="vector|cut|pixel"`, `coordinates="inside|outside|none"`.
 */
export declare class TabiyaBoard extends HTMLElement {
  position: BoardPosition;
  /** The side at the bottom. */
  bottom: Side;
  /** The side whose pieces may be moved. */
  movable: Side | "both" | null;
  /** Whether any piece goes anywhere. */
  editing: boolean;
}

declare global {
  interface HTMLElementTagNameMap {
    "tabiya-board": TabiyaBoard;
  }
}

export interface MoveEvent extends CustomEvent {
  detail: { from: string; to: string; promotion: Role | null };
}
