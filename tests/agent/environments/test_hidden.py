"""Games that hide something (GDL-II) as environments: each role sees its percepts, and nothing else."""

import numpy as np
import pytest

from agent.errors import SpecError
from tests.agent.environments.hidden import BOXES, KUHN
from tests.shared import SHARED, needs_shared

BUILT = ("montyhall", "transit")  # in seconds
SHEETS = [*BUILT] if SHARED is not None and (SHARED / "games_gdl2").is_dir() else []


@pytest.fixture
def sheets(tmp_path):
    for name, text in (("boxes", BOXES), ("kuhn", KUHN)):
        (tmp_path / f"{name}.kif").write_text(text)
    return tmp_path


class TestOpenSpiel:
    """Information states and observations."""

    @pytest.fixture(autouse=True)
    def library(self):
        self.pyspiel = pytest.importorskip("pyspiel", reason="the extra openspiel is not installed")
        import agent.environments.spiel  # noqa: F401 it registers the game

    def loaded(self, sheet, **given):
        return self.pyspiel.load_game("ggp", {"rules": str(sheet), **given})

    @pytest.mark.parametrize("name", ["boxes", "kuhn"])
    def test_openspiels_own_test_of_random_play_passes(self, sheets, name):
        game = self.loaded(sheets / f"{name}.kif")
        assert game.get_type().information == self.pyspiel.GameType.Information.IMPERFECT_INFORMATION
        self.pyspiel.random_sim_test(game, num_sims=10, serialize=False, verbose=False)
        self.pyspiel.random_sim_test(game, num_sims=5, serialize=True, verbose=False)

    @needs_shared
    @pytest.mark.parametrize("name", SHEETS)
    def test_it_passes_on_public_rulesheets(self, name):
        game = self.loaded(SHARED / "games_gdl2" / f"{name}.kif")
        self.pyspiel.random_sim_test(game, num_sims=2, serialize=False, verbose=False)

    def test_choices_at_once_are_hidden_from_each_other_also_where_openspiel_makes_turns_of_them(self, sheets):
        turns = self.pyspiel.load_game_as_turn_based("ggp", {"rules": str(sheets / "boxes.kif")})
        self.pyspiel.random_sim_test(turns, num_sims=3, serialize=False, verbose=False)
        state = turns.new_initial_state()
        while state.is_chance_node():
            state.apply_action(state.chance_outcomes()[0][0])
        told = set()
        for action in state.legal_actions():
            told.add(state.child(action).information_state_string(1))
        assert len(told) == 1

    def test_kuhns_poker_has_its_twelve_information_states_and_its_known_equilibrium(self, sheets):
        from open_spiel.python import policy
        from open_spiel.python.algorithms import exploitability

        game = self.loaded(sheets / "kuhn.kif", zero_sum=True)
        tabular = policy.TabularPolicy(game)
        assert len(tabular.state_lookup) == 12
        passes, bets = (game.new_initial_state().string_to_action(0, move) for move in ("pass", "bet"))
        for told, row in tabular.state_lookup.items():
            share = bet_share(told)
            tabular.action_probability_array[row] = 0
            tabular.action_probability_array[row, [passes, bets]] = [1 - share, share]
        assert exploitability.nash_conv(game, tabular) == pytest.approx(0, abs=1e-9)

    def test_a_tensor_tells_what_the_string_tells(self, sheets):
        game = self.loaded(sheets / "kuhn.kif")
        texts, tensors = set(), set()
        for state in states_of(game):
            for player in range(2):
                text = state.information_state_string(player)
                tensor = np.array(state.information_state_tensor(player), np.float32)
                texts.add(text)
                tensors.add(tensor.tobytes())
        assert len(texts) == len(tensors)

    def test_the_last_rounds_are_kept_where_there_is_no_room_for_all(self, sheets):
        game = self.loaded(sheets / "boxes.kif", recall=1)
        state = game.new_initial_state()
        before = state.information_state_tensor(0)
        while state.is_chance_node():
            state.apply_action(state.chance_outcomes()[0][0])
        assert len(before) == len(state.information_state_tensor(0))
        assert before != state.information_state_tensor(0)
        with pytest.raises(ValueError, match="at least one round"):
            self.loaded(sheets / "boxes.kif", recall=0)

    def test_an_observation_is_what_was_seen_since_the_last_choice(self, sheets):
        game = self.loaded(sheets / "kuhn.kif")
        state = game.new_initial_state()
        outcomes = {state.action_to_string(action): action for action, _ in state.chance_outcomes()}
        state.apply_action(outcomes["(deal queen king)"])
        assert [state.observation_string(player) for player in range(2)] == ["queen", "king"]
        state.apply_action(state.string_to_action("bet"))
        assert [state.observation_string(player) for player in range(2)] == ["", "king\nbet"]
        assert [sum(state.observation_tensor(player)) for player in range(2)] == [0, 2]

    def test_what_is_public_cannot_be_told(self, sheets):
        from open_spiel.python.observation import make_observation

        game, kinds = self.loaded(sheets / "kuhn.kif"), self.pyspiel.PrivateInfoType
        with pytest.raises(ValueError, match="not what is public"):
            make_observation(game, self.pyspiel.IIGObservationType(True, False, kinds.NONE))

    def test_our_player_goes_by_what_it_saw(self, sheets):
        from agent.environments.bots import PlayerBot

        game = self.loaded(sheets / "kuhn.kif")
        bot = PlayerBot(1, "mcts:seed=1", seconds=0.3)
        for other in ("jack", "queen"):
            state = game.new_initial_state()
            outcomes = {state.action_to_string(action): action for action, _ in state.chance_outcomes()}
            state.apply_action(outcomes[f"(deal {other} king)"])
            state.apply_action(state.string_to_action("bet"))
            assert state.action_to_string(bot.step(state)) == "bet"


def bet_share(told: str) -> float:
    """How often the equilibrium of Kuhn's poker in which the first player never bets first does bet."""
    card = next(card for card in ("jack", "queen", "king") if card in told)
    first, asked = told.startswith("one"), told.rstrip().splitlines()[-2].endswith("sees bet")
    if first:
        return {"jack": 0, "queen": 1 / 3, "king": 1}[card] if asked else 0
    return {"jack": 0, "queen": 1 / 3, "king": 1}[card] if asked else {"jack": 1 / 3, "queen": 0, "king": 1}[card]


def states_of(game):
    """All positions of a small game that is played in turns."""
    waiting = [game.new_initial_state()]
    while waiting:
        state = waiting.pop()
        yield state
        if not state.is_terminal():
            waiting += [state.child(action) for action in state.legal_actions()]


class TestGymnasium:
    """One role against an opponent."""

    @pytest.fixture(autouse=True)
    def library(self):
        self.gymnasium = pytest.importorskip("gymnasium", reason="the extra gymnasium is not installed")
        import agent.environments.register  # noqa: F401 it registers the games

    @pytest.mark.parametrize("name", ["boxes", "kuhn"])
    def test_the_checker_passes_and_an_observation_is_what_the_role_saw(self, sheets, name):
        from gymnasium.utils.env_checker import check_env

        env = self.gymnasium.make("ggp/Game-v0", game=str(sheets / f"{name}.kif"), render_mode="ansi").unwrapped
        check_env(env, skip_render_check=True)
        rng = np.random.default_rng(1)
        observation, info = env.reset(seed=3)
        assert not observation.any()
        ended = False
        while not ended:
            observation, _, ended, _, info = env.step(rng.choice(np.flatnonzero(info["action_mask"])))
            batch = env.batch
            seen = batch.machine.percepts(batch.states[0].tobytes())[0]
            assert {env.facts[i] for i in np.flatnonzero(observation)} == seen
            assert set(env.render().splitlines()) == set(map(str, seen))

    def test_many_games_are_seen_side_by_side(self, sheets):
        sheet = str(sheets / "kuhn.kif")
        envs = self.gymnasium.make_vec("ggp/Game-v0", num_envs=600, game=sheet, vectorization_mode="vector_entry_point")
        _, info = envs.reset(seed=1)
        observations, *_ = envs.step(info["action_mask"].argmax(1))
        assert (observations.sum(axis=1) == 1).all()  # each its card
        assert set(np.flatnonzero(observations.any(axis=0))) == {
            i for i, term in enumerate(envs.unwrapped.facts) if str(term) in ("jack", "queen", "king")
        }

    def test_a_player_that_would_see_the_state_is_refused(self, sheets):
        with pytest.raises(SpecError, match="the history that players need"):
            self.gymnasium.make("ggp/Game-v0", game=str(sheets / "kuhn.kif"), opponent="mcts")


class TestPettingZoo:
    """All roles."""

    @pytest.fixture(autouse=True)
    def library(self):
        pytest.importorskip("pettingzoo", reason="the extra pettingzoo is not installed")

    @pytest.mark.parametrize("name", ["boxes", "kuhn"])
    @pytest.mark.filterwarnings("ignore")
    def test_the_checkers_pass(self, sheets, name):
        from pettingzoo.test import api_test, parallel_api_test

        from agent.environments.zoo import aec_env, parallel_env

        api_test(aec_env(str(sheets / f"{name}.kif")), num_cycles=50)
        parallel_api_test(parallel_env(str(sheets / f"{name}.kif")), num_cycles=50)

    def test_each_agent_sees_its_own_percepts(self, sheets):
        from agent.environments.zoo import parallel_env

        env = parallel_env(str(sheets / "kuhn.kif"))
        observations, _ = env.reset(seed=1)
        actions = {name: int(seen["action_mask"].argmax()) for name, seen in observations.items()}
        observations, *_ = env.step(actions)
        batch = env.batch
        for role, (name, seen) in enumerate(observations.items()):
            terms = {batch.percept_terms[role][i] for i in np.flatnonzero(seen["observation"])}
            assert terms == batch.machine.percepts(batch.states[0].tobytes())[role], name
            assert len(terms) == 1
        assert env.render().splitlines()[0] == "one"

    def test_a_policy_that_would_see_the_state_is_refused(self, sheets):
        from agent.environments.zoo import aec_env, policy

        env = aec_env(str(sheets / "kuhn.kif"))
        env.reset()
        with pytest.raises(SpecError, match="the history that players need"):
            policy("mcts:simulations=10")(env, "one")
