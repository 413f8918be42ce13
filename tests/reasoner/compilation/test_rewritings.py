"""Circuits built with the rewritings that can be switched on: at the machine's edge nothing shows."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random

import pytest

from reasoner import load
from reasoner.compilation.limits import BuildLimits
from reasoner.compilation.stages import build_circuit
from reasoner.lanes.machine import CircuitMachine
from reasoner.language.parse import ground_term
from reasoner.loading import playing
from reasoner.relational.machine import RelationalMachine
from reasoner.rewrite import keep_views
from reasoner.rewrite.optional import IN_PLAY, OPTIONAL, in_play
from reasoner.rules.read import read_program
from tests.conformance import CHECKS, agree, walk
from tests.reasoner.rewrite.test_optional import KJH

NAMES = tuple(one.name for one in IN_PLAY)
GAMES = ("ticTacToe", "connectFour", "nim", "goofspiel", "eightPuzzle", "lightsOut", "trio", "hodgepodge")
FOLDER = Path(__file__).resolve().parents[3] / "games"

LAST = """
(role r) (spot 1) (spot 2) (spot 3) (init (mark 1)) (init (count 0)) (less 0 1) (less 1 2) (less 2 3)
(<= (legal r (put ?x)) (spot ?x) (not (near ?x)))
(<= (legal r wait) (near 1))
(<= (near ?x) (true (mark ?y)) (spot ?x) (less ?x ?y))
(<= (next (mark ?x)) (does r (put ?x)))
(<= (next (mark 2)) (does r wait))
(<= (next (count ?n)) (true (count ?m)) (less ?m ?n))
(<= terminal (true (count 3)))
(<= (goal r 100) (near 2))
(<= (goal r 0) (not (near 2)))
"""
"""Only a view reads `mark`, which a unfolded view would leave without a reader."""


def built(text: str, names: tuple[str, ...]) -> CircuitMachine:
    """The machine of a circuit built here."""
    program = read_program(text)[0]
    limits = BuildLimits(emitter="portable", rewritings=names)
    return playing(build_circuit(program, limits, lambda _: None), RelationalMachine(program))


@pytest.fixture
def keeping(monkeypatch):
    """Views are kept whatever that costs."""
    monkeypatch.setattr(keep_views, "MAX_COST_RATIO", 1e9)


loaded = cache(load)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_a_machine_with_a_rewriting_passes_what_every_machine_must(check, name: str):
    check(lambda text: loaded(text, engine="circuit", rewritings=(name,)))


@pytest.mark.usefixtures("keeping")
@pytest.mark.parametrize("names", [*((name,) for name in NAMES), NAMES], ids="+".join)
@pytest.mark.parametrize("game", GAMES)
def test_bundled_games_are_played_as_they_are_written(game: str, names: tuple[str, ...]):
    text = (FOLDER / f"{game}.kif").read_text(encoding="utf-8")
    machine = built(text, names)
    for seed in range(2):
        agree(machine, machine.relational, seed, steps=12)


@pytest.mark.usefixtures("keeping")
@pytest.mark.parametrize("text", [KJH, LAST], ids=["kjh", "last"])
def test_kept_views_are_bases_that_no_fact_shows(text: str):
    machine = built(text, ("keep_views",))
    assert machine.circuit.kept
    assert any("kept " in str(base) for base in machine.circuit.bases)
    agree(machine, machine.relational, seed=1, steps=6)
    for _, state in walk(machine, seed=3):
        assert isinstance(state, bytes)
        assert not any("kept " in str(fact) for fact in machine.facts(state))
        assert machine.state(machine.facts(state)) == state


@pytest.mark.usefixtures("keeping")
@pytest.mark.parametrize("names", [("keep_views",), ("keep_views", "unfold")], ids="+".join)
@pytest.mark.parametrize("text", [KJH, LAST], ids=["kjh", "last"])
def test_a_state_that_no_play_reaches_has_the_views_that_its_facts_give(text: str, names: tuple[str, ...]):
    machine = built(text, names)
    plain = built(text, ()).circuit
    known, chance = sorted((*plain.bases, *plain.always), key=str), Random(1)
    for _ in range(40):
        facts = [fact for fact in known if chance.random() < 0.5]
        state, other = machine.state(facts), machine.relational.state(facts)
        assert machine.facts(state) == machine.relational.facts(other) == frozenset(facts)
        for step in range(3):
            assert machine.legal(state) == machine.relational.legal(other)
            assert machine.goal(state) == machine.relational.goal(other)
            assert machine.facts(state) == machine.relational.facts(other)
            if not all(machine.legal(state)):
                break
            joint = [moves[step % len(moves)] for moves in machine.legal(state)]
            state, other = machine.next(state, joint), machine.relational.next(other, joint)


@pytest.mark.usefixtures("keeping")
def test_unfolding_leaves_what_the_rulesheet_makes_a_fact():
    machine = built(LAST, ("keep_views", "unfold"))
    state = machine.next(machine.initial(), [ground_term("(put 3)")])
    assert set(map(str, machine.facts(state))) == {"(mark 3)", "(count 1)"}


@pytest.mark.usefixtures("keeping")
def test_features_count_no_kept_view():
    machine = built(KJH, ("keep_views",))
    features = [("(true ?x)", ("?x",)), ("(k ?x ?y)", ("?x", "?y"))]
    states = [state for _, state in walk(machine, seed=1, steps=6)]
    assert machine.compile_counts(features) is not None
    others = [machine.relational.state(machine.facts(state)) for state in states]
    assert (machine.counts(states, features) == machine.relational.counts(others, features)).all()


@pytest.mark.usefixtures("keeping")
def test_no_view_is_kept_where_a_rule_reads_any_fact():
    program = read_program(LAST.replace("(<= (next (mark 2)) (does r wait))", "(<= (next ?f) (true ?f) (does r wait))"))
    assert keep_views.keep_views(program[0]) == program[0]


def test_a_rewriting_that_there_is_not_or_that_hides_facts_is_refused():
    with pytest.raises(ValueError, match=r"unknown rewriting 'keep_view'; .*Did you mean keep_views"):
        load(KJH, rewritings=["keep_view"])
    with pytest.raises(TypeError, match=r"give a list of names, such as \['keep_views'\]"):
        load(KJH, rewritings="keep_views")
    with pytest.raises(ValueError, match="drop_useless is only for `ggp-agent show`"):
        in_play(["drop_useless"])
    assert {*NAMES, "drop_useless"} == {one.name for one in OPTIONAL}
