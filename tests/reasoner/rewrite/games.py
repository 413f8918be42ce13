"""Random small games whose views read each other, and ways to compare what programs mean."""

import random
from operator import eq

import clingo
from hypothesis import strategies as st

from reasoner.ground.to_gringo import Symbols, to_gringo
from reasoner.language.terms import Compound, Constant, Variable
from reasoner.rules.program import Atom, Distinct, Literal, Program, Rule

VARIABLES = [Variable(v) for v in "xyz"]
TERMS = [*VARIABLES, Constant("a")]


@st.composite
def games(draw):
    """A game of facts over three places, with views over each other, recursive too, and often with free columns."""
    fixed = [Rule(Atom("place", (Constant(c),))) for c in "abc"]
    fixed += [Rule(Atom("some", (Constant(c),))) for c in draw(st.sets(st.sampled_from("abc"), min_size=1))]
    fixed += [Rule(Atom("init", (Compound("f", (Constant("a"), Constant("b"))),)))]
    fixed += [Rule(Atom("role", (Constant("r"),)))]
    x, y, z = VARIABLES
    fact = Atom("true", (Compound("f", (x, y)),))
    rules = [Rule(Atom("next", fact.arguments), (Literal(Atom("does", (Constant("r"), Compound("f", (x, y))))),))]
    for level in range(3):
        for _ in range(draw(st.integers(1, 3))):
            head = Atom(f"v{level}", tuple(draw(st.sampled_from(TERMS)) for _ in range(3)))
            body = [Literal(_atom(draw, level)) for _ in range(draw(st.integers(0, 2)))]
            if level and draw(st.booleans()):
                lower = draw(st.integers(0, level - 1))
                body.append(Literal(Atom(f"v{lower}", tuple(draw(st.sampled_from(TERMS)) for _ in range(3))), False))
            if draw(st.booleans()):
                body.append(Distinct(draw(st.sampled_from(VARIABLES)), draw(st.sampled_from(TERMS))))
            rules.append(Rule(head, _safe(draw, head, body)))
    reads = Literal(Atom("v2", (x, y, z)), draw(st.booleans()))
    places = tuple(Literal(Atom("place", (v,))) for v in VARIABLES)
    rules.append(Rule(Atom("legal", (Constant("r"), Compound("g", (x, y, z)))), (*places, reads)))
    rules.append(Rule(Atom("legal", (Constant("r"), Compound("f", (x, y)))), places[:2]))
    stays = Literal(Atom("v2", (x, y, y)), draw(st.booleans()))
    rules.append(Rule(Atom("next", fact.arguments), (Literal(fact), stays)))
    rules.append(Rule(Atom("terminal"), (Literal(Atom("v1", tuple(draw(st.sampled_from(TERMS)) for _ in range(3)))),)))
    rules.append(Rule(Atom("goal", (Constant("r"), Constant("50"))), ()))
    return Program((*fixed, *rules), (Constant("r"),))


def _atom(draw, level):
    name = draw(st.sampled_from(["true", "some", *(f"v{i}" for i in range(level + 1))]))
    terms = [draw(st.sampled_from(TERMS)) for _ in range(3)]
    if name == "true":
        return Atom("true", (Compound("f", tuple(terms[:2])),))
    return Atom(name, tuple(terms if name != "some" else terms[:1]))


def _safe(draw, head, body):
    """The body with a range for each variable that no positive literal binds, and for some that one does."""
    used = dict.fromkeys([*head.variables(), *(v for c in body for v in c.variables())])
    bound = {v for c in body if isinstance(c, Literal) and c.positive for v in c.variables()}
    ranges = [v for v in used if v not in bound or draw(st.integers(0, 3)) == 0]
    return (*body, *(Literal(Atom(draw(st.sampled_from(["place", "some"])), (v,))) for v in ranges))


def answer_alike(one, other, here, there):
    """See that both machines have the same moves, ends and goals in a state of each."""
    assert one.legal(here) == other.legal(there)
    assert one.terminal(here) == other.terminal(there)
    assert one.goal(here) == other.goal(there)


def play_together(one, other, games, steps=1_000, facts=lambda machine, state: machine.facts(state), same=eq):
    """The number of states of random games in which both machines have the same facts, moves, ends and goals."""
    met = 0
    for seed in range(games):
        chance = random.Random(seed)
        here, there = one.initial(), other.initial()
        for _ in range(steps):
            met += 1
            assert same(facts(one, here), facts(other, there))
            answer_alike(one, other, here, there)
            if other.terminal(there) or not all(other.legal(there)):
                break
            joint = [chance.choice(moves) for moves in other.legal(there)]
            here, there = one.next(here, joint), other.next(there, joint)
    return met


def stable_model(program, relations, edit=lambda text: text):
    """The true atoms of `relations`, by clingo; `edit` changes the input text of gringo."""
    symbols = Symbols()
    text = edit(to_gringo(program, symbols))
    control = clingo.Control(["--warn=none"])
    control.add("base", [], text)
    control.ground([("base", [])])
    names = {f"p{i}": relation for relation, i in symbols.relations.items()}
    constants = list(symbols.constants)
    return {
        (names[atom.symbol.name], tuple(constants[argument.number] for argument in atom.symbol.arguments))
        for atom in control.symbolic_atoms
        if atom.is_fact and names[atom.symbol.name] in relations
    }
