"""Outline of an infix rulesheet: the formulas between separators, found in one pass and without the grammar.

    p(X) :- q & r, s          p(X)  :- q & r  , s          each formula with the sign before it; none is ""

The outline shows where `,` or no sign at all stands between two formulas; the grammar would take both for the end of a
statement. The grammar reports faults of the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, pairwise

TOKEN = re.compile(r":-|::|==>|-?\w+|[^\w\s]")
NECKS = frozenset({":-", "⇐", "::"})
"""Signs after a head or an action."""
_SEPARATORS = NECKS | {"==>", ",", "."}
_BINARY = frozenset("&∧|\u2228#!")
_NOT = frozenset("~¬")
_SIGNS = {"not": "~", "and": "&", "or": "|", "if": ":-"}
_VARIABLE = re.compile(r"[A-Z_]")
_NAME = re.compile(r"-?\w")


@dataclass(slots=True)
class Formula:
    """A formula at the top of a rulesheet.

    `before` is the separator before it and `at` its offset; the text begins as after a `.`. `name` and `count` describe
    its single relation; `compound`: it contains signs, `variable`: a variable, `rule`: a rule in parentheses.
    """

    start: int
    before: str
    at: int
    name: str = ""
    count: int = 0
    compound: bool = False
    variable: bool = False
    rule: bool = False
    end: int = 0


def outline(text: str) -> list[Formula]:
    """The formulas of a rulesheet without comments, in order."""
    cutter = _Cutter()
    for token in TOKEN.finditer(text):
        cutter.take(token[0], token.start(), token.end())
    return cutter.found


class _Cutter:
    def __init__(self) -> None:
        self.found: list[Formula] = []
        self._separator, self._at = ".", 0
        self._open = False  # whether the last formula may continue
        self._complete = False  # whether it ends with an operand
        self._called = False  # whether that operand is a name
        self._depth = 0

    def take(self, token: str, start: int, end: int) -> None:
        if self._depth:
            self._inside(token, end)
        elif token in _SEPARATORS:
            self._separator, self._at = token, start
            self._open = self._complete = self._called = False
        elif token in _BINARY:
            if self._complete:  # else it joins nothing, as the second `|` of `||`: a fault that the grammar tells
                self.found[-1].compound = True
            self._complete = self._called = False
        elif token == "(" and self._called:
            self.found[-1].count = 1
            self._depth = 1
        else:
            self._operand(token, start, end)

    def _operand(self, token: str, start: int, end: int) -> None:
        if not self._open or self._complete:
            before, at = (self._separator, self._at) if not self._open else ("", start)
            self.found.append(Formula(start, before, at))
            self._open, self._complete = True, False
        formula = self.found[-1]
        formula.end = end
        self._complete = token not in _NOT and token not in "(["
        self._called = False
        if token in "([":
            formula.compound = True
            self._depth = 1
        elif token in _NOT:
            formula.compound = True
        elif _NAME.match(token):
            formula.variable |= _VARIABLE.match(token) is not None
            formula.name, self._called = token, True

    def _inside(self, token: str, end: int) -> None:
        formula = self.found[-1]
        formula.end = end
        if token in "([":
            self._depth += 1
        elif token in ")]":
            self._depth -= 1
            if not self._depth:
                self._complete, self._called = True, False
        elif token == "," and self._depth == 1:
            formula.count += 1
        elif token in NECKS:
            formula.rule = True
        elif _VARIABLE.match(token):
            formula.variable = True


def with_signs(text: str) -> Iterator[tuple[int, str, str]]:
    """Find `not`, `and`, `or` and `if` used as signs in an infix text: the offset, the word and the sign."""
    complete = False  # whether an operand stands before
    tokens = ((token[0], token.start()) for token in TOKEN.finditer(text))
    for (token, offset), (after, _) in pairwise(chain(tokens, [("", 0)])):
        operand = bool(_NAME.match(after)) or after in ("~", "¬", "[")
        stands = operand if token.lower() == "not" else complete and (operand or after == "(")
        stands = stands and token.lower() in _SIGNS
        if stands:
            yield offset, token, _SIGNS[token.lower()]
        complete = not stands and (bool(_NAME.match(token)) or token in ")]")
