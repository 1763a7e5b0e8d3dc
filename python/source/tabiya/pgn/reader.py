"""Games out of a text that is open, one after the other."""

from __future__ import annotations

import re
from typing import Any, Callable, List, Optional, TextIO, TypeVar, overload

from .. import Board, Move
from .._tabiya import Record, read_record
from .headers import Headers
from .nags import SYMBOLS
from .nodes import ChildNode, Game, GameNode
from .visitors import LOGGER, SKIP, BaseVisitor, GameBuilder, HeadersBuilder, SkipVisitor

ResultT = TypeVar("ResultT")

MOVETEXT_REGEX = re.compile(
    r"([KQRBN]?[a-h]?[1-8]?[x-]?[a-h][1-8](?:=?[KQRBNkqrbn])?|[PNBRQK]?@[a-h][1-8]"
    r"|--|Z0|0000|@@@@|O-O(?:-O)?|0-0(?:-0)?)"
    r"|(\{.*)|(;.*)|(\$[0-9]+)|(\()|(\))|(\*|1-0|0-1|1/2-1/2)|([!?]{1,2})",
    re.DOTALL,
)
"""A word of the moves: a move, a comment, a judgement, a parenthesis or a result."""
SKIP_MOVETEXT_REGEX = re.compile(r"[;{}]")
"""Where a comment begins or ends."""

_RESULTS = frozenset(["1-0", "0-1", "1/2-1/2", "*"])


@overload
def read_game(handle: TextIO) -> Optional[Game]: ...
@overload
def read_game(
    handle: TextIO, *, Visitor: Callable[[], BaseVisitor[ResultT]]
) -> Optional[ResultT]: ...


def read_game(handle: TextIO, *, Visitor: Any = GameBuilder) -> Any:
    """Reads the next game of a text; None at its end.

    What is wrong with a game is in ``game.errors``, and reading goes on with the next.

    >>> import io, tabiya.pgn
    >>> text = io.StringIO('[White "A"]\\n\\n1. e4 e5 2. Ke3 *\\n\\n1. d4 *')
    >>> game = tabiya.pgn.read_game(text)
    >>> game.headers["White"], str(game.mainline_moves()), len(game.errors)
    ('A', '1. e4 e5', 1)
    >>> str(tabiya.pgn.read_game(text).mainline_moves())
    '1. d4'
    >>> tabiya.pgn.read_game(text) is None
    True
    """
    if Visitor is SkipVisitor:
        return True if read_record(handle, False) is not None else None
    record = read_record(handle, Visitor is not HeadersBuilder)
    if record is None:
        return None
    if Visitor is GameBuilder:
        return _build(record)
    return _tell(record, Visitor())


def read_headers(handle: TextIO) -> Optional[Headers]:
    """Reads the tags of the next game and passes over its moves."""
    return read_game(handle, Visitor=HeadersBuilder)


def skip_game(handle: TextIO) -> bool:
    """Passes over the next game; False if there is none."""
    return bool(read_game(handle, Visitor=SkipVisitor))


def _build(record: Record) -> Game:
    """The game of a record."""
    game = Game(headers={})
    tags = game.headers
    for name in _ROSTER:
        tags._tags[name] = _ROSTER[name]
    for name, value in record.tags:
        tags._tags[name] = value
    try:
        board = tags.board()
    except ValueError as error:
        LOGGER.error("%s while reading %r", error, game)
        game.errors.append(error)
        return game
    node: GameNode = game
    outer: List[GameNode] = []
    starting_comment = ""
    # Whether a comment belongs to the move before it, rather than to the one to come.
    after_move = False
    new = ChildNode.__new__
    for word in record.moves(board):
        kind = type(word)
        if kind is Move:
            child = new(ChildNode)
            child.parent = node
            child.move = word
            child._children = None
            child.comment = child.starting_comment = ""
            child._nags = None
            if node._children is None:
                node._children = child
            else:
                node.variations.append(child)
            if starting_comment:
                child.starting_comment = starting_comment
                starting_comment = ""
            node = child
            after_move = True
        elif kind is str:
            if word[0] == "{":
                comment = word[1:].strip(" ")
                if after_move or (node.parent is None and node.is_end()):
                    node.comment = f"{node.comment} {comment}" if node.comment else comment
                else:
                    starting_comment = f"{starting_comment} {comment}".strip()
            elif word == "(":
                outer.append(node)
                assert node.parent is not None
                node = node.parent
                after_move = False
            elif word == ")":
                node = outer.pop()
            elif word in _RESULTS:
                if not outer and tags._tags["Result"] == "*":
                    tags._tags["Result"] = word
            else:
                node.nags.add(SYMBOLS[word])
        elif kind is int:
            node.nags.add(word)
        else:
            LOGGER.error("%s while reading %r", word, game)
            game.errors.append(word)
    return game


_ROSTER = Headers()._tags


def _tell(record: Record, visitor: BaseVisitor[ResultT]) -> ResultT:
    """Tells a visitor of a record."""
    skipped = visitor.begin_game() is SKIP
    tags = visitor.begin_headers() if not skipped else None
    kept = tags if isinstance(tags, Headers) else Headers({})
    if not skipped:
        for name, value in record.tags:
            visitor.visit_header(name, value)
            if kept is not tags:
                kept[name] = value
        skipped = visitor.end_headers() is SKIP
    if not skipped:
        try:
            board = kept.board()
        except ValueError as error:
            visitor.handle_error(error)
        else:
            _tell_moves(record, visitor, board)
    visitor.end_game()
    return visitor.result()


def _tell_moves(record: Record, visitor: BaseVisitor[Any], board: Board) -> None:
    visitor.visit_board(board)
    boards = [board]
    # The nesting of what is passed over, and whether its end is told.
    skipped, told = 0, False
    for word in record.words():
        first = word[0]
        if skipped:
            if first == "(":
                skipped += 1
            elif first == ")":
                skipped -= 1
                if not skipped:
                    if told:
                        visitor.end_variation()
                    elif len(boards) > 1:
                        boards.pop()
                        visitor.end_variation()
                    else:
                        skipped = 1
            continue
        if first == "{":
            visitor.visit_comment(word[1:].strip(" "))
        elif first == "(":
            if not boards[-1].stack_size():
                continue
            if visitor.begin_variation() is SKIP:
                skipped, told = 1, True
                continue
            inner = boards[-1].copy()
            inner.pop()
            boards.append(inner)
        elif first == ")":
            if len(boards) > 1:
                boards.pop()
                visitor.end_variation()
        elif first == "$":
            visitor.visit_nag(int(word[1:]))
        elif word in SYMBOLS:
            visitor.visit_nag(SYMBOLS[word])
        elif word in _RESULTS:
            if len(boards) == 1:
                visitor.visit_result(word)
        else:
            board = boards[-1]
            if visitor.begin_parse_san(board, word) is SKIP:
                skipped, told = 1, False
                continue
            try:
                move = visitor.parse_san(board, word)
            except ValueError as error:
                visitor.handle_error(error)
                skipped, told = 1, False
                continue
            visitor.visit_move(board, move)
            board.push(move)
            visitor.visit_board(board)
