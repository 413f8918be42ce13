"""Rulesheets as PettingZoo environments."""

import warnings

import numpy as np
import pytest

from reasoner.errors import IllegalMoveError
from tests.agent.environments.games import GAMES

pytest.importorskip("pettingzoo", reason="the extra pettingzoo is not installed")

from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test

from agent.environments.zoo import aec_env, parallel_env, policy

KNOWN = ("Observation space for each agent", "Observation is not a NumPy array", "We recommend agents to be named")
"""What is said of PettingZoo's own games with masks, too; and roles have the names that the rules give them."""


@pytest.fixture(autouse=True)
def strict():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for known in KNOWN:
            warnings.filterwarnings("ignore", known)
        yield


@pytest.mark.parametrize("game", GAMES)
def test_pettingzoos_own_checkers_pass(game):
    api_test(aec_env(game), num_cycles=100)
    parallel_api_test(parallel_env(game), num_cycles=100)


def test_a_seed_gives_the_same_chance():
    seed_test(lambda: aec_env("diceRace", wrong="random"), num_cycles=50)
    parallel_seed_test(lambda: parallel_env("diceRace", wrong="random"), num_cycles=50)


def test_agents_that_choose_at_once_do_not_see_each_other():
    env = aec_env("goofspiel")
    env.reset(seed=1)
    first, before = env.agent_selection, env.observe(env.agents[1])["observation"].copy()
    env.step(int(np.flatnonzero(env.observe(first)["action_mask"])[0]))
    assert env.agent_selection != first
    assert np.array_equal(env.observe(env.agent_selection)["observation"], before)
    env.step(int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])[0]))
    assert not np.array_equal(env.observe(first)["observation"], before)


def test_a_policy_is_a_player_of_the_agent():
    env, act = aec_env("ticTacToe"), policy("mcts:simulations=1000,seed=1", seconds=60)
    env.reset(seed=1)
    for agent in env.agent_iter():
        _, _, ended, truncated, _ = env.last()
        env.step(None if ended or truncated else act(env, agent))
    assert env.batch.goals.tolist() == [[50, 50]]


def test_a_wrong_action_raises():
    env = aec_env("connectFour")
    env.reset()
    with pytest.raises(IllegalMoveError, match="no legal move"):
        env.step(int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"] == 0)[0]))
