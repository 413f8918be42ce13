"""The slow, obvious twin: KIF read as nested tuples, rules applied to everything until nothing changes.

It shares no code with the reasoner but its terms, in which it answers. A word is a `str` (variables begin with ``?``),
a list a `tuple`. A rule is a head and a body without ``or``: ``or`` is written out as several rules. The model is the
well-founded one, by the alternating fixpoint over all rules at once, so that nothing needs to be stratified first.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import product

from reasoner.errors import IllegalMoveError
from reasoner.language.terms import Compound, Constant

KEYWORDS = {"role", "init", "true", "next", "legal", "does", "goal", "terminal", "base", "input", "sees"}
ANY = "any word"
"""A relation that no rulesheet can spell: all words of the rules."""


class NaiveMachine:
    """A game as a state machine; a state is a frozen set of facts as nested tuples. For small games only."""

    def __init__(self, text: str) -> None:
        self.rules = with_domains([rule for statement in read(text) for rule in rules_of(statement)])
        start = self.model(())
        self._roles = [atom[1] for (head, body) in self.rules for atom in [head] if atom[0] == "role" and not body]
        self.roles = tuple(map(show, self._roles))
        self._initial = frozenset(atom[1] for atom in start if atom[0] == "init")

    def initial(self):
        return self._initial

    def state(self, facts):
        return frozenset(read(fact)[0] if isinstance(fact, str) else as_tuple(fact) for fact in facts)

    def facts(self, state):
        return frozenset(map(as_term, state))

    def legal(self, state):
        atoms = self.model(true(state))
        moves = [{atom[2] for atom in atoms if atom[:2] == ("legal", role)} for role in self._roles]
        return tuple(tuple(map(as_term, sorted(found, key=show))) for found in moves)

    def next(self, state, joint):
        for move, legal in zip(joint, self.legal(state), strict=True):
            if str(move) not in map(str, legal):
                raise IllegalMoveError(str(move))
        does = [("does", role, read(str(move))[0]) for role, move in zip(self._roles, joint, strict=True)]
        return frozenset(atom[1] for atom in self.model((*true(state), *does)) if atom[0] == "next")

    def percepts(self, state, joint):
        """Per role what it sees of a joint move."""
        does = [("does", role, read(str(move))[0]) for role, move in zip(self._roles, joint, strict=True)]
        atoms = self.model((*true(state), *does))
        seen = [{atom[2] for atom in atoms if atom[:2] == ("sees", role)} for role in self._roles]
        return tuple(frozenset(map(as_term, found)) for found in seen)

    def terminal(self, state):
        return ("terminal",) in self.model(true(state))

    def goal(self, state):
        atoms = self.model(true(state))
        values = [{atom[2] for atom in atoms if atom[:2] == ("goal", role)} for role in self._roles]
        numbers = [{int(value) for value in found if str(value).isdecimal()} for found in values]
        return tuple(found.pop() if len(found) == 1 else None for found in numbers)

    def model(self, given):
        """Every true atom when the atoms `given` are."""
        truth = frozenset()
        while True:
            possible = least_model(self.rules, given, false_unless=truth)
            certain = least_model(self.rules, given, false_unless=possible)
            if certain == truth:
                assert possible == truth, f"undecided: {possible - truth}"
                return truth
            truth = certain


def least_model(rules, given, false_unless):
    """What follows from `given` when a negation holds of each atom not in `false_unless`."""
    atoms = set(given)
    while True:
        derived = {substitute(head, b) for head, body in rules for b in solutions(body, {}, atoms, false_unless)}
        if derived <= atoms:
            return frozenset(atoms)
        atoms |= derived


def solutions(body, bindings, atoms, false_unless) -> Iterator[dict]:
    """The bindings under which all of `body` holds."""
    if not body:
        yield bindings
        return
    (kind, *arguments), rest = body[0], body[1:]
    if kind == "holds":
        extended = [unify(arguments[0], atom, bindings) for atom in atoms]
    elif kind == "fails":
        extended = [] if holds_somehow(substitute(arguments[0], bindings), false_unless) else [bindings]
    else:
        left, right = (substitute(argument, bindings) for argument in arguments)
        extended = [bindings] if (left == right) == (kind == "same") else []
    for found in extended:
        if found is not None:
            yield from solutions(rest, found, atoms, false_unless)


def holds_somehow(atom, atoms) -> bool:
    """Whether `atom` is among `atoms`, whatever stands for its variables, which sloppy rules leave in a negation."""
    return atom in atoms or ("?" in show(atom) and any(unify(atom, other, {}) is not None for other in atoms))


def unify(pattern, value, bindings) -> dict | None:
    """`bindings` extended so that `pattern` becomes the ground `value`."""
    if is_variable(pattern):
        if pattern in bindings:
            return bindings if bindings[pattern] == value else None
        return {**bindings, pattern: value}
    if isinstance(pattern, str) or isinstance(value, str):
        return bindings if pattern == value else None
    if len(pattern) != len(value):
        return None
    found: dict | None = bindings
    for part, whole in zip(pattern, value, strict=True):
        found = None if found is None else unify(part, whole, found)
    return found


def substitute(term, bindings):
    if isinstance(term, tuple):
        return tuple(substitute(part, bindings) for part in term)
    return bindings.get(term, term)


def rules_of(statement) -> list:
    """The rules of a statement, each with its tests after what binds their variables."""
    if statement[0] != "<=":
        return [(atom_of(statement), ())]
    _, head, *body = statement
    ways = product(*(disjuncts(part, True) for part in body))
    return [(atom_of(head), tuple(sorted(sum(way, ()), key=lambda c: c[0] != "holds"))) for way in ways]


def with_domains(rules) -> list:
    """The rules, with a condition for each variable that only the head has, as books and sloppy sheets mean it.

    It is a role where a role stands in `legal`, `goal` and `sees`, has the values of a relation `f` in a term
    ``(f ?x)``, and elsewhere may be any word of the rules: who asks for a value gets an answer.
    """
    relations = {(head[0], len(head)) for head, _ in rules}
    found = []
    for head, body in rules:
        conditions = tuple(domains_of(head, variables_of(body), relations)) + body
        free = dict.fromkeys(filter(is_variable, words_of(head))).keys() - variables_of(conditions)
        found.append((head, tuple(("holds", (ANY, word)) for word in sorted(free)) + conditions))
    words = {word for head, body in rules for term in (head, *(c[1] for c in body)) for word in words_of(term)}
    if any(condition[1][0] == ANY for _, body in found for condition in body):
        found += [((ANY, word), ()) for word in sorted(words) if not is_variable(word)]
    return found


def domains_of(head, bound, relations) -> Iterator[tuple]:
    if head[0] in ("legal", "goal", "sees") and is_variable(head[1]) and head[1] not in bound:
        yield "holds", ("role", head[1])
    for term in subterms(head[1:]):
        if len(term) == 2 and is_variable(term[1]) and term[1] not in bound and (term[0], 2) in relations:
            yield "holds", (term[0], term[1])


def variables_of(body) -> set:
    """Those that a condition binds."""
    return {word for kind, *atoms in body if kind == "holds" for word in words_of(atoms[0]) if is_variable(word)}


def subterms(terms) -> Iterator[tuple]:
    for term in terms:
        if isinstance(term, tuple):
            yield term
            yield from subterms(term)


def words_of(term) -> Iterator[str]:
    if isinstance(term, str):
        yield term
    else:
        for part in term:
            yield from words_of(part)


def disjuncts(formula, positive) -> list[tuple]:
    """The conjunctions, any of which makes `formula` true (or false, if not `positive`)."""
    word = formula[0].lower() if isinstance(formula, tuple) else ""
    if word == "not":
        return disjuncts(formula[1], not positive)
    if word in ("and", "or"):
        parts = [disjuncts(part, positive) for part in formula[1:]]
        return (
            [way for part in parts for way in part]
            if (word == "or") == positive
            else [sum(way, ()) for way in product(*parts)]
        )
    if word == "distinct":
        return [(("differ" if positive else "same", *formula[1:]),)]
    return [(("holds" if positive else "fails", atom_of(formula)),)]


def atom_of(formula) -> tuple:
    """A sentence as a tuple, also when it is a bare word; keywords in lower case."""
    name, *arguments = (formula,) if isinstance(formula, str) else formula
    return (name.lower() if name.lower() in KEYWORDS else name, *arguments)


def true(state) -> Iterable[tuple]:
    return [("true", fact) for fact in state]


def is_variable(term) -> bool:
    return isinstance(term, str) and term.startswith("?")


def read(text: str) -> list:
    """The statements of a text."""
    stack: list[list] = [[]]
    for word in re.findall(r"[()]|[^\s()]+", re.sub(r";[^\n\r]*", "", text)):
        if word == "(":
            stack.append([])
        elif word == ")":
            stack[-2].append(tuple(stack.pop()))
        else:
            stack[-1].append(word)
    return stack[0]


def show(term) -> str:
    return term if isinstance(term, str) else f"({' '.join(map(show, term))})"


def as_term(term):
    return Constant(term) if isinstance(term, str) else Compound(term[0], tuple(map(as_term, term[1:])))


def as_tuple(term):
    return term.name if isinstance(term, Constant) else (term.functor, *map(as_tuple, term.arguments))
