"""Searches of many games at once: each finds what a search of its game alone would.

Tests are long where kernels compile for a quarter of a minute.
"""

from pathlib import Path

import numpy as np
import pytest

from reasoner.batch import Batch
from search.batch import BatchOptions, BatchResults, BatchSearch
from search.errors import OptionsError
from tests.machines import built

GAMES = Path(__file__).parents[3] / "games"


@pytest.fixture(scope="module")
def machine():
    return built(GAMES / "ticTacToe.kif")


def position(machine, board, control):
    rows = board.split()
    facts = [f"(cell {r} {c} {rows[r - 1][c - 1]})" for r in (1, 2, 3) for c in (1, 2, 3)]
    return machine.state([*facts, f"(control {control})"])


@pytest.mark.long
def test_every_game_has_a_search_of_its_own(machine):
    states = [
        position(machine, "xxb oob bbb", "cross"),
        position(machine, "xxb oob bbb", "nought"),
        position(machine, "xbb oxb bob", "cross"),
        machine.initial(),
    ]
    found = BatchSearch(machine, 4, BatchOptions(simulations=300, seed=1)).search(states)
    moves = [[str(move) for move in own] for own in Batch(machine, 1).moves]
    assert moves[0][found.best(0)[0]] == "(mark 1 3)"
    assert moves[1][found.best(1)[1]] == "(mark 2 3)"
    assert moves[0][found.best(0)[2]] in ("(mark 3 3)", "(mark 1 2)", "(mark 1 3)")
    assert found.roots[0][0] > 0.9
    assert found.roots[1][1] > 0.9
    assert np.allclose(found.roots.sum(axis=1), 1)
    for role in range(2):
        assert (found.visits[role].sum(axis=1) == 300).all()
        batch = Batch(machine, 4)
        batch.put(states)
        assert not found.visits[role][~batch.legal[role]].any()


@pytest.mark.long
def test_a_position_that_is_over_is_worth_its_goals(machine):
    over = position(machine, "xxx oob bbb", "nought")
    found = BatchSearch(machine, 1, BatchOptions(simulations=5)).search([over])
    assert found.roots.tolist() == [[1.0, 0.0]]
    assert not any(visits.any() for visits in found.visits)


@pytest.mark.long
@pytest.mark.parametrize("name", ["trio", "goofspiel", "diceRace", "hanoi", "connectFour"])
def test_games_of_all_kinds_are_searched(name):
    machine = built(GAMES / f"{name}.kif")
    options = BatchOptions(simulations=60, seed=1, playouts=2)
    batch = Batch(machine, 30, seed=1)
    a, b = (BatchSearch(machine, 30, options).search(batch.states) for _ in range(2))
    for role in range(len(machine.roles)):
        assert np.array_equal(a.visits[role], b.visits[role])  # a seed gives the same search
        assert (a.visits[role].sum(axis=1) == 60).all()
        assert not a.visits[role][~batch.legal[role]].any()
    assert ((a.roots >= 0) & (a.roots <= 1)).all()


@pytest.mark.long
def test_chance_is_drawn_from_its_moves_alike():
    machine = built(GAMES / "diceRace.kif")
    role = [name.lower() for name in machine.roles].index("random")
    batch = Batch(machine, 40, seed=1, again=False)
    while not (batch.legal[role].sum(axis=1) > 1).all():
        batch.step(np.full((40, len(machine.roles)), -1))
    visits = BatchSearch(machine, 40, BatchOptions(simulations=600)).search(batch.states).visits[role]
    shares = visits.sum(axis=0)[batch.legal[role][0]] / visits.sum()
    assert np.allclose(shares, 1 / len(shares), atol=0.02)


@pytest.mark.long
def test_a_function_scores_positions_and_says_where_to_look_first(machine):
    seen = []

    def evaluate(batch):
        seen.append(batch.observation.copy())
        priors = [np.zeros(legal.shape, np.float32) for legal in batch.legal]
        priors[0][:, 4] = 1
        return priors, np.full((batch.games, 2), 0.5, np.float32)

    found = BatchSearch(machine, 7, BatchOptions(simulations=40), evaluate).search([machine.initial()] * 7)
    assert len(seen) == 41
    assert (found.best(0) == 4).all()
    assert np.allclose(found.roots, 0.5, atol=0.2)


@pytest.mark.long
def test_noise_makes_searches_of_one_position_differ(machine):
    def flat(batch):
        return [np.ones(legal.shape, np.float32) for legal in batch.legal], np.full((batch.games, 2), 0.5, np.float32)

    states = [machine.initial()] * 20
    plain = BatchSearch(machine, 20, BatchOptions(simulations=20), flat).search(states)
    noisy = BatchSearch(machine, 20, BatchOptions(simulations=20, noise=0.9, seed=3), flat).search(states)
    assert len(np.unique(plain.visits[0], axis=0)) == 1
    assert len(np.unique(noisy.visits[0], axis=0)) > 10


@pytest.mark.long
def test_policies_are_shares_of_visits_and_moves_are_drawn_by_them():
    visits = np.array([[3, 1, 0], [0, 0, 0]], np.int32)
    found = BatchResults((visits,), (np.zeros((2, 3), np.float32),), np.zeros((2, 1), np.float32))
    assert found.policy(0).tolist() == [[0.75, 0.25, 0], [0, 0, 0]]
    assert np.allclose(found.policy(0, temperature=0.5)[0], [0.9, 0.1, 0])
    rng = np.random.default_rng(1)
    drawn = [found.drawn(0, rng)[0] for _ in range(1000)]
    assert abs(np.mean(drawn) - 0.25) < 0.05


@pytest.mark.long
def test_where_there_is_no_room_for_more_moves_leaves_stay_leaves(machine):
    found = BatchSearch(machine, 3, BatchOptions(simulations=200, edges=1)).search([machine.initial()] * 3)
    assert (found.visits[0].sum(axis=1) == 200).all()


@pytest.mark.parametrize("given", [{"simulations": 0}, {"noise": 2.0}, {"alpha": 0.0}])
def test_an_option_out_of_its_range_is_refused(given):
    with pytest.raises(OptionsError):
        BatchOptions(**given)


@pytest.mark.parametrize("wrong", ["one game", "one move", "one role", "values"])
def test_arrays_of_wrong_shapes_are_refused(machine, wrong):
    """Kernels read them unchecked."""

    def evaluate(batch):
        games, moves = batch.games, [*map(len, batch.moves)]
        priors = [np.ones((1 if wrong == "one game" else games, 1 if wrong == "one move" else m)) for m in moves]
        values = np.ones(games if wrong == "values" else (games, len(moves)))
        return priors[: 1 if wrong == "one role" else None], values

    with pytest.raises(OptionsError, match="evaluate returned values and priors of the shapes"):
        BatchSearch(machine, 7, BatchOptions(simulations=2), evaluate).search([machine.initial()] * 7)
