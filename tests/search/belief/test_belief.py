"""A belief holds every state that agrees with what was seen, and no other."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from reasoner import load
from reasoner.language.parse import read_term
from reasoner.machine import Machine
from search.belief.belief import UNSEEN, Belief
from search.belief.state_set import Observation
from tests.reasoner.test_percepts import BOXES


@pytest.fixture(scope="module", params=["relational", "circuit"])
def machine(request) -> Machine:
    return load(BOXES, request.param)


def shown(belief: Belief) -> dict[str, float]:
    """The facts believed, with their probabilities."""
    return {str(fact): round(probability, 3) for fact, probability in belief.facts().items()}


def observed(belief: Belief, move: str, *percepts: str) -> None:
    belief.observe(Observation(read_term(move), frozenset(map(read_term, percepts))))


def test_what_is_hidden_has_every_value_with_its_probability(machine: Machine):
    belief = Belief(machine, 0)
    observed(belief, "wait", "(does seeker wait)")
    assert belief.now.exact
    assert shown(belief) == {"(step 2)": 1.0, "(prize 1)": 0.333, "(prize 2)": 0.333, "(prize 3)": 0.333}


def test_a_look_that_finds_nothing_leaves_the_other_places(machine: Machine):
    text = BOXES.replace("(<= terminal (true (step 3)))", "(<= terminal (true (step 4)))")
    text = text.replace("(follows 2 3)", "(follows 2 3) (follows 3 4)")
    belief = Belief(load(text, machine.engine), 0)
    observed(belief, "wait", "(does seeker wait)")
    observed(belief, "(look 2)", "(does seeker (look 2))")
    assert shown(belief) == {"(step 3)": 1.0, "(prize 1)": 0.5, "(prize 3)": 0.5}
    assert set(map(str, belief.favourites())) == {"(look 1)", "(look 2)", "(look 3)"}


def longer(machine: Machine) -> Machine:
    text = BOXES.replace("(<= terminal (true (step 3)))", "(<= terminal (true (step 4)))")
    return load(text.replace("(follows 2 3)", "(follows 2 3) (follows 3 4)"), machine.engine)


def asked(belief: Belief, move: str, *percepts: str) -> None:
    belief.observe(Observation(read_term(move), frozenset(map(read_term, percepts)), asked=True))


def test_percepts_tell_that_another_move_was_made_than_the_one_asked_for(machine: Machine):
    belief = Belief(longer(machine), 0)
    asked(belief, "wait", "(does seeker wait)")
    asked(belief, "(look 1)", "(does seeker (look 2))")
    assert belief.alive
    assert shown(belief) == {"(step 3)": 1.0, "(prize 1)": 0.5, "(prize 3)": 0.5}
    other = Belief(longer(machine), 0)
    observed(other, "wait", "(does seeker wait)")
    observed(other, "(look 1)", "(does seeker (look 2))")
    assert not other.alive  # the manager said that the move was made
    assert other.propagation.tried < 50 * other.propagation.games.room  # some states are enough to go on from


def test_particles_are_soon_drawn_again_with_another_move_than_the_one_asked_for(machine: Machine):
    """The time is limited, and no number of attempts finds a state after the move that was not made."""
    belief = Belief(longer(machine), 0, most=2)
    asked(belief, "wait", "(does seeker wait)")
    assert not belief.now.exact
    before = belief.propagation.tried
    asked(belief, "(look 1)", "(does seeker (look 2))")
    assert belief.alive
    assert belief.propagation.tried - before < 40 + UNSEEN


def test_percepts_of_a_later_move_tell_that_a_message_was_lost(machine: Machine):
    belief = Belief(longer(machine), 0)
    asked(belief, "wait", "(does seeker (look 2))")
    assert (belief.alive, belief.turns) == (True, 2)
    assert shown(belief) == {"(step 3)": 1.0, "(prize 1)": 0.5, "(prize 3)": 0.5}


def test_particles_stand_for_all_where_these_are_too_many(machine: Machine):
    belief = Belief(machine, 0, most=2)
    observed(belief, "wait", "(does seeker wait)")
    assert not belief.now.exact
    assert len(belief.now.states) == 2
    assert belief.alive


def test_what_nothing_agrees_with_leaves_legal_moves(machine: Machine):
    belief = Belief(machine, 0, most=64)
    observed(belief, "wait", "(does seeker (look 1))")
    assert not belief.alive
    assert set(map(str, belief.favourites())) == {"(look 1)", "(look 2)", "(look 3)"}


def test_a_joint_move_that_was_missed_may_have_been_any():
    belief = Belief(load(BOXES, "circuit"), 1)
    belief.observe(Observation(None, None))
    assert set(shown(belief)) == {"(step 2)", "(prize 1)", "(prize 2)", "(prize 3)"}


def test_the_true_state_is_always_among_those_possible(machine: Machine):
    for seed in range(10):
        rng, state = Random(seed), machine.initial()
        beliefs = [Belief(machine, role) for role in range(2)]
        while not machine.terminal(state):
            joint = [rng.choice(moves) for moves in machine.legal(state)]
            state = machine.next(state, joint)
            for belief in beliefs if not machine.terminal(state) else ():
                belief.observe(Observation(joint[belief.role], machine.percepts(state)[belief.role]))
                assert machine.facts(state) in {machine.facts(one) for one in belief.now.states}


def test_another_machine_continues_with_the_same_belief():
    belief = Belief(load(BOXES, "relational"), 0)
    observed(belief, "wait", "(does seeker wait)")
    before = shown(belief)
    belief.switch(load(BOXES, "circuit"))
    assert shown(belief) == before


LEADS = """
; Chance says who leads, and tells nobody; who leads plays a card, which all see.
(role a) (role b) (role random) (player a) (player b) (init begin)
(<= (legal random (lead ?r)) (player ?r) (true begin))
(<= (legal random noop) (not (true begin)))
(<= (legal ?r noop) (player ?r) (not (true (leads ?r))))
(<= (legal ?r (play ?c)) (true (leads ?r)) (card ?c))
(card low) (card high)
(<= (next (leads ?r)) (does random (lead ?r)))
(<= (next (played ?r ?c)) (does ?r (play ?c)))
(<= (sees ?r (card ?c)) (player ?r) (does ?q (play ?c)))
(<= terminal (true (played a high)) (true (played b high)))
(<= (goal ?r 50) (role ?r))
"""


@pytest.mark.parametrize(("engine", "secrets"), [("relational", 100), ("circuit", 300)])
def test_legal_in_most_states_counts_more_states_than_are_stepped_together(engine: str, secrets: int):
    dealt = LEADS.replace("(lead ?r)) (player ?r)", "(lead ?r ?n)) (player ?r) (number ?n)").replace(
        "(lead ?r))", "(lead ?r ?n))"
    )
    dealt += "(<= (next (dealt ?n)) (does random (lead ?r ?n)))" + " ".join(f"(number {n})" for n in range(secrets))
    belief = Belief(load(dealt, engine), 0)
    observed(belief, "noop")
    assert len(belief.now.states) == 2 * secrets
    assert set(map(str, belief.favourites())) == {"noop", "(play low)", "(play high)"}


@pytest.mark.parametrize("engine", ["relational", "circuit"])
def test_a_move_that_was_only_asked_for_was_made_where_it_was_legal(engine: str):
    belief = Belief(load(LEADS, engine), 0)
    observed(belief, "noop")
    belief.observe(Observation(read_term("(play low)"), frozenset({read_term("(card high)")}), asked=True))
    assert shown(belief) == {"(played b high)": 1.0}
    assert belief.alive


@pytest.mark.parametrize("engine", ["relational", "circuit"])
def test_particles_too_make_another_move_where_the_one_asked_for_is_not_legal(engine: str):
    belief = Belief(load(LEADS, engine), 0)
    observed(belief, "noop")
    belief._past[-1] = replace(belief.now, exact=False)
    belief.observe(Observation(read_term("(play low)"), frozenset({read_term("(card high)")}), asked=True))
    assert shown(belief) == {"(played b high)": 1.0}


DEALT = """
(role a) (role random) (init (step 0)) (then 0 1) (then 1 2)
(<= (legal random (deal ?x)) (true (step 0)) (card ?x)) (<= (legal random noop) (not (true (step 0))))
(legal a wait)
(<= (next (step ?n)) (true (step ?m)) (then ?m ?n))
(<= (next (has ?x)) (does random (deal ?x)))
(<= terminal (true (step 2))) (goal a 50) (goal random 0)
""" + " ".join(f"(card {number})" for number in range(40))
"""A hidden card is dealt; more cards than games that a machine without a circuit steps together."""


@pytest.mark.parametrize(("late", "states"), [(False, 40), (True, 32)])
def test_states_are_exact_only_if_there_was_time_to_try_all_joint_moves(late: bool, states: int):
    """Else the states that were not tried are lost without a trace, and particles are not diversified."""
    belief = Belief(load(DEALT, "relational"), 0)
    belief.observe(Observation(read_term("wait"), frozenset()), lambda: late)
    assert (len(belief.now.states), belief.now.exact) == (states, not late)
