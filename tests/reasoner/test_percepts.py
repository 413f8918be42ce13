"""What roles see is the same on every engine, and no state shows it."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import pytest

from reasoner import load
from reasoner.batch import Batch
from reasoner.machine import Machine
from reasoner.rules.percepts import hides
from reasoner.rules.read import read_program
from tests.naive import NaiveMachine
from tests.shared import SHARED

BOXES = """
; Chance hides a prize in a box, the seeker looks into boxes; a look shows what it finds, and the rival hears a noise.
(role seeker) (role rival) (role random)
(box 1) (box 2) (box 3) (init (step 1)) (follows 1 2) (follows 2 3)
(<= (legal random (hide ?b)) (box ?b) (true (step 1)))
(<= (legal random noop) (not (true (step 1))))
(<= (legal seeker wait) (true (step 1)))
(<= (legal seeker (look ?b)) (box ?b) (not (true (step 1))))
(<= (legal rival sleep))
(<= (legal rival listen) (true (step 2)))
(<= (next (prize ?b)) (does random (hide ?b)))
(<= (next (prize ?b)) (true (prize ?b)))
(<= (next (step ?m)) (true (step ?n)) (follows ?n ?m))
(<= (next found) (does seeker (look ?b)) (true (prize ?b)))
(<= (sees seeker (does seeker ?m)) (does seeker ?m))
(<= (sees seeker prize) (does seeker (look ?b)) (true (prize ?b)))
(<= (sees rival noise) (does rival listen) (next found))
(<= terminal (true found))
(<= terminal (true (step 3)))
(<= (goal seeker 100) (true found))
(<= (goal seeker 0) (not (true found)))
(goal rival 50)
"""
SHEETS = sorted((SHARED / "games_gdl2").glob("*.kif")) if SHARED is not None else []
SMALL = {"montyhall"}  # enough for the twin, which takes minutes for a step of the larger ones
BUILT = {"montyhall", "meier", "kriegTTT_5x5", "latenttictactoe", "transit"}  # in seconds


def agree(text: str, others: list[Machine], games: int, steps: int, *, twin: bool = True) -> int:
    """Walk random games on the relational engine beside the other machines and the twin; how many steps were made."""
    first, naive, made = load(text, "relational"), NaiveMachine(text) if twin else None, 0
    for seed in range(games):
        rng, state = Random(seed), first.initial()
        for _ in range(steps):
            if first.terminal(state) or not all(first.legal(state)):
                break
            joint = [str(rng.choice(moves)) for moves in first.legal(state)]
            facts = first.facts(state)
            state = first.next(state, joint)
            percepts, made = first.percepts(state), made + 1
            for machine in others:
                after = machine.next(machine.state(facts), joint)
                assert (machine.percepts(after), machine.facts(after)) == (percepts, first.facts(state))
            if naive is not None:
                before = naive.state(facts)
                assert naive.percepts(before, joint) == percepts
                assert naive.facts(naive.next(before, joint)) == first.facts(state)
    return made


def test_all_engines_and_the_twin_see_the_same():
    assert agree(BOXES, [load(BOXES, "circuit")], games=20, steps=5) > 30


def test_no_state_shows_what_was_seen_and_none_is_seen_at_the_start():
    for engine in ("relational", "circuit"):
        machine = load(BOXES, engine)
        assert machine.percepts(machine.initial()) == (frozenset(), frozenset(), frozenset())
        state = machine.next(machine.initial(), ["wait", "sleep", "(hide 2)"])
        assert set(map(str, machine.facts(state))) == {"(prize 2)", "(step 2)"}
        assert [set(map(str, its)) for its in machine.percepts(state)] == [{"(does seeker wait)"}, set(), set()]


def test_a_rule_about_every_fact_reads_no_percept():
    """A frame rule kept what was seen for ever, and possible states were excluded."""
    framed = """(role p) (role q) (init (at 1)) (init open) (gone (at 2))
        (<= (legal ?r noop) (role ?r)) (legal p (go 1)) (legal p (go 2))
        (<= (next ?fact) (true ?fact) (not (gone ?fact))) (<= (next (at ?x)) (does p (go ?x)))
        (<= (sees q (saw ?m)) (does p ?m)) (<= terminal (true (at 9))) (goal p 50) (goal q 50)"""
    for engine in ("relational", "circuit"):
        machine = load(framed, engine)
        state = machine.next(machine.initial(), ["(go 2)", "noop"])
        state = machine.next(state, ["noop", "noop"])
        assert [set(map(str, its)) for its in machine.percepts(state)] == [set(), {"(saw noop)"}]
        assert set(map(str, machine.facts(state))) == {"(at 1)", "open"}
        assert len(machine.query(state, "(true ?fact)")) == machine.count(state, "(true ?fact)", ["?fact"]) == 2


def test_games_without_sees_keep_no_percepts():
    plain = "\n".join(line for line in BOXES.splitlines() if "sees" not in line)
    assert not load(plain, "relational").hides
    assert not any("seen by" in str(rule) for rule in read_program(plain)[0].rules)


@pytest.mark.parametrize(
    "path", sorted((Path(__file__).parents[2] / "games").glob("*.kif")), ids=lambda path: path.stem
)
def test_plain_gdl_gets_no_rule_from_percepts(path):
    text = path.read_text()
    program, _ = read_program(text)
    assert hides(program) == ("(sees " in text)
    assert any("seen by" in str(rule) for rule in program.rules) == hides(program)


def test_a_batch_has_percepts_as_bits_of_every_game():
    machine = load(BOXES, "circuit")
    batch = Batch(machine, 30, seed=1, again=False)
    batch.step(np.full((30, 3), -1))
    batch.step(np.full((30, 3), -1))
    for role in range(3):
        for game in range(30):
            bits = batch.percepts[role][game].astype(bool)
            held = {term for term, bit in zip(batch.percept_terms[role], bits, strict=True) if bit}
            assert held == machine.percepts(batch.states[game].tobytes())[role]
    assert not any("seen by" in str(fact) for fact in batch.facts)


@pytest.mark.parametrize("path", SHEETS, ids=lambda path: path.stem)
def test_public_rulesheets_are_read(path):
    program, found = read_program(path.read_text())
    assert any(one.code == "gdl-ii" for one in found)
    assert program.roles


@pytest.mark.parametrize("path", SHEETS, ids=lambda path: path.stem)
def test_engines_agree_on_public_rulesheets(path):
    text = path.read_text()
    others = [load(text, "circuit")] if path.stem in BUILT else []
    assert agree(text, others, games=2, steps=12, twin=path.stem in SMALL) > 0
