"""What study found of a game, in the hands of the player."""

from __future__ import annotations

from pathlib import Path

import pytest
from structlog.testing import capture_logs

from agent.players.base import Game, Turn
from agent.players.mcts import MctsPlayer
from agent.players.options import MctsOptions
from agent.players.spec import player_factory
from search import MonotonicClock
from search.minimax.lesson import Lesson
from search.minimax.search import MinimaxSearch
from search.network.storage import Model, save
from tests.machines import built
from tests.search.minimax.test_minimax import BREAKTHROUGH, lesson_of_breakthrough
from tests.search.native.rulesheets import machine
from tests.search.network.nets import network_by_hand


def studied(game: str = "ticTacToe") -> Model:
    network = network_by_hand(machine(game).circuit, [0.5, 0.5], lambda move: 9.0 if move == "(mark 3 3)" else 0.0)
    return Model(network, 0.25, 2.0, {"games": 12})


class StudiedGame(Game):
    """A game of which something is found once it has been asked for so many times."""

    def __init__(self, after: int = 0, game: str = "ticTacToe") -> None:
        super().__init__(machine(game), 0)
        self.asked = 0
        self._after, self._game = after, game

    def studied(self) -> Model | None:
        self.asked += 1
        return studied(self._game) if self.asked > self._after else None


def played(player: MctsPlayer, game: Game | None = None) -> tuple[str, dict[str, object], list[dict[str, object]]]:
    """The first move of ticTacToe, the player's figures, and what it logged of networks."""
    clock, game = MonotonicClock(), game or Game(machine("ticTacToe"), 0)
    with capture_logs() as logs:
        move = player.play(game, Turn(clock.now() + 60, clock))
    return str(move), dict(player.report()), [line for line in logs if line["event"] == "network"]


def options(**given: object) -> MctsOptions:
    return MctsOptions(**{"simulations": 60, "memory_mib": 16, "seed": 1, **given})  # type: ignore[arg-type]


def test_a_network_of_a_file_is_searched_with_and_told_in_log_and_report(tmp_path: Path) -> None:
    save(tmp_path / "t.npz", studied())
    _, figures, logs = played(MctsPlayer(options(network=str(tmp_path / "t.npz"))))
    assert figures["network"] == "weight 0.25, prior 2"
    assert logs[0]["about"] == {"games": 12}


def test_the_network_of_a_game_is_looked_up_once_and_its_absence_is_not_logged() -> None:
    game = StudiedGame()
    player = MctsPlayer(options())
    _, figures, _ = played(player, game)
    player.changed(game)
    _, again, _ = played(player, game)
    assert game.asked == 1
    assert figures["network"] == again["network"] == "weight 0.25, prior 2"
    _, without, logs = played(MctsPlayer(options()))
    assert "network" not in without
    assert logs == []


def test_what_is_found_while_the_search_continues_is_taken_up() -> None:
    game = StudiedGame(2, "breakthrough")
    player = MctsPlayer(options(simulations=0))
    clock = MonotonicClock()
    player.start(game, Turn(clock.now() + 60, clock, lambda: game.asked > 3))
    assert game.asked == 4
    assert player.report()["network"] == "weight 0.25, prior 2"


def test_a_player_may_be_told_to_use_nothing_that_is_kept() -> None:
    game = StudiedGame()
    _, figures, _ = played(MctsPlayer(options(knowledge=False)), game)
    assert game.asked == 0
    assert "network" not in figures
    assert player_factory("mcts:knowledge=false")()


@pytest.mark.parametrize(
    ("name", "says"), [("missing.npz", "cannot read"), ("other.npz", "the network is for a game with the roles")]
)
def test_a_file_that_does_not_fit_is_told_once_and_the_game_is_played_without(
    tmp_path: Path, name: str, says: str
) -> None:
    save(tmp_path / "other.npz", studied("breakthrough"))
    move, figures, logs = played(MctsPlayer(options(network=str(tmp_path / name))))
    assert [line["error"].count(says) for line in logs if line["log_level"] == "error"] == [1]  # type: ignore[attr-defined]
    assert move.startswith("(mark ")
    assert "network" not in figures


def test_a_file_of_a_network_is_a_setting_of_the_player() -> None:
    assert isinstance(player_factory("mcts:network=some.npz")(), MctsPlayer)


class TaughtGame(Game):
    """Breakthrough with an evaluation that is found once it has been asked for so many times."""

    def __init__(self, after: int = 0) -> None:
        super().__init__(built(BREAKTHROUGH), 0)
        self.asked = 0
        self._after = after

    def lesson(self) -> Lesson | None:
        self.asked += 1
        return lesson_of_breakthrough()._replace(playouts=1.0) if self.asked > self._after else None


@pytest.mark.parametrize("after", [0, 2])
def test_a_studied_evaluation_is_used_instead_of_learning_one(monkeypatch: pytest.MonkeyPatch, after: int) -> None:
    """Also if it is found only while the search learns."""
    monkeypatch.setattr("search.minimax.start_learning.all_kept", lambda _: True)
    game, player, clock = TaughtGame(after), MctsPlayer(options(simulations=0, threads=2)), MonotonicClock()
    player.start(game, Turn(clock.now() + 60, clock, lambda: game.asked > after))
    search = player._search
    assert search is not None
    assert isinstance(search._thinker, MinimaxSearch)
    assert search._learning is None
    assert search.lesson is not None
    assert search.lesson.playouts == 2.0


def test_a_studied_evaluation_is_not_used_where_none_would_be_learned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("search.minimax.start_learning.all_kept", lambda _: True)
    for given in ({"simulations": 5}, {"knowledge": False, "simulations": 5}):
        player = MctsPlayer(options(**given))
        played(player, TaughtGame())
        assert player._search is not None
        assert player._search.lesson is None
