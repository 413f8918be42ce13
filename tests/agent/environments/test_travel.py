"""Environments are pickled and copied: state and seed travel, and both go on alike."""

import copy
import pickle

import numpy as np
import pytest

from agent.environments.game_batch import machine_of_sheet, sheet_of
from reasoner.batch import Batch
from tests.agent.environments.hidden import KUHN

COPIES = [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))]


@pytest.fixture(params=["diceRace", "goofspiel", "hidden.kif"])
def game(request, tmp_path, monkeypatch):
    """A game with chance, one of two roles at once, and one that hides something, from a file that is gone later."""
    (tmp_path / "hidden.kif").write_text(KUHN)
    monkeypatch.chdir(tmp_path)
    return request.param


class TestGymnasium:
    """One role, one game or many."""

    @pytest.fixture(autouse=True)
    def library(self):
        self.gymnasium = pytest.importorskip("gymnasium", reason="the extra gymnasium is not installed")
        import agent.environments.register  # noqa: F401 it registers the games

    def same(self, one, other, steps):
        """Whether two environments tell the same, step by step, over the ends of games too."""
        rng, mask = np.random.default_rng(1), one.get_wrapper_attr("action_masks")()
        for _ in range(steps):
            action = rng.choice(np.flatnonzero(mask))
            told, again = one.step(action), other.step(action)
            assert np.array_equal(told[0], again[0])
            assert told[1:4] == again[1:4]
            assert np.array_equal(told[4]["action_mask"], again[4]["action_mask"])
            if told[2] or told[3]:
                (seen, info), (_, again) = one.reset(), other.reset()
                assert np.array_equal(info["action_mask"], again["action_mask"])
                assert seen is not None
                mask = info["action_mask"]
            else:
                mask = told[4]["action_mask"]

    @pytest.mark.parametrize("copied", COPIES)
    def test_a_copy_continues_alike(self, game, copied, tmp_path):
        """From the middle of a game, with its wrappers, and where the file is gone."""
        env = self.gymnasium.make("ggp/Game-v0", game=game)
        _, info = env.reset(seed=3)
        env.step(int(info["action_mask"].argmax()))
        (tmp_path / "hidden.kif").unlink()
        self.same(env, copied(env), 30)

    @pytest.mark.parametrize("copied", COPIES)
    def test_a_copy_of_many_games_continues_alike(self, game, copied):
        """Each of them, and which ones are to be begun anew."""
        from agent.environments.vector import GameVectorEnv

        envs = GameVectorEnv(game, 600)
        _, info = envs.reset(seed=3)
        for _ in range(9):
            *_, info = envs.step(info["action_mask"].argmax(axis=1))
        other = copied(envs)
        for _ in range(9):
            actions = info["action_mask"].argmax(axis=1)
            told, again = envs.step(actions), other.step(actions)
            assert all(np.array_equal(one, two) for one, two in zip(told[:4], again[:4], strict=True))
            info = told[4]

    def test_the_copy_is_a_game_of_its_own(self):
        """What is played there is not played here."""
        env = self.gymnasium.make("ggp/ticTacToe-v0").unwrapped
        env.reset(seed=1)
        before = env.batch.states.tobytes()
        copy.deepcopy(env).step(0)
        assert env.batch.states.tobytes() == before

    def test_a_player_of_the_agent_is_created_again(self):
        """It keeps its settings."""
        env = self.gymnasium.make("ggp/ticTacToe-v0", opponent="mcts:simulations=20,seed=1", seconds=60).unwrapped
        env.reset(seed=1)
        for copied in COPIES:
            other = copied(env)
            other.step(0)
            assert other.batch.legal_of(0).sum() == 7

    @pytest.mark.long  # processes that load everything anew
    def test_gymnasium_runs_copies_in_processes(self):
        """`AsyncVectorEnv` sends what makes an environment, here an environment itself."""
        from functools import partial

        env = self.gymnasium.make("ggp/ticTacToe-v0")
        env.reset(seed=1)
        envs = self.gymnasium.vector.AsyncVectorEnv([partial(copy.copy, env)] * 2, context="spawn")
        try:
            _, info = envs.reset(seed=[1, 2])
            observations, *_ = envs.step(info["action_mask"].argmax(axis=1))
            assert observations.shape == (2, 29)
        finally:
            envs.close()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("copied", COPIES)
def test_pettingzoos_environments_continue_alike(game, copied):
    """One after the other, from between two choices made at once, and all at once."""
    pytest.importorskip("pettingzoo", reason="the extra pettingzoo is not installed")
    from agent.environments.zoo import aec_env, parallel_env

    env = aec_env(game)
    env.reset(seed=3)
    env.step(-1)
    other = copied(env)
    for one in (env, other):
        for _ in one.agent_iter(20):
            *_, ended, truncated, _ = one.last()
            one.step(None if ended or truncated else -1)
    assert env.batch.states.tobytes() == other.batch.states.tobytes()
    env = parallel_env(game)
    env.reset(seed=3)
    env.step(dict.fromkeys(env.agents, -1))
    other = copied(env)
    while env.agents:
        told, again = (one.step(dict.fromkeys(one.agents, -1)) for one in (env, other))
        assert told[1:] == again[1:]
        assert env.batch.states.tobytes() == other.batch.states.tobytes()


@pytest.mark.parametrize("copied", COPIES)
def test_openspiels_states_continue_alike(copied):
    """They name their game."""
    pyspiel = pytest.importorskip("pyspiel", reason="the extra openspiel is not installed")
    import agent.environments.spiel  # noqa: F401 it registers the game

    state = pyspiel.load_game("ggp(rules=ticTacToe)").new_initial_state()
    state.apply_action(3)
    other = copied(state)
    other.apply_action(0)
    state.apply_action(0)
    assert str(other) == str(state)
    assert str(copied(state.get_game())) == str(state.get_game())


def test_draws_continue_from_where_they_stood():
    """Set again, the same moves are drawn; in a batch of several blocks too."""
    batch = Batch(machine_of_sheet(sheet_of("goofspiel")), 1100, seed=4, again=False)
    draws, found = batch.draws, []
    for _ in range(2):
        batch.reset()
        batch.draws = draws
        batch.step(np.full((1100, 2), -1))
        found.append(batch.states.tobytes())
    assert found[0] == found[1]
