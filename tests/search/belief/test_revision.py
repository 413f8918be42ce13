"""Particles whose past is changed stand for all that may be, by its probability."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from reasoner import load
from reasoner.language.terms import Term
from reasoner.machine import Machine, State
from search.belief.belief import Belief
from search.belief.games import drawn_among, games_of
from search.belief.revision import Revision
from search.belief.state_set import Found, Observation, StateSet, joint_moves

DEALT = """
; Chance deals four cards to other and nobody sees them; other shows one of them a turn, me guesses.
(role me) (role other) (role random) (card a) (card b) (card c) (card d) (init (left 6))
(minus 6 5) (minus 5 4) (minus 4 3) (minus 3 2) (minus 2 1) (minus 1 0) (deals 6) (deals 5) (deals 4) (deals 3)
(<= dealing (true (left ?n)) (deals ?n))
(<= (legal random (deal ?c)) (card ?c) dealing (not (true (holds ?c))))
(<= (legal random noop) (not dealing))
(<= (legal other noop) dealing)
(<= (legal other (show ?c)) (true (holds ?c)) (not dealing))
(<= (legal me noop))
(<= (next (left ?m)) (true (left ?n)) (minus ?n ?m))
(<= (next (holds ?c)) (does random (deal ?c)))
(<= (next (holds ?c)) (true (holds ?c)) (not (does other (show ?c))))
(<= (sees me ?c) (does other (show ?c)))
(<= terminal (true (left 0)))
(<= (goal ?r 50) (role ?r))
"""
FOUR_OF_EIGHT = DEALT.replace("(card a)", "(card a) (card e) (card f) (card g) (card h)")

IN_A_ROW = """
; Chance lays all cards face down in a row, and turns one up a turn; then me must name it.
(role me) (role random) (card 1) (card 2) (card 3) (card 4) (card 5) (card 6) (card 7) (card 8) (init (step 1))
(succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7) (succ 7 8) (succ 8 9) (succ 9 10) (succ 10 11)
(succ 11 12) (succ 12 13) (succ 13 14) (succ 14 15) (succ 15 16)
(turned 9 1) (turned 10 2) (turned 11 3) (turned 12 4) (turned 13 5) (turned 14 6) (turned 15 7)
(<= dealing (true (step ?n)) (card ?n))
(<= dealt (true (in_row ?n ?c)))
(<= (used ?c) (true (in_row ?n ?c)))
(<= (legal random (deal ?c)) (card ?c) dealing (not (used ?c)))
(<= (legal random noop) (not dealing))
(<= (legal me (name ?c)) (true (top ?c)))
(<= (legal me noop) (not topped))
(<= topped (true (top ?c)))
(<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
(<= (next (in_row ?n ?c)) (does random (deal ?c)) (true (step ?n)))
(<= (next (in_row ?n ?c)) (true (in_row ?n ?c)))
(<= (next (top ?c)) (true (step ?n)) (turned ?n ?i) (true (in_row ?i ?c)))
(<= (sees me ?c) (true (step ?n)) (turned ?n ?i) (true (in_row ?i ?c)))
(<= terminal (true (step 16)))
(goal me 100) (goal random 0)
"""


def random_sheet(rng: Random) -> str:
    """Small rules in which two roles and chance set hidden bits, legal and seen by rules drawn at random."""
    bits = [f"(true (bit {n}))" for n in range(3)]

    def body(*extra: str) -> str:
        literals = rng.sample([*bits, *extra], 1 + rng.randrange(2))
        return " ".join(one if rng.random() < 0.5 else f"(not {one})" for one in literals)

    rules = ["(role me) (role other) (role random) (init (step 0))", "(next1 0 1) (next1 1 2) (next1 2 3) (next1 3 4)"]
    rules += ["(<= (next (step ?m)) (true (step ?n)) (next1 ?n ?m))", "(<= terminal (true (step 4)))"]
    rules += ["(<= (goal ?r 50) (role ?r))"]
    for role in ("me", "other", "random"):
        rules += [f"(legal {role} noop)"] + [f"(<= (legal {role} m{n}) {body()})" for n in range(2)]
        rules += [f"(legal {role} always)"]
    moves = [f"(does {role} {move})" for role in ("other", "random", "me") for move in ("m0", "m1", "always")]
    for n in range(3):
        rules += [
            f"(<= (next (bit {n})) {rng.choice(moves)})",
            f"(<= (next (bit {n})) (true (bit {n})) {body(*moves)})",
        ]
    rules += [f"(<= (sees me p{n}) {body(*moves)})" for n in range(2)]
    return "\n".join(rules)


def shares(found: StateSet, machine: Machine) -> dict[frozenset[Term], float]:
    """The probability of each state, by its facts."""
    told: dict[frozenset[Term], float] = {}
    for state, weight in zip(found.states, found.weights.tolist(), strict=True):
        facts = frozenset(machine.facts(state))
        told[facts] = told.get(facts, 0.0) + weight
    return told


def apart(one: dict[frozenset[Term], float], other: dict[frozenset[Term], float]) -> float:
    """The total variation between two distributions."""
    return sum(abs(one.get(key, 0.0) - other.get(key, 0.0)) for key in {*one, *other}) / 2


def watched(machine: Machine, seed: int, beliefs: list[Belief]) -> State:
    """A random game that the beliefs are told of; the last state that is not terminal."""
    rng, state = Random(seed), machine.initial()
    while True:
        joint = [rng.choice(moves) for moves in machine.legal(state)]
        following = machine.next(state, joint)
        if machine.terminal(following):
            return state
        state = following
        for belief in beliefs:
            belief.observe(Observation(joint[belief.role], machine.percepts(state)[belief.role]))


def test_a_draw_takes_each_move_that_there_is_as_often():
    mask = np.array([[True, False, True, True], [False] * 4, [False, True, False, False]])
    rng = np.random.default_rng(1)
    drawn = np.array([drawn_among(mask, rng) for _ in range(3_000)])
    assert set(drawn[:, 1].tolist()) == {-2}
    assert set(drawn[:, 2].tolist()) == {1}
    counts = [int((drawn[:, 0] == move).sum()) for move in range(4)]
    assert counts[1] == 0
    assert all(900 < counts[move] < 1_100 for move in (0, 2, 3))


def test_from_one_past_all_states_that_may_be_are_found_by_their_probability():
    machine = load(FOUR_OF_EIGHT, "circuit")
    belief = Belief(machine, 0)
    watched(machine, 1, [belief])
    assert belief.now.exact
    games = games_of(machine, 1)
    revision = Revision(games, 3, 0, belief._seen, np.random.default_rng(1))
    pasts = [joint_moves(belief.now.paths[0])] * games.room
    found = Found(np.random.default_rng(1))
    for number in range(12):
        for states in revision.changed(machine.initial(), pasts, lambda: False):
            for game, state in enumerate(states if number > 3 else ()):
                found.add(state, 1.0, revision.path(game, None))
        pasts = [joint_moves(revision.path(game, None)) for game in range(games.room)]
    assert apart(shares(StateSet.of(found, exact=False), machine), shares(belief.now, machine)) < 0.05


@pytest.mark.parametrize("engine", ["relational", "circuit"])
def test_where_one_particle_is_left_the_others_that_may_be_are_found_again(engine: str):
    machine = load(FOUR_OF_EIGHT, engine)
    belief = Belief(machine, 0)
    watched(machine, 1, [belief])
    every = belief.now
    alone = StateSet(every.states[:1], np.ones(1), exact=False, paths=every.paths[:1])
    again = belief._diversify(alone, belief.turns, lambda: False)
    assert set(again.states) <= set(every.states)
    assert len(again.states) > 0.5 * len(every.states)
    assert again.weights.sum() == pytest.approx(1)


def test_where_all_cards_are_dealt_other_orders_are_found_by_exchange():
    machine = load(IN_A_ROW, "circuit")
    belief = Belief(machine, 0)
    watched(machine, 1, [belief])
    assert belief.alive
    assert belief.died == 0
    turn = 10  # after two of the cards are turned up
    now = belief._past[turn]
    alone = StateSet(now.states[:1], np.ones(1), exact=False, paths=now.paths[:1])
    assert len(belief._diversify(alone, turn, lambda: False).states) > 720 / 2


def test_without_a_state_that_fits_all_percepts_our_moves_are_legal_after_the_last_ones(monkeypatch):
    machine = load(IN_A_ROW, "circuit")
    rng, state, right = Random(1), machine.initial(), 0
    belief, none = Belief(machine, 0), StateSet((), np.zeros(0), exact=False, paths=())
    for turn in range(1, 15):
        joint = [rng.choice(moves) for moves in machine.legal(state)]
        state = machine.next(state, joint)
        if turn == 9:  # no particle is found from now on
            monkeypatch.setattr(belief.propagation, "after", lambda *_: none)
        belief.observe(Observation(joint[0], machine.percepts(state)[0]), lambda: True)
        right += not belief.alive and set(belief.favourites()) <= set(machine.legal(state)[0])
    assert right == 6


def test_lanes_keep_more_states_for_the_case_that_none_fits_than_the_engine_before():
    """Even if the deal was over, and few deals were left, when they took over."""
    machine = load(IN_A_ROW, "relational")
    belief = Belief(machine, 0)
    belief.propagation.games.room = 4
    state, rng = machine.initial(), Random(1)
    for _ in range(10):
        joint = [rng.choice(moves) for moves in machine.legal(state)]
        state = machine.next(state, joint)
        belief.observe(Observation(joint[0], machine.percepts(state)[0]), lambda: True)
    assert len(belief._unseen.states) <= 4
    belief.switch(load(IN_A_ROW, "circuit"))
    assert len(belief._unseen.states) > 100


@pytest.mark.parametrize("timely", [False, True])
def test_an_engine_without_lanes_keeps_many_states_for_the_case_that_none_fits(timely: bool):
    """Each order of cards that such states hold is another one. If time is over, few steps are made for them."""
    machine, rng = load(IN_A_ROW, "relational"), Random(1)
    belief, state = Belief(machine, 0, most=64), machine.initial()
    games, extra = belief.propagation.games, 0
    for _ in range(12):
        joint = [rng.choice(moves) for moves in machine.legal(state)]
        state = machine.next(state, joint)
        before = games.steps
        belief.observe(Observation(joint[0], machine.percepts(state)[0]), lambda: not timely)
        extra = max(extra, games.steps - before)
    if timely:
        assert len(belief._unseen.states) > 4 * games.room
    else:
        assert extra < 20


def test_a_long_past_is_replayed_no_further_than_time_allows():
    machine = load(FOUR_OF_EIGHT, "circuit")
    belief = Belief(machine, 0)
    watched(machine, 1, [belief])
    games = belief.propagation.games
    before, alone = games.steps, StateSet(belief.now.states[:1], np.ones(1), exact=False, paths=belief.now.paths[:1])
    belief._diversify(alone, belief.turns, lambda: games.steps > before + 1)
    assert games.steps <= before + 2


def test_there_is_no_other_past_where_time_is_over():
    machine = load(FOUR_OF_EIGHT, "circuit")
    belief = Belief(machine, 0)
    watched(machine, 1, [belief])
    alone = StateSet(belief.now.states[:1], np.ones(1), exact=False, paths=belief.now.paths[:1])
    assert belief._diversify(alone, belief.turns, lambda: True).states == alone.states


@given(st.integers(0, 10**6))
@example(325351)  # the particles are lost, and only one unlikely state fits
@example(1278)
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_particles_are_of_the_states_that_are_exactly_possible(seed: int):
    machine = load(random_sheet(Random(seed)), "relational")
    exact, few = Belief(machine, 0, seed), Belief(machine, 0, seed, most=4)
    watched(machine, seed, [exact, few])
    assert exact.now.exact
    assert shares(few.now, machine).keys() <= shares(exact.now, machine).keys()
    assert few.alive


@pytest.mark.parametrize("seed", range(3))
def test_all_particles_have_the_weight_that_they_have_exactly(seed: int):
    machine = load(random_sheet(Random(seed)), "circuit")
    exact, particles = Belief(machine, 0, seed), Belief(machine, 0, seed)
    particles._past[-1] = StateSet(exact.now.states, exact.now.weights, exact=False, paths=(None,))
    watched(machine, seed, [exact, particles])
    assert apart(shares(particles.now, machine), shares(exact.now, machine)) < 0.02
