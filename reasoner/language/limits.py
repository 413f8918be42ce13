"""Limits on the size of rules text."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ReadLimits:
    """The largest rulesheet that is read.

    `max_characters` of text, and `max_tokens` words and parentheses in it (reading takes some microseconds for each;
    a rulesheet of 40 KB has 12,000); `max_depth` of nested parentheses (terms are walked recursively, so it stays far
    below Python's own limit; the deepest known rulesheet has 27); `max_rules` statements; `max_conditions`
    literals in one body (the longest known has 103); `max_arity` arguments of a relation or function.

    `lenient` accepts rules that strict GDL refuses, with a warning: `next` in bodies, variables of a head that only
    uses of its relation bind, and `does` before a move, where it is always false.
    """

    max_characters: int = 4_000_000
    max_tokens: int = 600_000
    max_depth: int = 100
    max_rules: int = 100_000
    max_conditions: int = 1_000
    max_arity: int = 250
    lenient: bool = False
