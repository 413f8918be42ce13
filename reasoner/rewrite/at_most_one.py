"""Facts of which every reachable state has at most one: "white's king stands on one square".

A key (`reasoner.rewrite.keys`) is a law about all facts of a kind. An at-most-one law is about the facts with a certain
constant in one column, such as ``cell`` with ``wk``: a state contains at most one of them. Candidates are the constants
that occur in exactly one initial fact. The proof is by induction over all pairs of rules that make such facts, with the
chase, as for keys. It distinguishes the rules by which a move in a body may have been legal. Proofs use only the
initial state, the `next` rules and the legality of moves. A candidate that is not proved within the limits is dropped.

All proofs assume that each role makes one legal move.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping

from reasoner.language.terms import Compound, Constant, Term, Variable
from reasoner.language.unify import resolve, unify
from reasoner.rewrite.chase import AtMostOne, Chase, FunctionalDependency, Kind, columns
from reasoner.rewrite.keys import of_kind
from reasoner.rewrite.unfold_views import put
from reasoner.rules.program import Atom, Condition, Distinct, Literal, Program, Rule, is_positive
from reasoner.rules.strata import static_relations

MAX_STEPS = 10_000
"""Maximum conjunctions that are chased; further candidates count as unproved."""

MAX_TRIED_ROWS = 4
"""Maximum rows of a relation of facts for which a proof distinguishes one case per row."""

Symbol = tuple[str, int]

ROLE = Variable("role of a move")
_ANY: Kind = ("true", "?", 0)
"""The kind of a fact that is a variable."""


def at_most_one_facts(
    program: Program, keys: Mapping[Kind, FunctionalDependency]
) -> Mapping[Kind, frozenset[AtMostOne]]:
    """Return pairs (column, term) for each kind of fact: a state has at most one fact with the term in the column.

    keys: the keys of the program's facts, which the proofs may use.
    """
    return _Prover(program, keys).proven()


class _Prover:
    def __init__(self, program: Program, keys: Mapping[Kind, FunctionalDependency]) -> None:
        self.rules = program.rules
        self.static = static_relations(program)
        self.at_most_one: dict[Kind, frozenset[AtMostOne]] = {}
        self.chase = Chase(program, keys, self.at_most_one)
        legal = program.by_head().get(("legal", 2), [])
        legal = [Rule(rule.head, tuple(filter(self._is_used, rule.body))) for rule in legal]
        symbols = {symbol for rule in legal if (symbol := _symbol(rule.head))}
        self.legal: dict[Symbol | None, list[Rule]] = {
            symbol: [rule for rule in legal if _symbol(rule.head) in (symbol, None)] for symbol in symbols
        }
        self.static_views = {
            relation: rules[0]
            for relation, rules in program.by_head().items()
            if relation in self.static and len(rules) == 1 and rules[0].body
        }
        self.implied = {symbol: _shared(rules) for symbol, rules in self.legal.items()}
        self.possible: dict[Atom, list[Rule]] = {}
        self.steps = 0
        self.premises: dict[tuple[Kind, AtMostOne], frozenset[tuple[Kind, AtMostOne]]] = {}  # of each proof

    def proven(self) -> Mapping[Kind, frozenset[AtMostOne]]:
        """Return the largest inductive set of candidates: if all hold in a state, all hold in the next state."""
        makers = [rule for rule in self.rules if rule.head.relation == ("next", 1)]
        self.at_most_one.update(_candidates(self.rules))
        waiting = [(kind, one) for kind, ones in self.at_most_one.items() for one in sorted(ones, key=str)]
        while waiting:
            failed = {each for each in waiting if not self._is_preserved(makers, *each)}
            for kind, one in failed:
                self.at_most_one[kind] -= {one}
            proved = [(kind, one) for kind, ones in self.at_most_one.items() for one in sorted(ones, key=str)]
            waiting = [each for each in proved if self.premises[each] & failed]
        return {kind: ones for kind, ones in self.at_most_one.items() if ones}

    def _is_used(self, condition: Condition) -> bool:
        """Whether the chase uses a condition of a `legal` rule: a fact, a static relation or a disequality."""
        return isinstance(condition, Distinct) or (
            condition.positive and (condition.atom.relation == ("true", 1) or condition.atom.relation in self.static)
        )

    def _is_preserved(self, makers: Iterable[Rule], kind: Kind, one: AtMostOne) -> bool:
        """Whether the next state also obeys the candidate; records the candidates that the proof uses in `premises`."""
        self.chase.used_at_most_one.clear()
        rules = [made for rule in makers if (made := self._restricted(rule, kind, one))]
        preserved = all(self._agree(a, b) for i, a in enumerate(rules) for b in rules[i:])
        self.premises[kind, one] = frozenset(self.chase.used_at_most_one)
        return preserved

    def _agree(self, one: Rule, other: Rule) -> bool:
        self.chase.reset()
        other = self.chase.fresh(other)
        mine, others = columns(one.head)[1], columns(other.head)[1]
        watched = tuple(term for pair in zip(mine, others, strict=True) for term in pair)
        return self._always_equal([*one.body, *other.body], watched, [])

    def _always_equal(
        self, conditions: list[Condition], watched: tuple[Term, ...], pairs: list[tuple[Term, Term]]
    ) -> bool:
        """Whether the watched terms are pairwise equal wherever the conditions and the equations `pairs` hold."""
        self.steps += 1
        closed = self.chase.saturated([*conditions, *self._implied(conditions)], watched, pairs)
        if closed is None or closed[1][::2] == closed[1][1::2]:
            return True
        if self.steps > MAX_STEPS:
            return False
        conditions, watched = closed
        ways = self._ways(conditions)
        return ways is not None and all(self._always_equal([*conditions, *more], watched, same) for more, same in ways)

    def _ways(self, conditions: list[Condition]) -> list[tuple[list[Condition], list[tuple[Term, Term]]]] | None:
        """Return the cases of one condition: the conditions and equalities that each adds; None if none has cases."""
        for move in _moves(conditions):
            followed = Literal(Atom("followed move", move.arguments))  # no rule has this name
            if followed not in conditions and _symbol(move) in self.legal:
                rules = map(self.chase.fresh, self._by_which_legal(move))
                return [([followed, *r.body], [*zip(r.head.arguments, move.arguments, strict=True)]) for r in rules]
        for literal in filter(is_positive, conditions):
            rows = self.chase.rows(literal.atom)
            if rows and 1 < len(rows) <= MAX_TRIED_ROWS:
                return [([], [*zip(literal.atom.arguments, row, strict=True)]) for row in rows]
        return None

    def _by_which_legal(self, move: Atom) -> list[Rule]:
        """Return the rules by which the move may be legal, except rules that contradict the static relations."""
        names: dict[Variable, Term] = {}
        for v in move.variables():
            names.setdefault(v, Variable(f"m{len(names)} move"))
        alike = move.substituted(names)
        if alike not in self.possible:
            self.possible[alike] = [rule for rule in self.legal[_symbol(move)] if self._fits(rule, alike)]
        return self.possible[alike]

    def _fits(self, rule: Rule, move: Atom) -> bool:
        """Whether a `legal` rule may apply to a move; conditions on the state are ignored, as the result is cached."""
        static_conditions = [c for c in rule.body if not is_positive(c) or c.atom.relation in self.static]
        pairs = [*zip(rule.head.arguments, move.arguments, strict=True)]
        return self.chase.saturated(static_conditions, (), pairs) is not None

    def _implied(self, conditions: Iterable[Condition]) -> list[Literal]:
        """Return the conditions that all rules by which the moves may be legal have in common."""
        return [
            literal.substituted({ROLE: move.arguments[0]})
            for move in _moves(conditions)
            for literal in self.implied.get(_symbol(move), ())
        ]

    def _restricted(self, rule: Rule, kind: Kind, one: AtMostOne) -> Rule | None:
        """Return `rule` restricted to the facts of a kind with the constant; None if the rule makes no such fact."""
        made = of_kind(rule, kind)
        bindings = unify([(columns(made.head)[1][one[0]], one[1])]) if made else None
        return self._unfolded(made.substituted(resolve(bindings))) if made and bindings is not None else None

    def _unfolded(self, rule: Rule) -> Rule:
        """Return the rule with the literals of static views that have a single rule replaced by its body."""
        for number, literal in enumerate(filter(is_positive, rule.body)):
            view = self.static_views.get(literal.atom.relation)
            rule = (put(rule, literal, view, number) or rule) if view else rule
        return rule


def _moves(conditions: Iterable[Condition]) -> list[Atom]:
    return [c.atom for c in conditions if is_positive(c) and c.atom.relation == ("does", 2)]


def _symbol(atom: Atom) -> Symbol | None:
    """Return the function symbol of a move, or the name of a constant move; None for a variable, which is any move."""
    move = atom.arguments[1]
    if isinstance(move, Variable):
        return None
    return (move.functor, len(move.arguments)) if isinstance(move, Compound) else (str(move), 0)


def _candidates(rules: Iterable[Rule]) -> dict[Kind, frozenset[AtMostOne]]:
    """Return, for kinds with several columns, each constant that occurs in a column of exactly one initial fact.

    There are none if a rule derives initial facts of any kind, as in ``(<= (init ?f) (start ?f))``.
    """
    starts: dict[Kind, list[tuple[Term, ...]]] = defaultdict(list)
    derived = set()
    for rule in rules:
        if rule.head.relation == ("init", 1):
            kind, terms = columns(rule.head)
            starts[kind].append(terms)
            derived |= {kind} if rule.body else set()
    return {
        kind: single
        for kind, rows in starts.items()
        if not {kind, _ANY} & derived and kind[2] > 1 and (single := _single(rows))
    }


def _single(rows: list[tuple[Term, ...]]) -> frozenset[AtMostOne]:
    counts = Counter((column, term) for row in rows for column, term in enumerate(row))
    return frozenset(one for one, count in counts.items() if count == 1 and isinstance(one[1], Constant))


def _shared(rules: list[Rule]) -> tuple[Literal, ...]:
    """Return the `true` conditions about the role alone that all the `legal` rules require, with ROLE as the role."""
    asked = []
    for rule in rules:
        role = rule.head.arguments[0]
        named = {role: ROLE} if isinstance(role, Variable) else {}
        facts = [c for c in rule.body if is_positive(c) and set(c.variables()) <= {role}]
        if isinstance(role, Constant):
            facts = [Literal(Atom(c.atom.name, tuple(_swapped(a, role) for a in c.atom.arguments))) for c in facts]
        asked.append([c.substituted(named) for c in facts])
    return tuple(literal for literal in asked[0] if all(literal in literals for literals in asked[1:]))


def _swapped(term: Term, role: Term) -> Term:
    """Return `term` with ROLE in place of a constant."""
    if isinstance(term, Compound):
        return Compound(term.functor, tuple(_swapped(argument, role) for argument in term.arguments))
    return ROLE if term == role else term
