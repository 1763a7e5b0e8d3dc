export { TabiyaError } from "./program.js";

export type Side = "white" | "black";
export type Role = "pawn" | "knight" | "bishop" | "rook" | "queen" | "king";

export interface Piece {
  at: string;
  side: Side;
  role: Role;
}

/** A legal move. */
export interface Move {
  /** As programs write it: `e2e4`, `a7a8q`; in Chess960 the king goes to the rook. */
  uci: string;
  /** As people write it: `Nf3`, `exd8=Q+`. */
  san: string;
  from: string;
  to: string;
  promotion: Role | null;
  /** Where the piece stands that is taken. */
  captures: string | null;
}

export interface Outcome {
  winner: Side | null;
  result: "1-0" | "0-1" | "1/2-1/2";
  /** In words: `Checkmate: White wins`. */
  text: string;
}

/** What `<tabiya-board>` shows. */
export interface BoardPosition {
  columns: number;
  rows: number;
  pieces: Piece[];
  destinations: { from: string; to: { at: string; takes: boolean; promotions: Role[] }[] }[];
  last: [string, string] | null;
  check: string | null;
  turn: Side;
  marks: object[];
}

/** A position that can occur, and how it came about. It never changes: a move gives another one. */
export declare class Position {
  /** The usual start, or that of a FEN (castling by X-FEN or Shredder-FEN), and moves from there in any notation. Throws a `TabiyaError` that says what is wrong with it. */
  constructor(fen?: string, moves?: string[]);
  /** The start position of Chess960 with a number, 0 to 959. */
  static chess960(number: number): Position;
  readonly fen: string;
  readonly turn: Side;
  /** Where the king stands that is in check. */
  readonly check: string | null;
  /** How the game is over, if it is. */
  readonly outcome: Outcome | null;
  /** The draw that could be claimed. */
  readonly claimable: Outcome | null;
  readonly halfmoveClock: number;
  readonly fullmoveNumber: number;
  readonly pieces: Piece[];
  readonly moves: Move[];
  /** The moves that were played, as programs write them. */
  readonly history: string[];
  /** The position after a move in any notation. Throws a `TabiyaError` that says why it is not legal. */
  play(move: string): Position;
  isLegal(move: string): boolean;
  san(move: string): string;
  uci(move: string): string;
  /** How many lines there are of so many moves. */
  perft(depth: number): number;
  readonly board: BoardPosition;
  toString(): string;
}

/** A move of a record, and what else could have been played. */
export interface RecordedMove {
  /** `--` if nobody moves. */
  san: string;
  uci?: string;
  /** Judgements by number: 1 is `!`, 2 is `?`. */
  nags?: number[];
  /** What is said before the move, and after it. */
  before?: string;
  comment?: string;
  variations?: RecordedMove[][];
}

export interface RecordedGame {
  tags?: Record<string, string>;
  /** Where it begins, if not as usual. */
  fen?: string | null;
  result?: "1-0" | "0-1" | "1/2-1/2" | "*";
  comment?: string;
  moves: RecordedMove[];
}

/** All games of a text that can be read, and what is wrong with the others. */
export declare function readPgn(text: string): {
  games: RecordedGame[];
  problems: { game: number; line: number; column: number; text: string }[];
};
export declare function writePgn(game: RecordedGame): string;

export interface Line {
  depth: number;
  /** For the side to move: one of the two. */
  centipawns: number | null;
  mate: number | null;
  /** As White sees it, as people write it: `+0.35`, `-#3`. */
  score: string;
  uci: string[];
  san: string[];
}

export interface Info {
  depth: number;
  nodes: number;
  nodes_per_second: number;
  /** The best first. */
  lines: Line[];
}

export interface Analysis extends Info {
  /** The best move; none where the game is over. */
  best: string | null;
  ponder: string | null;
}

/** The engine in a thread of its own. One question is answered after the other. */
export declare class Engine {
  constructor(options?: { wasm?: string | URL });
  /** Looks for the best lines until a limit is reached or the signal comes; then the last lines are the answer. */
  analyse(
    position?: Position | string,
    options?: {
      depth?: number;
      nodes?: number;
      /** Milliseconds. */
      time?: number;
      lines?: number;
      /** Megabytes. */
      hash?: number;
      onInfo?: (info: Info) => void;
      signal?: AbortSignal;
    },
  ): Promise<Analysis>;
  /** The move of a player: `tabiya`, `tabiya:1200` (400 to 2400), `random`, `minimax:2`. The same seed plays the same game. */
  move(position?: Position | string, options?: { player?: string; seed?: number; signal?: AbortSignal }): Promise<{ uci: string; san: string }>;
  /** Judges every move of a record: the record with the review, and the review as JSON. */
  review(record: string, options?: { onProgress?: (progress: { done: number; of: number }) => void; signal?: AbortSignal }): Promise<{ record: string; review: any }>;
  /** The nodes of a fixed search (the same on every machine) and the milliseconds it took. */
  bench(depth?: number): Promise<{ nodes: number; time: number }>;
  /** Ends the thread. */
  close(): void;
}
