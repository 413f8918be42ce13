"""Rulesheets as PettingZoo environments."""

import warnings

import numpy as np
import pytest

from reasoner.errors import IllegalMoveError, StateError
from tests.agent.environments.games import GAMES

pytest.importorskip("pettingzoo", reason="the extra pettingzoo is not installed")

from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test

from agent.environments.zoo import aec_env, parallel_env, policy
from agent.gamemaster.errors import SeatError

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


@pytest.mark.parametrize("make", [aec_env, parallel_env])
def test_an_unknown_render_mode_is_refused(make):
    with pytest.raises(ValueError, match="unknown render_mode 'nope'"):
        make("ticTacToe", render_mode="nope")
    assert make("ticTacToe", render_mode="ansi").render_mode == "ansi"


def test_a_seed_gives_the_same_chance():
    seed_test(lambda: aec_env("diceRace", wrong="random"), num_cycles=50)
    parallel_seed_test(lambda: parallel_env("diceRace", wrong="random"), num_cycles=50)


def test_a_seed_may_be_a_numpy_integer():
    """Seeds are often drawn by numpy."""
    env, same = aec_env("diceRace"), aec_env("diceRace")
    env.reset(seed=np.int64(7))
    same.reset(seed=7)
    assert (env.batch.draws == same.batch.draws).all()
    with pytest.raises(TypeError, match="'str' object cannot be interpreted as an integer"):
        env.reset(seed="7")


@pytest.mark.parametrize("actions", [None, 0, [0, 0]])
def test_a_joint_action_that_is_no_dict_is_refused(actions):
    env = parallel_env("goofspiel")
    env.reset(seed=1)
    with pytest.raises(IllegalMoveError, match="is no dict: give the actions of left, right by name"):
        env.step(actions)


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
    with pytest.raises(IllegalMoveError, match="not a legal move"):
        env.step(int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"] == 0)[0]))


NO_ACTIONS = [-2, -3, 99, 2**32, 2**70, 1.0, None, True, "0"]


@pytest.mark.parametrize("action", [8, *NO_ACTIONS])
def test_a_refused_action_leaves_everything_as_it_was(action):
    """The same agent moves next, as if nothing had been asked; 8 is a move of the agent that waits."""
    env, other = aec_env("ticTacToe"), aec_env("ticTacToe")
    for each in (env, other):
        each.reset(seed=1)
        each.step(0)
    with pytest.raises((IllegalMoveError, ValueError)):
        env.step(9 if action == 8 else action)
    assert env.agent_selection == other.agent_selection == "nought"
    for each in (env, other):
        each.step(4)
    assert env.batch.states.tobytes() == other.batch.states.tobytes()
    assert env.agent_selection == "cross"


@pytest.mark.parametrize("action", NO_ACTIONS)
def test_a_refused_joint_action_leaves_everything_as_it_was(action):
    """No part of it is taken, and -2 does not hold the game up."""
    env = parallel_env("goofspiel")
    env.reset(seed=1)
    before = env.batch.states.tobytes()
    with pytest.raises(IllegalMoveError):
        env.step({"left": 0, "right": action})
    assert env.batch.states.tobytes() == before
    env.step({"left": 0, "right": 1})
    assert env.batch.states.tobytes() != before


def test_agents_that_there_are_not_and_actions_that_are_missing_are_named():
    """Who has a choice gives an action, or -1."""
    env = parallel_env("goofspiel")
    env.reset(seed=1)
    with pytest.raises(IllegalMoveError, match="north is not an agent: give actions of left, right"):
        env.step({"left": 0, "north": 0})
    with pytest.raises(IllegalMoveError, match="right must move"):
        env.step({"left": 0})
    env = parallel_env("ticTacToe")
    env.reset(seed=1)
    env.step({"cross": 0})  # nought has no choice


@pytest.mark.parametrize("make", [aec_env, parallel_env])
def test_minus_one_is_a_move_drawn_at_random(make):
    """The same with the same seed, and over the seeds several ones."""
    found = set()
    for seed in range(20):
        env = make("goofspiel")
        env.reset(seed=seed)
        if make is parallel_env:
            env.step({"left": -1, "right": -1})
        else:
            env.step(-1)
            env.step(-1)
        found.add(env.batch.states.tobytes())
    assert len(found) > 3


@pytest.mark.parametrize("action", [-2, 99])
def test_where_wrong_actions_are_replaced_a_move_is_drawn(action):
    """The game goes on."""
    env = parallel_env("goofspiel", wrong="random")
    env.reset(seed=1)
    before = env.batch.states.tobytes()
    env.step({"left": action})
    assert env.batch.states.tobytes() != before
    env = aec_env("ticTacToe", wrong="random")
    env.reset(seed=1)
    env.step(action)
    assert env.agent_selection == "nought"


def test_a_game_that_was_not_begun_or_is_over_is_to_be_begun():
    """One clear message in place of an AttributeError or a KeyError."""
    env, both = aec_env("nim"), parallel_env("nim")
    for ask in (lambda: env.step(0), env.last, lambda: both.step({})):
        with pytest.raises(StateError, match=r"reset\(\)"):
            ask()
    env.reset(seed=1)
    for agent in env.agent_iter():
        *_, ended, truncated, _ = env.last()
        env.step(None if ended or truncated else int(env.observe(agent)["action_mask"].argmax()))
    with pytest.raises(StateError, match=r"reset\(\)"):
        env.step(0)
    both.reset(seed=1)
    while both.agents:
        both.step(dict.fromkeys(both.agents, -1))
    with pytest.raises(StateError, match=r"reset\(\)"):
        both.step({})


@pytest.mark.parametrize("make", [aec_env, parallel_env])
def test_a_game_of_chance_alone_has_no_agents(make, tmp_path):
    """One clear message in place of an IndexError."""
    sheet = tmp_path / "alone.kif"
    sheet.write_text("(role random) (legal random roll) (init on) (<= terminal (true off)) (next off) (goal random 50)")
    with pytest.raises(SeatError, match="the only role is chance"):
        make(str(sheet))
