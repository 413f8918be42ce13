"""Refuse a `#` after a literal in an infix rulesheet: `#` compares terms there, so a comment is probably meant.

    legal(white,wait) :- true(step(1)) # only in the first step
    init(step(1)) # the first step

Without this check, the words of the comment would become terms and facts.
"""

from __future__ import annotations

from reasoner.language.comments import HOW_TO_COMMENT
from reasoner.language.infix import unwrapped
from reasoner.language.keywords import keyword
from reasoner.language.scan import refuse
from reasoner.language.separators import TOKEN
from reasoner.language.source import Source


def refuse_compared_literals(source: Source) -> None:
    """Raise RulesError if a `#` follows a literal with a keyword, or the head of a statement."""
    scanner = _Scanner()
    for token in TOKEN.finditer(unwrapped(source.read)):
        if token[0] == "#" and (literal := scanner.literal()):
            message = f"`#` compares two terms, and the literal `{literal}` before it is not a term"
            refuse(source, token.start(), "literal-compared", message, HOW_TO_COMMENT)
        scanner.take(token[0])


class _Scanner:
    """Scanner state outside parentheses: the last operand, and whether it begins a statement."""

    def __init__(self) -> None:
        self._depth = 0
        self._operand = ""  # the name of the last operand if no sign follows it
        self._called = False  # whether it has arguments
        self._begins = self._fresh = True  # whether it begins a statement, and whether the next operand does

    def literal(self) -> str:
        """Return the last operand if it is a literal, not a term; otherwise an empty text."""
        known = keyword(self._operand) is not None and (self._called or self._operand == "terminal")
        variable = self._operand[:1].isupper() or self._operand[:1] == "_"
        if self._depth or not self._operand or variable or not (known or self._begins):
            return ""
        return f"{self._operand}(…)" if self._called else self._operand

    def take(self, token: str) -> None:
        """Read one token."""
        if token in ("(", "["):
            self._called |= not self._depth and bool(self._operand)
            self._depth += 1
        elif token in (")", "]"):
            self._depth -= 1
        elif self._depth:
            return
        elif token[-1].isalnum() or token[-1] == "_":
            self._begins, self._fresh = self._fresh or bool(self._operand), False
            self._operand, self._called = token, False
        else:
            self._operand, self._called, self._fresh = "", False, token == "."
