"""Check of positive conditions that are false in every state, because a constant in them occurs nowhere in its place.

(succ 1 2) (<= (next (step ?m)) (true (step ?n)) (succ N ?m))  a variable without its `?`
(<= terminal (true (step 03)))                                 the steps are 1, 2 and 3

The domains of the arguments (`domains`) are supersets of the possible terms, so what is reported is never true;
nothing is reported if terms are nested so deep that the domains are cut off. A condition that can be true as
soon as the others are mended is not reported.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import count

from reasoner.language.keywords import keyword
from reasoner.language.report import MAX_OF_A_KIND, FaultReport
from reasoner.language.terms import Compound, Constant, Shape, Term, Variable, shape_of
from reasoner.rules.checks.goals import BY_ROLE
from reasoner.rules.checks.joins import check_joins
from reasoner.rules.checks.turns import check_turns
from reasoner.rules.checks.usage import nearest
from reasoner.rules.domains import Domain, Domains, complete, domains, lacking
from reasoner.rules.formulas import Sentence
from reasoner.rules.program import Literal, Program, Rule, is_positive
from reasoner.rules.sheet import Sheet, Use, located

_SHOWN = 8  # maximum values listed in a message
_MAX_RULES = 5_000  # of rules that are not facts; a larger rulesheet is not checked
_MAX_DIGITS = 9  # of numbers compared
_REPORTED = ("undefined-relation", "never-true", "never-does", "never-holds", "constant-like-variable")
"""Codes of faults that explain narrow domains."""


def check_impossible(sheet: Sheet, report: FaultReport) -> None:
    """Report each positive condition with a constant that the domain of its place does not contain.

    If there is none, report conditions that exclude each other (`joins`) and roles without a turn (`turns`).
    """
    if report.failed or report.has(*_REPORTED) or sum(bool(rule.body) for rule in sheet.rules) > _MAX_RULES:
        return
    known = domains(Program(tuple(sheet.rules), ()), closely=True)
    if not complete(known):
        return
    if not (wrong := _all_impossible(sheet, known)):
        check_joins(sheet, report, known)
        check_turns(sheet, report, known)
        return
    names = count(1)
    mended = domains(Program(tuple(_mended(rule, known, names) for rule in sheet.rules), ()), closely=True)
    wrong = _all_impossible(sheet, mended) or wrong  # facts that only follow from each other are possible in `mended`
    for use, (term, domain) in wrong[:MAX_OF_A_KIND]:
        name = use.sentence.atom.name
        report.warn(
            f"never-{name.lower()}" if keyword(name) and name.lower() in ("true", "does") else "never-holds",
            f"{use.sentence.atom} is never true: {term} never occurs in this place{_values(domain)}",
            _fix(term, domain, sheet),
            located(term.functor if isinstance(term, Compound) else str(term), use.sentence.source),
        )


def _all_impossible(sheet: Sheet, known: Domains) -> list[tuple[Use, tuple[Term, Domain]]]:
    uses = (use for use in sheet.uses if use.positive and not _translated(use))
    return [(use, wrong) for use in uses if (wrong := _impossible(use.sentence, known))]


def _translated(use: Use) -> bool:
    """Whether the condition asks for the moves of an operation, which need not be legal: effects perform it, too."""
    return use.statement.head.atom.name.startswith("do ") and use.sentence.atom.name == "does"


def _impossible(sentence: Sentence, known: Domains) -> tuple[Term, Domain] | None:
    """Return the first term that cannot occur in its place, with the domain of the place; None if there is none."""
    places = known.get(sentence.atom.relation, ())
    skipped = int(sentence.atom.relation in BY_ROLE)  # another check reports names that are not roles
    pairs = list(zip(sentence.atom.arguments, places, strict=False))[skipped:]
    return next((wrong for term, place in pairs if (wrong := lacking(term, place))), None)


def _mended(rule: Rule, known: Domains, names: Iterator[int]) -> Rule:
    """The rule with a new variable for each term that cannot occur in its place."""
    return replace(rule, body=tuple(_widened(part, known, names) if is_positive(part) else part for part in rule.body))


def _widened(literal: Literal, known: Domains, names: Iterator[int]) -> Literal:
    places = known.get(literal.atom.relation, ())
    if not places:
        return literal
    arguments = tuple(_wide(term, place, 0, names) for term, place in zip(literal.atom.arguments, places, strict=True))
    return replace(literal, atom=replace(literal.atom, arguments=arguments))


def _wide(term: Term, place: Domain, depth: int, names: Iterator[int]) -> Term:
    if not lacking(term, place, depth):
        return term
    parts = place.functions.get((term.functor, len(term.arguments))) if isinstance(term, Compound) else None
    if not isinstance(term, Compound) or parts is None:
        return Variable(f"any {next(names)}")
    inner = (_wide(part, domain, depth + 1, names) for part, domain in zip(term.arguments, parts, strict=True))
    return replace(term, arguments=tuple(inner))


def _values(place: Domain) -> str:
    names = sorted(place.constants, key=lambda name: (len(name), name)) + [f"({name} …)" for name, _ in place.functions]
    return f"; there are {', '.join(names)}" if 0 < len(names) <= _SHOWN else ""


def _fix(term: Term, place: Domain, sheet: Sheet) -> str:
    if isinstance(term, Constant):
        same = [name for name in place.constants if _number(name) is not None and _number(name) == _number(term.name)]
        if same:
            return f"Write {same[0]}."
        near = None if term.name.isdecimal() else nearest(term.name, sorted(place.constants))
        if near:
            return f"Did you mean `{near}`?"
    elif isinstance(term, Compound) and shape_of(term) in sheet.terms("next") - _made_by_init(sheet):
        return f"If it is true at the start, write (init ({term.functor} …))."
    return "Correct it, or add the fact or rule that makes it."


def _made_by_init(sheet: Sheet) -> set[Shape | None]:
    return {shape_of(statement.head.atom.arguments[0]) for statement in sheet.heads.get(("init", 1), ())}


def _number(name: str) -> int | None:
    return int(name) if name.isascii() and name.isdecimal() and len(name) <= _MAX_DIGITS else None
