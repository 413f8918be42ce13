"""Unification of terms (Robinson), with the occurs check."""

from __future__ import annotations

from collections.abc import Iterable

from reasoner.language.terms import Compound, Term, Variable, substitute, variables

Bindings = dict[Variable, Term]
"""Bindings in triangular form: the term of a bound variable may contain other bound variables, without cycles."""


def unify(pairs: Iterable[tuple[Term, Term]], bindings: Bindings | None = None) -> Bindings | None:
    """Return the most general unifier of all pairs, as a copy of `bindings` with additions; None if there is none."""
    found = dict(bindings) if bindings else {}
    waiting = list(pairs)
    while waiting:
        left, right = waiting.pop()
        left, right = walk(left, found), walk(right, found)
        if left == right:
            continue
        if isinstance(left, Variable):
            if _occurs(left, right, found):
                return None
            found[left] = right
        elif isinstance(right, Variable):
            waiting.append((right, left))
        elif not _matching(left, right):
            return None
        else:
            assert isinstance(left, Compound)
            assert isinstance(right, Compound)
            waiting.extend(zip(left.arguments, right.arguments, strict=True))
    return found


def walk(term: Term, bindings: Bindings) -> Term:
    """`term`, or the end of its chain of bindings if it is a variable."""
    while isinstance(term, Variable) and term in bindings:
        term = bindings[term]
    return term


def extent(bindings: Bindings) -> tuple[int, int]:
    """Return the greatest depth and the greatest number of words of the terms that `resolve` makes of `bindings`."""
    known: dict[Variable, tuple[int, int]] = {}
    waiting = list(bindings)
    while waiting:
        variable = waiting[-1]
        inner = [v for v in variables(bindings[variable]) if v in bindings and v not in known]
        if inner and variable not in known:
            waiting.extend(inner)
        else:
            known[waiting.pop()] = _extent(bindings[variable], known)
    depths, sizes = zip(*known.values(), strict=True) if known else ((0,), (0,))
    return max(depths), max(sizes)


def _extent(term: Term, known: dict[Variable, tuple[int, int]]) -> tuple[int, int]:
    if not isinstance(term, Compound):
        return known.get(term, (0, 1)) if isinstance(term, Variable) else (0, 1)
    inner = [_extent(argument, known) for argument in term.arguments]
    return 1 + max((depth for depth, _ in inner), default=0), 1 + sum(size for _, size in inner)


def resolve(bindings: Bindings) -> Bindings:
    """Return the bindings with all terms fully substituted, as `substitute` needs them."""
    return {variable: _resolved(term, bindings) for variable, term in bindings.items()}


def _resolved(term: Term, bindings: Bindings) -> Term:
    while any(v in bindings for v in variables(term)):
        term = substitute(term, bindings)
    return term


def _matching(left: Term, right: Term) -> bool:
    return (
        isinstance(left, Compound)
        and isinstance(right, Compound)
        and left.functor == right.functor
        and len(left.arguments) == len(right.arguments)
    )


def _occurs(variable: Variable, term: Term, bindings: Bindings) -> bool:
    waiting, seen = [term], set()
    while waiting:
        for other in variables(waiting.pop()):
            if other == variable:
                return True
            if other in bindings and other not in seen:
                seen.add(other)
                waiting.append(bindings[other])
    return False
