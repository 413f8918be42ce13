"""Why a game is not planned."""

from __future__ import annotations


class TooMuchError(Exception):
    """A limit was passed; the text says which, for people."""


class ContradictionError(Exception):
    """The whole game did not go as its subgames said; the text says where."""
