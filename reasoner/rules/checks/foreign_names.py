"""Constructs of other languages that GDL does not have: arrows, equality, arithmetic, connectives written as signs.

    (legal ?r go) :- (role ?r)    (legal ?r go) <= (role ?r)    (=> (role ?r) (legal ?r go))    (<=terminal (over))

Read as KIF, each of these rules would be many facts with variables, so only the first such place is reported.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from reasoner.language.builtins import HOW_TO_COMPUTE
from reasoner.language.comments import HOW_TO_COMMENT
from reasoner.language.expressions import Expression, Group, Word, words
from reasoner.language.report import FaultReport
from reasoner.language.terms import Compound, Variable
from reasoner.rules.sheet import Use

_EQUAL = frozenset({"=", "==", "===", "eq", "equal", "equals", "is", "same"})
_UNEQUAL = frozenset({"!=", "/=", "=/=", "\\=", "\\==", "<>", "neq", "ne", "noteq", "notequal", "different", "diff"})
_NOT = frozenset({"~", "!", "¬", "\\+", "naf", "no"})
_AND = frozenset({"&", "&&", "∧", "^", ","})
_OR = frozenset({"|", "||", "\u2228", ";"})
_EXISTS = frozenset({"exists", "∃"})
_FOR_ALL = frozenset({"forall", "∀"})
ARITHMETIC_SIGNS = frozenset({"+", "-", "*", "/"})
"""Function names that are arithmetic operators in other languages."""
_SIGNS = ARITHMETIC_SIGNS | {"<", ">", ">=", "=<", "=>", "++", "--", "%"}
_WORDS = frozenset({"plus", "minus", "times", "add", "sum", "sub", "succ", "inc", "dec", "mod", "max", "min"})
_ORDERS = frozenset({"less", "lessthan", "lt", "leq", "greater", "greaterthan", "gt", "geq"})
_ARITHMETIC = _SIGNS | _WORDS | _ORDERS
_NO_ARITHMETIC = "There is no arithmetic: state a table of facts, such as (succ 1 2), and derive the rest from it."


def foreign_fix(use: Use, *, operations: bool) -> str | None:
    """Return the fix for the use of a relation that is an operator of other languages; None for other names.

    operations: whether the rules have operations, and with them built-in arithmetic.
    """
    no_arithmetic = HOW_TO_COMPUTE if operations else _NO_ARITHMETIC
    name, arguments = use.sentence.atom.name.lower(), use.sentence.atom.arguments
    if name in _EQUAL and len(arguments) == 2:
        if any(isinstance(term, Compound) and term.functor in ARITHMETIC_SIGNS for term in arguments):
            return no_arithmetic
        left, right = arguments if isinstance(arguments[0], Variable) else arguments[::-1]
        opposite = f"its negation is (distinct {left} {right})"
        if not use.positive:
            return f"Write (distinct {left} {right}) in place of the negated equality."
        if isinstance(left, Variable):
            return f"Write {right} for {left} in the whole rule instead; {opposite}."
        return f"Two constants are equal only if they have the same name; {opposite}."
    if name in _UNEQUAL and len(arguments) == 2:
        return f"Write (distinct {arguments[0]} {arguments[1]})."
    if name in _NOT and arguments:
        return f"Write (not {arguments[0]})."
    if name in _AND and arguments:
        return "Write the literals of a body side by side."
    if name in _OR and arguments:
        return "Write (or LITERAL LITERAL)."
    if name in _EXISTS and arguments:
        return "Remove it: a variable of the body alone means that some value of it exists."
    if name in _FOR_ALL and arguments:
        return "Define a relation for the exceptions, and write (not EXCEPTION)."
    if name in _ARITHMETIC and len(arguments) >= 2:
        return no_arithmetic
    return HOW_TO_COMMENT if name[0] in "#%" else None


def foreign_sign_fix(sign: str) -> str | None:
    """Return the fix for a lone sign between literals if removing it would change the rule; otherwise None."""
    if sign in _NOT:
        return "Write (not LITERAL)."
    if sign in _OR - {";"}:
        return "Write (or LITERAL LITERAL)."
    return None


_ARROWS = frozenset(
    {":-", "<-", "=<", "=>", "->", "<--", "-->", "<==", "==>", ":=", "::", "⇐", "←", "⇒", "→", "-:", "<:-"}
)
_INSIDE = _ARROWS - {"->", "-->", "→", "::"}  # the others may be arguments, such as a direction or a move
_COMMA = re.compile(r"\S,$|^,\S|^\?.*,")
_GLUED = re.compile(r"<=+[\w?(].*|(?:distinct|not|or|and|true|does|legal|role|next|init|goal)\?.+", re.IGNORECASE)


def refuse_arrows(expressions: tuple[Expression, ...], report: FaultReport) -> None:
    """Raise RulesError for the first foreign arrow or comma, or for all words in which a space is missing."""
    arrow = next(_arrows(expressions), None)
    comma = next((word for word in _words(expressions) if _COMMA.search(word.text)), None)
    if arrow is not None:
        report.error(
            "foreign-arrow",
            f"`{arrow.text}` is not a rule arrow here: in KIF the arrow `<=` comes first, inside the parentheses",
            "Write (<= HEAD BODY…) for each rule.",
            arrow,
        )
    elif comma is not None:
        message = f"the `,` is a part of the name `{comma.text}`: KIF has no commas"
        report.error("comma-in-name", message, "Separate terms by spaces.", comma)
    else:
        for word in filter(_is_glued, _words(expressions)):
            cut = word.text.index("?") if "?" in word.text else len(word.text) - len(word.text.lstrip("<="))
            first, rest = word.text[:cut], word.text[cut:]
            message = f"a space is missing in `{word.text}`"
            report.error("missing-space", message, f"Write `{first} {rest}`.", word)
    report.raise_errors()


def _arrows(expressions: tuple[Expression, ...]) -> Iterator[Word]:
    """Yield arrows between and inside statements; `<=` only if it is not the first word of a statement."""
    for expression in expressions:
        if isinstance(expression, Word):
            if expression.text in _ARROWS or expression.text.lower() in ("<=", "if"):
                yield expression
            continue
        if [item.text for item in expression.items[:2] if isinstance(item, Word)] == ["<", "="]:
            yield Word("< =", expression.items[0].offset)
        for place, item in enumerate(expression.items):
            if isinstance(item, Word) and _is_arrow(item.text, place, expression):
                yield item


def _is_arrow(word: str, place: int, statement: Group) -> bool:
    """Whether a word of a statement is an arrow, not a name or an argument that looks like an arrow."""
    if place == 0:
        return word in _ARROWS and any(isinstance(item, Group) or item.text == "terminal" for item in statement.items)
    beside = statement.items[place - 1 : place + 2]
    return word in ("<=", ":-") or (word in _INSIDE and any(isinstance(item, Group) for item in beside))


def _is_glued(word: Word) -> bool:
    """Whether a space is missing inside a word: `<=terminal`, `distinct?x`."""
    return _GLUED.fullmatch(word.text) is not None


def _words(expressions: tuple[Expression, ...]) -> Iterator[Word]:
    return (word for expression in expressions for word in words(expression))
