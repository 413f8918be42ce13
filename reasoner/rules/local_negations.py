"""Lenient reading of a `not` with an unbound variable: the variable is existentially quantified inside the `not`.

    (<= (legal ?p pass) (role ?p) (not (true (card ?p ?x))))

    (<= (legal ?p pass) (role ?p) (not (some 1 ?p)))        (<= (some 1 ?p) (true (card ?p ?x)))

Strict GDL refuses such a variable; top-down reasoners read it in this way. If the head or a `distinct` also contains
the variable, it is an error.
"""

from __future__ import annotations

from reasoner.language.literals import Atom
from reasoner.language.report import FaultReport
from reasoner.language.terms import Variable
from reasoner.rules.formulas import (
    Conjunction,
    Disequality,
    Disjunction,
    Equality,
    Formula,
    Negation,
    Sentence,
    Statement,
    bound,
    leaves,
    occurring,
)
from reasoner.rules.sheet import Sheet, located


def with_local_negations(sheet: Sheet, report: FaultReport) -> tuple[Statement, ...]:
    """Replace each `not` with an unbound variable by a `not` of an auxiliary relation; warn about each variable."""
    reading = _Reading(report)
    statements = [reading.statement(statement) for statement in sheet.statements]
    return (*statements, *reading.made) if reading.made else sheet.statements


class _Reading:
    """Rewrites statements, and numbers the auxiliary relations."""

    def __init__(self, report: FaultReport) -> None:
        self._report = report
        self.made: list[Statement] = []

    def statement(self, statement: Statement) -> Statement:
        needed = {*statement.head.atom.variables(), *bound(statement.body)}
        for leaf in leaves(statement.body):
            needed.update(occurring(leaf) if isinstance(leaf, Disequality | Equality) else ())
        body = tuple(self._formula(part, needed) for part in statement.body)
        return (
            Statement(statement.head, body, statement.source, statement.arrow) if body != statement.body else statement
        )

    def _formula(self, formula: Formula, needed: set[Variable]) -> Formula:
        match formula:
            case Negation(Sentence() as negated, source):
                return Negation(self._projected(negated, needed), source)
            case Disjunction(parts, source):
                return Disjunction(tuple(self._formula(p, needed | bound([p])) for p in parts), source)
            case Conjunction(parts, source):
                return Conjunction(tuple(self._formula(p, needed | bound(parts)) for p in parts), source)
            case _:
                return formula

    def _projected(self, negated: Sentence, needed: set[Variable]) -> Sentence:
        """Return a sentence over the `needed` variables only; the auxiliary relation projects the others away."""
        variables = list(dict.fromkeys(negated.atom.variables()))
        local = [variable for variable in variables if variable not in needed]
        if not local:
            return negated
        for variable in local:
            self._report.warn(
                "local-in-not",
                f"no positive literal binds the variable {variable} of a `not`; it is read as: there is no {variable};"
                " other players refuse it",
                f"Define a relation without the argument {variable}, and negate that relation.",
                located(str(variable), negated.source),
            )
        kept = tuple(variable for variable in variables if variable in needed)
        some = Sentence(Atom(f"some {len(self.made) + 1}", kept), negated.source)
        self.made.append(Statement(some, (negated,), negated.source, arrow=True))
        return some
