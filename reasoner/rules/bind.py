"""Lenient reading of unbound head variables: they get the values that uses of the relation can pass.

    (<= (next (cell ?x ?y b)) (does ?r (mark ?m ?n)) (true (cell ?x ?y b)) (apart ?x ?y ?m ?n))
    (<= (apart ?x ?y ?m ?n) (distinct ?x ?m))              is read with (values of apart/4 at 2) of ?y, and so on

A top-down evaluator calls such a relation with values for the unbound arguments. This reading binds the variable to all
values that a literal of the relation can have as that argument: the *domain* of the argument (`domains`), computed from
rules without the literals of such relations. A fact with variables, such as ``(same ?x ?x)``, is a rule without a body.
As the first argument of `legal`, `goal` and `sees`, the variable gets every role. In a term of the head whose function
name is also a relation, as in ``(legal random (deal (card ?c)))``, the variable gets the values of that relation.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from reasoner.language.expressions import Word
from reasoner.language.literals import Atom, Literal
from reasoner.language.report import FaultReport
from reasoner.language.terms import Compound, Term, Variable, is_ground, variables
from reasoner.rules.counting import terms_of
from reasoner.rules.domains import Domains, domains, variable_domains
from reasoner.rules.formulas import Sentence, Statement, bound
from reasoner.rules.program import Program, Relation, Rule
from reasoner.rules.sheet import Sheet, located, sentences

MAX_VALUES = 1_000
"""Maximum values of one argument; with more, the variable stays unbound."""
_OF_ROLES: tuple[Relation, ...] = (("legal", 2), ("goal", 2), ("sees", 2))

_Place = tuple[Relation, int]


def with_bound_variables(sheet: Sheet, report: FaultReport) -> tuple[Statement, ...]:
    """Bind the unbound head variables of all statements, where possible, and report a warning for each."""
    named = tuple(_named(statement, sheet, report) for statement in sheet.statements)
    free = {id(statement): list(_free(statement)) for statement in named}
    places = dict.fromkeys((s.head.atom.relation, i) for s in named for i, _ in free.get(id(s), ()))
    if not places:
        return named
    values = _Values(sheet, {relation for relation, _ in places})
    known = {place: found for place in places if (found := values.of(place))}
    statements = [_bound(statement, free[id(statement)], known, report) for statement in named]
    asked = {sentence.atom.name for statement in statements for sentence, _ in sentences(statement.body)}
    needed = ((place, terms) for place, terms in known.items() if _name(*place) in asked)
    return (*statements, *(fact for place, terms in needed for fact in _facts(place, terms, sheet)))


def _named(statement: Statement, sheet: Sheet, report: FaultReport) -> Statement:
    """Bind variables inside a term of the head by the relation with the name of the term's function."""
    if all(map(is_ground, statement.head.atom.arguments)):
        return statement
    known = bound(statement.body)
    terms = [inner for argument in statement.head.atom.arguments for inner in _inside(argument)]
    more = []
    for term in terms:
        free = [variable for variable in variables(term) if variable not in known]
        if free and (term.functor, len(term.arguments)) in sheet.heads:
            more.append(Sentence(Atom(term.functor, term.arguments), statement.source))
            report.warn(
                "bound-by-name",
                f"the variable {free[0]} takes its values from the relation `{term.functor}`; other players refuse it",
                f"Add ({term.functor} …) to the body.",
                located(str(free[0]), statement.source),
            )
    return Statement(statement.head, (*statement.body, *more), statement.source, statement.arrow) if more else statement


def _inside(term: Term) -> Iterator[Compound]:
    """Yield the compound terms in a term, the term included."""
    if isinstance(term, Compound):
        yield term
        for argument in term.arguments:
            yield from _inside(argument)


def _free(statement: Statement) -> Iterator[tuple[int, Variable]]:
    """Yield the arguments of the head that are unbound variables, with their positions."""
    known = bound(statement.body)
    for place, argument in enumerate(statement.head.atom.arguments):
        if isinstance(argument, Variable) and argument not in known:
            yield place, argument


def _bound(
    statement: Statement, free: list[tuple[int, Variable]], known: dict[_Place, list[Term]], report: FaultReport
) -> Statement:
    relation = statement.head.atom.relation
    places = {variable: place for place, variable in free if (relation, place) in known}
    more = tuple(
        Sentence(Atom(_name(relation, place), (variable,)), statement.source) for variable, place in places.items()
    )
    for variable, place in places.items():
        role = relation in _OF_ROLES and place == 0
        values = "every role" if role else f"all values that literals of `{relation[0]}` can have there"
        report.warn(
            "bound-by-uses",
            f"no literal binds the variable {variable}, so it gets {values}; other players refuse it",
            f"Add (role {variable}) to the body." if role else f"Add a literal that gives {variable} its values.",
            located(str(variable), statement.source),
        )
    return Statement(statement.head, (*statement.body, *more), statement.source, statement.arrow) if more else statement


def _name(relation: Relation, place: int) -> str:
    return f"values of {relation[0]}/{relation[1]} at {place + 1}"


def _facts(place: _Place, terms: Iterable[Term], sheet: Sheet) -> Iterator[Statement]:
    source = Word(_name(*place), sheet.heads[place[0]][0].source.offset)
    for term in terms:
        yield Statement(Sentence(Atom(_name(*place), (term,)), source), (), source, arrow=False)


class _Values:
    """Computes the values that literals of the relations `asked` can pass as arguments."""

    def __init__(self, sheet: Sheet, asked: set[Relation]) -> None:
        self._roles: list[Term] = list(sheet.roles)
        self._uses: dict[Relation, list[tuple[Rule, Atom]]] = {relation: [] for relation in asked}
        kept = []
        for rule in sheet.rules:
            body = tuple(c for c in rule.body if not (isinstance(c, Literal) and c.atom.relation in asked))
            reduced = Rule(rule.head, body, rule.span)
            kept += [reduced] if rule.head.relation not in asked else []
            for literal in rule.literals():
                if literal.atom.relation in asked:
                    self._uses[literal.atom.relation].append((reduced, literal.atom))
        self._known: Domains = domains(Program(tuple(kept), ()))

    def of(self, place: _Place) -> list[Term]:
        """Return all values of an argument; empty if a literal passes an unknown value, or if there are too many."""
        relation, argument = place
        if relation in _OF_ROLES and argument == 0:
            return self._roles
        found: dict[Term, None] = {}
        for rule, atom in self._uses[relation]:
            values = self._passed(rule, atom.arguments[argument])
            if values is None or len(found) + len(values) > MAX_VALUES:
                return []
            found.update(dict.fromkeys(values))
        return list(found)

    def _passed(self, rule: Rule, term: Term) -> list[Term] | None:
        """Return the values that a literal can pass; None if the rest of its rule does not bind the term."""
        if is_ground(term):
            return [term]
        if not isinstance(term, Variable):
            return None
        domain = variable_domains(rule, self._known).get(term)
        if domain is None or domain.size() > MAX_VALUES:
            return None
        return [terms[0] for terms in terms_of([domain])]
