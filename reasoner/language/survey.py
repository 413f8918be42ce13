"""Survey of a rulesheet in Stanford's newer language: its facts, operations, actions and views, by shape."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from reasoner.language.expressions import Expression, Group, Word, words
from reasoner.language.infix import OPERATION, conditions
from reasoner.language.keywords import connective, keyword

Shape = tuple[str, int]
"""Name and number of arguments; a bare word has none."""

RESERVED: frozenset[Shape] = frozenset(
    {("role", 1), ("base", 1), ("action", 1), ("init", 1), ("legal", 1), ("legal", 2), ("goal", 2), ("terminal", 0)}
)
"""The relations that the newer language defines."""


@dataclass(slots=True)
class Survey:
    """The shapes that a rulesheet uses. A dictionary whose values are None is a set in the order of the text."""

    heads: set[Shape] = field(default_factory=set)  # the heads of facts and rules
    asked: set[Shape] = field(default_factory=set)  # the literals of bodies and of conditions
    operations: dict[Shape, None] = field(default_factory=dict)
    bases: dict[Shape, None] = field(default_factory=dict)  # facts of states: in `base`, `init` and effects
    stated: set[Shape] = field(default_factory=set)  # the shapes of `bases` that occur in `base` or `init`
    deleted: set[Shape] = field(default_factory=set)
    legal: set[Shape] = field(default_factory=set)  # actions that a role may do
    any_legal: bool = False  # whether some `legal` has a variable as its action
    any_fact: bool = False  # whether some fact of a state is a variable
    renamed: dict[Shape, str] = field(default_factory=dict)  # new names of views named like keywords of plain GDL
    place: int = 0  # the offset of the first operation

    @property
    def views(self) -> set[Shape]:
        """The shapes that the rulesheet defines by facts or rules, without `RESERVED`."""
        return self.heads - RESERVED

    @property
    def has_control(self) -> bool:
        """Whether the state has a fact `control` that names the role to move."""
        return ("control", 1) in self.bases or self.any_fact

    def wraps_fact(self, effect: Expression) -> bool:
        """Whether an effect adds a fact around a fact of the state, as in ``delete(p)``, and no condition reads it."""
        shape, inner = literal_shape(effect), effect.items[1:] if isinstance(effect, Group) else ()
        unread = shape is not None and shape not in self.asked | self.stated
        return unread and len(inner) == 1 and literal_shape(inner[0]) in self.bases


def survey(statements: Sequence[Expression]) -> Survey:
    """The shapes of a rulesheet's statements."""
    found = Survey()
    effects: list[Expression] = []
    for statement in statements:
        if named(statement, OPERATION) and isinstance(statement, Group):
            _, action, condition, effect = statement.items
            found.place = found.place or statement.offset
            found.operations[literal_shape(action) or ("", 0)] = None
            found.asked |= set(_literals(conditions(condition)))
            effects += conditions(effect)
        else:
            _add_statement(statement, found)
    for effect in effects:
        _add_effect(effect, found)
    _rename_keywords(statements, found)
    return found


def _add_statement(statement: Expression, found: Survey) -> None:
    head, body = head_and_body(statement)
    shape = literal_shape(head)
    if shape is None:
        return
    found.heads.add(shape)
    found.asked |= set(_literals(body))
    if isinstance(head, Group) and shape in (("init", 1), ("base", 1), ("legal", 1)):
        argument = literal_shape(head.items[1])
        if shape[0] == "legal":
            found.any_legal |= argument is None
            found.legal |= {argument} if argument else set()
        elif argument:
            found.bases[argument] = None
            found.stated.add(argument)
        else:
            found.any_fact = True


def _add_effect(effect: Expression, found: Survey) -> None:
    negative = named(effect, "not") and isinstance(effect, Group)
    shape = literal_shape(effect.items[1] if negative and isinstance(effect, Group) else effect)
    if shape and shape not in found.operations:
        found.bases[shape] = None
        if negative:
            found.deleted.add(shape)


def _rename_keywords(statements: Sequence[Expression], found: Survey) -> None:
    used = {word.text for statement in statements for word in words(statement)}
    for shape in sorted(found.heads | found.asked):
        if keyword(shape[0]) and shape not in RESERVED and shape not in found.bases:
            name = f"{shape[0]}_"
            while name in used:
                name += "_"
            used.add(name)
            found.renamed[shape] = name


def _literals(parts: Iterable[Expression]) -> Iterator[Shape]:
    for part in parts:
        shape = literal_shape(part)
        if shape:
            yield shape
        elif isinstance(part, Group):
            yield from _literals(part.items[1:])


def constants(parts: Iterable[Expression]) -> Iterator[str]:
    """Yield the constants that are arguments in statements or literals."""
    for part in parts:
        if literal_shape(part) is None and isinstance(part, Group):
            yield from constants(part.items[1:])
        elif isinstance(part, Group):
            yield from (w.text for w in part.items[1:] if isinstance(w, Word) and not w.text.startswith("?"))
            yield from constants(item for item in part.items[1:] if isinstance(item, Group))


def named(expression: Expression, word: str) -> bool:
    """Whether the expression is a list that begins with `word`."""
    return (
        isinstance(expression, Group)
        and bool(expression.items)
        and isinstance(expression.items[0], Word)
        and expression.items[0].text == word
    )


def head_and_body(statement: Expression) -> tuple[Expression, tuple[Expression, ...]]:
    """The head of a fact or rule, and the conditions of its body."""
    if named(statement, "<=") and isinstance(statement, Group):
        return statement.items[1], statement.items[2:]
    return statement, ()


def literal_shape(part: Expression) -> Shape | None:
    """The shape of a literal, fact or action; None for a variable, a connective or a list without a name."""
    word = part if isinstance(part, Word) else part.items[0]
    if not isinstance(word, Word) or word.text.startswith("?"):
        return None
    if isinstance(part, Group) and (connective(word.text) or word.text == OPERATION):
        return None
    return word.text, len(part.items) - 1 if isinstance(part, Group) else 0
