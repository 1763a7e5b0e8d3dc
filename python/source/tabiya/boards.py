"""``BaseBoard``: pieces on squares. ``Board``: a game of chess in progress, with take-backs."""

from __future__ import annotations

from typing import Any, Callable, ClassVar, Dict, Iterable, Iterator, List, Mapping, Optional
from typing import Tuple, Type, TypeVar, Union

from . import epd as _epd
from ._tabiya import BoardCore, IllegalMoveError, LegalMoveGenerator, Move, Piece, SquareSet
from .bitboards import BB_BACKRANKS, BB_CORNERS, BB_DARK_SQUARES, BB_FILE_E, BB_LIGHT_SQUARES
from .bitboards import BB_RANK_1, BB_RANK_8, BB_SQUARES, lsb, msb, ray
from .constants import BLACK, FILE_NAMES, QUEEN, RANK_NAMES, STARTING_BOARD_FEN, STARTING_FEN, WHITE
from .constants import Bitboard, Color, PieceType, Square
from .outcome import Outcome, Status, Termination

BaseBoardT = TypeVar("BaseBoardT", bound="BaseBoard")
BoardT = TypeVar("BoardT", bound="Board")

_KNIGHTS = [(a, b) for a in range(5) for b in range(a + 1, 5)]


class BaseBoard(BoardCore):
    """Pieces on squares, without a side to move.

    >>> import tabiya
    >>> tabiya.BaseBoard("8/8/8/8/8/8/8/K7").piece_at(tabiya.A1)
    Piece.from_symbol('K')
    """

    def __init__(self, board_fen: Optional[str] = STARTING_BOARD_FEN) -> None:
        if board_fen is None:
            self._reset_pieces(True)
        elif board_fen == STARTING_BOARD_FEN:
            self._reset_pieces(False)
        else:
            self._parse_board_fen(board_fen)

    def _changed(self) -> None:
        """The pieces were edited by hand."""

    def reset_board(self) -> None:
        """Puts the pieces as for the start of a game."""
        self._reset_pieces(False)
        self._changed()

    def clear_board(self) -> None:
        """Takes all pieces away."""
        self._reset_pieces(True)
        self._changed()

    def set_board_fen(self, fen: str) -> None:
        """Puts the pieces as a FEN's first field tells."""
        self._parse_board_fen(fen)
        self._changed()

    def remove_piece_at(self, square: Square) -> Optional[Piece]:
        """Takes the piece from a square and gives it."""
        piece = self.piece_at(square)
        self._remove(square)
        self._changed()
        return piece

    def set_piece_at(self, square: Square, piece: Optional[Piece], promoted: bool = False) -> None:
        """Puts a piece on a square in place of what is there; None empties it."""
        if piece is None:
            self._remove(square)
        else:
            self._put(square, piece.piece_type, piece.color, promoted)
        self._changed()

    def set_piece_map(self, pieces: Mapping[Square, Piece]) -> None:
        """Puts these pieces and no others."""
        self._reset_pieces(True)
        for square, piece in pieces.items():
            self._put(square, piece.piece_type, piece.color, False)
        self._changed()

    def set_chess960_pos(self, scharnagl: int) -> None:
        """Puts the pieces as for a game of Chess960, by Scharnagl's number from 0 to 959."""
        if not 0 <= scharnagl <= 959:
            raise ValueError(f"starts of Chess960 have numbers from 0 to 959, not {scharnagl}")
        rest, light = divmod(scharnagl, 4)
        rest, dark = divmod(rest, 4)
        knights, queen = divmod(rest, 6)
        row: List[Optional[str]] = [None] * 8
        row[light * 2 + 1] = "b"
        row[dark * 2] = "b"
        free = [at for at in range(8) if row[at] is None]
        row[free.pop(queen)] = "q"
        a, b = _KNIGHTS[knights]
        row[free[a]] = row[free[b]] = "n"
        for letter in "rkr":
            row[row.index(None)] = letter
        rank = "".join(letter or "" for letter in row)
        self._parse_board_fen(f"{rank}/pppppppp/8/8/8/8/PPPPPPPP/{rank.upper()}")
        self._changed()

    @classmethod
    def from_chess960_pos(cls: Type[BaseBoardT], scharnagl: int) -> BaseBoardT:
        """A board of Chess960."""
        board = cls.empty()
        board.set_chess960_pos(scharnagl)
        return board

    def chess960_pos(self) -> Optional[int]:
        """Scharnagl's number of this start of Chess960; None if it is no such start."""
        ranks = self.board_fen().split("/")
        row = ranks[0]
        if ranks[1:] != ["pppppppp", "8", "8", "8", "8", "PPPPPPPP", row.upper()]:
            return None
        if sorted(row) != sorted("bbknnqrr"):
            return None
        first, last = row.index("b"), row.rindex("b")
        if first % 2 == last % 2 or not row.index("r") < row.index("k") < row.rindex("r"):
            return None
        light, dark = (first, last) if first % 2 else (last, first)
        without_bishops = row.replace("b", "")
        without_queen = without_bishops.replace("q", "")
        knights = _KNIGHTS.index((without_queen.index("n"), without_queen.rindex("n")))
        return light // 2 + 4 * (dark // 2) + 16 * without_bishops.index("q") + 96 * knights

    def __str__(self) -> str:
        rows = []
        for rank in range(7, -1, -1):
            pieces = (self.piece_at(rank * 8 + file) for file in range(8))
            rows.append(" ".join(piece.symbol() if piece else "." for piece in pieces))
        return "\n".join(rows)

    def unicode(
        self,
        *,
        invert_color: bool = False,
        borders: bool = False,
        empty_square: str = "⭘",
        orientation: Color = WHITE,
    ) -> str:
        """A drawing with the figures of Unicode."""
        rows = []
        line = "  " + "-" * 17
        files = range(8) if orientation else range(7, -1, -1)
        for rank in range(7, -1, -1) if orientation else range(8):
            cells = []
            for file in files:
                piece = self.piece_at(rank * 8 + file)
                cells.append(
                    piece.unicode_symbol(invert_color=invert_color) if piece else empty_square
                )
            if borders:
                rows += [line, f"{RANK_NAMES[rank]} |" + "|".join(cells) + "|"]
            else:
                rows.append(" ".join(cells))
        if borders:
            rows += [line, "   " + " ".join(FILE_NAMES[file] for file in files)]
        return "\n".join(rows)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.board_fen()!r})"

    def _repr_svg_(self) -> str:
        from . import svg

        return svg.board(self, size=390)

    def __eq__(self, board: object) -> bool:
        if isinstance(board, BaseBoard):
            return self._same_pieces(board)
        return NotImplemented

    def apply_transform(self, f: Callable[[Bitboard], Bitboard]) -> None:
        """Turns the board by a function of masks, like ``tabiya.flip_vertical``."""
        self._transform(f)

    def transform(self: BaseBoardT, f: Callable[[Bitboard], Bitboard]) -> BaseBoardT:
        """The board turned by a function of masks."""
        board = self.copy()
        board.apply_transform(f)
        return board

    def apply_mirror(self) -> None:
        """Turns the board upside down and exchanges the colours."""
        self._mirror()

    def mirror(self: BaseBoardT) -> BaseBoardT:
        """The same for the other side: upside down, with colours exchanged."""
        board = self.copy()
        board.apply_mirror()
        return board

    def copy(self: BaseBoardT) -> BaseBoardT:
        """A board of its own with the same on it."""
        board = type(self)(None)
        board._assign(self, 0)
        return board

    def __copy__(self: BaseBoardT) -> BaseBoardT:
        return self.copy()

    def __deepcopy__(self: BaseBoardT, memo: Dict[int, object]) -> BaseBoardT:
        board = self.copy()
        memo[id(self)] = board
        return board

    @classmethod
    def empty(cls: Type[BaseBoardT]) -> BaseBoardT:
        """A board without pieces."""
        return cls(None)


class Board(BaseBoard):
    """A board with a side to move, castling rights, clocks, and the moves that led here.

    >>> import tabiya
    >>> board = tabiya.Board()
    >>> board.push_san("e4")
    Move.from_uci('e2e4')
    >>> board.legal_moves.count()
    20
    >>> board.pop()
    Move.from_uci('e2e4')
    """

    aliases: ClassVar[List[str]] = [
        "Standard", "Chess", "Classical", "Normal", "Illegal", "From Position",
    ]  # fmt: skip
    uci_variant: ClassVar[Optional[str]] = "chess"
    xboard_variant: ClassVar[Optional[str]] = "normal"
    starting_fen: ClassVar[str] = STARTING_FEN
    tbw_suffix: ClassVar[Optional[str]] = ".rtbw"
    tbz_suffix: ClassVar[Optional[str]] = ".rtbz"
    tbw_magic: ClassVar[Optional[bytes]] = bytes.fromhex("71e8235d")
    tbz_magic: ClassVar[Optional[bytes]] = bytes.fromhex("d7660ca5")
    pawnless_tbw_suffix: ClassVar[Optional[str]] = None
    pawnless_tbz_suffix: ClassVar[Optional[str]] = None
    pawnless_tbw_magic: ClassVar[Optional[bytes]] = None
    pawnless_tbz_magic: ClassVar[Optional[bytes]] = None
    connected_kings: ClassVar[bool] = False
    one_king: ClassVar[bool] = True
    captures_compulsory: ClassVar[bool] = False

    def __init_subclass__(cls, **named: Any) -> None:
        super().__init_subclass__(**named)
        own = ("generate_legal_moves", "generate_pseudo_legal_moves", "push", "is_legal")
        cls._plain = all(getattr(cls, name) is getattr(Board, name) for name in own)

    def __init__(self, fen: Optional[str] = STARTING_FEN, *, chess960: bool = False) -> None:
        self.chess960 = chess960
        if fen is None:
            self._reset(True)
        elif fen == STARTING_FEN:
            self._reset(False)
        else:
            self._parse_fen(fen)

    def _changed(self) -> None:
        self.clear_stack()

    def reset(self) -> None:
        """Goes to the start of a game."""
        self._reset(False)

    def reset_board(self) -> None:
        """Puts the pieces as for the start of a game; the side to move and the rest stay."""
        super().reset_board()

    def clear(self) -> None:
        """Takes all away: no pieces, White to move, no rights, clocks as at the start."""
        self._reset(True)

    def set_fen(self, fen: str) -> None:
        """Becomes the position of a FEN; fields at its end may be missing."""
        self._parse_fen(fen)

    def set_castling_fen(self, castling_fen: str) -> None:
        """Sets castling rights by the field of a FEN."""
        self._parse_castling(castling_fen)
        self.clear_stack()

    def set_chess960_pos(self, scharnagl: int) -> None:
        """Becomes the start of a game of Chess960."""
        super().set_chess960_pos(scharnagl)
        self.chess960 = True
        self.turn = WHITE
        self.castling_rights = self.rooks
        self.ep_square = None
        self.halfmove_clock = 0
        self.fullmove_number = 1
        self.clear_stack()

    def chess960_pos(
        self,
        *,
        ignore_turn: bool = False,
        ignore_castling: bool = False,
        ignore_counters: bool = True,
    ) -> Optional[int]:
        """Scharnagl's number, if this is a start of Chess960 with all rights and White to move."""
        if self.ep_square is not None:
            return None
        if not ignore_turn and self.turn != WHITE:
            return None
        if not ignore_castling and self.clean_castling_rights() != self.rooks:
            return None
        if not ignore_counters and (self.halfmove_clock, self.fullmove_number) != (0, 1):
            return None
        return super().chess960_pos()

    def root(self: BoardT) -> BoardT:
        """The board before the first move that is known."""
        board = self.copy()
        board._to_root()
        return board

    def ply(self) -> int:
        """How many half-moves lie before this position, by its move number."""
        return 2 * (self.fullmove_number - 1) + (self.turn == BLACK)

    def copy(self: BoardT, *, stack: Union[bool, int] = True) -> BoardT:
        """A board of its own; with all moves, with the last ``stack``, or with none.

        >>> import tabiya
        >>> board = tabiya.Board()
        >>> _ = board.push_san("e4")
        >>> len(board.copy().move_stack), len(board.copy(stack=False).move_stack)
        (1, 0)
        """
        board = type(self)(None)
        board._assign(self, (1 << 62) if stack is True else int(stack))
        return board

    def transform(self: BoardT, f: Callable[[Bitboard], Bitboard]) -> BoardT:
        """The board turned by a function of masks, without its moves."""
        board = self.copy(stack=False)
        board.apply_transform(f)
        return board

    def mirror(self: BoardT) -> BoardT:
        """The same for the other side: upside down, with colours exchanged, the other side to move.

        >>> import tabiya
        >>> tabiya.Board("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1").mirror().fen()
        '4k3/4p3/8/8/8/8/8/4K3 b - - 0 1'
        """
        board = self.copy(stack=False)
        board.apply_mirror()
        return board

    @classmethod
    def empty(cls: Type[BoardT]) -> BoardT:
        """A board without pieces, White to move."""
        return cls(None)

    @classmethod
    def from_epd(
        cls: Type[BoardT], epd: str, *, chess960: bool = False
    ) -> Tuple[BoardT, Dict[str, Any]]:
        """The board of an EPD, and its operations."""
        board = cls.empty()
        board.chess960 = chess960
        return board, board.set_epd(epd)

    @classmethod
    def from_chess960_pos(cls: Type[BoardT], scharnagl: int) -> BoardT:
        """The start of a game of Chess960, by Scharnagl's number from 0 to 959."""
        board = cls.empty()
        board.set_chess960_pos(scharnagl)
        return board

    def __eq__(self, board: object) -> bool:
        if isinstance(board, Board):
            return self.uci_variant == board.uci_variant and self._same_position(board)
        return NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        chess960 = ", chess960=True" if self.chess960 else ""
        return f"{type(self).__name__}({self.fen()!r}{chess960})"

    def _repr_svg_(self) -> str:
        from . import svg

        return svg.board(
            self,
            size=390,
            lastmove=self.peek() if self.stack_size() else None,
            check=self.king(self.turn) if self.is_check() else None,
        )

    # Moves

    def find_move(
        self, from_square: Square, to_square: Square, promotion: Optional[PieceType] = None
    ) -> Move:
        """The legal move between two squares; a pawn becomes a queen if nothing is said. ``IllegalMoveError`` if there is none.

        >>> import tabiya
        >>> tabiya.Board().find_move(tabiya.E2, tabiya.E4)
        Move.from_uci('e2e4')
        """
        if promotion is None and self.pawns & BB_SQUARES[from_square]:
            if BB_SQUARES[to_square] & BB_BACKRANKS:
                promotion = QUEEN
        move = self._from_chess960(
            self.chess960, self._to_chess960(Move(from_square, to_square, promotion))
        )
        if not self.is_legal(move):
            raise IllegalMoveError(self._reason(move.uci()))
        return move

    def san_and_push(self, move: Move) -> str:
        """Plays a move, and gives it in SAN.

        >>> import tabiya
        >>> board = tabiya.Board()
        >>> board.san_and_push(tabiya.Move.from_uci("g1f3")), board.fullmove_number, board.turn
        ('Nf3', 1, False)
        """
        san = self.san(move)
        self.push(move)
        return san

    def uci(self, move: Move, *, chess960: Optional[bool] = None) -> str:
        """The move as UCI writes it; castling by the rook's square in Chess960."""
        if chess960 is None:
            chess960 = self.chess960
        return self._from_chess960(chess960, self._to_chess960(move)).uci()

    def xboard(self, move: Move, chess960: Optional[bool] = None) -> str:
        """The move as XBoard writes it."""
        if chess960 is None:
            chess960 = self.chess960
        if not chess960 or not self.is_castling(move):
            return move.xboard() if not move else self.uci(move, chess960=False)
        return "O-O-O" if self.is_queenside_castling(move) else "O-O"

    parse_xboard = BoardCore.parse_san
    push_xboard = BoardCore.push_san

    def variation_san(self, variation: Iterable[Move]) -> str:
        """A line of moves with move numbers.

        >>> import tabiya
        >>> tabiya.Board().variation_san([tabiya.Move.from_uci(uci) for uci in ("e2e4", "e7e5", "g1f3")])
        '1. e4 e5 2. Nf3'
        """
        board = self.copy(stack=False)
        words = []
        for move in variation:
            if not board.is_legal(move):
                raise IllegalMoveError(f"illegal move in the line: {board._reason(move.uci())}")
            if board.turn:
                words.append(f"{board.fullmove_number}. {board.san(move)}")
            elif not words:
                words.append(f"{board.fullmove_number}...{board.san(move)}")
            else:
                words.append(board.san(move))
            board.push(move)
        return " ".join(words)

    def is_kingside_castling(self, move: Move) -> bool:
        """Whether a move castles on the king's side."""
        return self.is_castling(move) and move.to_square & 7 > move.from_square & 7

    def is_queenside_castling(self, move: Move) -> bool:
        """Whether a move castles on the queen's side."""
        return self.is_castling(move) and move.to_square & 7 < move.from_square & 7

    def is_irreversible(self, move: Move) -> bool:
        """Whether no position from before can come back after this move."""
        if self.is_zeroing(move) or self.has_legal_en_passant():
            return True
        rights = self.clean_castling_rights()
        touched = BB_SQUARES[move.from_square] ^ BB_SQUARES[move.to_square]
        for color, rank in ((WHITE, BB_RANK_1), (BLACK, BB_RANK_8)):
            own = rights & rank
            king = self.king(color)
            if own and (own & touched or (king is not None and BB_SQUARES[king] & touched)):
                return True
        return False

    # Castling rights

    def has_castling_rights(self, color: Color) -> bool:
        """Whether a side may still castle, now or later.

        >>> import tabiya
        >>> board = tabiya.Board("r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1")
        >>> board.has_castling_rights(tabiya.WHITE), board.has_queenside_castling_rights(tabiya.WHITE)
        (True, False)
        """
        return bool(self.clean_castling_rights() & (BB_RANK_1 if color else BB_RANK_8))

    def has_kingside_castling_rights(self, color: Color) -> bool:
        """Whether a side may still castle with the rook on its king's side."""
        king = self.king(color)
        rights = self.clean_castling_rights() & (BB_RANK_1 if color else BB_RANK_8)
        return king is not None and msb(rights) > king

    def has_queenside_castling_rights(self, color: Color) -> bool:
        """Whether a side may still castle with the rook on its queen's side."""
        king = self.king(color)
        rights = self.clean_castling_rights() & (BB_RANK_1 if color else BB_RANK_8)
        return king is not None and bool(rights) and lsb(rights) < king

    def has_chess960_castling_rights(self) -> bool:
        """Whether there are rights that only Chess960 has."""
        chess960, self.chess960 = self.chess960, True
        rights = self._clean_castling_of_pieces()
        self.chess960 = chess960
        if rights & ~BB_CORNERS:
            return True
        return any(
            rights & rank and not self.kings & self.occupied_co[color] & BB_FILE_E & rank
            for color, rank in ((WHITE, BB_RANK_1), (BLACK, BB_RANK_8))
        )

    # The end of the game

    def is_variant_end(self) -> bool:
        """Whether a variant's own rule has ended the game: never in chess."""
        return False

    def is_variant_win(self) -> bool:
        """Whether the side to move has won by a variant's own rule: never in chess."""
        return False

    def is_variant_loss(self) -> bool:
        """Whether the side to move has lost by a variant's own rule: never in chess."""
        return False

    def is_variant_draw(self) -> bool:
        """Whether a variant's own rule has made a draw: never in chess."""
        return False

    def is_checkmate(self) -> bool:
        """Whether the side to move is in check and has no legal move.

        >>> import tabiya
        >>> tabiya.Board("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1").is_checkmate()
        True
        """
        return self.is_check() and not self._has_legal_moves()

    def is_stalemate(self) -> bool:
        """Whether the side to move has no legal move and is not in check.

        >>> import tabiya
        >>> tabiya.Board("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1").is_stalemate()
        True
        """
        return not self.is_check() and not self._has_legal_moves() and not self.is_variant_end()

    def is_insufficient_material(self) -> bool:
        """Whether neither side can win by any series of moves, as far as the pieces tell.

        >>> import tabiya
        >>> tabiya.Board("8/8/4k3/8/8/4K1N1/8/8 w - - 0 1").is_insufficient_material()
        True
        """
        return self.has_insufficient_material(WHITE) and self.has_insufficient_material(BLACK)

    def has_insufficient_material(self, color: Color) -> bool:
        """Whether a side cannot win by any series of moves, as far as the pieces tell."""
        own = self.occupied_co[color]
        if own & (self.pawns | self.rooks | self.queens):
            return False
        if own & self.knights:
            other = self.occupied_co[not color] & ~self.kings & ~self.queens
            return own.bit_count() <= 2 and not other
        if own & self.bishops:
            bishops = self.bishops
            one_color = not bishops & BB_DARK_SQUARES or not bishops & BB_LIGHT_SQUARES
            return one_color and not self.pawns and not self.knights
        return True

    def outcome(self, *, claim_draw: bool = False) -> Optional[Outcome]:
        """How the game has ended; None if it goes on. Draws that a player may claim count with ``claim_draw``.

        >>> import tabiya
        >>> tabiya.Board("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1").outcome().termination
        <Termination.STALEMATE: 2>
        >>> tabiya.Board().outcome() is None
        True
        """
        if self.is_variant_loss():
            return Outcome(Termination.VARIANT_LOSS, not self.turn)
        if self.is_variant_win():
            return Outcome(Termination.VARIANT_WIN, self.turn)
        if self.is_variant_draw():
            return Outcome(Termination.VARIANT_DRAW, None)
        has_moves = self._has_legal_moves()
        if not has_moves and self.is_check():
            return Outcome(Termination.CHECKMATE, not self.turn)
        if self.is_insufficient_material():
            return Outcome(Termination.INSUFFICIENT_MATERIAL, None)
        if not has_moves:
            return Outcome(Termination.STALEMATE, None)
        if self.is_seventyfive_moves():
            return Outcome(Termination.SEVENTYFIVE_MOVES, None)
        if self.is_fivefold_repetition():
            return Outcome(Termination.FIVEFOLD_REPETITION, None)
        if claim_draw:
            if self.can_claim_fifty_moves():
                return Outcome(Termination.FIFTY_MOVES, None)
            if self.can_claim_threefold_repetition():
                return Outcome(Termination.THREEFOLD_REPETITION, None)
        return None

    def is_game_over(self, *, claim_draw: bool = False) -> bool:
        """Whether the game has ended: mate, stalemate, too few pieces, 75 moves or the same position for the fifth time.

        >>> import tabiya
        >>> tabiya.Board("8/8/4k3/8/8/4K3/8/8 w - - 0 1").is_game_over()
        True
        """
        return self.outcome(claim_draw=claim_draw) is not None

    def result(self, *, claim_draw: bool = False) -> str:
        """The result as records write it; ``*`` if the game goes on.

        >>> import tabiya
        >>> tabiya.Board("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1").result()
        '1-0'
        """
        outcome = self.outcome(claim_draw=claim_draw)
        return outcome.result() if outcome else "*"

    def is_seventyfive_moves(self) -> bool:
        """Whether 75 moves without capture or pawn's move have ended the game."""
        return self.halfmove_clock >= 150 and self._has_legal_moves()

    def is_fifty_moves(self) -> bool:
        """Whether 50 moves without capture or pawn's move have been played, so that a draw can be claimed."""
        return self.halfmove_clock >= 100 and self._has_legal_moves()

    def is_repetition(self, count: int = 3) -> bool:
        """Whether this position is there for the ``count``-th time.

        >>> import tabiya
        >>> board = tabiya.Board()
        >>> for san in "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8".split():
        ...     _ = board.push_san(san)
        >>> board.is_repetition(3), board.is_repetition(4)
        (True, False)
        """
        return self._repeated(count)

    def is_fivefold_repetition(self) -> bool:
        """Whether this position is there for the fifth time, which ends the game."""
        return self._repeated(5)

    def can_claim_draw(self) -> bool:
        """Whether the side to move can claim a draw, now or with its next move.

        >>> import tabiya
        >>> tabiya.Board("4k3/8/8/8/8/8/8/R3K3 w - - 99 80").can_claim_draw()
        True
        """
        return self.can_claim_fifty_moves() or self.can_claim_threefold_repetition()

    def can_claim_fifty_moves(self) -> bool:
        """Whether a draw can be claimed by the rule of fifty moves, now or with the next move.

        >>> import tabiya
        >>> tabiya.Board("4k3/8/8/8/8/8/8/R3K3 w - - 98 80").can_claim_fifty_moves()
        False
        """
        if self.is_fifty_moves():
            return True
        return self.halfmove_clock >= 99 and any(
            not self.is_zeroing(move) and self._after(move, self.is_fifty_moves)
            for move in self.legal_moves
        )

    def can_claim_threefold_repetition(self) -> bool:
        """Whether a draw can be claimed as this position, or one after the next move, is there for the third time.

        >>> import tabiya
        >>> board = tabiya.Board()
        >>> for san in "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1".split():
        ...     _ = board.push_san(san)
        >>> board.can_claim_threefold_repetition()
        True
        """
        if self._repeated(3):
            return True
        return self.stack_size() >= 3 and any(
            self._after(move, self.is_repetition) for move in self.legal_moves
        )

    def _after(self, move: Move, question: Callable[[], bool]) -> bool:
        self.push(move)
        try:
            return question()
        finally:
            self.pop()

    # Is it a position at all?

    def _valid_ep_square(self) -> Optional[Square]:
        ep = self.ep_square
        if ep is None or ep >> 3 != (5 if self.turn else 2):
            return None
        pawn, home = ep ^ 8, ep ^ 24
        if self.turn:
            pawn, home = ep - 8, ep + 8
        else:
            pawn, home = ep + 8, ep - 8
        if not self.pawns & self.occupied_co[not self.turn] & BB_SQUARES[pawn]:
            return None
        if self.occupied & (BB_SQUARES[ep] | BB_SQUARES[home]):
            return None
        return ep

    def status(self) -> Status:
        """What keeps this board from being the position of a game."""
        errors = Status.VALID
        if not self.occupied:
            errors |= Status.EMPTY
        black, white = self.occupied_co
        if not white & self.kings:
            errors |= Status.NO_WHITE_KING
        if not black & self.kings:
            errors |= Status.NO_BLACK_KING
        if self.kings.bit_count() > 2:
            errors |= Status.TOO_MANY_KINGS
        if white.bit_count() > 16:
            errors |= Status.TOO_MANY_WHITE_PIECES
        if black.bit_count() > 16:
            errors |= Status.TOO_MANY_BLACK_PIECES
        if (white & self.pawns).bit_count() > 8:
            errors |= Status.TOO_MANY_WHITE_PAWNS
        if (black & self.pawns).bit_count() > 8:
            errors |= Status.TOO_MANY_BLACK_PAWNS
        if self.pawns & BB_BACKRANKS:
            errors |= Status.PAWNS_ON_BACKRANK
        if self.castling_rights != self.clean_castling_rights():
            errors |= Status.BAD_CASTLING_RIGHTS
        ep = self._valid_ep_square()
        if ep != self.ep_square:
            errors |= Status.INVALID_EP_SQUARE
        if self.was_into_check():
            errors |= Status.OPPOSITE_CHECK
        return errors | self._status_of_checks(ep)

    def _status_of_checks(self, ep: Optional[Square]) -> Status:
        errors = Status.VALID
        checkers = self.checkers_mask()
        king = self.king(self.turn)
        if not checkers or king is None:
            return errors
        number = checkers.bit_count()
        if number > 2:
            errors |= Status.TOO_MANY_CHECKERS
        if ep is not None:
            # The pawn has just moved two squares: it gives check, or its leaving its line does.
            pawn, home = (ep - 8, ep + 8) if self.turn else (ep + 8, ep - 8)
            before = self.occupied & ~BB_SQUARES[pawn] | BB_SQUARES[home]
            attacked = self.attackers_mask(not self.turn, king, before) & ~BB_SQUARES[pawn]
            if number > 1 or (checkers != BB_SQUARES[pawn] and attacked):
                errors |= Status.IMPOSSIBLE_CHECK
        elif number > 2 or (number == 2 and ray(lsb(checkers), msb(checkers)) & BB_SQUARES[king]):
            errors |= Status.IMPOSSIBLE_CHECK
        return errors

    def is_valid(self) -> bool:
        """Whether this may be the position of a game: :meth:`status` finds nothing.

        >>> import tabiya
        >>> tabiya.Board("4k3/8/8/8/8/8/8/8 w - - 0 1").is_valid()
        False
        """
        return self.status() == Status.VALID

    # EPD

    def epd(
        self,
        *,
        shredder: bool = False,
        en_passant: str = "legal",
        promoted: Optional[bool] = None,
        **operations: Any,
    ) -> str:
        """The board and named operations as EPD.

        >>> import tabiya
        >>> tabiya.Board().epd(hmvc=0, id="start")
        'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - hmvc 0; id "start";'
        """
        fields = self._epd(shredder, en_passant, promoted)
        written = _epd.write(self, operations)
        return f"{fields} {written}" if written else fields

    def set_epd(self, epd: str) -> Dict[str, Any]:
        """Becomes the board of an EPD and gives its operations.

        >>> import tabiya
        >>> tabiya.Board().set_epd('4k3/8/8/8/8/8/8/4K2R w K - bm O-O; id "first";')["id"]
        'first'
        """
        parts = epd.strip().rstrip(";").split(None, 4)
        if not parts:
            raise ValueError("an EPD begins with the pieces, but this one is empty")
        self._parse_fen(" ".join(parts[:4]))
        operations = _epd.read(self, parts[4]) if len(parts) > 4 else {}
        self.halfmove_clock = int(operations.get("hmvc", 0))
        self.fullmove_number = int(operations.get("fmvn", 1)) or 1
        return operations
