"""Hints that follow error messages."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from agent.cli.installed import fitting
from agent.errors import KnowledgeError, SettingsError, SpecError
from agent.gamemaster.errors import GameError, PlayerError, RecordError, SeatError, SheetError
from reasoner.errors import LimitError, ReasonerError, RulesError

HINTS: tuple[tuple[type[Exception], str], ...] = (
    (RulesError, "`ggp-agent check FILE` locates each fault; `ggp-agent check --explain CODE` explains it"),
    (
        LimitError,
        "`ggp-agent show GAME --stage rules` prints the rules; `ggp-agent serve --print-settings` the limits",
    ),
    (
        SettingsError,
        "`ggp-agent serve --print-settings` explains every setting",
    ),
    (
        SpecError,
        "`ggp-agent match ticTacToe --player mcts --player random`; `ggp-agent new player NAME` writes a player",
    ),
    (KnowledgeError, "`ggp-agent study --list` lists the stored games"),
    (SheetError, "a rulesheet is plain text in KIF or infix; `ggp-agent new game NAME` writes an example"),
    (GameError, "`ggp-agent games` lists the bundled games; a file or a URL also works"),
    (SeatError, "`ggp-agent match GAME --player mcts --player random`, one --player for each role except random"),
    (PlayerError, "`ggp-agent serve` starts an agent and prints the URL for `--player`"),
    (RecordError, "name a place that can be written and has room"),
)
"""Hint for each kind of error; the first match is shown."""


@contextlib.contextmanager
def naming(game: str) -> Iterator[None]:
    """Name `game` in errors of its rules, where a command reads several games."""
    try:
        yield
    except ReasonerError as error:
        error.add_note(game)
        raise


def with_hint(error: Exception) -> str:
    """Return the error's text after its notes, followed by a line with the hint for this kind of error, if any."""
    text = "".join(f"{note}: " for note in getattr(error, "__notes__", ())) + fitting(str(error))
    hint = next((hint for kind, hint in HINTS if isinstance(error, kind)), None)
    return f"{text}\nnext: {hint}" if hint else text
