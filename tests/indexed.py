"""The twin again, for long runs: the same rules and the same reading, with relations worked out in order and looked up.

Rules of relations that need each other are a *group*; groups come after those they need, and what needs neither the
state nor the moves is worked out once. Within a body the condition with the fewest candidates comes first. What each
rule means is `tests.naive`'s; `tests/test_indexed.py` holds the two against each other.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import chain

from tests.naive import NaiveMachine, holds_somehow, is_variable, substitute, unify

TRUE, DOES = ("true", 2), ("does", 3)
"""A relation is named by the first word of its atoms and how long they are."""


class IndexedMachine(NaiveMachine):
    """A game as a state machine. No role's moves, goal or the end may depend on what roles do."""

    def __init__(self, text: str) -> None:
        self._groups = None
        super().__init__(text)

    def model(self, given):
        """Every true atom when the atoms `given` are; without moves only what does not depend on them."""
        if self._groups is None:
            self._prepare()
        given = list(given)
        state = frozenset(atom for atom in given if atom[0] != "does")
        if self._last != state:
            self._last, self._base = state, Atoms(self._static)
            self._base.add(state)
            for group in self._groups["state"]:
                group.complete(self._base)
        does = [atom for atom in given if atom[0] == "does"]
        if not does:
            return frozenset(chain(*self._base.of.values()))
        atoms = Atoms(self._base)
        atoms.add(does)
        for group in self._groups["moves"]:
            group.complete(atoms)
        return frozenset(chain(*atoms.of.values()))

    def _prepare(self) -> None:
        needs = _needs(self.rules)
        assert not any(DOES in needs.get(asked, ()) for asked in (("legal", 3), ("goal", 3), ("terminal", 1)))
        self._groups = {"static": [], "state": [], "moves": []}
        for names in _in_order(needs):
            reached = set().union(*(needs[name] for name in names)) | set(names)
            when = "moves" if DOES in reached else "state" if TRUE in reached else "static"
            rules = [_Rule(head, body) for head, body in self.rules if relation(head) in names]
            self._groups[when].append(_Group(rules, names))
        self._static, self._last = Atoms(), None
        for group in self._groups["static"]:
            group.complete(self._static)


class Atoms:
    """Atoms by relation, looked up by the words at some of their places; begins with those of `before`."""

    def __init__(self, before: Atoms | None = None) -> None:
        self.of = {} if before is None else dict(before.of)  # relation -> frozenset of atoms
        self._found = {} if before is None else dict(before._found)

    def add(self, atoms) -> bool:
        """Whether any of them was new."""
        more, grown = defaultdict(set), False
        for atom in atoms:
            more[relation(atom)].add(atom)
        for name, new in more.items():
            if not new <= self.of.get(name, frozenset()):
                self._set(name, self.of.get(name, frozenset()) | new)
                grown = True
        return grown

    def _set(self, name, atoms) -> None:
        self.of[name] = atoms
        for known in [known for known in self._found if known[0] == name]:
            del self._found[known]

    def among(self, name, places, words):
        """The atoms of a relation that have these words at these places."""
        if not places:
            return self.of.get(name, ())
        known = self._found.get((name, places))
        if known is None:
            known = self._found[name, places] = defaultdict(list)
            for atom in self.of.get(name, ()):
                its = tuple(_at(atom, place) for place in places)
                if None not in its:
                    known[its].append(atom)
        return known.get(words, ())


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
