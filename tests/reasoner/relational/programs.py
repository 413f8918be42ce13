"""Random safe, stratified programs as KIF text, and their models by clingo and by the naive twin."""

from __future__ import annotations

import clingo
from hypothesis import strategies as st

from tests.naive import NaiveMachine, read, rules_of, show

PRELUDE = "(role me) (legal me wait) (goal me 0) (<= terminal (true over))\n"
CONSTANTS = ("a", "b", "c")
VARIABLES = ("?x", "?y", "?z")
GIVEN = {"e": 1, "f": 2}  # relations with facts
LAYERS = ({"p": 1, "q": 2}, {"r": 2, "s": 1}, {"t": 2, "u": 1})  # each may negate those below it
DERIVED = {name: arity for layer in LAYERS for name, arity in layer.items()}

constants = st.sampled_from(CONSTANTS)
variables = st.sampled_from(VARIABLES)
pairs = st.tuples(constants, constants).map(lambda pair: f"(g {pair[0]} {pair[1]})")


@st.composite
def programs(draw):
    """Rules text and a state's facts; some facts hold functions, some rules build them from what is below."""
    facts = [
        f"({name} {' '.join(draw(st.one_of(constants, constants, pairs)) for _ in range(arity))})"
        for name, arity in GIVEN.items()
        for _ in range(draw(st.integers(1, 5)))
    ]
    below = dict(GIVEN)
    rules = []
    for layer in LAYERS:
        for name, arity in layer.items():
            rules.extend(draw(rule(name, arity, below, layer)) for _ in range(draw(st.integers(1, 3))))
        below.update(layer)
    state = draw(st.lists(st.one_of(constants, pairs), max_size=4, unique=True))
    return PRELUDE + "\n".join(facts + rules), state


@st.composite
def rule(draw, name, arity, below, layer):
    """One rule for `name`: recursive through its layer, or else free to build a function in its head."""
    recursive = draw(st.booleans())
    choices = {**below, **layer} if recursive else below
    body = [draw(atom(choices)) for _ in range(draw(st.integers(1, 3)))]
    if draw(st.booleans()):
        body.append(f"(true {draw(st.one_of(variables, pairs_of(variables)))})")
    bound = [v for v in VARIABLES if any(v in part for part in body)] or ["a"]
    pick = st.sampled_from(bound)
    tests = []
    if draw(st.booleans()):
        tests.append(f"(not {draw(atom(below, pick))})")
    if draw(st.booleans()):
        tests.append(f"(distinct {draw(pick)} {draw(st.one_of(pick, constants))})")
    head = st.one_of(pick, constants) if recursive else st.one_of(pick, pick, pairs_of(pick))
    arguments = " ".join(draw(head) for _ in range(arity))
    return f"(<= ({name} {arguments}) {' '.join(draw(st.permutations(body + tests)))})"


@st.composite
def atom(draw, choices, terms=None):
    """An atom of one of the relations, over `terms` or else variables, constants and functions of them."""
    name = draw(st.sampled_from(sorted(choices)))
    terms = st.one_of(variables, variables, constants, pairs_of(variables)) if terms is None else terms
    return f"({name} {' '.join(draw(terms) for _ in range(choices[name]))})"


def pairs_of(terms):
    return st.tuples(terms, terms).map(lambda pair: f"(g {pair[0]} {pair[1]})")


def naive_model(text, state):
    """The true atoms of the derived relations, as KIF text."""
    atoms = NaiveMachine(text).model([("true", fact) for fact in read(" ".join(state))])
    return {show(atom) for atom in atoms if atom[0] in DERIVED}


def clingo_model(text, state):
    """The same by clingo: a fact or rule of KIF is one of clingo's, written otherwise."""
    rules = [rule for statement in read(text) for rule in rules_of(statement)]
    rules += [(("true", fact), ()) for fact in read(" ".join(state))]
    control = clingo.Control(["--warn=none"])
    control.add("base", [], "\n".join(f"{asp(head)} :- {', '.join(map(condition, body))}." for head, body in rules))
    control.ground([("base", [])])
    with control.solve(yield_=True) as models:
        atoms = next(iter(models)).symbols(atoms=True)
    return {kif(symbol) for symbol in atoms if symbol.name in DERIVED}


def condition(part):
    kind, *arguments = part
    if kind == "differ":
        return f"{asp(arguments[0])} != {asp(arguments[1])}"
    return ("not " if kind == "fails" else "") + asp(arguments[0])


def asp(term):
    if isinstance(term, str):
        return term.lstrip("?").upper() if term.startswith("?") else term
    name, *arguments = term
    return f"{name}({', '.join(map(asp, arguments))})" if arguments else name


def kif(symbol):
    return f"({' '.join((symbol.name, *map(kif, symbol.arguments)))})" if symbol.arguments else symbol.name
