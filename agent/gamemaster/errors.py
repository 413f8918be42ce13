"""What the game manager raises, below `agent.errors.AgentError`.

ManagerError
├── GameError    the named game cannot be found, read or fetched
│   └── SheetError  it is there, and is no rulesheet
├── SeatError    the number of players does not fit the game
├── PlayerError  a player is not there when the match should begin
├── DeadEndError the rules leave a role without a move in a state that is not terminal
└── RecordError  a match record or a log cannot be written
"""

from __future__ import annotations

from agent.errors import AgentError


class ManagerError(AgentError):
    """The root of the tree; its text is one clear message for a person."""


class GameError(ManagerError):
    """The named game cannot be found, read or fetched."""


class SheetError(GameError):
    """What is there is no rulesheet: no text, or too long for one."""


class SeatError(ManagerError):
    """The number of players does not fit the game's roles."""


class PlayerError(ManagerError):
    """A player is not there when the match should begin."""


class DeadEndError(ManagerError):
    """The rules leave a role without a move in a state that is not terminal."""


class RecordError(ManagerError):
    """A match record or a log cannot be written."""
