"""Keys are proved for rules that preserve them only; splitting by keys keeps the consequences of a joint move."""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reasoner import load
from reasoner.language.terms import Compound, Constant, Variable
from reasoner.rewrite.keys import find_keys, known_groups
from reasoner.rewrite.split_bodies import split_bodies
from reasoner.rules.program import Atom, Literal, Program, Rule
from reasoner.rules.read import read_program
from tests.reasoner.rewrite.games import stable_model

TURNS = """
(role white) (role black)
(init (control white)) (init (at a b)) (init (mark a))
(place a) (place b) (place c)
(<= (legal ?r (go ?x ?y)) (true (control ?r)) (place ?x) (place ?y))
(<= (legal ?r wait) (role ?r) (not (true (control ?r))))
(<= (next (control white)) (true (control black)))
(<= (next (control black)) (true (control white)))
(<= (next (at ?x ?y)) (does ?r (go ?x ?y)))
(<= (next (mark ?x)) (does ?r (go ?x ?y)))
(<= (next (mark ?x)) (true (mark ?x)))
(<= (moved ?x) (does ?r (go ?x ?y)))
(<= terminal (true (at c c)))
(<= (goal ?r 100) (role ?r) (true (mark c)))
"""


def laws(text):
    return find_keys(read_program(text)[0]).laws


def test_the_role_in_control_and_its_move_have_a_key():
    found = laws(TURNS)
    assert found["true", "control", 1] == (frozenset(), {0})
    assert found["does", "go", 3] == (frozenset(), {0, 1, 2})
    assert found["true", "at", 2] == (frozenset(), {0, 1})
    assert found["moved", "", 1] == (frozenset(), {0})


def test_facts_that_add_up_have_no_key():
    assert ("true", "mark", 1) not in laws(TURNS)


@pytest.mark.parametrize(
    "more",
    [
        "(init (control black))",
        "(<= (next (control ?r)) (role ?r) (true (mark b)))",
        "(<= (legal black (go a ?y)) (place ?y))",
        "(<= (next ?f) (true ?f) (true (mark c)))",
    ],
)
def test_a_rule_that_breaks_the_key_prevents_its_proof(more):
    assert ("does", "go", 3) not in laws(TURNS + more)


def test_groups_are_the_facts_that_share_a_key():
    cells = [Atom("true", (Compound("cell", (Constant(x), Constant(c))),)) for x in "ab" for c in "xo"]
    keys = {("true", "cell", 2): (frozenset([0]), frozenset([1]))}
    assert known_groups(keys, cells) == [(0, 1), (2, 3)]


def test_a_state_that_breaks_a_group_is_answered_by_the_rules_themselves():
    machine = load(TURNS, engine="circuit")
    state = machine.state(["(control white)", "(control black)", "(mark a)"])
    assert [len(moves) for moves in machine.legal(state)] == [9, 9]
    after = machine.next(state, ["(go a b)", "(go b c)"])
    assert {"(at a b)", "(at b c)"} <= set(map(str, machine.facts(after)))


EDGES = {"e": 2, "f": 2, "g": 1}
PLACES = "abc"
TERMS = [Variable(v) for v in "xyzw"] + [Constant("a")]


@st.composite
def games(draw):
    """Two roles who may always make every move, static relations, and rules that look at moves more than once."""
    constants = st.sampled_from([Constant(c) for c in PLACES])
    rules = [
        Rule(Atom(name, tuple(draw(constants) for _ in range(arity))))
        for name, arity in EDGES.items()
        for _ in range(draw(st.integers(1, 5)))
    ]
    rules += [Rule(Atom("place", (Constant(c),))) for c in PLACES]
    rules += [Rule(Atom("role", (Constant(c),))) for c in "rs"]
    term, role = st.sampled_from(TERMS), st.sampled_from([Variable("p"), Constant("r"), Variable("q")])
    for i in range(draw(st.integers(1, 3))):
        body = [
            Literal(Atom("does", (draw(role), Compound("go", (draw(term), draw(term), draw(term))))))
            for _ in range(draw(st.integers(1, 2)))
        ]
        for _ in range(draw(st.integers(1, 4))):
            name = draw(st.sampled_from(sorted(EDGES)))
            body.append(Literal(Atom(name, tuple(draw(term) for _ in range(EDGES[name])))))
        bound = sorted({v for literal in body for v in literal.variables()}, key=str) or [Constant("a")]
        pick = st.sampled_from(bound)
        if draw(st.booleans()):
            body.append(Literal(Atom("e", (draw(pick), draw(pick))), positive=False))
        rules.append(Rule(Atom(f"h{i}", tuple(draw(pick) for _ in range(draw(st.integers(1, 3))))), tuple(body)))
    move = [Variable("x"), Variable("y"), Variable("z")]
    anywhere = tuple(Literal(Atom("place", (v,))) for v in move)
    may = Rule(
        Atom("legal", (Variable("r"), Compound("go", tuple(move)))),
        (Literal(Atom("role", (Variable("r"),))), *anywhere),
    )
    return Program((*rules, may), (Constant("r"), Constant("s")))


def follows(program, joint):
    """What holds of the relations h0 … when the roles make the moves of `joint`."""
    does = [
        Rule(Atom("does", (Constant(role), Compound("go", tuple(map(Constant, move))))))
        for role, move in zip("rs", joint, strict=True)
    ]
    rules = tuple(rule for rule in program.rules if rule.head.name != "legal")
    wanted = {rule.head.relation for rule in program.rules if rule.head.name.startswith("h")}
    return stable_model(Program((*rules, *does), ()), wanted)


@settings(max_examples=40)
@given(games(), st.data())
def test_what_follows_from_one_move_of_each_role_is_kept(game, data):
    split = split_bodies(game).program
    moves = st.sampled_from(["".join(m) for m in product(PLACES, repeat=3)])
    for _ in range(3):
        joint = data.draw(moves), data.draw(moves)
        assert follows(split, joint) == follows(game, joint)


FALLING = """
(role r) (legal r go) terminal (goal r 0) (init (a 1)) (init (b 1)) (init (c 1)) (init (kept 1)) (row 1) (row 2)
(<= (next (a ?x)) (true (b ?x))) (<= (next (b ?x)) (true (c ?x))) (<= (next (c ?x)) (row ?x))
(<= (next (kept ?x)) (true (kept ?x)))
"""


def test_a_key_fails_with_the_keys_that_its_proof_uses():
    assert {kind[1] for kind in find_keys(read_program(FALLING)[0]).facts} == {"kept"}
