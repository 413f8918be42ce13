"""Unfold a base relation that has a single `next` rule and is read only in `next` literals of bodies.

    next(l(X)) :- next(e(X,Y)) & g(Y,X)      next(e(X,Y)) :- g(X,Y)      gives      next(l(X)) :- g(X,Y) & g(Y,X)

`next` in a body comes from `keep_views` or from an unchecked rulesheet. `true` literals cannot be unfolded:
they read the current state, in which the body of the `next` rule may be false. The `base`, `init` and `next` rules of
an unfolded relation are dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from reasoner.language.terms import Shape, Term, Variable, shape_of
from reasoner.language.unify import resolve, unify
from reasoner.rewrite.facts import DECLARING, HOLDING, fact_of, named, reads
from reasoner.rewrite.keep_views import is_kept
from reasoner.rules.program import Literal, Program, Relation, Rule

NEXT: Relation = ("next", 1)
TRUE: Relation = ("true", 1)


def unfold(program: Program) -> Program:
    """Unfold and drop every base relation of `program` that is read only in `next` literals."""
    return _unfold(program, lambda _: True)


def unfold_kept(program: Program) -> Program:
    """Unfold only relations that `keep_views` made; facts of the rulesheet stay facts."""
    return _unfold(program, lambda source: is_kept(source.head.arguments[0]))


def _unfold(program: Program, wanted: Callable[[Rule], bool]) -> Program:
    """Unfold the relations whose `next` rule is `wanted`."""
    while (found := next((each for each in _unfoldable(program.rules) if wanted(each[1])), None)) is not None:
        shape, source = found
        kept = (rule for rule in program.rules if not _makes(rule, shape))
        rules = tuple(made for rule in kept for made in _unfolded(rule, source, shape))
        program = Program(tuple(dict.fromkeys(rules)), program.roles)
    return program


def explain_unfolded(program: Program) -> tuple[str, ...]:
    """Return one line for each relation that is unfolded."""
    return tuple(f"{named(shape)}: read only through {source}" for shape, source in _unfoldable(program.rules))


def _unfoldable(rules: tuple[Rule, ...]) -> Iterable[tuple[Shape, Rule]]:
    """Yield the shapes with one `next` rule that are read only in positive `next` literals, each with that rule."""
    makers: dict[Shape | None, list[Rule]] = {}
    for rule in rules:
        if rule.head.relation == NEXT:
            makers.setdefault(shape_of(rule.head.arguments[0]), []).append(rule)
    read = {shape_of(literal.atom.arguments[0]) for _, literal in reads(rules, TRUE)}
    nexts = list(reads(rules, NEXT))
    blocked = read | {shape_of(li.atom.arguments[0]) for _, li in nexts if not li.positive}
    if None in makers or None in blocked:
        return
    wanted = dict.fromkeys(shape_of(literal.atom.arguments[0]) for _, literal in nexts)
    for shape in wanted:
        sources = makers.get(shape, [])
        if shape is not None and shape not in blocked and len(sources) == 1 and not _reads_itself(sources[0], shape):
            yield shape, sources[0]


def _reads_itself(rule: Rule, shape: Shape) -> bool:
    return any(shape_of(literal.atom.arguments[0]) == shape for _, literal in reads([rule], NEXT))


def _makes(rule: Rule, shape: Shape) -> bool:
    return rule.head.relation in HOLDING | DECLARING and shape_of(rule.head.arguments[0]) == shape


def _unfolded(rule: Rule, source: Rule, shape: Shape) -> Iterable[Rule]:
    """Yield `rule` with each `next` literal of `shape` replaced by the body of `source`, if they unify."""
    for number, condition in enumerate(rule.body):
        if isinstance(condition, Literal) and condition.atom.relation == NEXT:
            fact = fact_of(condition.atom)
            if fact is not None and shape_of(fact) == shape:
                return _resolved(rule, number, _apart(source, rule))
    return [rule]


def _resolved(rule: Rule, number: int, source: Rule) -> Iterable[Rule]:
    condition = rule.body[number]
    assert isinstance(condition, Literal)
    found = unify(zip(source.head.arguments, condition.atom.arguments, strict=True))
    if found is None:
        return []
    bindings = resolve(found)
    body = (*rule.body[:number], *source.body, *rule.body[number + 1 :])
    merged = tuple(dict.fromkeys(part.substituted(bindings) for part in body))
    made = Rule(rule.head.substituted(bindings), merged, rule.span)
    return _unfolded(made, source, shape_of(source.head.arguments[0]) or ("", 0))


def _apart(source: Rule, rule: Rule) -> Rule:
    """Return `source` with its variables renamed apart from those of `rule`."""
    used = {v.name for v in rule.variables()}
    renaming: dict[Variable, Term] = {}
    for variable in source.variables():
        if variable not in renaming:
            name = variable.name
            while name in used:
                name += "'"
            used.add(name)
            renaming[variable] = Variable(name)
    return source.substituted(renaming)
