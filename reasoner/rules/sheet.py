"""A rulesheet as input of the checks: statements with locations, their literals, and their rules in normal form."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from reasoner.language.expressions import Expression, Word, words
from reasoner.language.keywords import keyword
from reasoner.language.terms import Shape, Term, shape_of
from reasoner.rules.dependencies import Dependencies, dependencies
from reasoner.rules.formulas import Formula, Negation, Sentence, Statement, leaves
from reasoner.rules.program import Relation, Rule


@dataclass(frozen=True, slots=True)
class Use:
    """A sentence in a body, with its sign and its statement."""

    sentence: Sentence
    positive: bool
    statement: Statement

    @property
    def relation(self) -> Relation:
        """The relation of the sentence."""
        return self.sentence.atom.relation


class Sheet:
    """The statements of a rulesheet and their rules in normal form (`rules[i]` comes from `origins[i]`)."""

    def __init__(
        self, statements: tuple[Statement, ...], rules: list[Rule], origins: list[Statement], lenient: bool = False
    ) -> None:
        self.statements = statements
        self.rules = rules
        self.origins = origins
        self.lenient = lenient
        self.moveless = False  # whether `does` is allowed before a move, where it is always false

    @cached_property
    def uses(self) -> tuple[Use, ...]:
        """Every sentence of every body, in source order."""
        found = []
        for statement in self.statements:
            found += [Use(sentence, positive, statement) for sentence, positive in sentences(statement.body)]
        return tuple(found)

    @cached_property
    def heads(self) -> dict[Relation, list[Statement]]:
        """The statements that define each relation."""
        found: dict[Relation, list[Statement]] = {}
        for statement in self.statements:
            found.setdefault(statement.head.atom.relation, []).append(statement)
        return found

    def terms(self, *names: str) -> frozenset[Shape]:
        """The shapes of the facts or moves that are arguments of these keywords in heads and bodies."""
        return frozenset(shape for name in names for shape in self._shapes.get(name, ()))

    @cached_property
    def _shapes(self) -> dict[str, set[Shape]]:
        found: dict[str, set[Shape]] = {}
        for sentence in [*(s.head for s in self.statements), *(use.sentence for use in self.uses)]:
            if keyword(sentence.atom.name) and sentence.atom.arguments:
                shape = shape_of(sentence.atom.arguments[-1])
                if shape is not None:
                    found.setdefault(sentence.atom.name, set()).add(shape)
        return found

    @cached_property
    def dependencies(self) -> Dependencies:
        """The dependencies of relations in `rules`."""
        return dependencies(self.rules)

    @cached_property
    def roles(self) -> dict[Term, Sentence]:
        """Each role, with its first `role` fact."""
        found: dict[Term, Sentence] = {}
        for statement in self.heads.get(("role", 1), ()):
            found.setdefault(statement.head.atom.arguments[0], statement.head)
        return found


def sentences(parts: tuple[Formula, ...]) -> Iterator[tuple[Sentence, bool]]:
    """Every sentence of a body in negation normal form, and whether it is positive."""
    for leaf in leaves(parts):
        if isinstance(leaf, Sentence):
            yield leaf, True
        elif isinstance(leaf, Negation):
            assert isinstance(leaf.part, Sentence)
            yield leaf.part, False


def located(name: str, *places: Expression) -> Expression:
    """Return the first word `name` in the expressions `places`; the first expression if there is none."""
    for place in places:
        for word in words(place):
            if word.text == name:
                return word
    return places[0]


def word_of(sentence: Sentence) -> Expression:
    """The word that names a sentence's relation."""
    source = sentence.source
    if isinstance(source, Word) or not source.items:
        return source
    return source.items[0]
