"""Small games of simultaneous moves solved exactly, and what mixtures in them lose."""

import pytest

pytest.importorskip("scipy", reason="of the extra `bench`")

import numpy as np
from click.testing import CliRunner

from bench.simultaneous.__main__ import main
from bench.simultaneous.exact import Solution, loss, mixture
from bench.simultaneous.trees import Decoupled, Regret, TreeSearch
from tests.search.games import Matrix, Nim, Walk
from tests.search.native.rulesheets import PENNIES

BIASED = Matrix({("a", "a"): (100, 0), ("a", "b"): (0, 100), ("b", "a"): (0, 100), ("b", "b"): (30, 70)})


def test_a_matrix_game_is_worth_what_the_best_mixture_is_sure_of():
    value, rows = mixture(np.array([[1.0, 0.0], [0.0, 0.3]]))
    assert value == pytest.approx(3 / 13)
    assert rows == pytest.approx([3 / 13, 10 / 13])


def test_an_equilibrium_loses_nothing_and_a_fixed_move_all_that_the_other_can_take():
    pennies = np.eye(2)
    assert loss(pennies, [0.5, 0.5], [0.5, 0.5]) == pytest.approx(0)
    assert loss(pennies, [1.0, 0.0], [0.5, 0.5]) == pytest.approx(0.5)


def test_a_game_is_solved_from_its_ends_and_only_states_that_need_a_mixture_are_told():
    solution = Solution(BIASED)
    assert solution.values[BIASED.initial()] == pytest.approx(3 / 13)
    assert list(solution.joint_states()) == [BIASED.initial()]
    turns = Solution(Nim(1, 2))
    assert turns.values[Nim(1, 2).initial()] == 1
    assert list(turns.joint_states()) == []


def test_what_cannot_be_solved_is_refused():
    with pytest.raises(ValueError, match="two roles"):
        Solution(Walk(4))
    with pytest.raises(ValueError, match="more than 3 states"):
        Solution(Nim(3, 4, 5), most=3)


def test_regret_matching_in_a_tree_comes_near_an_uneven_equilibrium():
    node = TreeSearch(BIASED, Regret, seed=1).think(BIASED.initial(), 4_000)
    assert node.mixture(0) == pytest.approx([3 / 13, 10 / 13], abs=0.08)


def test_the_small_decoupled_search_leaves_a_dominated_move():
    game = Matrix({("a", "a"): (100, 0), ("a", "b"): (70, 30), ("b", "a"): (30, 70), ("b", "b"): (0, 100)})
    node = TreeSearch(game, Decoupled, seed=1).think(game.initial(), 500)
    assert node.mixture(0) == [1.0, 0.0]


def test_the_table_has_a_line_for_each_way_to_play(tmp_path):
    game = tmp_path / "pennies.kif"
    game.write_text(PENNIES)
    done = CliRunner().invoke(main, [str(game), "--simulations", "200", "--tree-simulations", "200"])
    assert done.exit_code == 0, done.output
    names = [line.split("|")[4].strip() for line in done.output.splitlines()[2:]]
    assert names == ["uniform", "search, by visits", "search, equilibrium", "decoupled", "regret"]
