"""Rulesheets as Gymnasium environments."""

import re
import subprocess
import sys
import warnings

import numpy as np
import pytest

from reasoner.errors import IllegalMoveError, StateError
from tests.agent.environments.games import GAMES
from tests.agent.players.odd import Last

gymnasium = pytest.importorskip("gymnasium", reason="the extra gymnasium is not installed")

from gymnasium.utils.env_checker import check_env  # noqa: E402 after the check that it is there

import agent.environments.register  # noqa: E402, F401 what it is imported for
from agent.environments.gym import GameEnv  # noqa: E402 after what is skipped without the extra
from agent.environments.vector import GameVectorEnv  # noqa: E402 the same
from agent.errors import SpecError  # noqa: E402 the same
from agent.gamemaster.errors import GameError, SeatError  # noqa: E402 the same

DIE = """
(role random) (role player) (side 1) (side 2) (init (step 1))
(<= (legal random (roll ?n)) (side ?n)) (<= (legal player (take ?n)) (side ?n))
(<= (next (step 2)) (true (step 1))) (<= terminal (true (step 2)))
(goal random 0) (<= (goal player 100) (true (step 2))) (<= (goal player 0) (true (step 1)))
"""


@pytest.mark.parametrize("game", GAMES)
def test_gymnasiums_own_checker_passes(game):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", ".*render.fps")  # there are no frames
        check_env(gymnasium.make(f"ggp/{game}-v0", render_mode="ansi").unwrapped)


def test_a_step_after_the_end_warns_and_gives_no_second_reward():
    env = gymnasium.make("ggp/ticTacToe-v0").unwrapped
    rewards, over = [], False
    for seed in range(9):
        _, info = env.reset(seed=seed)
        over = False
        while not over:
            _, reward, ended, truncated, info = env.step(env.action_space.sample(mask=info["action_mask"]))
            over = ended or truncated
        rewards.append(reward)
        with pytest.warns(UserWarning, match="after the end of the game: call reset"):
            assert env.step(-1)[1:4] == (0.0, True, False)
    assert any(rewards)


def test_an_unknown_render_mode_is_refused():
    with pytest.raises(ValueError, match="unknown render_mode 'nope': give \"ansi\" for text, or None"):
        GameEnv("ticTacToe", render_mode="nope")
    assert GameEnv("ticTacToe", render_mode="ansi").render_mode == "ansi"


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


def test_environments_without_a_seed_play_different_games():
    """As Gymnasium has it: the copies of a vector environment must not all meet the same opponent."""

    def played(env):
        env.reset()
        return [env.step(-1)[0].tobytes() for _ in range(4)]  # no game ends sooner

    one, other = (gymnasium.make("ggp/connectFour-v0").unwrapped for _ in range(2))
    assert played(one) != played(other)


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


@pytest.mark.parametrize("move", [None, "(mark 9 9)", "((("])
def test_an_opponent_that_returns_no_move_is_named_with_what_it_returned(move, monkeypatch):
    monkeypatch.setattr(Last, "play", lambda *_: move)
    env = gymnasium.make("ggp/ticTacToe-v0", opponent="tests.agent.players.odd:Last").unwrapped
    env.reset(seed=1)
    with pytest.raises(IllegalMoveError, match=rf":Last returned '{re.escape(str(move))}', .* of nought"):
        env.step(0)


def test_a_game_that_takes_too_long_is_truncated():
    env = gymnasium.make("ggp/lightsOut-v0", max_steps=3).unwrapped
    env.reset(seed=1)
    ends = [env.step(i)[2:4] for i in range(3)]
    assert ends[-1] == (False, True)


@pytest.mark.parametrize("game", ["connectFour", "trio", "diceRace", "goofspiel", "hanoi"])
def test_a_vector_environment_steps_its_games_and_restarts_them_in_the_next_step(game):
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
        ({"game": "ticTacToe", "opponent": 3}, SpecError, "neither a player's specification"),
        ({"game": "ticTacToe", "max_steps": 0}, ValueError, "at least one step"),
    ],
)
def test_what_there_is_not_is_said(given, error, said):
    with pytest.raises(error, match=said):
        gymnasium.make("ggp/Game-v0", **given)


def test_a_file_is_given_as_a_path_and_the_first_role_that_is_not_chance_is_the_default(tmp_path):
    """A default of role 0 would be the chance role here, which no environment can play."""
    file = tmp_path / "die.kif"
    file.write_text(DIE)
    env = GameEnv(file)
    assert env.batch.roles[env._table.role] == "player"
    assert list(map(str, env.moves)) == ["(take 1)", "(take 2)"]
    assert GameVectorEnv(file, 2, opponent="random").moves == env.moves
    with pytest.raises(SeatError, match="give one of player"):
        GameEnv(file, role=0)


def test_a_changed_file_gives_another_game(tmp_path):
    """A notebook edits its rulesheet between two environments."""
    file = tmp_path / "die.kif"
    for sides in (1, 2, 3):
        file.write_text(DIE.replace("(side 1) (side 2)", " ".join(f"(side {side})" for side in range(sides))))
        assert len(GameEnv(file).moves) == len(GameVectorEnv(file, 2).moves) == sides


@pytest.mark.parametrize("action", [9, -2, -3, 99, 2**32])
def test_what_is_no_legal_action_never_holds_a_game_up(action):
    """It is replaced, or refused before anything changes; 9 is a move of the other role, the batch's own -2 is none."""
    env = gymnasium.make("ggp/ticTacToe-v0").unwrapped
    before = env.reset(seed=1)[0].copy()
    assert not np.array_equal(env.step(action)[0], before)
    env = gymnasium.make("ggp/ticTacToe-v0", wrong="raise").unwrapped
    env.reset(seed=1)
    with pytest.raises(IllegalMoveError, match=f"action {action}( .noop.)? is not a legal move of cross"):
        env.step(action)
    env.step(0)


@pytest.mark.parametrize("action", [None, 1.0, "0", True])
def test_what_is_no_whole_number_is_refused(action):
    """Also where wrong actions are replaced: it is a fault of the program."""
    env = gymnasium.make("ggp/ticTacToe-v0").unwrapped
    env.reset(seed=1)
    with pytest.raises(IllegalMoveError, match="an action must be an integer"):
        env.step(action)


def test_actions_of_many_games_are_one_each():
    """A single one is not taken for all."""
    envs = gymnasium.make_vec("ggp/ticTacToe-v0", num_envs=3, vectorization_mode="vector_entry_point")
    envs.reset(seed=1)
    with pytest.raises(StateError, match="give one for each of 3 games"):
        envs.step(np.array([0, 1]))


def test_an_environment_of_no_games_is_refused():
    with pytest.raises(ValueError, match="num_envs=0: give at least 1"):
        gymnasium.make_vec("ggp/ticTacToe-v0", num_envs=0, vectorization_mode="vector_entry_point")


def test_an_opponent_that_stays_is_wrong():
    """What a function of one's own gives is held against the rules, too."""
    stay = {"opponent": lambda batch, role, asked: np.full(batch.games, -2, np.int32)}  # noqa: ARG005 as it is called
    env = gymnasium.make("ggp/ticTacToe-v0", **stay).unwrapped
    env.reset(seed=1)
    env.step(0)
    assert env.batch.legal_of(0).sum() == 7
    env = gymnasium.make("ggp/ticTacToe-v0", wrong="raise", **stay).unwrapped
    env.reset(seed=1)
    with pytest.raises(IllegalMoveError, match="action -2 is not a legal move of nought"):
        env.step(0)
