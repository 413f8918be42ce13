"""Exceptions of the game manager, below `agent.errors.AgentError`.

ManagerError
├── GameError    the game cannot be found, read or downloaded
│   └── SheetError  the file is not a rulesheet
├── SeatError    the number of players does not fit the game
├── PlayerError  a player is not available at the start of a match
├── UnplayableError  the rules cannot be applied to a state that play has reached
│   └── DeadEndError  they leave a role without a move in a state that is not terminal
└── RecordError  a match record or a log cannot be written
"""

from __future__ import annotations

from agent.errors import AgentError


class ManagerError(AgentError):
    """The root of the tree. Its text is one clear message for the user."""


class GameError(ManagerError):
    """The game cannot be found, read or downloaded."""


class SheetError(GameError):
    """The file is not a rulesheet: not text, or too large."""


class SeatError(ManagerError):
    """The number of players does not fit the game's roles."""


class PlayerError(ManagerError):
    """A player is not available at the start of a match."""


class UnplayableError(ManagerError):
    """The rules cannot be applied to a state that play has reached, for example because of a limit."""


class DeadEndError(UnplayableError):
    """The rules leave a role without a move in a state that is not terminal."""


class RecordError(ManagerError):
    """A match record or a log cannot be written."""
