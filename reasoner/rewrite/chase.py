"""The chase (Maier, Mendelzon & Sagiv 1979) over rules: equalities that follow from a conjunction.

The chase assumes that a conjunction holds in some reachable state under a legal joint move. It adds consequences until
a fixpoint, by five laws: facts that agree on a key are equal, a state obeys the at-most-one laws
(`reasoner.rewrite.at_most_one`), a role makes one move, each move is legal, and a static relation contains only its
rows. A contradiction means that the conditions never hold together.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations, islice, product

from reasoner.language.terms import Compound, Term, Variable, is_ground, substitute
from reasoner.language.unify import resolve, unify
from reasoner.rules.domains import Domain, complete, domains
from reasoner.rules.program import Atom, Condition, Distinct, Literal, Program, Relation, Rule, is_positive

Kind = tuple[str, str, int]
"""Relation, function symbol (of a fact or move, otherwise empty) and number of columns."""

FunctionalDependency = tuple[frozenset[int], frozenset[int]]
"""Columns, and the columns whose values they determine."""

AtMostOne = tuple[int, Term]
"""A column and a constant: at most one fact of a kind has the constant there."""

MAX_WORLDS = 64
"""Maximum ways in which the moves of a conjunction may be legal; with more, legality is not used."""

MAX_ROWS = 2_000
"""Maximum facts of a static relation that are used."""


def columns(atom: Atom) -> tuple[Kind, tuple[Term, ...]]:
    """Return the kind of an atom and its columns: the arguments of a fact, the role and the arguments of a move."""
    if atom.name in ("true", "next", "init") and len(atom.arguments) == 1:
        fact = atom.arguments[0]
        inner = fact.arguments if isinstance(fact, Compound) else ()
        return ("true", _symbol(fact), len(inner)), inner
    if atom.relation == ("does", 2):
        role, move = atom.arguments
        inner = move.arguments if isinstance(move, Compound) else ()
        return ("does", _symbol(move), len(inner) + 1), (role, *inner)
    return (atom.name, "", len(atom.arguments)), atom.arguments


def _symbol(term: Term) -> str:
    if isinstance(term, Variable):
        return "?"  # no function symbol or constant has this name
    return term.functor if isinstance(term, Compound) else term.name


@dataclass
class _Variants:
    """Variants of a rule with fresh variables, created once and reused in later questions."""

    rule: Rule
    number: int
    made: list[Rule] = field(default_factory=list)
    used: int = 0

    def fresh(self) -> Rule:
        """Return a variant that has not been returned since `used` was last set to 0."""
        if self.used == len(self.made):
            self.made.append(self.rule.renamed(f"{self.number} {self.used}"))
        self.used += 1
        return self.made[self.used - 1]


class Chase:
    """Applies the chase to conjunctions of one program; `keys` and `at_most_one` may change between questions."""

    def __init__(
        self,
        program: Program,
        keys: Mapping[Kind, FunctionalDependency],
        at_most_one: Mapping[Kind, Iterable[AtMostOne]] | None = None,
    ) -> None:
        self.keys, self.at_most_one = keys, {} if at_most_one is None else at_most_one
        self.used_at_most_one: set[tuple[Kind, AtMostOne]] = set()  # the at-most-one facts that were used
        self.used_keys: set[Kind] = set()  # the kinds whose keys were used
        self._rules = program.by_head()
        self._rows = _stated_rows(self._rules)
        self._views = {r: rules[0] for r, rules in self._rules.items() if len(rules) == 1 and _negates(rules[0])}
        self._values = _values(program) if self._views else {}
        self._functional = {relation: _determined(rows) for relation, rows in self._rows.items()}
        self._matching: dict[tuple[Relation, tuple[Term | None, ...]], list[tuple[Term, ...]]] = {}
        self._variants: dict[int, _Variants] = {}  # by the rule's identity

    def reset(self) -> None:
        """Begin a new question, which may reuse the rule variants that `fresh` made for earlier ones."""
        for variants in self._variants.values():
            variants.used = 0

    def fresh(self, rule: Rule) -> Rule:
        """Return a variant of `rule` whose variables occur nowhere else in the current question."""
        variants = self._variants.get(id(rule))
        if variants is None:
            variants = self._variants[id(rule)] = _Variants(rule, len(self._variants))
        return variants.fresh()

    def worlds(self, conditions: Iterable[Condition], watched: tuple[Term, ...]) -> Iterator[tuple[Term, ...]]:
        """Yield the chased terms `watched` for each combination of `legal` rules that may make the moves legal."""
        conditions = list(conditions)
        ways = [self._legal(c.atom) for c in conditions if is_positive(c) and c.atom.relation == ("does", 2)]
        some = [*islice(product(*ways), MAX_WORLDS + 1)]
        for way in some if len(some) <= MAX_WORLDS else [()]:
            pairs = [pair for found, _ in way for pair in found]
            added = [condition for _, body in way for condition in body]
            for literal in filter(is_positive, [*conditions, *added] if self._views else ()):
                if view := self._views.get(literal.atom.relation):
                    view = self.fresh(view)
                    pairs += zip(view.head.arguments, literal.atom.arguments, strict=True)
                    added += view.body
            closed = self.saturated(self._relevant([*conditions, *added]), watched, pairs)
            if closed is not None:
                yield closed[1]

    def _relevant(self, conditions: list[Condition]) -> list[Condition]:
        """Return the conditions from which the chase can derive consequences, alone or together."""
        holding = {c.atom.relation for c in conditions if is_positive(c)} | self._rows.keys()
        negated = {c.atom.relation for c in conditions if isinstance(c, Literal) and not c.positive}
        return [
            c
            for c in conditions
            if isinstance(c, Distinct)
            or (self._has_laws(c.atom) or c.atom.relation in negated if c.positive else c.atom.relation in holding)
        ]

    def _has_laws(self, atom: Atom) -> bool:
        """Whether the chase has a law about an atom, or may have one after a variable in the atom is bound."""
        kind, _ = columns(atom)
        return (
            kind[1] == "?"
            or kind in self.keys
            or kind in self.at_most_one
            or atom.relation in self._rows
            or atom.relation == ("does", 2)
        )

    def rows(self, atom: Atom) -> list[tuple[Term, ...]] | None:
        """Return the possible rows of an atom whose relation has only facts; None for other relations."""
        rows = self._rows.get(atom.relation)
        if rows is None:
            return None
        pattern = tuple([argument if is_ground(argument) else None for argument in atom.arguments])
        known = self._matching.get((atom.relation, pattern))
        if known is None:
            known = [row for row in rows if _matches(pattern, row)]
            self._matching[atom.relation, pattern] = known
        return known

    def _legal(self, does: Atom) -> list[tuple[list[tuple[Term, Term]], tuple[Condition, ...]]]:
        """Return, for each rule by which the move may be legal, the required equalities and the rule's body."""
        ways = []
        for rule in self._rules.get(("legal", 2), ()):
            rule = self.fresh(rule)
            pairs = list(zip(rule.head.arguments, does.arguments, strict=True))
            if unify(pairs) is not None:
                ways.append((pairs, rule.body))
        return ways

    def saturated(
        self, conditions: list[Condition], watched: tuple[Term, ...], pairs: list[tuple[Term, Term]]
    ) -> tuple[list[Condition], tuple[Term, ...]] | None:
        """Return the conditions and `watched` with all consequences applied; None if they contradict each other.

        pairs: pairs of terms that are equal. The `legal` rules are not used.
        """
        while True:
            bindings = unify(pairs)
            if bindings is None:
                return None
            if bindings:
                worked = resolve(bindings)
                conditions = list(dict.fromkeys(c.substituted(worked) for c in conditions))
                watched = tuple(substitute(term, worked) for term in watched)
            if self._contradictory(conditions):
                return None
            found = self._consequences([c.atom for c in conditions if is_positive(c)])
            if found is None:
                return None
            pairs = [(a, b) for a, b in found if a != b]
            if not pairs:
                return conditions, watched

    def _contradictory(self, conditions: list[Condition]) -> bool:
        holding = {c.atom for c in conditions if is_positive(c)}
        negated = [c.atom for c in conditions if isinstance(c, Literal) and not c.positive]
        if self._values and len(negated) > 1 and any(self._exhausted(atom, negated) for atom in holding):
            return True
        for c in conditions:
            if isinstance(c, Distinct):
                if c.left == c.right:
                    return True
            elif not c.positive and (c.atom in holding or c.atom.arguments in self._rows.get(c.atom.relation, ())):
                return True
        return False

    def _exhausted(self, atom: Atom, negated: list[Atom]) -> bool:
        """Whether an atom contradicts negated atoms: they exclude every value that one of its columns can have."""
        kind, mine = columns(atom)
        values = self._values.get(kind, ())
        alike = [one for one in negated if one.relation == atom.relation] if any(values) else []
        others = [row for same, row in map(columns, alike) if same == kind]
        for i, domain in enumerate(values if others else ()):
            rest = (*mine[:i], *mine[i + 1 :])
            if domain and isinstance(mine[i], Variable):
                found = {str(row[i]) for row in others if (*row[:i], *row[i + 1 :]) == rest}
                if domain <= found:
                    return True
        return False

    def _consequences(self, atoms: list[Atom]) -> list[tuple[Term, Term]] | None:
        """Return the pairs of terms that must be equal; None if an atom matches no row of its static relation."""
        found: list[tuple[Term, Term]] = []
        by_relation: dict[Relation, list[Atom]] = defaultdict(list)
        for atom in atoms:
            by_relation[atom.relation].append(atom)
        for relation, alike in by_relation.items():
            for atom in alike if relation in self._rows else ():
                matching = self.rows(atom)
                if not matching:
                    return None
                if len(matching) == 1:
                    found += zip(atom.arguments, matching[0], strict=True)
            if len(alike) > 1:
                found += self._equalities(alike)
        return found

    def _equalities(self, atoms: list[Atom]) -> list[tuple[Term, Term]]:
        """Return the equalities that follow because two atoms agree on a key or on an at-most-one constant."""
        found: list[tuple[Term, Term]] = []
        relation = atoms[0].relation
        read = [columns(atom) for atom in atoms]
        laws = {kind: self._laws(relation, kind) for kind, _ in read}
        if relation != ("does", 2) and not any(map(any, laws.values())):
            return found
        for (i, (kind, mine)), (k, (same, others)) in combinations(enumerate(read), 2):
            if relation == ("does", 2) and atoms[i].arguments[0] == atoms[k].arguments[0]:
                found.append((atoms[i].arguments[1], atoms[k].arguments[1]))
            for key, determined in laws[kind][0] if kind == same else ():
                if all(mine[c] == others[c] for c in key):
                    self.used_keys.add(kind)
                    found += [(mine[c], others[c]) for c in determined]
            for column, constant in laws[kind][1] if kind == same else ():
                if mine[column] == others[column] == constant:
                    self.used_at_most_one.add((kind, (column, constant)))
                    found += zip(mine, others, strict=True)
        return found

    def _laws(self, relation: Relation, kind: Kind) -> tuple[list[FunctionalDependency], tuple[AtMostOne, ...]]:
        """Return the laws of a kind: its functional dependencies, and its at-most-one constants."""
        laws = list(self._functional.get(relation, ()))
        if kind in self.keys:
            laws.append(self.keys[kind])
        return laws, tuple(self.at_most_one.get(kind, ()))


def _stated_rows(rules: Mapping[Relation, list[Rule]]) -> dict[Relation, set[tuple[Term, ...]]]:
    """Return the rows of each relation that is defined by facts only, unless it has too many rows."""
    return {
        relation: {rule.head.arguments for rule in own}
        for relation, own in rules.items()
        if len(own) <= MAX_ROWS and all(not rule.body for rule in own)
    }


def stated_laws(program: Program) -> dict[Relation, list[FunctionalDependency]]:
    """Return the functional dependencies in the rows of the relations that are defined by facts only."""
    return {relation: _determined(rows) for relation, rows in _stated_rows(program.by_head()).items()}


def _determined(rows: set[tuple[Term, ...]]) -> list[FunctionalDependency]:
    """Return a dependency for each column that all other columns determine, in a relation of two or more columns."""
    arity = len(next(iter(rows), ()))
    every = frozenset(range(arity))
    return [
        (every - {i}, frozenset([i]))
        for i in (range(arity) if arity > 1 else ())
        if len({row[:i] + row[i + 1 :] for row in rows}) == len(rows)
    ]


def _negates(rule: Rule) -> bool:
    """Whether a rule requires that some fact is false."""
    return any(not literal.positive and literal.atom.relation == ("true", 1) for literal in rule.literals())


def _values(program: Program) -> dict[Kind, tuple[frozenset[str], ...]]:
    """Return the constants that can occur, by kind of fact and column; an empty set if other terms can occur, too."""
    known = domains(program)
    (facts,) = known.get(("true", 1), (Domain(),)) if complete(known) else (Domain(),)
    return {
        ("true", name, arity): tuple(frozenset(d.constants if not d.functions else ()) for d in parts)
        for (name, arity), parts in facts.functions.items()
    }


def _matches(pattern: tuple[Term | None, ...], row: tuple[Term, ...]) -> bool:
    """Whether a row matches a pattern, in which None (a variable) matches every term."""
    return all(mine is None or mine == own for mine, own in zip(pattern, row, strict=True))
