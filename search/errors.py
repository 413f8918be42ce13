"""Exceptions of the search.

SearchError
├── OptionsError      a search setting is out of its range
├── NoLegalMoveError  the searching role has no legal move
├── StorageError      a file of a studied or solved game cannot be read or written
├── NetworkError      a network does not match the game
├── StudyError        a study cannot begin or continue
├── UnsolvableError   the solver cannot solve this game
│   ├── UnopposedError  the game does not have two opposed roles
│   └── SimultaneousError  roles choose at the same time
└── CertificateError  a certificate does not prove what it claims
"""

from __future__ import annotations


class SearchError(Exception):
    """Base class of all exceptions of the search; the text of each is a message for people."""


class OptionsError(SearchError, ValueError):
    """A setting is out of its range; the message names the setting, the value and the range."""


class NetworkError(SearchError, ValueError):
    """A network is for another game or has unusable weights; the message says what is wrong and what to do."""


class NoLegalMoveError(SearchError):
    """The rules give the searching role no legal move in this position."""

    def __init__(self, role: str) -> None:
        self._role = role
        super().__init__(f"the rules give role {role} no legal move in this position")

    def __reduce__(self) -> tuple[type[NoLegalMoveError], tuple[str]]:
        """Rebuild from the role: pickle would pass the text."""
        return type(self), (self._role,)


class StorageError(SearchError):
    """A file of a studied or solved game is damaged, of another kind or not writable; the text says what to do."""


class StudyError(SearchError):
    """A study cannot begin or continue; the message says why and what to do."""


class UnsolvableError(SearchError):
    """The solver cannot solve this game; the message says why."""


class UnopposedError(UnsolvableError):
    """The game does not have two opposed roles; a solver can still find what one role can force."""


class SimultaneousError(UnsolvableError):
    """Roles choose at the same time; a table of all states can solve such a game if it is small."""


class CertificateError(SearchError):
    """A certificate does not prove what it claims, or is not readable; the message names the line and the fault."""
