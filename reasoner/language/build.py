"""Build terms and atoms from expressions; report expressions that are neither."""

from __future__ import annotations

from reasoner.language.expressions import Expression, Group, Word
from reasoner.language.keywords import ARITIES, connective, relation_name
from reasoner.language.limits import ReadLimits
from reasoner.language.literals import Atom
from reasoner.language.report import FaultReport
from reasoner.language.terms import Compound, Constant, Term, Variable

_NOTHING = Word("()", 0)
EMPTY = (_NOTHING.text, 0)
"""The relation or shape of `()`, which is an error."""


class Builder:
    """Builder of terms and atoms; equal words become one object. A fault is reported, and building continues."""

    def __init__(self, report: FaultReport, limits: ReadLimits) -> None:
        self.report = report
        self.limits = limits
        self._words: dict[str, Constant | Variable] = {}

    def term(self, expression: Expression) -> Term:
        """Return the term of an expression."""
        if isinstance(expression, Word):
            return self._words.get(expression.text) or self._new_word(expression)
        name = self._name(expression)
        if connective(name.text):
            self._refuse_connective(name, inside=True)
        self._check_count(expression)
        if name is _NOTHING and expression.items:  # the first list is the term if a `(` is removed
            first, *_ = map(self.term, expression.items)
            return first
        return Compound(name.text, tuple(map(self.term, expression.items[1:])))

    def atom(self, expression: Expression) -> Atom:
        """Return the atom of an expression; ``terminal`` and ``(terminal)`` are the same atom."""
        word = expression if isinstance(expression, Word) else self._name(expression)
        if word.text.startswith("?"):
            self._refuse_variable(word)
        elif connective(word.text):
            self._refuse_connective(word)
        arguments: tuple[Term, ...] = ()
        if isinstance(expression, Group):
            arguments = tuple(map(self.term, expression.items[1:]))
            self._check_count(expression)
        self._check_keyword(word, len(arguments))
        return Atom(relation_name(word.text), arguments)

    def _new_word(self, word: Word) -> Constant | Variable:
        term: Constant | Variable = Variable(word.text[1:]) if word.text.startswith("?") else Constant(word.text)
        if word.text == "?":
            self.report.error("nameless-variable", "the variable has no name", "Write a name after `?`.", word)
        elif connective(word.text):
            self._refuse_connective(word)
        return self._words.setdefault(word.text, term)

    def _name(self, group: Group) -> Word:
        first = group.items[0] if group.items else None
        if isinstance(first, Word):
            if first.text.startswith("?"):
                self._refuse_variable(first)
            return first
        if first is None:
            self.report.error("empty-list", "`()` has no meaning", "Remove it, or write what it should be.", group)
        else:
            self.report.error(
                "no-name",
                "the list begins with a list, not with the name of a relation or function",
                "Remove a `(`, or write the name first.",
                group,
            )
        return _NOTHING

    def _refuse_variable(self, word: Word) -> None:
        self.report.error(
            "variable-as-name",
            f"the variable `{word.text}` is found where the name of a relation or function is expected",
            "Write a name, in infix with a small first letter: variables can replace terms only.",
            word,
        )

    def _refuse_connective(self, word: Word, *, inside: bool = False) -> None:
        fix = "Check the parentheses before it; `<=`, `not`, `or`, `and` and `distinct` cannot be names."
        if inside and word.text.lower() in ("not", "or", "and"):
            fix = f"Write it around the literal, as in ({word.text.lower()} (true …)), not inside."
        self.report.error("connective-as-name", f"`{word.text}` stands where a name or a term belongs", fix, word)

    def _check_count(self, group: Group) -> None:
        count = len(group.items) - 1
        if count > self.limits.max_arity:
            self.report.error(
                "too-many-arguments",
                f"{count} arguments; at most {self.limits.max_arity} are read",
                "Use fewer arguments, for instance one fact for each argument.",
                group,
            )

    def _check_keyword(self, word: Word, count: int) -> None:
        expected = ARITIES.get(word.text.lower(), count)
        if expected != count:
            self.report.error(
                "keyword-arity",
                f"`{word.text}` takes {counted_arguments(expected)}, here it has {count}",
                f"Give it {counted_arguments(expected)}; check the parentheses around them.",
                word,
            )


def counted_arguments(count: int) -> str:
    """``no arguments``, ``1 argument``, ``3 arguments``, for messages."""
    return {0: "no arguments", 1: "1 argument"}.get(count, f"{count} arguments")


def has_name(expression: Expression) -> bool:
    """Whether an expression begins with a word that can be a name: neither a list nor a variable."""
    first = expression if isinstance(expression, Word) else next(iter(expression.items), None)
    return isinstance(first, Word) and not first.text.startswith("?")


def connective_of(expression: Expression) -> tuple[str | None, tuple[Expression, ...]]:
    """Return the connective at the beginning of a list, in lower case, and the other items; otherwise (None, ())."""
    if isinstance(expression, Group) and expression.items and isinstance(expression.items[0], Word):
        word = connective(expression.items[0].text)
        if word:
            return word, expression.items[1:]
    return None, ()
