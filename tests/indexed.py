"""The twin again, for long runs: the same rules and the same reading, with relations worked out in order and looked up.

Rules of relations that need each other are a *group*; groups come after those they need, and what needs neither the
state nor the moves is worked out and looked up in once. Within a body the condition with the fewest candidates comes
first. What a state tells is kept for some states. What each rule means is that of `tests.naive`; a test holds
the two against each other.
"""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache
from itertools import chain

from tests import naive
from tests.naive import NaiveMachine, holds_somehow, is_variable, read, substitute, unify

TRUE, DOES = ("true", 2), ("does", 3)
"""A relation is named by the first word of its atoms and how long they are."""
KEPT = 256
"""States of which it is kept what they tell."""

as_term = lru_cache(None)(naive.as_term)
show = lru_cache(None)(naive.show)


class IndexedMachine(NaiveMachine):
    """A game as a state machine. No role's moves, goal or the end may depend on what roles do."""

    def __init__(self, text: str) -> None:
        self._groups = None
        super().__init__(text)
        self._of_state = lru_cache(KEPT)(self._of_state)
        self._after = lru_cache(KEPT)(self._after)
        self.legal = lru_cache(KEPT)(self.legal)

    def facts(self, state):
        return frozenset(map(as_term, state))

    def legal(self, state):
        """The legal moves of each role, by text."""
        moves = [
            {atom[2] for atom in self._of_state(state).of.get(("legal", 3), ()) if atom[1] == r} for r in self._roles
        ]
        return tuple(tuple(map(as_term, sorted(found, key=show))) for found in moves)

    def goal(self, state):
        """The goal of each role that has one."""
        atoms = self._of_state(state).of.get(("goal", 3), ())
        values = [{atom[2] for atom in atoms if atom[1] == role} for role in self._roles]
        return tuple(int(next(iter(found))) if len(found) == 1 else None for found in values)

    def terminal(self, state):
        """Whether the game is over."""
        return ("terminal",) in self._of_state(state).of.get(("terminal", 1), ())

    def next(self, state, joint):
        """The state after a joint move, of which it is not asked whether it is legal."""
        return frozenset(atom[1] for atom in self._after(state, tuple(joint)).of.get(("next", 2), ()))

    def percepts(self, state, joint):
        """Per role what it sees of a joint move."""
        atoms = self._after(state, tuple(joint)).of.get(("sees", 3), ())
        return tuple(frozenset(as_term(atom[2]) for atom in atoms if atom[1] == role) for role in self._roles)

    def model(self, given):
        """Every true atom when the atoms `given` are; only used to begin with, when there are none."""
        assert not given
        return frozenset(chain(*self._of_state(frozenset()).of.values()))

    def _of_state(self, state) -> Atoms:
        """All that does not depend on moves."""
        if self._groups is None:
            self._prepare()
        found = Atoms(self._static)
        found.add([("true", fact) for fact in state])
        for group in self._groups["state"]:
            group.complete(found)
        return found

    def _after(self, state, joint) -> Atoms:
        """All that is true when the roles make these moves."""
        found = Atoms(self._of_state(state))
        found.add([("does", role, read(str(move))[0]) for role, move in zip(self._roles, joint, strict=True)])
        for group in self._groups["moves"]:
            group.complete(found)
        return found

    def _prepare(self) -> None:
        needs = _needs(self.rules)
        assert not any(DOES in needs.get(asked, ()) for asked in (("legal", 3), ("goal", 3), ("terminal", 1)))
        self._groups = {"static": [], "state": [], "moves": []}
        for names in _in_order(needs):
            reached = set().union(*(needs[name] for name in names)) | set(names)
            when = "moves" if DOES in reached else "state" if TRUE in reached else "static"
            rules = [_Rule(head, body) for head, body in self.rules if relation(head) in names]
            self._groups[when].append(_Group(rules, names))
        self._static = Atoms()
        for group in self._groups["static"]:
            group.complete(self._static)


class Atoms:
    """Atoms by relation, looked up by the words at some of their places; begins with those of `before`, which stay."""

    def __init__(self, before: Atoms | None = None) -> None:
        self.of = {} if before is None else dict(before.of)  # relation -> frozenset of atoms
        self._where = {} if before is None else dict(before._where)  # relation -> where it is looked up: shared

    def add(self, atoms) -> bool:
        """Whether any of them was new."""
        more, grown = defaultdict(set), False
        for atom in atoms:
            more[relation(atom)].add(atom)
        for name, new in more.items():
            if not new <= self.of.get(name, frozenset()):
                self.of[name] = self.of.get(name, frozenset()) | new
                self._where[name] = {}
                grown = True
        return grown

    def among(self, name, places, words):
        """The atoms of a relation that have these words at these places."""
        if not places:
            return self.of.get(name, ())
        known = self._where.get(name, {})
        if places not in known:
            known[places] = _listed(self.of.get(name, ()), places)
        return known[places].get(words, ())


def _listed(atoms, places):
    """The atoms by their words at these places, those that have some."""
    found = defaultdict(list)
    for atom in atoms:
        its = tuple([_at(atom, place) for place in places])
        if None not in its:
            found[its].append(atom)
    return dict(found)


class _Group:
    """The rules of relations that need each other, or of one."""

    def __init__(self, rules, names) -> None:
        self._rules, self._names = rules, names
        self._again = any(relation(atom) in names for rule in rules for atom in rule.asked)
        self._negates = any(relation(atom) in names for rule in rules for atom in rule.denied)

    def complete(self, atoms: Atoms) -> None:
        """Add what the rules derive: all that is certain, by the alternating fixpoint where they deny each other."""
        if not self._negates:
            self._least(atoms, atoms)
            return
        truth = Atoms(atoms)
        while True:
            possible, certain = Atoms(atoms), Atoms(atoms)
            self._least(possible, truth)
            self._least(certain, possible)
            if all(certain.of.get(name) == truth.of.get(name) for name in self._names):
                assert all(possible.of.get(name) == truth.of.get(name) for name in self._names), "undecided"
                break
            truth = certain
        atoms.add(chain(*(truth.of.get(name, ()) for name in self._names)))

    def _least(self, atoms: Atoms, false_unless: Atoms) -> None:
        while atoms.add({atom for rule in self._rules for atom in rule.derived(atoms, false_unless)}) and self._again:
            pass


class _Rule:
    """A rule whose conditions are asked in the order in which fewest atoms come into question."""

    def __init__(self, head, body) -> None:
        self.head = head
        self.asked = [condition[1] for condition in body if condition[0] == "holds"]
        self.denied = [condition[1] for condition in body if condition[0] == "fails"]
        bound = {word for atom in self.asked for _, word in _leaves(atom) if is_variable(word)}
        self._tests = [
            (condition, {word for part in condition[1:] for _, word in _leaves(part)} & bound)
            for condition in body
            if condition[0] != "holds"
        ]

    def derived(self, atoms, false_unless):
        """The heads that follow."""
        asked = [(atom, relation(atom), list(_leaves(atom))) for atom in self.asked]
        return [substitute(self.head, b) for b in self._solved(asked, self._tests, {}, atoms, false_unless)]

    def _solved(self, asked, tests, bindings, atoms, false_unless):
        later = []
        for test in tests:
            if not test[1] <= bindings.keys():
                later.append(test)
            elif not _passes(test[0], bindings, false_unless):
                return
        if not asked:
            yield bindings
            return
        fewest = None
        for number, (_, name, leaves) in enumerate(asked):
            candidates = _candidates(name, leaves, bindings, atoms)
            if fewest is None or len(candidates) < len(fewest):
                best, fewest = number, candidates
                if not fewest:
                    return
        pattern, rest = asked[best][0], asked[:best] + asked[best + 1 :]
        for atom in fewest:
            found = unify(pattern, atom, bindings)
            if found is not None:
                yield from self._solved(rest, later, found, atoms, false_unless)


def _candidates(name, leaves, bindings, atoms):
    places, words = [], []
    for place, word in leaves:
        if not is_variable(word):
            places.append(place)
            words.append(word)
        elif word in bindings:
            places.append(place)
            words.append(bindings[word])
    return atoms.among(name, tuple(places), tuple(words))


def _passes(condition, bindings, false_unless) -> bool:
    kind, *arguments = condition
    if kind == "fails":
        atom = substitute(arguments[0], bindings)
        return not holds_somehow(atom, false_unless.of.get(relation(atom), frozenset()))
    left, right = (substitute(argument, bindings) for argument in arguments)
    return (left == right) == (kind == "same")


def relation(atom):
    """The name of an atom's relation."""
    return atom[0], len(atom)


def _leaves(term, place=()):
    """The words of a term with their places, but the name of an atom."""
    if isinstance(term, str):
        yield place, term
        return
    for number, part in enumerate(term):
        if place or number:
            yield from _leaves(part, (*place, number))


def _at(term, place):
    """What a term has at a place; None where it has none."""
    for number in place:
        if isinstance(term, str) or len(term) <= number:
            return None
        term = term[number]
    return term


def _needs(rules):
    """Per relation all that it depends on, however far."""
    needs = defaultdict(set)
    for head, body in rules:
        needs[relation(head)] |= {relation(condition[1]) for condition in body if condition[0] in ("holds", "fails")}
    grown = True
    while grown:
        grown = False
        for name, its in needs.items():
            more = its.union(*(needs.get(other, ()) for other in its))
            grown, needs[name] = grown or len(more) > len(its), more
    return dict(needs)


def _in_order(needs):
    """Sets of relations that need each other, each after those that it needs."""
    groups = {frozenset(other for other in its if name in needs.get(other, ())) | {name} for name, its in needs.items()}
    return sorted(groups, key=lambda group: len(set().union(*(needs[name] for name in group)) | group))
