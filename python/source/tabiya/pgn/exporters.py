"""Games as text."""

from __future__ import annotations

from typing import List, Optional, TextIO

from .. import Board, Move
from .visitors import SKIP, BaseVisitor, SkipType


class StringExporterMixin:
    """Makes lines of what a game tells."""

    def __init__(
        self,
        *,
        columns: Optional[int] = 80,
        headers: bool = True,
        comments: bool = True,
        variations: bool = True,
    ) -> None:
        self.columns = columns
        self.headers = headers
        self.comments = comments
        self.variations = variations
        self.found_headers = False
        self.force_movenumber = True
        self.lines: List[str] = []
        self.current_line = ""
        self.variation_depth = 0

    def flush_current_line(self) -> None:
        """Ends the line that is being written."""
        if self.current_line:
            self.lines.append(self.current_line.rstrip())
        self.current_line = ""

    def write_token(self, token: str) -> None:
        """Writes a word, on a new line if it does not fit."""
        if self.columns is not None and self.columns - len(self.current_line) < len(token.rstrip()):
            self.flush_current_line()
        self.current_line += token

    def write_line(self, line: str = "") -> None:
        """Writes a line of its own."""
        self.flush_current_line()
        self.lines.append(line.rstrip())

    def end_game(self) -> None:
        """Writes the blank line behind a game."""
        self.write_line()

    def begin_headers(self) -> None:
        """Tags begin."""
        self.found_headers = False

    def visit_header(self, tagname: str, tagvalue: str) -> None:
        """Writes a tag."""
        if self.headers:
            self.found_headers = True
            escaped = tagvalue.replace("\\", "\\\\").replace('"', '\\"')
            self.write_line(f'[{tagname} "{escaped}"]')

    def end_headers(self) -> None:
        """Writes the blank line behind the tags."""
        if self.found_headers:
            self.write_line()

    def begin_variation(self) -> Optional[SkipType]:
        """Opens a parenthesis."""
        self.variation_depth += 1
        if not self.variations:
            return SKIP
        self.write_token("( ")
        self.force_movenumber = True
        return None

    def end_variation(self) -> None:
        """Closes the parenthesis."""
        self.variation_depth -= 1
        if self.variations:
            self.write_token(") ")
            self.force_movenumber = True

    def visit_comment(self, comment: str) -> None:
        """Writes a comment."""
        if self.comments and (self.variations or not self.variation_depth):
            self.write_token(f"{{ {comment.replace('}', '').strip()} }} ")
            self.force_movenumber = True

    def visit_nag(self, nag: int) -> None:
        """Writes a judgement."""
        if self.comments and (self.variations or not self.variation_depth):
            self.write_token(f"${nag} ")

    def visit_move(self, board: Board, move: Move) -> None:
        """Writes a move, with its number where that is needed."""
        if self.variations or not self.variation_depth:
            if board.turn:
                self.write_token(f"{board.fullmove_number}. ")
            elif self.force_movenumber:
                self.write_token(f"{board.fullmove_number}... ")
            self.write_token(board.san(move) + " ")
            self.force_movenumber = False

    def visit_result(self, result: str) -> None:
        """Writes the result."""
        self.write_token(result + " ")


class StringExporter(StringExporterMixin, BaseVisitor[str]):
    """Writes a game as a text.

    >>> import io, tabiya.pgn
    >>> game = tabiya.pgn.read_game(io.StringIO("1. e4 {best by test} e5 *"))
    >>> print(game.accept(tabiya.pgn.StringExporter(headers=False)))
    1. e4 { best by test } 1... e5 *
    """

    def result(self) -> str:
        if self.current_line:
            return "\n".join([*self.lines, self.current_line.rstrip()]).rstrip()
        return "\n".join(self.lines).rstrip()

    def __str__(self) -> str:
        return self.result()


class FileExporter(StringExporterMixin, BaseVisitor[int]):
    """Writes games into a file that is open for text; gives the number of characters."""

    def __init__(
        self,
        handle: TextIO,
        *,
        columns: Optional[int] = 80,
        headers: bool = True,
        comments: bool = True,
        variations: bool = True,
    ) -> None:
        super().__init__(
            columns=columns, headers=headers, comments=comments, variations=variations
        )
        self.handle = handle
        self.written = 0

    def begin_game(self) -> Optional[SkipType]:
        self.written = 0
        return None

    def flush_current_line(self) -> None:
        """Ends the line that is being written."""
        if self.current_line:
            self.written += self.handle.write(self.current_line.rstrip() + "\n")
        self.current_line = ""

    def write_line(self, line: str = "") -> None:
        """Writes a line of its own."""
        self.flush_current_line()
        self.written += self.handle.write(line.rstrip() + "\n")

    def result(self) -> int:
        return self.written

    def __repr__(self) -> str:
        return f"<FileExporter at {id(self):#x}>"
