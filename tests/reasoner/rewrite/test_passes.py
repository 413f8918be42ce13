"""All passes together, with every view taken for a large one, ground to circuits that play by the rules."""

import pytest
from hypothesis import given, settings

from reasoner.compilation import BuildLimits
from reasoner.compilation.stages import build_circuit
from reasoner.lanes.machine import CircuitMachine
from reasoner.relational.machine import RelationalMachine
from reasoner.rewrite import asked_columns, free_columns, split_bodies
from reasoner.rewrite.passes import rewrite
from reasoner.rules.read import read_program
from tests.reasoner.rewrite.games import games, play_together

GUARDED = """
(role r) (place a) (place b) (place c) (place d) (init (king a)) (init (at b)) (init (at d))
(<= (next (king ?x)) (does r (go ?x ?y))) (<= (next (king ?x)) (true (king ?x)) (true (at a)))
(<= (next (at ?y)) (does r (go ?x ?y))) (<= (next (at ?x)) (true (at ?x)))
(<= (safe ?x ?y ?z) (place ?x) (true (at ?y)) (place ?z) (distinct ?x ?z) (distinct ?y ?z))
(<= (open ?x ?y) (true (at ?x)) (place ?y) (distinct ?x ?y))
(<= (legal r (go ?x ?y)) (true (at ?x)) (open ?x ?y) (true (king ?k)) (not (safe ?k ?x ?y)))
(<= (legal r wait) (true (king ?k)))
(<= terminal (true (at c))) (<= (goal r 50) (true (king ?k)))
"""


@pytest.fixture(autouse=True)
def everything_is_large(monkeypatch):
    monkeypatch.setattr(free_columns, "MIN_ROWS", 0)
    monkeypatch.setattr(free_columns, "MIN_OTHER_ROWS", 0)
    monkeypatch.setattr(split_bodies, "MIN_ROWS", 0)
    monkeypatch.setattr(asked_columns, "MIN_ROWS", 0)
    monkeypatch.setattr(asked_columns, "sums", lambda program: {rule.head.relation for rule in program.rules})


def plays_the_same(program):
    relational = RelationalMachine(program)
    circuit = CircuitMachine(build_circuit(program, BuildLimits(emitter="portable"), lambda _: None), relational)
    play_together(circuit, relational, games=2, steps=8)


def test_possible_moves_replace_the_move_where_its_truth_does_not_matter():
    program, _ = read_program(GUARDED)
    rules = list(map(str, rewrite(program).program.rules))
    (possible,) = (rule for rule in rules if rule.startswith("(<= (possible "))
    assert "(open " in possible
    assert any("(possible " in rule and "(king " in rule and "(open " not in rule for rule in rules)
    assert any(rule.startswith("(<= (legal r (go ?x ?y))") and "(open ?x ?y)" in rule for rule in rules)
    plays_the_same(program)


@settings(max_examples=25)
@given(games())
def test_random_games_play_by_their_rules(game):
    plays_the_same(game)
