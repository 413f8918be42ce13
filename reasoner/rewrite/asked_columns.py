"""Magic sets by column: restrict the columns of large views to the values that their readers can look up.

    sum(X,0,X) :- number(X)        sum(X,Y,Z) :- succ(W,Y), sum(X,W,V), succ(V,Z)
    total(Z) :- guessed(red,X), guessed(blue,Y), sum(X,Y,Z)

Here `sum` has rows for all numbers Y, although only possible guesses are ever added. The values that readers look up in
a column (the *asked values*) become a relation that each rule of the view reads:

    asked(Y) :- values(Y)          asked(W) :- asked(Y), succ(W,Y)        values(Y) :- …

These are magic sets (Bancilhon, Maier, Sagiv & Ullman 1986), one column at a time. In the rules of `asked` and
`values`, conditions on the state or a move are replaced by the `values` that their columns can ever have. So the
grounder evaluates these relations completely, and the circuit does not contain them.

Every row that a reader looks up is still derived. The proof is by induction over derivations: the asked values depend
on the asked values of the head, on static relations, and on the possible facts, moves and rows of small views, but not
on other large views.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from reasoner.language.terms import Term, Variable
from reasoner.rewrite.chase import Kind, columns
from reasoner.rewrite.drop_unused import OUTPUTS
from reasoner.rewrite.estimate import Estimate
from reasoner.rules.dependencies import dependencies, reached, reversed_graph
from reasoner.rules.program import Atom, Condition, Literal, Program, Relation, Rule, is_positive
from reasoner.rules.strata import static_relations, stratify

MIN_ROWS = 100_000
"""A view is restricted if it has at least this many estimated rows."""

ASKED, VALUES = "asked", "values"
"""Prefixes of the names of the created relations. A space follows; no name in a rulesheet contains a space."""

ANY = "?"
"""The function symbol in the kind of a fact or a move that is a variable."""

Column = tuple[str, Kind, int]
"""ASKED or VALUES, the kind of the atoms, and the number of the column."""


def asked_columns(program: Program, outputs: frozenset[Relation] = OUTPUTS) -> Program:
    """Restrict the large views of `program`, except `outputs`, to the asked values of their columns.

    Returns the program unchanged if no large view is static and recursive, as a relation of sums is: other views have
    few rows that no reader looks up.
    """
    sizes = Estimate.of(program).sizes
    derived = {rule.head.relation for rule in program.rules if rule.body} - outputs
    views = {view for view in derived if sizes.get(view, 0) >= MIN_ROWS and view not in program.possible}
    return _Demand(program, frozenset(views)).restricted() if views and views & sums(program) else program


def sums(program: Program) -> set[Relation]:
    """Return the recursive static relations, such as a relation that adds numbers."""
    recursive = (relation for stratum in stratify(program) if stratum.recursive for relation in stratum.relations)
    return set(recursive) & static_relations(program)


@dataclass
class _Demand:
    """Derives the relations of asked values for the columns of `views`."""

    program: Program
    views: frozenset[Relation]
    evaluated: frozenset[Relation] = field(init=False)  # static, and derived without negation
    makers: dict[Kind, list[tuple[Rule, tuple[Term, ...]]]] = field(init=False)  # and the heads' columns
    static: frozenset[Relation] = field(init=False)
    of_variables: set[str] = field(init=False)  # `true` and `does`, if a rule makes a fact or a move that is a variable
    columns: dict[Relation, Column] = field(default_factory=dict)  # by the created relation
    rules: dict[Column, list[Rule]] = field(default_factory=dict)  # the rules that derive each column
    unknown: set[Column] = field(default_factory=set)  # the unbounded columns: their values cannot be derived
    waiting: list[Column] = field(default_factory=list)

    def __post_init__(self) -> None:
        depend = dependencies(self.program.rules)
        negated = [relation for relation, read in depend.negative.items() if read]
        self.static = static_relations(self.program)
        uncertain = reached(reversed_graph(depend.every), [*negated, *self.program.possible])
        self.evaluated = self.static - uncertain
        self.makers = defaultdict(list)
        for rule in self.program.rules:
            kind, terms = _columns(rule.head)
            self.makers[kind].append((rule, terms))
        self.of_variables = {name for name, symbol, _ in self.makers if symbol == ANY}

    def restricted(self) -> Program:
        """Return the program with restricted views, and with the rules of the asked values."""
        asked = [(ASKED, (name, "", arity), i) for name, arity in sorted(self.views) for i in range(arity)]
        found = -1
        while found < len(self.unknown):  # a column assumed bounded may depend on an unbounded one
            found = len(self.unknown)
            self.rules, self.waiting = {}, asked.copy()
            while self.waiting:
                self._derive(self.waiting.pop())
        made = dict.fromkeys(rule for rules in self.rules.values() for rule in rules)
        return replace(self.program, rules=(*map(self._with_demand, self.program.rules), *made))

    def _with_demand(self, rule: Rule) -> Rule:
        """Return the rule restricted to the asked values of its head."""
        conditions = dict.fromkeys(self._of_head(rule))
        return replace(rule, body=(*rule.body, *conditions)) if conditions else rule

    def _derive(self, column: Column) -> None:
        """Derive the rules for the values of a column, or add the column to the unbounded ones."""
        if column in self.rules or column in self.unknown:
            return
        self.rules[column] = made = []
        for rule, literal, term in self._sources(column):
            bound = self._bound(rule, literal, term)
            if bound is None:
                self.unknown.add(column)
                return
            made.append(Rule(_atom(column, term), tuple(dict.fromkeys(bound))))

    def _sources(self, column: Column) -> Iterator[tuple[Rule, Literal | None, Term]]:
        """Yield the rules that look up a column, with literal and term; for VALUES, the rules that make its atoms."""
        what, kind, i = column
        if what == VALUES:
            yield from ((rule, None, terms[i]) for rule, terms in self.makers[kind])
            return
        for rule in self.program.rules:
            for literal in rule.literals():
                if _columns(literal.atom)[0] == kind:
                    yield rule, literal, literal.atom.arguments[i]

    def _bound(self, rule: Rule, literal: Literal | None, term: Term) -> list[Condition] | None:
        """Return the other conditions of a rule that limit the values of a term in a literal; None if none do."""
        if not isinstance(term, Variable):
            return None if any(Atom("", (term,)).variables()) else []
        others = [c for c in rule.body if is_positive(c) and c is not literal and c.atom.relation not in self.views]
        views = [c for c in rule.body if is_positive(c) and c.atom.relation in self.views] if literal is None else []
        for read in (others, [*others, *views]):
            joined = [c for c in read if c.atom.relation in self.evaluated and term in c.variables()]
            mentioned = {term, *(v for c in joined for v in c.variables())}
            bound = [*joined, *(c for c in self._in_columns(rule, read) if not mentioned.isdisjoint(c.variables()))]
            if any(term in c.variables() for c in bound):
                self.waiting += (self.columns[c.atom.relation] for c in bound if c.atom.relation in self.columns)
                return list(bound)
        return None

    def _in_columns(self, rule: Rule, read: Iterable[Literal]) -> Iterator[Literal]:
        """Yield literals for the asked values of the head, and for the possible values of non-static conditions."""
        yield from self._of_head(rule)
        for condition in read:
            if condition.atom.relation not in self.static | self.program.possible:
                yield from self._each(VALUES, condition.atom)

    def _of_head(self, rule: Rule) -> Iterator[Literal]:
        """Yield a literal for the asked values of each column, if the rule belongs to a restricted view."""
        return self._each(ASKED, rule.head) if rule.head.relation in self.views else iter(())

    def _each(self, what: str, atom: Atom) -> Iterator[Literal]:
        """Yield the ASKED or VALUES literal of each bounded column of an atom that contains a variable."""
        kind, terms = _columns(atom)
        for i, term in enumerate(terms):
            column = what, kind, i
            if isinstance(term, Variable) and self._is_bounded(column):
                made = _atom(column, term)
                self.columns[made.relation] = column
                yield Literal(made)

    def _is_bounded(self, column: Column) -> bool:
        """Whether a column may be bounded: no rule makes atoms of its kind from a variable, as far as is known."""
        name, symbol, _ = column[1]
        return column not in self.unknown and symbol != ANY and name not in self.of_variables


def _columns(atom: Atom) -> tuple[Kind, tuple[Term, ...]]:
    """Return the kind of an atom and its columns; a `legal` atom has the kind and the columns of its move."""
    return columns(Atom("does", atom.arguments) if atom.relation == ("legal", 2) else atom)


def _atom(column: Column, term: Term) -> Atom:
    what, (name, symbol, arity), i = column
    return Atom(" ".join((what, name, *([symbol] if symbol else []), str(arity), str(i + 1))), (term,))
