"""Engines: any program that speaks UCI (or XBoard's protocol), and Tabiya itself without a program.

>>> import tabiya, tabiya.engine
>>> engine = tabiya.engine.Tabiya()
>>> engine.play(tabiya.Board("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"), tabiya.engine.Limit(depth=6)).move
Move.from_uci('a1a8')
"""

from .inprocess import Analysis as Analysis, Tabiya as Tabiya
from .protocol import (
    LOGGER as LOGGER,
    AnalysisResult as AnalysisResult,
    BaseCommand as BaseCommand,
    CommandState as CommandState,
    MockTransport as MockTransport,
    Protocol as Protocol,
    ProtocolT as ProtocolT,
)
from .score import (
    Cp as Cp,
    Mate as Mate,
    MateGiven as MateGiven,
    MateGivenType as MateGivenType,
    PovScore as PovScore,
    PovWdl as PovWdl,
    Score as Score,
    Wdl as Wdl,
    WdlModel as WdlModel,
)
from .simple import (
    SimpleAnalysisResult as SimpleAnalysisResult,
    SimpleEngine as SimpleEngine,
    popen_uci as popen_uci,
    popen_xboard as popen_xboard,
    run_in_background as run_in_background,
)
from .types import (
    INFO_ALL as INFO_ALL,
    INFO_BASIC as INFO_BASIC,
    INFO_CURRLINE as INFO_CURRLINE,
    INFO_NONE as INFO_NONE,
    INFO_PV as INFO_PV,
    INFO_REFUTATION as INFO_REFUTATION,
    INFO_SCORE as INFO_SCORE,
    MANAGED_OPTIONS as MANAGED_OPTIONS,
    AnalysisComplete as AnalysisComplete,
    BestMove as BestMove,
    ConfigMapping as ConfigMapping,
    ConfigValue as ConfigValue,
    EngineError as EngineError,
    EngineTerminatedError as EngineTerminatedError,
    Info as Info,
    InfoDict as InfoDict,
    Limit as Limit,
    Opponent as Opponent,
    Option as Option,
    PlayResult as PlayResult,
    UciOptionMap as UciOptionMap,
)
from .uci import (
    UCI_REGEX as UCI_REGEX,
    UciProtocol as UciProtocol,
    _parse_uci_bestmove as _parse_uci_bestmove,
    _parse_uci_info as _parse_uci_info,
)
from .xboard import (
    XBOARD_ERROR_REGEX as XBOARD_ERROR_REGEX,
    XBoardProtocol as XBoardProtocol,
)


def __getattr__(name: str) -> object:
    """What asyncio itself will not have for ever."""
    if name == "EventLoopPolicy":
        import asyncio

        return asyncio.DefaultEventLoopPolicy
    raise AttributeError(f"module 'tabiya.engine' has no attribute {name!r}")
