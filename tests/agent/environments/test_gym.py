"""Rulesheets as Gymnasium environments."""

import subprocess
import sys
import warnings

import numpy as np
import pytest

from reasoner.errors import IllegalMoveError
from tests.agent.environments.games import GAMES

gymnasium = pytest.importorskip("gymnasium", reason="the extra gymnasium is not installed")

from gymnasium.utils.env_checker import check_env  # noqa: E402 after the check that it is there

import agent.environments.register  # noqa: E402, F401 what it is imported for
from agent.gamemaster.errors import GameError, SeatError  # noqa: E402 after what is skipped without the extra


@pytest.mark.parametrize("game", GAMES)
def test_gymnasiums_own_checker_passes(game):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", ".*render.fps")  # there are no frames
        check_env(gymnasium.make(f"ggp/{game}-v0", render_mode="ansi").unwrapped)


def test_the_games_are_registered_without_loading_what_they_need():
    code = (
        "import agent.environments.register, gymnasium, sys;"
        "print(bool(gymnasium.spec('ggp/trio-v0')), 'numba' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True", "False"]


def test_the_role_moves_where_it_has_a_choice_and_gets_its_goal_at_the_end():
    env = gymnasium.make("ggp/ticTacToe-v0", role="nought").unwrapped
    rng = np.random.default_rng(1)
    for seed in range(10):
        _, info = env.reset(seed=seed)
        ended, reward = False, 0.0
        while not ended:
            assert info["action_mask"].sum() > 1
            assert np.array_equal(env.action_masks(), info["action_mask"])
            _, reward, ended, truncated, info = env.step(rng.choice(np.flatnonzero(info["action_mask"])))
            assert not truncated
            assert ended or reward == 0
        assert 100 * reward == env.batch.goals[0, 1]


def test_an_action_that_is_no_legal_move_is_replaced_or_raises():
    env = gymnasium.make("ggp/ticTacToe-v0").unwrapped
    _, info = env.reset(seed=1)
    wrong = int(np.flatnonzero(info["action_mask"] == 0)[0])
    env.step(wrong)
    env = gymnasium.make("ggp/ticTacToe-v0", wrong="raise").unwrapped
    env.reset(seed=1)
    with pytest.raises(IllegalMoveError, match="no legal move of cross"):
        env.step(wrong)


def test_a_player_of_the_agent_is_an_opponent():
    env = gymnasium.make("ggp/ticTacToe-v0", opponent="mcts:simulations=200,seed=1", seconds=60).unwrapped
    rng, rewards = np.random.default_rng(1), []
    for seed in range(4):
        _, info = env.reset(seed=seed)
        ended = False
        while not ended:
            _, reward, ended, _, info = env.step(rng.choice(np.flatnonzero(info["action_mask"])))
        rewards.append(reward)
    assert np.mean(rewards) < 0.5


def test_a_game_that_takes_too_long_is_truncated():
    env = gymnasium.make("ggp/lightsOut-v0", max_steps=3).unwrapped
    env.reset(seed=1)
    ends = [env.step(i)[2:4] for i in range(3)]
    assert ends[-1] == (False, True)


@pytest.mark.parametrize("game", ["connectFour", "trio", "diceRace", "goofspiel", "hanoi"])
def test_a_vector_environment_steps_its_games_and_begins_them_anew_in_the_next_step(game):
    envs = gymnasium.make_vec(f"ggp/{game}-v0", num_envs=600, vectorization_mode="vector_entry_point")
    observations, info = envs.reset(seed=1)
    assert envs.observation_space.contains(observations)
    first, over = observations[0], np.zeros(600, bool)
    for _ in range(60):
        masks = info["action_mask"]
        observations, rewards, ended, truncated, info = envs.step((np.random.random(masks.shape) * masks).argmax(1))
        assert not (over & ended).any()
        assert (rewards[~ended] == 0).all()
        if over.any() and game in ("hanoi", "goofspiel"):  # no other role moves before one's own
            assert (observations[over] == first).all()
        over = ended | truncated
    assert (info["action_mask"].sum(axis=1)[~over] > 1).all()


@pytest.mark.parametrize(
    ("given", "error", "said"),
    [
        ({"game": "ticTacTo"}, GameError, "Did you mean ticTacToe"),
        ({"game": "ticTacToe", "role": "white"}, SeatError, "give one of cross, nought"),
    ],
)
def test_what_there_is_not_is_said(given, error, said):
    with pytest.raises(error, match=said):
        gymnasium.make("ggp/Game-v0", **given)
