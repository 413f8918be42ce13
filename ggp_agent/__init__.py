"""The public Python interface of ggp-agent; docs/reference/api.md documents each name and what may change.

import ggp_agent
machine = ggp_agent.load("connectFour")
ggp_agent.draw(machine, machine.initial())  # a board in a notebook

Names are imported on first use, so that `import ggp_agent` is quick. These modules of this package define some of the
names: `loading` (load, check, games), `boards` (draw, Board), `records` (Record), `environments` (make, make_vec),
`learning` (study, warm_up). The other names come from the packages `reasoner`, `search` and `agent`, which are
internal.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agent.environments.bots import PlayerBot
    from agent.environments.spiel import spiel_game
    from agent.environments.zoo import aec_env, parallel_env, policy
    from agent.errors import AgentError
    from agent.players.base import Game, Player, Turn
    from ggp_agent.boards import Board, draw
    from ggp_agent.environments import make, make_vec
    from ggp_agent.learning import study, warm_up
    from ggp_agent.loading import check, games, load
    from ggp_agent.records import Record
    from reasoner.batch import NONE, STAY, Batch, Trajectories
    from reasoner.compilation.limits import BuildLimits
    from reasoner.diagnostics import Diagnostic, Severity, Span
    from reasoner.errors import IllegalMoveError, LimitError, ReasonerError, RulesError, StateError, TermError
    from reasoner.language.parse import read_term
    from reasoner.language.terms import Compound, Constant, Term, Variable
    from reasoner.machine import Machine, Playouts, State
    from search.batch import BatchOptions, BatchResults, BatchSearch
    from search.clock import Clock, MonotonicClock
    from search.errors import NoLegalMoveError, OptionsError, SearchError, StudyError, UnsolvableError
    from search.features.generate import Generated, generate_features
    from search.options import SearchOptions
    from search.report import MoveReport, Report
    from search.search import Search
    from search.solve import Solution, solve

    __version__: str

HOMES = {
    "agent.errors": ("AgentError",),
    "agent.environments.bots": ("PlayerBot",),
    "agent.environments.spiel": ("spiel_game",),
    "agent.environments.zoo": ("aec_env", "parallel_env", "policy"),
    "agent.players.base": ("Game", "Player", "Turn"),
    "ggp_agent.boards": ("Board", "draw"),
    "ggp_agent.environments": ("make", "make_vec"),
    "ggp_agent.learning": ("study", "warm_up"),
    "ggp_agent.loading": ("check", "games", "load"),
    "ggp_agent.records": ("Record",),
    "reasoner.batch": ("NONE", "STAY", "Batch", "Trajectories"),
    "reasoner.compilation.limits": ("BuildLimits",),
    "reasoner.diagnostics": ("Diagnostic", "Severity", "Span"),
    "reasoner.errors": ("IllegalMoveError", "LimitError", "ReasonerError", "RulesError", "StateError", "TermError"),
    "reasoner.language.parse": ("read_term",),
    "reasoner.language.terms": ("Compound", "Constant", "Term", "Variable"),
    "reasoner.machine": ("Machine", "Playouts", "State"),
    "search.batch": ("BatchOptions", "BatchResults", "BatchSearch"),
    "search.clock": ("Clock", "MonotonicClock"),
    "search.errors": ("NoLegalMoveError", "OptionsError", "SearchError", "StudyError", "UnsolvableError"),
    "search.features.generate": ("Generated", "generate_features"),
    "search.options": ("SearchOptions",),
    "search.report": ("MoveReport", "Report"),
    "search.search": ("Search",),
    "search.solve": ("Solution", "solve"),
}
"""The names of each module."""

_MODULES = {name: module for module, names in HOMES.items() for name in names}

if not TYPE_CHECKING:  # type checkers use the imports above instead

    def __getattr__(name: str) -> object:
        if name == "__version__":
            return importlib.import_module("agent.resources").own_version()
        if name not in _MODULES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}; `dir({__name__})` lists all names")
        found = getattr(importlib.import_module(_MODULES[name]), name)
        globals()[name] = found
        return found

    def __dir__() -> list[str]:
        return sorted(__all__)


__all__ = [
    "NONE",
    "STAY",
    "AgentError",
    "Batch",
    "BatchOptions",
    "BatchResults",
    "BatchSearch",
    "Board",
    "BuildLimits",
    "Clock",
    "Compound",
    "Constant",
    "Diagnostic",
    "Game",
    "Generated",
    "IllegalMoveError",
    "LimitError",
    "Machine",
    "MonotonicClock",
    "MoveReport",
    "NoLegalMoveError",
    "OptionsError",
    "Player",
    "PlayerBot",
    "Playouts",
    "ReasonerError",
    "Record",
    "Report",
    "RulesError",
    "Search",
    "SearchError",
    "SearchOptions",
    "Severity",
    "Solution",
    "Span",
    "State",
    "StateError",
    "StudyError",
    "Term",
    "TermError",
    "Trajectories",
    "Turn",
    "UnsolvableError",
    "Variable",
    "__version__",
    "aec_env",
    "check",
    "draw",
    "games",
    "generate_features",
    "load",
    "make",
    "make_vec",
    "parallel_env",
    "policy",
    "read_term",
    "solve",
    "spiel_game",
    "study",
    "warm_up",
]
