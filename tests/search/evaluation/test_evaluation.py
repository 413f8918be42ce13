"""Evaluations in lanes: the features proposed and seen in play, and playouts that are cut off."""

from __future__ import annotations

from dataclasses import replace
from math import inf

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reasoner.lanes.machine import CircuitMachine
from search import MonotonicClock, Search, SearchOptions
from search.evaluation.evaluation import Evaluation, flatten
from search.evaluation.features import MOST_FEATURES, CountedFeature, propose
from search.evaluation.learn import Sampler, learn
from tests.search.native.rulesheets import DICE, machine


def named(game: CircuitMachine, name: str) -> CountedFeature:
    return next(feature for feature in propose(game.circuit) if feature.name == name)


def evaluation(feature: CountedFeature, weights: list[float], bias: float = 0.0) -> Evaluation:
    """One that was not fitted."""
    terms, belongs = flatten((feature,))
    row = np.array([weights])
    levels, none = np.full(len(weights), bias), np.zeros(len(weights))
    return Evaluation(terms, belongs @ row, levels, (feature,), row, none, 0)


def start(game: CircuitMachine) -> bytes:
    state = game.initial()
    assert isinstance(state, bytes)
    return state


def searched(game: CircuitMachine, given: Evaluation | None, cutoff: int, simulations: int = 200) -> Search:
    options = SearchOptions(threads=1, memory_mib=16, seed=1, simulations=simulations, cutoff=cutoff)
    search = Search(game, 0, game.initial(), options, MonotonicClock(), given)
    search.think(inf)
    return search


def test_kinds_of_facts_and_numbers_of_moves_are_proposed() -> None:
    features = {feature.name: len(feature.terms) for feature in propose(machine("ticTacToe").circuit)}
    assert features["cell 3=b"] == 9
    assert features["control 1=cross"] == 1
    assert "cell 1=2 3=x" not in features  # three facts: too few
    assert features["moves of cross"] == 10
    assert len(features) <= MOST_FEATURES


def test_what_is_proposed_has_no_two_alike() -> None:
    terms = [feature.terms for feature in propose(machine("ticTacToe").circuit)]
    assert len(set(terms)) == len(terms)


@given(st.integers(0, 2**31), st.integers(1, 3))
@settings(max_examples=10, deadline=None)
def test_counts_seen_in_play_are_those_of_positions_that_can_be(seed: int, every: int) -> None:
    """In tic-tac-toe the moves of who is to move are the blanks, and the marks and the blanks make nine."""
    game = machine("ticTacToe")
    names = ("cell 3=b", "cell 3=x", "cell 3=o", "moves of cross", "moves of nought", "control 1=cross")
    batch = Sampler(game, tuple(named(game, name) for name in names), seed).batch(start(game), every, 100)
    blank, x, o, ours, theirs, turn = batch.counts.T
    assert (blank + x + o == 9).all()
    assert (x - o == 1 - turn).all()
    assert (ours == np.where(turn == 1, blank, 1)).all()
    assert (theirs == np.where(turn == 1, 1, blank)).all()
    assert set(np.unique(batch.goals)) <= {0, 50, 100}
    assert (batch.goals.sum(axis=1) == 100).all()


def test_terms_of_several_literals_are_ors_of_ands() -> None:
    """A mark of x at the first place and none at the second, or o at the first."""
    game = machine("ticTacToe")
    number = {str(base): 2 * i for i, base in enumerate(game.circuit.bases)}
    term = ((number["(cell 1 1 x)"], number["(cell 2 2 b)"] ^ 1), (number["(cell 1 1 o)"],))
    parts = [CountedFeature(base, (((number[base],),),)) for base in ("(cell 1 1 x)", "(cell 2 2 b)", "(cell 1 1 o)")]
    batch = Sampler(game, (CountedFeature("both", (term,)), *parts), 1).batch(start(game), 1, 100)
    both, x, blank, o = batch.counts.T.astype(bool)
    assert (both == (x & ~blank | o)).all()
    assert both.any()


def test_the_same_seed_learns_the_same() -> None:
    game, clock = machine("ticTacToe"), MonotonicClock()
    found = [Sampler(game, propose(game.circuit), 5).batch(start(game), 2, 100) for _ in range(2)]
    assert (found[0].counts == found[1].counts).all()
    features = propose(game.circuit)
    learned = learn(game, features, game.initial(), 5, clock, clock.now() + 60)
    assert learned is not None
    assert learned.positions > 1000
    assert (learned.r2 > 0).all()
    assert "R²" in learned.told(game.roles)


def test_without_time_one_batch_is_made_and_without_an_end_nothing_is_learned() -> None:
    game, clock = machine("ticTacToe"), MonotonicClock()
    features = propose(game.circuit)
    learned = learn(game, features, game.initial(), 5, clock, clock.now() - 1)
    assert learned is None  # with no time, games of one move: they do not end
    assert learn(game, (), game.initial(), 5, clock, clock.now() + 1) is None


def test_given_weights_stay_and_the_others_are_fitted_to_what_they_leave() -> None:
    game, clock = machine("ticTacToe"), MonotonicClock()
    features = (replace(named(game, "cell 3=x"), weights=(7.0, -7.0)), named(game, "cell 3=o"))
    learned = learn(game, features, game.initial(), 5, clock, clock.now() + 60)
    assert learned is not None
    assert learned.feature_weights[0].tolist() == [7.0, -7.0]
    assert abs(learned.feature_weights[1][0]) > 0


@pytest.mark.parametrize("cutoff", [1, 2, 3])
def test_a_playout_cut_off_is_worth_what_the_evaluation_says(cutoff: int) -> None:
    """Below the root's moves, looked at once each: after so many moves there are so many blanks fewer."""
    game = machine("ticTacToe")
    given = evaluation(named(game, "cell 3=b"), [4.0, 1.0], bias=3.0)
    search = searched(game, given, simulations=9, cutoff=cutoff)
    values = {move.value for move in search.report().moves if move.visits}
    assert values
    assert all(value == pytest.approx(3 + 4 * (9 - 1 - cutoff)) for value in values)


def test_an_evaluation_is_kept_within_the_goals() -> None:
    game = machine("ticTacToe")
    for weight, value in ((100.0, 100), (-100.0, 0)):
        search = searched(game, evaluation(named(game, "cell 3=b"), [weight, 0.0]), cutoff=1, simulations=9)
        assert {move.value for move in search.report().moves if move.visits} == {value}


@pytest.mark.parametrize("rules", ["ticTacToe", DICE])
def test_playouts_that_end_before_the_cut_off_are_exact(rules: str) -> None:
    """The same search comes out as without an evaluation, whatever that says."""
    game = machine(rules)
    wrong = evaluation(propose(game.circuit)[0], [77.0] * len(game.roles), bias=55.0)
    assert searched(game, wrong, cutoff=50).report().moves == searched(game, None, cutoff=0).report().moves


def test_ends_are_proven_also_where_playouts_are_cut_off() -> None:
    game = machine("ticTacToe")
    wrong = evaluation(named(game, "cell 3=b"), [9.0, 9.0])
    search = searched(game, wrong, cutoff=1, simulations=60_000)
    assert search.solved
    assert {(move.value, move.proven) for move in search.report().moves} == {(50.0, True)}


def test_without_an_evaluation_nothing_is_cut_off() -> None:
    game = machine("ticTacToe")
    assert searched(game, None, cutoff=1).report().moves == searched(game, None, cutoff=0).report().moves
