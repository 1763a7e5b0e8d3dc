//! The rules of chess: positions, legal moves, notation, outcome, perft.
//!
//! No dependencies, no I/O, and as fast as a move generator can be made. Chess960 is chess here:
//! every function knows it.
//!
//! # A first game
//!
//! A [`Position`] is always a valid one. It is `Copy`, and playing a move gives a new one:
//!
//! ```
//! use tabiya_chess::Position;
//!
//! let mut position = Position::initial();
//! for text in ["e4", "e5", "Qh5", "Nc6", "Bc4", "Nf6", "Qxf7#"] {
//!     let m = position.parse_san(text)?;
//!     position = position.play(m)?;
//! }
//! assert_eq!(position.outcome().unwrap().to_string(), "Checkmate: White wins");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A move that is not allowed is refused with a reason that a player understands:
//!
//! ```
//! use tabiya_chess::Position;
//!
//! let position: Position = "4k3/8/8/1b6/8/3N4/4K3/8 w - - 0 1".parse()?;
//! let refusal = position.parse_san("Nf4").unwrap_err();
//! assert_eq!(
//!     refusal.to_string(),
//!     "That knight is pinned by the bishop on b5: moving it would leave your king in check."
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The way around
//!
//! | you want | look at |
//! |---|---|
//! | squares and sets of squares | [`Square`], [`File`], [`Rank`], [`Direction`], [`Bitboard`], [`bitboard!`] |
//! | pieces | [`Color`], [`Role`], [`Piece`], [`PlacedPiece`], [`Board`] |
//! | a position from FEN, or by hand | [`Position::from_fen`], [`Setup`], [`FenStyle`] |
//! | legal moves | [`Position::legal_moves`], [`Position::moves_from`], [`Position::count_legal_moves`] |
//! | moves that look legal | [`Position::pseudo_legal_moves`], [`Path`] |
//! | to play | [`Position::play`], [`Position::play_unchecked`], [`Game`] for undo, redo and repetition |
//! | moves as text | [`Position::san`], [`Position::uci`], [`Position::parse_move`], [`Position::parse_plain_san`] |
//! | why a move is refused | [`IllegalMove`], [`ParseMoveError`] |
//! | to ask about a position | [`Position::checkers`], [`Position::pins`], [`Position::threat_map`], [`HeatMap`] |
//! | the end of the game | [`Outcome`], [`Position::outcome`], [`Game::outcome`], [`Game::claimable_draw`] |
//! | a key for tables and books | [`Position::key`], [`POLYGLOT_KEYS`] |
//! | to follow the pieces of a move | [`Observer`], [`Step`] |
//! | a drawing | [`Board::draw`], [`mod@drawing`] |
//! | to count | [`perft`], [`Perft`] |
//!
//! # Speed
//!
//! The generator ([`Position::legal_moves`]) produces only legal moves, from attack tables indexed
//! with the PEXT instruction where that is quick (see [`uses_pext`]). A portable build for x86-64 chooses
//! its instructions when it runs; a build for your machine with `RUSTFLAGS="-C target-cpu=native"` is a
//! little faster still. For an engine, the pieces of interest are
//! [`Position::play_unchecked`] on a copy, [`Position::tactical_moves`] and
//! [`Position::quiet_moves`] for moves in stages, and [`Position::count_legal_moves`], which
//! never writes a move down.
//!
//! # Inside
//!
//! **Sliders by line, not by name.** An army is six sets: pawns, knights, *diagonals*, *orthogonals*, king, all. A bishop is
//! a diagonal, a rook an orthogonal, a queen both. Generation has two slider loops instead of three, pins need no case for
//! queens, and playing a move is the same five shifts and masks whatever moves.
//!
//! **One generator, three readers.** `generate.rs` has one function, `visit_moves`, specialised at compile time by the side
//! to move, by what is wanted, and by how castling works. A visitor receives target sets: `EachMove` hands moves on one by
//! one, `Count` adds up set sizes, `Descend` (`count.rs`, for perft) plays them. Checks and pins are known before any piece
//! is looked at; only legal moves are ever produced. En passant, rare and full of traps, is simply tried.
//!
//! **Copy, not unmake.** A [`Position`] is 120 bytes and `Copy`. On the six classic perft positions playing on a copy is 9 to
//! 12 % faster than playing and taking back on one board. There is no mailbox: which piece stands on a square is worked out
//! from the sets without a branch.
//!
//! **Keys are Polyglot's**, incremental, en passant counted when a pawn stands beside (as the books do). Repetition uses
//! [`Position::repetition_key`], which leaves out an en passant capture that is not legal, as the laws of chess ask.
//!
//! **Refusals are explained elsewhere.** The generator cannot say why a move is illegal, as it never meets one.
//! `explain.rs` tells the rules once more, move by move, in the order in which a player would object; a test asks both about
//! every conceivable move.

pub mod attacks;
mod bitboard;
mod board;
mod castling;
mod color;
mod count;
pub mod drawing;
mod explain;
mod fen;
mod game;
mod generate;
mod heat;
mod illegal_move;
mod machine;
mod move_text;
mod moves;
mod outcome;
mod parse_san;
mod path;
mod perft;
mod piece;
mod plain_san;
mod play;
mod position;
mod pseudo;
mod questions;
mod san;
mod setup;
mod sliders;
mod square;
mod uci;
mod zobrist;

pub use bitboard::{Bitboard, Squares};
pub use board::{Board, EmptySquareError};
pub use castling::{CastlingRights, Wing};
pub use color::{Color, ParseColorError};
pub use drawing::BoardStyle;
pub use fen::{FenError, FenStyle};
pub use game::Game;
pub use heat::HeatMap;
pub use illegal_move::IllegalMove;
pub use machine::uses_pext;
pub use move_text::ParseMoveError;
pub use moves::{Move, MoveIter, MoveKind, MoveList};
pub use outcome::Outcome;
pub use path::Path;
pub use perft::{Perft, perft};
pub use piece::{ParsePlacedPieceError, Piece, PlacedPiece, Role};
pub use play::{NoObserver, Observer, Step};
pub use position::Position;
pub use questions::Pin;
pub use san::San;
pub use setup::{Setup, SetupError};
pub use square::{Direction, File, ParseSquareError, Rank, Square};
pub use zobrist::POLYGLOT_KEYS;
