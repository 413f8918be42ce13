"""Built-in relations of Stanford's interpreter in plain GDL: arithmetic as tables, counting as a chain of rules.

Arithmetic is defined on the integers from the least to the greatest in the rulesheet, and on counts. No rule of the
game can name integers outside this range.

In ``countofall(T,C,N)``, N is the number of different instances of T that make C true. It becomes a chain of rules: the
possible instances get an order, and for every i the rules derive how many of the first i instances make C true. The
possible instances are known only when all rules are known; `rules/counting.py` lists them (``item``, ``groups``).

    (<= (counted 1 ?R (cell ?X ?Y)) (true (cell ?X ?Y ?R)))       the counted instances, for each ?R
    (<= (held 1 ?R ?i) (item 1 ?i ?t) (counted 1 ?R ?t))
    (<= (tally 1 ?R 0 0) (groups 1 ?R))
    (<= (tally 1 ?R ?j ?m) (follows ?i ?j) (tally 1 ?R ?i ?n) (held 1 ?R ?j) (follows ?n ?m))
    (<= (tally 1 ?R ?j ?n) (follows ?i ?j) (tally 1 ?R ?i ?n) (not (held 1 ?R ?j)))
    (<= (count 1 ?R ?n) (tally 1 ?R ?i ?n) (last 1 ?i))
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Iterator

from reasoner.language.expressions import Expression, Group, Word, words

Numbers = Callable[[int, int], int]

FUNCTIONS: dict[str, Numbers] = {
    "plus": operator.add,
    "minus": operator.sub,
    "times": operator.mul,
    "min": min,
    "max": max,
}
"""``plus(A,B,C)``: C is the sum; `plus`, `times`, `min` and `max` take any number of terms before the result."""

COMPARISONS: dict[str, Callable[[int, int], bool]] = {"leq": operator.le, "less": operator.lt}

HOW_TO_COMPUTE = f"Use a built-in relation: {', '.join([*FUNCTIONS, *COMPARISONS])}; results come last."
"""The fix for arithmetic of other languages in rules with operations."""

MAX_INTEGERS = 128
"""Maximum number n of integers in arithmetic; a table has up to n²/2 rows."""

LARGEST_COUNT = 100
"""In a game that counts, arithmetic is defined at least on 0 to this number."""

_INTEGER = re.compile(r"-?[0-9]{1,9}")


def is_arithmetic(name: str, count: int) -> bool:
    """Whether a relation is built-in arithmetic, unless the rulesheet defines it."""
    return (name in FUNCTIONS and (count == 3 or (count > 3 and name != "minus"))) or (name, count) in _COMPARING


_COMPARING = {(name, 2) for name in COMPARISONS}


def integers(statements: Iterable[Expression], *, counts: bool = False) -> range:
    """All integers between the least and the greatest in the statements; with `counts`, also 0 to `LARGEST_COUNT`."""
    found = [int(word.text) for s in statements for word in words(s) if _INTEGER.fullmatch(word.text)]
    if not counts:
        return range(min(found, default=0), max(found, default=-1) + 1)
    least = min(found, default=0)
    return range(min(least, 0), max([*found, min(LARGEST_COUNT, min(least, 0) + MAX_INTEGERS - 1)]) + 1)


def table(name: str, numbers: range, at: int) -> Iterator[Expression]:
    """The facts of an arithmetic relation over `numbers`."""
    for left in numbers:
        for right in numbers:
            if name in COMPARISONS and COMPARISONS[name](left, right):
                yield _fact(at, name, left, right)
            elif name in FUNCTIONS and (result := FUNCTIONS[name](left, right)) in numbers:
                yield _fact(at, name, left, right, result)


def chained(literal: Group, place: int) -> Expression:
    """Split an operation on several terms: ``plus(A,B,C,D)`` becomes ``plus(A,B,T) & plus(T,C,D)``.

    A comparison, and an operation on two terms, stay as they are.
    """
    if len(literal.items) <= 4:  # a name, two terms, and the result of an operation
        return literal
    name, total, *rest = literal.items
    steps: list[Expression] = []
    for number, term in enumerate(rest[:-1]):
        last = number == len(rest) - 2
        result = rest[-1] if last else Word(f"?sum-{place}-{number}", literal.offset)
        steps.append(Group((name, total, term, result), literal.offset))
        total = result
    return Group((Word("and", literal.offset), *steps), literal.offset)


def counting(number: int, groups: tuple[Word, ...], at: int) -> Iterator[Expression]:
    """Yield the rules that count the instances of ``counted NUMBER`` for each value of the variables `groups`."""

    def atom(name: str, *arguments: str) -> Group:
        return Group((Word(f"{name} {number}", at), *(Word(a, at) for a in arguments)), at)

    def rule(*parts: Expression) -> Group:
        return Group((Word("<=", at), *parts), at)

    def follows(first: str, second: str) -> Group:
        return Group((Word("follows 1", at), Word(first, at), Word(second, at)), at)

    by = tuple(word.text for word in groups)
    i, j, n, m, t = (f"?count-{letter}" for letter in "ijnmt")
    before, held = atom("tally", *by, i, n), atom("held", *by, j)
    yield rule(atom("held", *by, i), atom("item", i, t), atom("counted", *by, t))
    yield rule(atom("tally", *by, "0", "0"), atom("groups", *by))
    yield rule(atom("tally", *by, j, m), follows(i, j), before, held, follows(n, m))
    yield rule(atom("tally", *by, j, n), follows(i, j), before, Group((Word("not", at), held), at))
    yield rule(atom("count", *by, n), atom("tally", *by, i, n), atom("last", i))


def _fact(at: int, name: str, *values: int) -> Group:
    return Group((Word(name, at), *(Word(str(value), at) for value in values)), at)
