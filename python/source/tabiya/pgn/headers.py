"""The tags of a game."""

from __future__ import annotations

import re
from typing import Any, Dict, Iterable, Iterator, List, Mapping, MutableMapping, Optional, Tuple
from typing import Type, TypeVar, Union

from .. import Board

HeadersT = TypeVar("HeadersT", bound="Headers")

TAG_ROSTER = ["Event", "Site", "Date", "Round", "White", "Black", "Result"]
_NAME = "[A-Za-z0-9][A-Za-z0-9_+#=:-]*"
TAG_NAME_REGEX = re.compile(rf"^{_NAME}\Z")
TAG_REGEX = re.compile(rf'^\[({_NAME})\s+"([^\r]*)"\]\s*$')
_DEFAULTS = {
    "Event": "?", "Site": "?", "Date": "????.??.??", "Round": "?",
    "White": "?", "Black": "?", "Result": "*",
}  # fmt: skip


class Headers(MutableMapping[str, str]):
    """The tags of a game: a mapping of names to texts. The seven that every game has come first.

    >>> import tabiya.pgn
    >>> headers = tabiya.pgn.Headers(White="Morphy")
    >>> headers["White"], headers["Black"]
    ('Morphy', '?')
    """

    __slots__ = ("_tags",)

    def __init__(
        self,
        data: Optional[Union[Mapping[str, str], Iterable[Tuple[str, str]]]] = None,
        **kwargs: str,
    ) -> None:
        self._tags: Dict[str, str] = {}
        if data is None:
            data = _DEFAULTS
        self.update(data)
        self.update(kwargs)

    def is_chess960(self) -> bool:
        """Whether the Variant tag says Chess960."""
        return self.get("Variant", "").lower() in (
            "chess960", "chess 960", "fischerandom", "fischerrandom", "fischer random",
            "freestyle",
        )  # fmt: skip

    def is_wild(self) -> bool:
        """Whether the Variant tag names one of the wild starts of the servers."""
        return self.get("Variant", "").lower() in (
            ["wild", "wild/0", "wild/1", "wild/2", "wild/3", "wild/4", "wild/5", "wild/6"]
            + ["wild/7", "wild/8", "wild/8a"]
        )

    def variant(self) -> Type[Board]:
        """The class of boards on which the game is played; ValueError for other rules."""
        if "Variant" not in self or self.is_chess960() or self.is_wild():
            return Board
        name = self["Variant"]
        if name.lower() in [alias.lower() for alias in Board.aliases] + ["standard", ""]:
            return Board
        raise ValueError(f"the rules of {name!r} are not known here")

    def board(self) -> Board:
        """The board from which the game begins; ValueError if the FEN is none."""
        fen = self.get("FEN")
        kind = self.variant()
        if fen is None:
            return kind(chess960=self.is_chess960())
        board = kind(fen, chess960=self.is_chess960())
        board.chess960 = board.chess960 or board.has_chess960_castling_rights()
        return board

    def __setitem__(self, key: str, value: str) -> None:
        if not TAG_NAME_REGEX.match(key):
            raise ValueError(f"{key!r} cannot be the name of a tag: letters, digits and _ are")
        if "\n" in value or "\r" in value:
            raise ValueError(f"the value of the tag {key} has a line break: {value!r}")
        self._tags[key] = value

    def __getitem__(self, key: str) -> str:
        return self._tags[key]

    def __delitem__(self, key: str) -> None:
        del self._tags[key]

    def __contains__(self, key: object) -> bool:
        return key in self._tags

    def __iter__(self) -> Iterator[str]:
        tags = self._tags
        for name in TAG_ROSTER:
            if name in tags:
                yield name
        for name in tags:
            if name not in _DEFAULTS:
                yield name

    def __len__(self) -> int:
        return len(self._tags)

    def copy(self: HeadersT) -> HeadersT:
        """Tags of their own with the same names and values."""
        return type(self)(self)

    def __copy__(self: HeadersT) -> HeadersT:
        return self.copy()

    def __repr__(self) -> str:
        tags = ", ".join(f"{name}={value!r}" for name, value in self.items())
        return f"{type(self).__name__}({tags})"

    @classmethod
    def builder(cls: Type[HeadersT]) -> Any:
        """A visitor that keeps the tags only."""
        from .visitors import HeadersBuilder

        return HeadersBuilder(Headers=lambda: cls({}))
