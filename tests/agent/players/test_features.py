from dataclasses import replace

import pytest

from agent.errors import SettingsError
from agent.players.base import Game, Turn
from agent.players.features import features_from
from agent.players.mcts import MctsPlayer
from agent.players.options import MctsOptions
from agent.players.spec import player_factory
from search import MonotonicClock
from tests.search.native.rulesheets import machine

GOOD = """
[[feature]]
name = "blanks"
conjunction = "(true (cell ?x ?y b))"
variables = ["?x", "?y"]
weights = [1, -1]
"""


def test_a_file_of_features_is_read(tmp_path):
    (tmp_path / "f.toml").write_text(GOOD)
    (feature,) = features_from(str(tmp_path / "f.toml"), machine("ticTacToe"))
    assert (feature.name, len(feature.terms), feature.weights) == ("blanks", 9, (1.0, -1.0))


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("[[feature]]", "[feature", "TOML"),
        ("[[feature]]", "[[other]]", "tables"),
        ("weights = [1, -1]", "weights = [1]", "2 numbers"),
        ("name =", "nome =", "no other keys"),
        ('["?x", "?y"]', '"?x"', "list of texts"),
    ],
)
def test_a_wrong_file_is_told_with_what_to_give(tmp_path, old, new, says):
    (tmp_path / "f.toml").write_text(GOOD.replace(old, new))
    with pytest.raises(SettingsError, match=says):
        features_from(str(tmp_path / "f.toml"), machine("ticTacToe"))


@pytest.mark.parametrize("features", ["", "good", "missing"])
def test_a_player_with_a_cut_off_reports_how_well_its_evaluation_fits(tmp_path, features):
    """Also where its file of features is not to be had: it takes those of the rules then."""
    (tmp_path / "good").write_text(GOOD)
    clock, game = MonotonicClock(), Game(machine("ticTacToe"), 0)
    path = str(tmp_path / features) if features else ""
    player = MctsPlayer(MctsOptions(cutoff=2, features=path, simulations=50, memory_mib=16, seed=1))
    assert player.play(game, Turn(clock.now() + 60, clock)) in game.legal
    assert len(str(player.report()["r2"]).split()) == 2


def test_cutoff_and_features_are_settings_of_the_player():
    assert isinstance(player_factory("mcts:cutoff=8,features=some.toml")(), MctsPlayer)


def test_an_evaluation_that_says_little_of_random_games_is_not_used():
    """Unless its features were given."""
    clock, game = MonotonicClock(), Game(machine("ticTacToe"), 0)
    player = MctsPlayer(MctsOptions(cutoff=2, simulations=5, memory_mib=16, seed=1))
    player.play(game, Turn(clock.now() + 60, clock))
    for r2, used in ((0.05, False), (0.2, True)):
        player._evaluation = replace(player._evaluation, r2=[r2, 0.0])
        assert (player._trusted(game) is not None) == used
    player._features, player._evaluation = "some.toml", replace(player._evaluation, r2=[0.0, 0.0])
    assert player._trusted(game) is not None
