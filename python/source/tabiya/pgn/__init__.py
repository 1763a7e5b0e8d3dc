"""Records of games (PGN): read, made, looked at and written.

>>> import io, tabiya.pgn
>>> game = tabiya.pgn.read_game(io.StringIO('[White "Morphy"]\\n\\n1. e4 e5 (1... c5 2. Nf3) 2. f4 *'))
>>> game.headers["White"], game.end().san()
('Morphy', 'f4')
>>> [node.san() for node in game[0].variations]
['e5', 'c5']
"""

from .comment import (
    ARROWS_REGEX as ARROWS_REGEX,
    CLOCK_REGEX as CLOCK_REGEX,
    EMT_REGEX as EMT_REGEX,
    EVAL_REGEX as EVAL_REGEX,
)
from .exporters import (
    FileExporter as FileExporter,
    StringExporter as StringExporter,
    StringExporterMixin as StringExporterMixin,
)
from .headers import (
    TAG_NAME_REGEX as TAG_NAME_REGEX,
    TAG_REGEX as TAG_REGEX,
    TAG_ROSTER as TAG_ROSTER,
    Headers as Headers,
    HeadersT as HeadersT,
)
from .nags import *
from .nodes import ChildNode as ChildNode, Game as Game, GameNode as GameNode, Mainline as Mainline
from .reader import (
    MOVETEXT_REGEX as MOVETEXT_REGEX,
    SKIP_MOVETEXT_REGEX as SKIP_MOVETEXT_REGEX,
    read_game as read_game,
    read_headers as read_headers,
    skip_game as skip_game,
)
from .scan import BadGame as BadGame, Scan as Scan, ScannedGame as ScannedGame, scan as scan
from .time_control import (
    TimeControl as TimeControl,
    TimeControlPart as TimeControlPart,
    TimeControlType as TimeControlType,
    parse_time_control as parse_time_control,
)
from .visitors import (
    LOGGER as LOGGER,
    SKIP as SKIP,
    BaseVisitor as BaseVisitor,
    BoardBuilder as BoardBuilder,
    GameBuilder as GameBuilder,
    HeadersBuilder as HeadersBuilder,
    ResultT as ResultT,
    SkipType as SkipType,
    SkipVisitor as SkipVisitor,
)

GameT = Game
