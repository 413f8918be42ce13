"""Constructs of other languages that GDL does not have: equality, arithmetic, connectives written as signs."""

from __future__ import annotations

from reasoner.language.terms import Compound, Variable
from reasoner.rules.formulas import Sentence

_EQUAL = frozenset({"=", "==", "===", "eq", "equal", "equals", "is", "same"})
_UNEQUAL = frozenset({"!=", "/=", "=/=", "\\=", "\\==", "<>", "neq", "ne", "noteq", "notequal", "different", "diff"})
_NOT = frozenset({"~", "!", "¬", "\\+", "naf", "no"})
_AND = frozenset({"&", "&&", "∧", "^", ","})
_OR = frozenset({"|", "||", "\u2228", ";"})
ARITHMETIC_SIGNS = frozenset({"+", "-", "*", "/"})
"""Functions that compute in other languages."""
_SIGNS = ARITHMETIC_SIGNS | {"<", ">", ">=", "=<", "=>", "++", "--", "%"}
_WORDS = frozenset({"plus", "minus", "times", "add", "sum", "sub", "succ", "inc", "dec", "mod", "max", "min"})
_ORDERS = frozenset({"less", "lessthan", "lt", "leq", "greater", "greaterthan", "gt", "geq"})
_ARITHMETIC = _SIGNS | _WORDS | _ORDERS
_NO_ARITHMETIC = "There is no arithmetic: state a table of facts, such as (succ 1 2), and derive the rest from it."


def foreign_fix(sentence: Sentence) -> str | None:
    """The replacement for a literal with a relation of other languages; None for any other name."""
    name, arguments = sentence.atom.name.lower(), sentence.atom.arguments
    if name in _EQUAL and len(arguments) == 2:
        if any(isinstance(term, Compound) and term.functor in ARITHMETIC_SIGNS for term in arguments):
            return _NO_ARITHMETIC
        left, right = arguments if isinstance(arguments[0], Variable) else arguments[::-1]
        opposite = f"its negation is (distinct {left} {right})"
        if isinstance(left, Variable):
            return f"Write {right} for {left} in the whole rule instead; {opposite}."
        return f"Two constants are equal only if they are spelled alike; {opposite}."
    if name in _UNEQUAL and len(arguments) == 2:
        return f"Write (distinct {arguments[0]} {arguments[1]})."
    if name in _NOT and arguments:
        return f"Write (not {arguments[0]})."
    if name in _AND and arguments:
        return "Write the literals of a body side by side."
    if name in _OR and arguments:
        return "Write (or LITERAL LITERAL)."
    if name in _ARITHMETIC and len(arguments) >= 2:
        return _NO_ARITHMETIC
    return None


def foreign_sign_fix(sign: str) -> str | None:
    """What to write for a sign that stands alone between literals, where leaving it out would change the rule."""
    if sign in _NOT:
        return "Write (not LITERAL), around what it is said of."
    if sign in _OR - {";"}:
        return "Write (or LITERAL LITERAL), around what it joins."
    return None
