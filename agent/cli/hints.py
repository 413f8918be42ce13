"""What to try next, said under an error."""

from __future__ import annotations

from agent.errors import KnowledgeError, SettingsError, SpecError
from agent.gamemaster.errors import GameError, PlayerError, RecordError, SeatError, SheetError
from reasoner.errors import LimitError, RulesError

HINTS: tuple[tuple[type[Exception], str], ...] = (
    (RulesError, "`ggp-agent check FILE` shows each fault in its place; docs/reference/diagnostics.md explains them"),
    (
        LimitError,
        "`ggp-agent show GAME --stage rules` prints what was read; config/default.toml has the limits",
    ),
    (SettingsError, "`ggp-agent serve --help`; config/default.toml explains every setting"),
    (
        SpecError,
        "`ggp-agent match ticTacToe --player mcts --player random`; docs/tutorials/writing-a-player.md shows how",
    ),
    (KnowledgeError, "`ggp-agent study --list` shows what is kept; docs/explanation/knowledge.md tells more"),
    (SheetError, "a rulesheet is plain text in KIF or infix; docs/reference/language.md says what is taken"),
    (GameError, "`ggp-agent games` lists the bundled games; a file or a URL will do too"),
    (SeatError, "`ggp-agent match GAME --player mcts --player random`, one --player for each role but random"),
    (PlayerError, "`ggp-agent serve` starts an agent; `python -m agent.health URL` says whether one answers"),
    (RecordError, "give `--record` a folder that you may write to"),
)
"""For each kind of error the command that helps; the first that fits is shown."""


def with_hint(error: Exception) -> str:
    """The error's text, and on a line of its own what to try next."""
    text = str(error)
    hint = next((hint for kind, hint in HINTS if isinstance(error, kind)), None)
    return f"{text}\nnext: {hint}" if hint else text
