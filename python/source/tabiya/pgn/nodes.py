"""Games as trees: every node but the root is a move."""

from __future__ import annotations

from html import escape
from typing import Any, Dict, Generic, Iterable, Iterator, List, Optional, Set, Tuple, Type
from typing import TYPE_CHECKING, TypeVar, Union

from .. import Board, Move, STARTING_FEN, WHITE
from . import comment as _comment
from .headers import Headers
from .time_control import TimeControl, parse_time_control

if TYPE_CHECKING:
    from ..engine import PovScore
    from ..svg import Arrow
    from .visitors import BaseVisitor

ResultT = TypeVar("ResultT")
GameT = TypeVar("GameT", bound="Game")


class GameNode:
    """A position of a game: the root or what comes after a move."""

    parent: Optional[GameNode]
    move: Optional[Move]
    comment: str
    starting_comment: str

    # Millions of nodes are made: they are small, and have what is asked for seldom only when it is.
    __slots__ = (
        "parent", "move", "_children", "comment", "starting_comment", "_nags", "__dict__", "__weakref__",
    )  # fmt: skip

    def __init__(self, *, comment: str = "") -> None:
        self.parent = None
        self.move = None
        # Most nodes have one move after them: a list is made when there are more, or when somebody asks for it.
        self._children: Union[None, ChildNode, List[ChildNode]] = None
        self.comment = comment
        self.starting_comment = ""
        self._nags: Optional[Set[int]] = None

    @property
    def variations(self) -> List[ChildNode]:
        """The nodes after this one: the list itself, which may be changed. The first is the main line.

        >>> import io, tabiya.pgn
        >>> game = tabiya.pgn.read_game(io.StringIO("1. e4 (1. d4) *"))
        >>> [node.san() for node in game.variations]
        ['e4', 'd4']
        """
        found = self._children
        if not isinstance(found, list):
            found = self._children = [] if found is None else [found]
        return found

    @variations.setter
    def variations(self, variations: List[ChildNode]) -> None:
        self._children = variations

    def _add(self, child: ChildNode) -> None:
        """Puts a node behind those that are there."""
        if self._children is None:
            self._children = child
        else:
            self.variations.append(child)

    @property
    def nags(self) -> Set[int]:
        """The judgements, by their numbers."""
        if self._nags is None:
            self._nags = set()
        return self._nags

    @nags.setter
    def nags(self, nags: Iterable[int]) -> None:
        self._nags = set(nags)

    # Where the node is

    def _line(self) -> Tuple[GameNode, List[Move]]:
        """The root, and the moves from there."""
        moves: List[Move] = []
        node = self
        while node.parent is not None:
            assert node.move is not None
            moves.append(node.move)
            node = node.parent
        moves.reverse()
        return node, moves

    def board(self) -> Board:
        """The position, as a board of its own, with the moves that led to it.

        >>> import io, tabiya.pgn
        >>> tabiya.pgn.read_game(io.StringIO("1. e4 e5 *")).end().board().fen()
        'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2'
        """
        root, moves = self._line()
        board = root.board()
        for move in moves:
            board.push(move)
        return board

    def ply(self) -> int:
        """How many half-moves lie before this position."""
        root, moves = self._line()
        return root.ply() + len(moves)

    def turn(self) -> bool:
        """Who is to move."""
        return self.ply() % 2 == 0

    def root(self) -> GameNode:
        """The node from which the game begins."""
        node = self
        while node.parent is not None:
            node = node.parent
        return node

    def game(self) -> Game:
        """The game of this node."""
        root = self.root()
        assert isinstance(root, Game), "the root of this node is no game"
        return root

    def end(self) -> GameNode:
        """The last node of the line that goes on from here."""
        node: GameNode = self
        while (after := node.next()) is not None:
            node = after
        return node

    def is_end(self) -> bool:
        """Whether no move comes after this node."""
        return not self._children

    def starts_variation(self) -> bool:
        """Whether this is the first move of a side line."""
        if self.parent is None or self.parent.is_end():
            return False
        return self.parent.next() is not self

    def is_mainline(self) -> bool:
        """Whether the node is on the main line of the game."""
        node = self
        while node.parent is not None:
            if node.parent.next() is not node:
                return False
            node = node.parent
        return True

    def is_main_variation(self) -> bool:
        """Whether this is the first move of its parent."""
        if self.parent is None:
            return True
        return self.parent.is_end() or self.parent.next() is self

    # What comes after it

    def __getitem__(self, move: Union[int, Move, GameNode]) -> ChildNode:
        try:
            return self.variation(move)
        except KeyError:
            if isinstance(move, int):
                raise IndexError(f"there is no variation {move} here") from None
            raise

    def __contains__(self, move: Union[int, Move, GameNode]) -> bool:
        return self.has_variation(move)

    def variation(self, move: Union[int, Move, GameNode]) -> ChildNode:
        """The variation of a number or a move; KeyError if there is none."""
        for number, node in enumerate(self.variations):
            if move == number or move == node.move or move is node:
                return node
        raise KeyError(f"there is no variation {move} here")

    def has_variation(self, move: Union[int, Move, GameNode]) -> bool:
        """Whether there is a variation of this number or move."""
        try:
            self.variation(move)
        except KeyError:
            return False
        return True

    def promote_to_main(self, move: Union[int, Move, GameNode]) -> None:
        """Makes a variation the first."""
        node = self.variation(move)
        self.variations.remove(node)
        self.variations.insert(0, node)

    def promote(self, move: Union[int, Move, GameNode]) -> None:
        """Moves a variation up by one."""
        at = self.variations.index(self.variation(move))
        if at > 0:
            self._swap(at, at - 1)

    def demote(self, move: Union[int, Move, GameNode]) -> None:
        """Moves a variation down by one."""
        at = self.variations.index(self.variation(move))
        if at < len(self.variations) - 1:
            self._swap(at, at + 1)

    def _swap(self, a: int, b: int) -> None:
        self.variations[a], self.variations[b] = self.variations[b], self.variations[a]

    def remove_variation(self, move: Union[int, Move, GameNode]) -> None:
        """Takes a variation away."""
        self.variations.remove(self.variation(move))

    def add_variation(
        self,
        move: Move,
        *,
        comment: str = "",
        starting_comment: str = "",
        nags: Iterable[int] = (),
    ) -> ChildNode:
        """Adds a move behind those that are there and gives its node."""
        return ChildNode(
            self, move, comment=comment, starting_comment=starting_comment, nags=nags
        )

    def add_main_variation(
        self, move: Move, *, comment: str = "", nags: Iterable[int] = ()
    ) -> ChildNode:
        """Adds a move before those that are there."""
        node = self.add_variation(move, comment=comment, nags=nags)
        self.variations.insert(0, self.variations.pop())
        return node

    def add_line(
        self,
        moves: Iterable[Move],
        *,
        comment: str = "",
        starting_comment: str = "",
        nags: Iterable[int] = (),
    ) -> GameNode:
        """Adds moves one after the other and gives the last node, which gets the comment."""
        node = self
        for move in moves:
            node = node.add_variation(move, starting_comment=starting_comment)
            starting_comment = ""
        node.comment = f"{node.comment} {comment}" if node.comment and comment else (
            node.comment or comment
        )  # fmt: skip
        node.nags.update(nags)
        return node

    def next(self) -> Optional[ChildNode]:
        """The next node of the line."""
        found = self._children
        if isinstance(found, list):
            return found[0] if found else None
        return found

    def mainline(self) -> Mainline[ChildNode]:
        """The nodes of the line that goes on from here."""
        return Mainline(self, lambda node: node)

    def mainline_moves(self) -> Mainline[Move]:
        """The moves of the line that goes on from here."""
        return Mainline(self, lambda node: node.move)

    # What comments tell

    def eval(self) -> Optional[PovScore]:
        """What the comment says the position is worth (``[%eval 0.3]``)."""
        return _comment.get_eval(self.comment)[0]

    def eval_depth(self) -> Optional[int]:
        """How deep somebody has looked, by the comment."""
        return _comment.get_eval(self.comment)[1]

    def set_eval(self, score: Optional[PovScore], depth: Optional[int] = None) -> None:
        """Writes into the comment what the position is worth; None takes it out.

        >>> import tabiya, tabiya.pgn
        >>> from tabiya.engine import Cp, PovScore
        >>> node = tabiya.pgn.Game().add_variation(tabiya.Move.from_uci("e2e4"))
        >>> node.set_eval(PovScore(Cp(35), tabiya.WHITE), depth=20)
        >>> node.comment, node.eval(), node.eval_depth()
        ('[%eval 0.35,20]', PovScore(Cp(+35), WHITE), 20)
        """
        self.comment = _comment.set_eval(self.comment, score, depth)

    def arrows(self) -> List[Arrow]:
        """Arrows and marked squares of the comment (``[%cal Ge2e4]``, ``[%csl Rd4]``)."""
        return _comment.get_arrows(self.comment)

    def set_arrows(self, arrows: Iterable[Union[Arrow, Tuple[int, int]]]) -> None:
        """Writes arrows and marked squares into the comment, in place of those that are there.

        >>> import tabiya, tabiya.pgn, tabiya.svg
        >>> node = tabiya.pgn.Game()
        >>> node.set_arrows([tabiya.svg.Arrow(tabiya.E2, tabiya.E4, color="red"), (tabiya.D4, tabiya.D4)])
        >>> node.comment
        '[%csl Gd4][%cal Re2e4]'
        """
        self.comment = _comment.set_arrows(self.comment, arrows)

    def clock(self) -> Optional[float]:
        """The seconds left on the clock, by the comment (``[%clk 0:03:00]``)."""
        return _comment.get_clock(self.comment)

    def set_clock(self, seconds: Optional[float]) -> None:
        """Writes the seconds left on the clock into the comment; None takes them out.

        >>> import tabiya.pgn
        >>> node = tabiya.pgn.Game()
        >>> node.set_clock(179.5)
        >>> node.comment, node.clock()
        ('[%clk 0:02:59.5]', 179.5)
        """
        self.comment = _comment.set_clock(self.comment, seconds)

    def emt(self) -> Optional[float]:
        """The seconds the move took, by the comment (``[%emt 0:00:05]``)."""
        return _comment.get_emt(self.comment)

    def set_emt(self, seconds: Optional[float]) -> None:
        """Writes the seconds the move took into the comment; None takes them out."""
        self.comment = _comment.set_emt(self.comment, seconds)

    # Visits

    def accept(self, visitor: BaseVisitor[ResultT]) -> ResultT:
        """Tells a visitor of the line that leads through this node, as of a game, and gives the visitor's result.

        >>> import io, tabiya.pgn
        >>> game = tabiya.pgn.read_game(io.StringIO("1. e4 e5 2. Nf3 *"))
        >>> game.accept(tabiya.pgn.StringExporter(headers=False))
        '1. e4 e5 2. Nf3 *'
        >>> game.accept(tabiya.pgn.BoardBuilder()).fullmove_number
        2
        """
        raise NotImplementedError

    def accept_subgame(self, visitor: BaseVisitor[ResultT]) -> ResultT:
        """Tells a visitor of what comes from here on, as of a game of its own."""
        from .visitors import SKIP

        if visitor.begin_game() is SKIP:
            visitor.end_game()
            return visitor.result()
        game = self.game()
        board = self.board()
        dummy = Game.without_tag_roster()
        dummy.setup(board)
        visitor.begin_headers()
        headers = {name: value for name, value in game.headers.items() if name != "FEN"}
        headers.update(dummy.headers)
        headers.pop("SetUp", None) if "FEN" not in headers else None
        for name, value in headers.items():
            visitor.visit_header(name, value)
        if visitor.end_headers() is not SKIP:
            visitor.visit_board(board)
            _visit_from(self, visitor, board)
            visitor.visit_result(game.headers.get("Result", "*"))
        visitor.end_game()
        return visitor.result()

    def _repr_svg_(self) -> str:
        """The position, the move that led to it, and the arrows of the comment."""
        from .. import svg

        board = self.board()
        return svg.board(
            board, lastmove=self.move, arrows=self.arrows(), size=390,
            check=board.king(board.turn) if board.is_check() else None,
        )  # fmt: skip

    def __str__(self) -> str:
        from .exporters import StringExporter

        return self.accept(StringExporter(columns=None))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} at {id(self):#x}>"


class ChildNode(GameNode):
    """A move, and the position after it."""

    __slots__ = ()

    if TYPE_CHECKING:
        parent: GameNode  # pyright: ignore
        move: Move  # pyright: ignore

    def __init__(
        self,
        parent: GameNode,
        move: Move,
        *,
        comment: str = "",
        starting_comment: str = "",
        nags: Iterable[int] = (),
    ) -> None:
        self.parent = parent  # pyright: ignore
        self.move = move  # pyright: ignore
        self._children = None
        self.comment = comment
        self.starting_comment = starting_comment
        self._nags = set(nags) if nags else None
        parent._add(self)

    def san(self) -> str:
        """The move in SAN."""
        return self.parent.board().san(self.move)

    def uci(self, *, chess960: Optional[bool] = None) -> str:
        """The move as UCI writes it."""
        return self.parent.board().uci(self.move, chess960=chess960)

    def end(self) -> ChildNode:
        """The last node of the line that goes on from here."""
        node = self
        while (after := node.next()) is not None:
            node = after
        return node

    def accept(self, visitor: BaseVisitor[ResultT]) -> ResultT:
        visitor.begin_game()
        board = self.parent.board()
        visitor.visit_board(board)
        _visit_move(self, visitor, board, board.copy(stack=False))
        _visit_from(self, visitor, self.board())
        visitor.visit_result("*")
        visitor.end_game()
        return visitor.result()

    def __repr__(self) -> str:
        try:
            board = self.parent.board()
            dots = "." if board.turn else "..."
            return (
                f"<{type(self).__name__} at {id(self):#x}"
                f" ({board.fullmove_number}{dots} {board.san(self.move)} ...)>"
            )
        except (ValueError, AssertionError):
            return f"<{type(self).__name__} at {id(self):#x} (dangling: {self.move})>"


class Game(GameNode):
    """A game: tags, and the root of its moves.

    >>> import tabiya.pgn
    >>> game = tabiya.pgn.Game()
    >>> game.headers["White"] = "Ada"
    >>> node = game.add_variation(tabiya.Move.from_uci("e2e4"))
    >>> print(game.mainline_moves())
    1. e4
    """

    headers: Headers
    errors: List[Exception]

    def __init__(
        self,
        headers: Optional[Union[Dict[str, str], Iterable[Tuple[str, str]], Headers]] = None,
    ) -> None:
        super().__init__()
        self.headers = Headers(headers)
        self.errors = []

    def board(self) -> Board:
        """The position from which the game begins."""
        return self.headers.board()

    def ply(self) -> int:
        return 0 if "FEN" not in self.headers else self.board().ply()

    def setup(self, board: Union[Board, str]) -> None:
        """Lets the game begin from a board or a FEN."""
        if isinstance(board, str):
            board = Board(board)
            board.chess960 = board.has_chess960_castling_rights()
        fen, chess960 = board.fen(), board.chess960
        if fen == STARTING_FEN:
            self.headers.pop("FEN", None)
            self.headers.pop("SetUp", None)
        else:
            self.headers["FEN"] = fen
            self.headers["SetUp"] = "1"
        if chess960:
            self.headers["Variant"] = "Chess960"
        else:
            self.headers.pop("Variant", None)

    def time_control(self) -> TimeControl:
        """How much time the players had, by the TimeControl tag."""
        return parse_time_control(self.headers.get("TimeControl", ""))

    def accept(self, visitor: BaseVisitor[ResultT]) -> ResultT:
        from .visitors import SKIP

        if visitor.begin_game() is not SKIP:
            visitor.begin_headers()
            for name, value in self.headers.items():
                visitor.visit_header(name, value)
            if visitor.end_headers() is not SKIP:
                board = self.board()
                visitor.visit_board(board)
                if self.comment:
                    visitor.visit_comment(self.comment)
                _visit_from(self, visitor, board)
                visitor.visit_result(self.headers.get("Result", "*"))
        visitor.end_game()
        return visitor.result()

    @classmethod
    def from_board(cls: Type[GameT], board: Board) -> GameT:
        """The game whose moves are on a board's stack."""
        game = cls()
        game.setup(board.root())
        node: GameNode = game
        for move in board.move_stack:
            node = node.add_variation(move)
        game.headers["Result"] = board.result()
        return game

    @classmethod
    def without_tag_roster(cls: Type[GameT]) -> GameT:
        """A game without any tag."""
        return cls(headers={})

    @classmethod
    def builder(cls: Type[GameT]) -> Any:
        """A visitor that builds such games."""
        from .visitors import GameBuilder

        return GameBuilder(Game=cls)

    def __repr__(self) -> str:
        tags = ", ".join(
            f"{name}={self.headers[name]!r}"
            for name in ("White", "Black", "Date")
            if name in self.headers
        )
        return f"<{type(self).__name__} at {id(self):#x} ({tags})>"

    def _repr_svg_(self) -> str:
        return self.end()._repr_svg_() if self.next() else super()._repr_svg_()

    def _repr_html_(self) -> str:
        """The last position, who played, the moves, and the evaluations if there are any."""
        from .. import svg
        from .._graph import points
        from .exporters import StringExporter

        players = " – ".join(escape(self.headers.get(color, "?")) for color in ("White", "Black"))
        told = [self.headers.get(tag, "?") for tag in ("Event", "Date", "Result")]
        moves = self.accept(StringExporter(columns=None, headers=False))
        curve = svg.graph(self, width=390, height=100) if len(points(self)) > 1 else ""
        return (
            f'<div style="display:flex;flex-wrap:wrap;gap:1em"><div>{self._repr_svg_()}{curve}</div>'
            f'<div style="max-width:30em"><b>{players}</b><br>'
            f"{escape(', '.join(text for text in told if '?' not in text))}"
            f"<p>{escape(moves)}</p></div></div>"
        )


class Mainline(Generic[ResultT]):
    """The nodes or moves of a line, from the one after ``start``."""

    def __init__(self, start: GameNode, f: Any) -> None:
        self.start = start
        self.f = f

    def __bool__(self) -> bool:
        return not self.start.is_end()

    def __iter__(self) -> Iterator[ResultT]:
        node = self.start.next()
        while node is not None:
            yield self.f(node)
            node = node.next()

    def __reversed__(self) -> Iterator[ResultT]:
        node: GameNode = self.start.end()
        while node is not self.start and node.parent is not None:
            yield self.f(node)
            node = node.parent

    def accept(self, visitor: BaseVisitor[ResultT]) -> ResultT:
        """Tells a visitor of the line, as of a game."""
        board = self.start.board()
        visitor.begin_game()
        visitor.begin_headers()
        visitor.end_headers()
        visitor.visit_board(board)
        for node in Mainline[ChildNode](self.start, lambda node: node):
            visitor.visit_move(board, node.move)
            board.push(node.move)
            visitor.visit_board(board)
        visitor.visit_result("*")
        visitor.end_game()
        return visitor.result()

    def __str__(self) -> str:
        return self.start.board().variation_san(
            node.move for node in Mainline[ChildNode](self.start, lambda node: node)
        )

    def __repr__(self) -> str:
        return f"<Mainline at {id(self):#x} ({self})>"


def _visit_move(
    node: ChildNode, visitor: BaseVisitor[Any], board: Board, before: Board
) -> None:
    """Tells of one move with what is said about it, and leaves the board after it."""
    if node.starting_comment:
        visitor.visit_comment(node.starting_comment)
    visitor.visit_move(board, node.move)
    board.push(node.move)
    visitor.visit_board(board)
    for nag in sorted(node._nags or ()):
        visitor.visit_nag(nag)
    if node.comment:
        visitor.visit_comment(node.comment)


def _visit_from(start: GameNode, visitor: BaseVisitor[Any], board: Board) -> None:
    """Tells of all that comes after a node. Variations stand behind the move they replace."""
    from .visitors import SKIP

    # Work to be done, the next last: a move to tell of, a variation to begin, or the end of one.
    todo: List[Tuple[str, Any, Board]] = []
    board = board.copy()
    if not start.is_end():
        todo.append(("main", start, board))
    while todo:
        what, node, board = todo.pop()
        if what == "end":
            visitor.end_variation()
        elif what == "side":
            if visitor.begin_variation() is SKIP:
                visitor.end_variation()
                continue
            _visit_move(node, visitor, board, board)
            todo.append(("end", node, board))
            if not node.is_end():
                todo.append(("main", node, board))
        else:
            found = node._children
            first, *others = found if isinstance(found, list) else [found]
            sides = [("side", other, board.copy()) for other in others]
            _visit_move(first, visitor, board, board)
            if not first.is_end():
                todo.append(("main", first, board))
            todo.extend(reversed(sides))
