"""What the search raises.

SearchError
├── OptionsError      a search setting outside its range
├── NoLegalMoveError  a move was asked for where the role has none
├── StorageError      a file of a studied game that cannot be read or written
├── NetworkError      what was studied does not fit the game
└── StudyError        a study that cannot begin or go on
"""

from __future__ import annotations


class SearchError(Exception):
    """The root of the tree; its text is one clear message for a person."""


class OptionsError(SearchError, ValueError):
    """A setting outside its range; the message names the setting, the value and the range."""


class NetworkError(SearchError, ValueError):
    """A network of another game, or of weights that are no usable numbers; the message says which, and what helps."""


class NoLegalMoveError(SearchError):
    """The rules give the searching role no legal move in the position it should move in."""

    def __init__(self, role: str) -> None:
        super().__init__(f"the rules give role {role} no legal move in this position")


class StorageError(SearchError):
    """A file of a studied game is damaged, too large, of another version, or cannot be written; says how to mend it."""


class StudyError(SearchError):
    """A study cannot begin, or go on; the message says why, and what would mend it."""
