"""Functional dependencies that hold in every reachable state, proved by induction over the rules.

A *key* means: facts (or moves, or rows of a view) that agree on some columns agree on other columns. For example, one
role has ``control`` at a time, so the empty set of columns determines the role. The proof starts with all candidates,
and drops candidates until the rest is true initially and inductive (Houdini: Flanagan & Leino 2001). The inductive step
chases the bodies of each pair of rules that make such facts. Haufe, Schiffel & Thielscher 2012 prove such state
invariants with answer set programming. The chase works on rules instead of instances: it proves less, and takes
milliseconds.

All proofs assume that each role makes one legal move. A rewriting that uses keys returns the keys with its program
(`Rewritten`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from types import MappingProxyType

from reasoner.language.terms import Compound, Term, Variable, variables
from reasoner.language.unify import resolve, unify
from reasoner.rewrite.chase import AtMostOne, Chase, FunctionalDependency, Kind, columns
from reasoner.rewrite.drop_unused import OUTPUTS
from reasoner.rules.program import Atom, Condition, Literal, Program, Relation, Rule, is_positive
from reasoner.rules.strata import static_relations

MAX_CHASES = 4_000
"""Maximum pairs of rules that are chased; further candidates count as unproved."""


@dataclass(frozen=True)
class Keys:
    """The proved keys, one functional dependency per kind.

    `facts` are the keys of facts. Conclusions from them are valid only in states that obey them, as all reachable
    states do. `laws` are the keys of facts, moves and views.
    """

    facts: Mapping[Kind, FunctionalDependency]
    laws: Mapping[Kind, FunctionalDependency]


NO_KEYS = Keys({}, {})


def law_of(literal: Literal, laws: Mapping[Kind, FunctionalDependency]) -> tuple[set[Variable], set[Variable]] | None:
    """Return the determining and the determined variables of a positive literal; None if none are determined."""
    kind, terms = columns(literal.atom)
    law = laws.get(kind)
    if law is None and kind[0] == "does":
        law = (frozenset([0]), frozenset(range(1, kind[2])))
    if law is None or kind[1] == "?":
        return None
    key, determined = _variables(terms, law)
    return (key, determined - key) if determined - key else None


def _variables(terms: tuple[Term, ...], law: FunctionalDependency) -> tuple[set[Variable], set[Variable]]:
    """Return the variables in the determining columns, and the variables in the determined columns."""
    key, determined = ({v for i in columns for v in variables(terms[i])} for columns in law)
    return key, determined


def closure(
    known: Iterable[Variable],
    conditions: Iterable[Condition],
    stated: Mapping[Relation, list[FunctionalDependency]],
    keys: Mapping[Kind, FunctionalDependency] | None = None,
) -> set[Variable]:
    """Return the known variables and the variables that they determine if the conditions are true.

    stated: functional dependencies of relations defined by facts. keys: keys of facts, moves and views.
    """
    literals = [c for c in conditions if is_positive(c)]
    laws = [_variables(c.atom.arguments, law) for c in literals for law in stated.get(c.atom.relation, ())]
    laws += [law for c in literals if keys is not None and (law := law_of(c, keys))]
    found = set(known)
    while gained := {v for key, determined in laws if key <= found for v in determined} - found:
        found |= gained
    return found


@lru_cache(maxsize=2)
def find_keys(program: Program) -> Keys:
    """Return the keys that the chase proves.

    Candidates for facts: at most one fact of the kind is true, or one column is determined by the others. For moves: at
    most one move of the kind is made. For views: a column has at most one value. Results are cached, because several
    passes need the keys of the same program.
    """
    return _Prover(program).keys()


class _Prover:
    def __init__(self, program: Program) -> None:
        self.program, self.rules = program, program.rules
        self.static = static_relations(program)
        self.known: dict[Kind, FunctionalDependency] = {}
        self.chase = Chase(program, self.known)
        self.premises: dict[Kind, frozenset[Kind]] = {}  # the kinds whose laws each proof depends on
        self.chases = 0

    def keys(self) -> Keys:
        """Prove the keys of facts, then of moves, then of views."""
        facts = self._keys_of_facts()
        for relation, rules in self.program.by_head().items():
            if relation not in OUTPUTS and relation not in self.static:
                self._add_key_of_view((relation[0], "", relation[1]), rules)
        return Keys(facts, dict(self.known))

    def _keys_of_facts(self) -> dict[Kind, FunctionalDependency]:
        sources = [rule for rule in self.rules if rule.head.relation in (("init", 1), ("next", 1))]
        kinds = dict.fromkeys(columns(rule.head)[0] for rule in sources)
        candidates = {kind: list(_candidates(kind[2])) for kind in kinds if kind[1] != "?"}
        rules = {kind: [m for rule in sources if (m := of_kind(rule, kind))] for kind in candidates}
        for kind in candidates:
            starts = [rule for rule in rules[kind] if rule.head.name == "init"]
            if any(rule.body for rule in starts):
                candidates[kind] = [law for law in candidates[kind] if self._holds(starts, law)]
            else:
                rows = {columns(rule.head)[1] for rule in starts}
                candidates[kind] = [law for law in candidates[kind] if _obeyed(rows, law)]
        current = {kind: laws[0] for kind, laws in candidates.items() if laws}
        changed = set(current)
        while True:
            changed |= self._add_keys_of_moves(current, changed)
            waiting = [kind for kind in current if self._depends_on(kind, changed)]
            failed = {kind for kind in waiting if not self._proved(kind, rules[kind], current[kind])}
            if not failed:
                return current
            for kind in failed:
                candidates[kind].pop(0)
                current.pop(kind)
                if candidates[kind]:
                    current[kind] = candidates[kind][0]
            changed = failed

    def _depends_on(self, kind: Kind, changed: Collection[Kind]) -> bool:
        """Whether a law must be proved again, because the law or a premise of its proof has changed."""
        return kind not in self.premises or kind in changed or not self.premises[kind].isdisjoint(changed)

    def _proved(self, kind: Kind, rules: list[Rule], law: FunctionalDependency) -> bool:
        """Whether the facts of the next state obey a law; records the kinds whose laws the proof uses in `premises`."""
        self.chase.used_keys.clear()
        holds = self._holds([rule for rule in rules if rule.head.name != "init"], law)
        self.premises[kind] = frozenset(self.chase.used_keys)
        return holds

    def _add_keys_of_moves(self, facts: Mapping[Kind, FunctionalDependency], changed: Collection[Kind]) -> set[Kind]:
        """Set the known laws to `facts` and the keys of moves: kinds of moves of which a joint move has at most one.

        The laws of the kinds `changed` have changed. Returns the kinds of moves that lose their key by these changes.
        """
        before = {kind: law for kind, law in self.known.items() if kind[0] == "does"}
        self.known.clear()
        self.known.update(facts)
        read = [literal.atom for rule in self.rules for literal in rule.literals()]
        lost: set[Kind] = set()
        for kind in dict.fromkeys(columns(atom)[0] for atom in read if atom.relation == ("does", 2)):
            if kind[1] == "?" or kind[2] == 1:
                continue
            if kind in before and not self._depends_on(kind, {*changed, *lost}):
                self.known[kind] = before[kind]
                continue
            law = (frozenset[int](), frozenset(range(kind[2])))
            terms: list[Term] = [Variable(f"a{i}") for i in range(kind[2])]
            one = Literal(Atom("does", (terms[0], Compound(kind[1], tuple(terms[1:])))))
            if self._proved(kind, [Rule(Atom("does", one.atom.arguments), (one,))], law):
                self.known[kind] = law
            elif kind in before:
                lost.add(kind)
        return lost

    def _add_key_of_view(self, kind: Kind, rules: list[Rule]) -> None:
        """Add a key of a view: the columns that have at most one value in a state."""
        constant = frozenset(i for i in range(kind[2]) if self._holds(rules, (frozenset(), frozenset([i]))))
        if constant:
            self.known[kind] = (frozenset(), constant)

    def _holds(self, rules: list[Rule], law: FunctionalDependency) -> bool:
        """Whether facts made by `rules` that agree on the key of a law also agree on the determined columns."""
        return all(self._rules_agree(one, other, law) for i, one in enumerate(rules) for other in rules[i:])

    def _rules_agree(self, one: Rule, other: Rule, law: FunctionalDependency) -> bool:
        key, determined = law
        self.chase.reset()
        other = self.chase.fresh(other)
        mine, others = columns(one.head)[1], columns(other.head)[1]
        bindings = unify((mine[i], others[i]) for i in key)
        if bindings is None:
            return True
        self.chases += 1
        if self.chases > MAX_CHASES:
            return False
        worked = resolve(bindings)
        conditions = [c.substituted(worked) for c in (*one.body, *other.body)]
        pairs = Atom("", tuple(t for i in sorted(determined) for t in (mine[i], others[i])))
        closed = self.chase.saturated(conditions, pairs.substituted(worked).arguments, [])
        # usually decided without distinguishing the `legal` rules of the moves
        return closed is None or _paired(closed[1]) or all(map(_paired, self.chase.worlds(*closed)))


def _obeyed(rows: set[tuple[Term, ...]], law: FunctionalDependency) -> bool:
    return len({tuple(row[i] for i in sorted(law[0])) for row in rows}) == len(rows)


def _paired(terms: tuple[Term, ...]) -> bool:
    return terms[::2] == terms[1::2]


def _candidates(arity: int) -> Iterable[FunctionalDependency]:
    """Yield the candidates for facts: no columns determine all columns; all columns but one determine that one."""
    yield frozenset(), frozenset(range(arity))
    for i in range(arity - 1, -1, -1) if arity > 1 else ():
        yield frozenset(range(arity)) - {i}, frozenset([i])


def of_kind(rule: Rule, kind: Kind) -> Rule | None:
    """Return `rule` restricted to facts of a kind; None if the rule makes no such fact."""
    if columns(rule.head)[0] == kind:
        return rule
    if columns(rule.head)[0][1] != "?":
        return None
    fact: Term = Compound(kind[1], tuple(Variable(f"a{i} made") for i in range(kind[2])))
    bindings = unify([(rule.head.arguments[0], fact)])
    assert bindings is not None
    return rule.substituted(resolve(bindings))


def known_groups(
    keys: Mapping[Kind, FunctionalDependency],
    atoms: Iterable[Atom],
    at_most_one: Mapping[Kind, Collection[AtMostOne]] = MappingProxyType({}),
) -> list[tuple[int, ...]]:
    """Return groups of indices into `atoms`: at most one atom of a group is true in a state."""
    groups: dict[object, list[int]] = defaultdict(list)
    for number, atom in enumerate(atoms):
        kind, terms = columns(atom)
        if kind in keys and terms:
            key, _ = keys[kind]
            groups[(kind, *(terms[i] for i in sorted(key)))].append(number)
        for column, constant in at_most_one.get(kind, ()):
            if terms[column] == constant:
                groups[kind, "at most one", column, constant].append(number)
    return [tuple(group) for group in groups.values() if len(group) > 1]


@dataclass(frozen=True)
class Rewritten:
    """A rewritten program, equivalent to the original in all states that obey `keys.facts` and `at_most_one`.

    `at_most_one`: pairs (column, term) for each kind of fact; a state has at most one fact with the term in the column.
    """

    program: Program
    keys: Keys = NO_KEYS
    at_most_one: Mapping[Kind, Collection[AtMostOne]] = field(default_factory=dict)

    def then(self, apply: Callable[[Program], Program | Rewritten]) -> Rewritten:
        """Return the result of one more rewriting, with the keys and `at_most_one` of all rewritings so far."""
        made = apply(self.program)
        if not isinstance(made, Rewritten):
            return replace(self, program=made)
        keys = self.keys if made.keys is NO_KEYS else made.keys
        return Rewritten(made.program, keys, {**self.at_most_one, **made.at_most_one})
