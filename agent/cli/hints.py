"""Hints that follow error messages."""

from __future__ import annotations

from agent.cli.installed import fitting
from agent.errors import KnowledgeError, SettingsError, SpecError
from agent.gamemaster.errors import GameError, PlayerError, RecordError, SeatError, SheetError
from reasoner.errors import LimitError, RulesError

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
    (RecordError, "give `--record` a writable folder"),
)
"""Hint for each kind of error; the first match is shown."""


def with_hint(error: Exception) -> str:
    """Return the error's text, followed by a line with the hint for this kind of error, if there is one."""
    text = fitting(str(error))
    hint = next((hint for kind, hint in HINTS if isinstance(error, kind)), None)
    return f"{text}\nnext: {hint}" if hint else text
