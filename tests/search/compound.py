"""Compound rulesheets from parts of the same role: a move acts on one part, the others rest; all must be solved.

Relations, facts and moves of part k have its number in their names. The whole is over when all parts are, and worth 100
if each is, else 0. Facts of a clock, which no move changes, must be listed as `shared`: they belong to no part. Used
for copies and mixtures.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

Expression = str | list["Expression"]
Shape = tuple[str, int]
"""A name and its number of arguments."""

FACTS, MOVES = ("true", "next", "init", "base"), ("does", "legal", "input")
AS_THEY_ARE = ("role", "distinct", "not", "or", "and", "<=")

WHOLE = """
(<= terminal {over})
(<= (goal ?r 100) (solved ?r))
(<= (goal ?r 0) (role ?r) (not (solved ?r)))
(<= (solved ?r) (role ?r) {solved})
"""


def compounded(texts: Sequence[str], shared: Collection[str] = (), *, locked: bool = False) -> str:
    """Return the rules of the whole, of at least one part; `locked`: in a part that is over no move is legal.

    Facts with the names `shared` are those of the first part that defines them.
    """
    parts = [list(_read(text)) for text in texts]
    lines, clocks = [_written(rule) for rule in parts[0] if rule[0] == "role"], set[str]()
    every = range(1, len(parts) + 1)
    for k, rules in zip(every, parts, strict=True):
        made = {name for rule in rules if (name := _shared(rule, shared))} - clocks
        clocks |= made
        own = [rule for rule in rules if rule[0] != "role" and (not (name := _shared(rule, shared)) or name in made)]
        renamed = [_renamed(rule, k, shared) for rule in own]
        lines += map(_written, renamed)
        lines += [_written(_legal(rule, k, locked)) for rule in renamed if _head_name(rule) == f"legal_{k}"]
        others = [(f"{name}_{j}", count) for j in every if j != k for name, count in _shapes(parts[j - 1], MOVES)]
        lines += _resting(k, [shape for shape in _shapes(rules, FACTS) if shape[0] not in shared], others)
    over, solved = (" ".join(form.format(k) for k in every) for form in ("terminal_{}", "(goal_{} ?r 100)"))
    return "\n".join([*lines, WHOLE.format(over=over, solved=solved)])


def _resting(k: int, facts: list[Shape], moves: list[Shape]) -> Iterator[str]:
    """Yield the rules by which a part rests when one of these moves is made."""
    for name, count in facts:
        fact = _term(f"{name}_{k}", "f", count)
        yield from (f"(<= (next {fact}) (true {fact}) (does ?r {_term(move, 'm', many)}))" for move, many in moves)


def _legal(rule: Expression, k: int, locked: bool) -> Expression:
    """Return the rule of a legal move of the whole, from one of part k alone."""
    parts = list(rule[1:]) if rule[0] == "<=" else [rule]
    bar: list[Expression] = [["not", f"terminal_{k}"]] if locked else []
    return ["<=", ["legal", *parts[0][1:]], ["role", parts[0][1]], *parts[1:], *bar]


def _head_name(rule: Expression) -> Expression:
    head = rule[1] if rule[0] == "<=" else rule
    return head[0] if isinstance(head, list) else head


def _term(name: str, variable: str, count: int) -> str:
    return f"({' '.join([name, *(f'?{variable}{i}' for i in range(count))])})" if count else name


def _read(text: str) -> Iterator[list[Expression]]:
    """Yield the statements, as nested lists."""
    stack: list[list[Expression]] = [[]]
    for token in re.findall(r"[()]|[^\s()]+", re.sub(r";.*", "", text).lower()):
        if token == "(":
            stack.append([])
        elif token == ")":
            closed = stack.pop()
            stack[-1].append(closed)
        else:
            stack[-1].append(token)
    for statement in stack[0]:
        if isinstance(statement, list):
            yield statement


def _shapes(part: str | Sequence[Expression], names: Sequence[str]) -> list[Shape]:
    """Return the shapes of the arguments of relations with some names, in order."""
    if isinstance(part, str):
        return []
    found = [_shape(part[-1])] if part and part[0] in names else []
    return list(dict.fromkeys(found + [shape for each in part for shape in _shapes(each, names)]))


def _shape(term: Expression) -> Shape:
    return (term, 0) if isinstance(term, str) else (str(term[0]), len(term) - 1)


def _shared(rule: list[Expression], shared: Collection[str]) -> str:
    """Return the name of the shared fact that a rule defines, else an empty string."""
    head = rule[1] if rule[0] == "<=" else rule
    name = _shape(head[1])[0] if isinstance(head, list) and head[0] in FACTS else ""
    return name if name in shared else ""


def _renamed(literal: Expression, k: int, shared: Collection[str]) -> Expression:
    if isinstance(literal, str):
        return literal if literal in AS_THEY_ARE else f"{literal}_{k}"
    name, *rest = literal
    if name in FACTS:
        return literal if _shape(rest[0])[0] in shared else [name, _numbered(rest[0], k)]
    if name in MOVES:
        return [f"legal_{k}" if name == "legal" else name, rest[0], _numbered(rest[1], k)]
    if name in ("role", "distinct"):
        return literal
    if name in AS_THEY_ARE:
        return [name, *(_renamed(each, k, shared) for each in rest)]
    return [f"{name}_{k}", *rest]


def _numbered(term: Expression, k: int) -> Expression:
    return f"{term}_{k}" if isinstance(term, str) else [f"{term[0]}_{k}", *term[1:]]


def _written(expression: Expression) -> str:
    return expression if isinstance(expression, str) else f"({' '.join(map(_written, expression))})"
