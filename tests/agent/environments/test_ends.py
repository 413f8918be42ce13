"""Ends that are none, and games that are over before anybody chooses: one result in every library and in matches."""

import numpy as np
import pytest

from agent.gamemaster.errors import DeadEndError
from agent.gamemaster.match import ManagedMatch, MatchSetup
from agent.gamemaster.rulesheet import Rulesheet
from reasoner import load

HIGH = """(role a) (role b) (init begin) (legal a go) (legal a stay) (legal b go) (high 170)
    (<= (next (score a 85)) (true begin)) (<= (next (score b ?n)) (true begin) (high ?n))
    (<= terminal (true (score a 85))) (<= (goal ?r ?n) (true (score ?r ?n)))"""
ROLES = "(role a) (role b) (goal a 70) (goal b 30)"
ENDED = {
    "over at the start": f"{ROLES} (legal a x) (legal b x) terminal",
    "over at the start, without moves": f"{ROLES} (<= (legal ?r x) (role ?r) (true go)) terminal (init stop)",
    "over after what is forced": f"{ROLES} (legal a x) (legal b x) (next done) (<= terminal (true done))",
}
STUCK = {
    "stuck at the start": f"{ROLES} (legal a x) (<= (legal b x) (true go)) (init stop) (<= terminal (true go))",
    "never a move": f"{ROLES} (legal a x) (legal a y) (next done) (<= terminal (true done))",
    "stuck after a choice": f"""{ROLES} (init begin) (legal a x) (legal a y) (<= (legal b x) (true begin))
        (next on) (<= terminal (true begin) (true on))""",
}
ENDLESS = {
    "no choice and no end": f"{ROLES} (legal a x) (legal b x) (next on) (<= terminal (true off))",
    "a choice, then none and no end": f"""{ROLES} (init begin) (legal a x) (legal b x) (<= (legal b y) (true begin))
        (next on) (<= terminal (true off))""",
}
GAMES = {**ENDED, **STUCK, "a goal above 100": HIGH}


@pytest.fixture(params=GAMES)
def game(request, tmp_path):
    """A rulesheet, whether the rules end it, and its file."""
    path = tmp_path / "game.kif"
    path.write_text(GAMES[request.param])
    ended = "high" if GAMES[request.param] == HIGH else request.param in ENDED
    return GAMES[request.param], ended, str(path)


def expected(ended):
    """Rewards of both roles, terminated, truncated."""
    if ended == "high":
        return [0.5, 1.0], True, False
    return ([0.7, 0.3], True, False) if ended else ([0.0, 0.0], False, True)


@pytest.mark.parametrize("role", [0, 1])
def test_gymnasium(game, role):
    """The first step that is called reports the end."""
    pytest.importorskip("gymnasium", reason="the extra gymnasium is not installed")
    from agent.environments.gym import GameEnv

    _, ended, path = game
    env = GameEnv(path, role=role)
    _, info = env.reset(seed=1)
    assert info["action_mask"].shape == (env.action_space.n,)
    _, reward, *over, _ = env.step(int(info["action_mask"].argmax()))
    rewards, *told = expected(ended)
    assert ([reward], over) == ([rewards[role]], told)


def test_gymnasiums_vectors(game):
    """Each game reports its end once a round and restarts in the next step."""
    pytest.importorskip("gymnasium", reason="the extra gymnasium is not installed")
    from agent.environments.vector import GameVectorEnv

    _, ended, path = game
    rewards, *told = expected(ended)
    envs = GameVectorEnv(path, 3)
    _, info = envs.reset(seed=1)
    for _ in range(3):
        _, seen, *over, info = envs.step(info["action_mask"].argmax(axis=1))
        assert seen.tolist() == [rewards[0]] * 3
        assert [each.tolist() for each in over] == [[each] * 3 for each in told]
        _, seen, *over, info = envs.step(info["action_mask"].argmax(axis=1))
        assert not np.any([seen, *over])


def test_pettingzoo_one_after_the_other(game):
    """`last` returns each agent's reward, also if no agent ever moved."""
    pytest.importorskip("pettingzoo", reason="the extra pettingzoo is not installed")
    from agent.environments.zoo import aec_env

    _, ended, path = game
    env = aec_env(path)
    env.reset(seed=1)
    got = {}
    for agent in env.agent_iter():
        seen, reward, terminated, truncated, _ = env.last()
        if terminated or truncated:
            got[agent] = (reward, terminated, truncated)
        env.step(None if terminated or truncated else int(seen["action_mask"].argmax()))
    rewards, *told = expected(ended)
    assert got == {name: (reward, *told) for name, reward in zip("ab", rewards, strict=True)}


def test_pettingzoo_all_at_once(game):
    """Step until the environment reports the end."""
    pytest.importorskip("pettingzoo", reason="the extra pettingzoo is not installed")
    from agent.environments.zoo import parallel_env

    _, ended, path = game
    env = parallel_env(path)
    seen, _ = env.reset(seed=1)
    while env.agents:
        choices = {name: int(own["action_mask"].argmax()) for name, own in seen.items() if own["action_mask"].any()}
        seen, *got, _ = env.step(choices)
    rewards, *told = expected(ended)
    assert [list(each.values()) for each in got] == [rewards, *([each] * 2 for each in told)]


@pytest.mark.parametrize("rules", ["over at the start, without moves", "stuck at the start", "a choice at the end"])
@pytest.mark.parametrize("sampled", [True, False])
def test_pettingzoo_ignores_the_actions_of_a_game_that_is_over_at_the_start(rules, sampled, tmp_path):
    """Sampled actions, of which none may be legal, and omitted ones get the end, as in Gymnasium."""
    pytest.importorskip("pettingzoo", reason="the extra pettingzoo is not installed")
    from agent.environments.zoo import parallel_env

    path = tmp_path / "game.kif"
    path.write_text({**GAMES, "a choice at the end": f"{ROLES} (legal a x) (legal a y) (legal b x) terminal"}[rules])
    env = parallel_env(path)
    seen, _ = env.reset(seed=1)
    actions = {name: env.action_space(name).sample(mask=own["action_mask"]) for name, own in seen.items()}
    _, _, terminated, truncated, _ = env.step(actions if sampled else {})
    stuck = rules == "stuck at the start"
    assert (terminated, truncated) == ({"a": not stuck, "b": not stuck}, {"a": stuck, "b": stuck})
    assert env.agents == []


def test_openspiel(game):
    """It knows no truncation: a game in which a role has no move is worth nothing to anybody."""
    pyspiel = pytest.importorskip("pyspiel", reason="the extra openspiel is not installed")
    import agent.environments.spiel  # noqa: F401 it registers the game

    _, ended, path = game
    state = pyspiel.load_game("ggp", {"rules": path}).new_initial_state()
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    assert state.returns() == expected(ended)[0]
    assert max(state.returns()) <= state.get_game().max_utility()
    pyspiel.random_sim_test(state.get_game(), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("rules", ENDLESS.values(), ids=ENDLESS)
def test_openspiel_gives_up_on_forced_moves_without_an_end(rules, tmp_path):
    """A game in which no role will have a choice again ends with reward 0 instead of continuing forever."""
    pyspiel = pytest.importorskip("pyspiel", reason="the extra openspiel is not installed")
    import agent.environments.spiel  # noqa: F401 it registers the game

    path = tmp_path / "game.kif"
    path.write_text(rules)
    state = pyspiel.load_game("ggp", {"rules": str(path)}).new_initial_state()
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    assert state.returns() == [0.0, 0.0]
    assert state.current_player() == pyspiel.PlayerId.TERMINAL


class First:
    """Plays a move that is legal wherever one is."""

    name = "first"

    def __init__(self, move):
        self.move = move

    async def ask(self, message, seconds):  # noqa: ARG002 as the manager calls it
        return self.move


async def test_a_match(game):
    """It has the goals of a game that the rules end, and none of one that cannot go on."""
    text, ended, _ = game
    machine, move = load(text, "relational"), "go" if ended == "high" else "x"
    setup = MatchSetup("m.1", Rulesheet("game", text), machine, (First(move), First(move)), 1, 1, lambda: 0.0)
    match = ManagedMatch(setup)
    if ended:
        goals = (await match.play()).goals
        assert [goal / machine.points for goal in goals] == expected(ended)[0]
    else:
        with pytest.raises(DeadEndError, match="the role b has no legal move"):
            await match.play()
        assert match.record().goals == ()
        assert match.record().aborted


def test_a_batch_tells_the_two_apart(game):
    """`terminal` says whether the rules ended a game that `ended`."""
    from reasoner.batch import Batch

    text, ended, _ = game
    batch = Batch(load(text, "circuit"), 2, again=False)
    batch.finish()
    assert np.array_equal(batch.ended, [True, True])
    assert np.array_equal(batch.terminal, [bool(ended)] * 2)
