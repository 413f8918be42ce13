"""Reasons why a game is not planned."""

from __future__ import annotations


class TooMuchError(Exception):
    """There is too much to plan, or nothing; the text says what, for people."""


class ContradictionError(Exception):
    """The whole game differs from its subgames; the text says where."""
