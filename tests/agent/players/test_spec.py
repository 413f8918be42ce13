import re

import pytest

from agent.errors import SpecError
from agent.players.legal import LegalPlayer
from agent.players.mcts import MctsPlayer
from agent.players.options import MctsOptions
from agent.players.random import RandomPlayer
from agent.players.spec import is_of_module, player_factory
from search import SearchOptions


def test_what_a_module_prints_while_it_is_imported_is_no_output_of_the_command(tmp_path, monkeypatch, capsys):
    """The manager reads the first line of an agent, and programs read `--json`."""
    (tmp_path / "chatty.py").write_text(
        "from ggp_agent import Player\nprint('hello')\nclass P(Player):\n    def play(self, game, turn): ...\n"
    )
    monkeypatch.chdir(tmp_path)
    player_factory("chatty:P")
    assert capsys.readouterr() == ("", "hello\n")


@pytest.mark.parametrize(
    ("spec", "kind"),
    [
        ("mcts", MctsPlayer),
        ("mcts:", MctsPlayer),
        ("mcts:simulations=100, exploration=0.4,ponder=no,seed=1", MctsPlayer),
        ("random", RandomPlayer),
        ("random:seed=3", RandomPlayer),
        (" legal ", LegalPlayer),
    ],
)
def test_a_specification_names_a_player(spec, kind):
    make = player_factory(spec)
    assert type(make()) is kind
    assert make() is not make()


def test_every_search_setting_can_be_given():
    given = ",".join(f"{name}={getattr(SearchOptions(), name)}" for name in SearchOptions.__slots__)
    assert player_factory(f"mcts:{given}")()._options == MctsOptions()


def test_players_without_a_seed_differ():
    make = player_factory("mcts")
    assert len({make()._options.seed for _ in range(5)}) > 1


def test_a_class_of_a_module_in_the_current_directory_plays(tmp_path, monkeypatch):
    (tmp_path / "student_player.py").write_text(
        "from agent.players.base import Player\n"
        "class Mine(Player):\n    def play(self, game, turn):\n        return game.legal[0]\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", ["/somewhere", *__import__("sys").path])
    assert type(player_factory("student_player:Mine")()).__name__ == "Mine"


@pytest.mark.parametrize(
    ("spec", "what"),
    [
        (
            "mtcs",
            "'mtcs' is not a player (did you mean mcts?): give mcts, random, legal, mcts:key=value,... or module:Class",
        ),
        ("legal:x=1", "is not a player"),
        ("mcts:explration=1", "unknown setting 'explration' (did you mean exploration?); the settings are simulations"),
        ("mcts:ponder", "unknown setting 'ponder'"),
        ("mcts:ponder=maybe", "ponder must be true or false, not 'maybe'"),
        ("mcts:seed=x", "seed must be a whole number, not 'x'"),
        ("mcts:exploration=-1", "exploration"),
        ("mcts:exploration=1e400", "exploration must be a number, not '1e400'"),
        ("mcts:first_play=1", "unknown setting 'first_play' (did you mean fpu_value?)"),  # a former name
        ("random:sed=1", "did you mean seed?"),
        ("127.0.0.1:9147", "a running player is given as a URL: http://127.0.0.1:9147"),
        ("ftp://host:9147", "the address of a running player begins with http:// or https://"),
        ("http://host:9147", "only matches take addresses"),
        ("localhost:9147/", "a running player is given as a URL: http://localhost:9147/"),
        ("no.such.module:Player", "cannot import no.such.module"),
        ("tests.agent.players.odd:Nothing", "odd has no Nothing; its players: Last, Dies, DiesOnce"),
        ("tests.agent.players.odd:Last:depth=1", "module:Class takes no options"),
        ("tests.agent.players:Last", "tests.agent.players has no Last and no player at all"),
        ("last.py", "'last.py' names a file: write last:Class"),
        ("last.py:Last", "'last.py:Last' names a file: write last:Last"),
        ("tests.agent.players.odd:NotOne", "NotOne is not a subclass of"),
        ("tests.agent.players.odd:WithoutPlay", "WithoutPlay has no method play"),
    ],
)
def test_a_wrong_specification_is_one_clear_message(spec, what):
    with pytest.raises(SpecError, match=re.escape(what)) as error:
        player_factory(spec)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("spec", "own"),
    [
        ("mcts", False),
        ("mcts:threads=2", False),
        ("random", False),
        ("legal", False),
        ("openspiel:mcts", False),
        ("bot:Greedy", True),
        (" a.b:C ", True),
    ],
)
def test_only_a_player_of_somebodys_own_is_one_of_a_module(spec, own):
    """What is watched for coming back are strangers' players; the built-in ones look at the clock."""
    assert is_of_module(spec) is own


def test_a_file_with_the_name_of_a_loaded_module_is_to_be_renamed(tmp_path, monkeypatch):
    (tmp_path / "agent.py").write_text("from ggp_agent import Player\nclass Mine(Player): ...")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SpecError, match=r"agent has no Mine and .*__init__\.py: rename agent\.py of this folder"):
        player_factory("agent:Mine")


def test_a_syntax_error_in_the_module_of_a_player_names_its_line(tmp_path, monkeypatch):
    (tmp_path / "half_written.py").write_text("x = 1\ndef play(:\n")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(
        SpecError, match=r"cannot import half_written: SyntaxError: invalid syntax \(half_written.py, line 2\)"
    ):
        player_factory("half_written:Player")
