"""Limits on the size of rules text."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ReadLimits:
    """Limits of the rulesheets that are read, and the option `lenient`.

    `max_tokens`: words and parentheses; reading takes some microseconds for each, and a rulesheet of 40 KB has 12,000.
    `max_depth`: nesting of parentheses; terms are processed recursively, so the limit is far below Python's recursion
    limit; the deepest known rulesheet has 27. `max_rules`: statements. `max_conditions`: literals in one body; the
    longest known body has 103. `max_arity`: arguments of a relation or function.

    `lenient` accepts rules that strict GDL refuses, with a warning: `next` in bodies; head variables that get their
    values from uses of the relation; `does` before a move, where it is always false.
    """

    max_characters: int = 4_000_000
    max_tokens: int = 600_000
    max_depth: int = 100
    max_rules: int = 100_000
    max_conditions: int = 1_000
    max_arity: int = 250
    lenient: bool = False
