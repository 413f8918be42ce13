"""Measures of games, against values known from theory and from other programs."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import numpy as np
import pytest

from agent.report import measuring
from agent.report.measures import Figure, constant_sum, depth, differs, figures
from agent.report.measuring import measure
from agent.report.play import Played, play
from agent.report.side_by_side import ALONE, Table, table_of
from reasoner import load_text
from reasoner.machine import Machine
from search.solver import Solver
from tests.machines import built

GAMES = Path(__file__).parents[3] / "games"


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """A report of few games, so that it ends long before its time."""
    for name, value in {
        "RANDOM_GAMES": 10,
        "SEARCHED_GAMES": 10,
        "SEARCHED_LEVELS": (2,),
        "ALONE_LEVELS": (2,),
        "DEPTH_LEVELS": (1, 2),
    }.items():
        monkeypatch.setattr(measuring, name, value)
    monkeypatch.setattr(measuring, "load_text", lambda text, **_: built(text))
    monkeypatch.setattr(measuring, "CHUNK", 8)


def machine(name: str) -> Machine:
    return built(GAMES / f"{name}.kif")


def played(game: Machine, games: int, levels: object = 0, seed: int = 1) -> Played:
    size = (games, len(game.roles))
    players = range(len(game.roles))
    return play(table_of(game, games, seed), players, np.broadcast_to(levels, size), True, lambda: False)


def measured(game: Machine, games: int, way: str = "random", levels: object = 0) -> dict[str, Figure]:
    own = figures(played(game, games, levels), game.roles, range(len(game.roles)), game.points, way)
    return {each.name: each for each in own}


def near(figure: Figure, value: float) -> bool:
    """Whether a value is in the interval, widened to twice its size."""
    assert figure.low is not None
    assert figure.high is not None
    return abs(figure.value - value) <= figure.high - figure.low


def test_random_tic_tac_toe_has_its_known_draws_scores_games_and_states():
    """Of 255,168 games, 5,478 states; random play: the first role wins 58.49%, the second 28.81%, draws 12.70%."""
    found = measured(machine("ticTacToe"), 4_096)
    assert near(found["draws"], 0.1270)
    assert near(found["score of cross"], 0.6484)
    assert near(found["score of nought"], 0.3516)
    assert near(found["balance"], 1 - (0.5849 - 0.2881))
    assert near(found["games, 10 to the power of"], np.log10(255_168))
    assert 10 ** found["states seen, 10 to the power of"].value <= 5_478.01
    assert 10 ** found["states, 10 to the power of"].value == pytest.approx(5_478, rel=0.05)
    assert found["unfinished games"].value == 0
    assert found["draws"].count == 4_096


def test_the_first_player_of_random_connect_four_has_its_known_share():
    found = measured(machine("connectFour"), 2_048)
    assert near(next(each for each in found.values() if each.measure == "score"), 0.556)


@pytest.mark.long  # the circuit takes seconds
def test_hex_has_no_draws():
    found = measured(machine("hex"), 512)
    assert found["draws"].value == 0
    assert found["games that one role wins"].value == 1
    assert found["draws"].high is not None
    assert 0 < found["draws"].high < 0.01


def test_a_machine_without_a_circuit_measures_the_same():
    relational = load_text((GAMES / "ticTacToe.kif").read_text(), "relational")
    found = measured(relational, 200)
    assert near(found["score of cross"], 0.6484)
    assert near(found["length in joint moves"], 7.63)


@pytest.mark.parametrize("engine", ["circuit", "relational"])
def test_play_with_search_knows_who_leads(engine: str):
    rules = (GAMES / "ticTacToe.kif").read_text()
    game = built(rules) if engine == "circuit" else load_text(rules, engine)
    found = played(game, 4, 20)
    assert found.terminal.all()
    assert not np.isnan(found.lead_changes).any()
    assert sum(found.chosen.values()) > 0
    assert constant_sum(found, range(2))


def test_more_simulations_are_stronger():
    game = machine("ticTacToe")
    stronger = (np.arange(128)[:, None] + np.arange(2)) % 2 == 0
    found = depth(played(game, 128, np.where(stronger, 60, 2)), range(2), stronger, 60, 2)
    assert found.low is not None
    assert found.low > 0
    assert found.count == 128


def test_figures_differ_only_by_more_than_their_intervals():
    def share(value: float, half: float) -> Figure:
        return Figure("drawishness", "draws", "random", value, value - half, value + half, 100)

    assert differs(share(0.5, 0.02), share(0.6, 0.02))
    assert not differs(share(0.5, 0.08), share(0.6, 0.08))
    assert not differs(share(0.6, 0.08), share(0.5, 0.08))


@pytest.mark.usefixtures("few")
def test_a_report_proves_nim_and_names_what_is_never_used():
    rules = (GAMES / "nim.kif").read_text() + "\n(unheeded thing)"
    found = measure("nim", rules, 600, 0, lambda _: None)
    assert found.kind["zero-sum"] is True
    assert found.kind["order of moves"] == "in turns"
    assert sum(found.kind["proven value"].values()) == 100  # type: ignore[attr-defined]  # a dict
    assert "unheeded" in str(found.rules["unused relations"])


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize("most", [100, 1])
def test_a_report_solves_in_the_memory_that_it_has_and_keeps_the_rest_without(most: int, monkeypatch):
    def fitting(machine, *, memory_mib: int, **given):
        if memory_mib > most:
            raise MemoryError
        return Solver(machine, memory_mib=memory_mib, **given)

    monkeypatch.setattr(measuring, "Solver", fitting)
    found = measure("nim", (GAMES / "nim.kif").read_text(), 600, 0, lambda _: None)
    assert len({each.play for each in found.figures}) > 1
    assert ("proven value" in found.kind) == (most == 100)
    assert any("solving: more was not measured" in note for note in found.notes) == (most == 1)


@pytest.mark.usefixtures("few")
def test_an_interrupted_report_has_what_is_known():
    def tell(step: str) -> None:
        if step == "solving":
            raise KeyboardInterrupt

    found = measure("ticTacToe", (GAMES / "ticTacToe.kif").read_text(), 600, 0, tell)
    assert {each.play for each in found.figures} == {"random"}
    assert any("interrupted" in note for note in found.notes)


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize(
    ("name", "expected"),
    [("hiddenCoin", "do not see"), ("lightsOut", "")],
)
def test_every_kind_of_game_is_measured_and_what_is_not_has_its_reason(name: str, expected: str):
    found = measure(name, (GAMES / f"{name}.kif").read_text(), 600, 0, lambda _: None)
    assert any(each.measure == "score" for each in found.figures)
    assert any(expected in note for note in found.notes) or not expected


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize(
    ("name", "value"), [("goofspiel", {"left": 50, "right": 50}), ("diceRace", {"red": 55.217, "blue": 44.783})]
)
def test_small_games_with_chance_or_simultaneous_moves_have_a_proven_value(name: str, value: dict[str, float]):
    found = measure(name, (GAMES / f"{name}.kif").read_text(), 600, 0, lambda _: None)
    assert {role: found.kind["proven value"][role] for role in value} == pytest.approx(value, abs=1e-3)


@pytest.mark.usefixtures("few")
def test_rules_in_which_a_role_never_has_a_move_are_measured():
    rules = """
    (role a) (role b) (init i) (legal a x) (legal a y) (<= (legal b z) (true never)) (<= (next i) (true i))
    (<= terminal (true j)) (goal a 100) (goal b 0)
    """
    found = measure("stuck", rules, 600, 0, lambda _: None)
    assert found.seconds > 0


@pytest.mark.usefixtures("few")
def test_rules_whose_only_role_is_chance_are_measured_in_random_play():
    rules = """
    (role random) (legal random x) (legal random y) (init (s 0)) (<= (next (s 1)) (true (s 0)))
    (<= terminal (true (s 1))) (goal random 50)
    """
    found = measure("chance", rules, 600, 0, lambda _: None)
    assert {each.play for each in found.figures} == {measuring.RANDOM_PLAY}
    assert found.notes == ["neither solved nor played with search: the only role is chance"]


def test_a_game_without_a_circuit_and_with_no_time_at_all_is_reported(monkeypatch: pytest.MonkeyPatch):
    """No random game gets to its first move, so that their mean length is 0. No search is timed for what comes last."""
    timed = count()
    cost = measuring._Measurement._cost
    monkeypatch.setattr(measuring._Measurement, "_cost", lambda *given: (next(timed), cost(*given))[1])
    monkeypatch.setattr(measuring, "load_text", lambda text, **_: load_text(text, "relational"))
    found = measure("nim", (GAMES / "nim.kif").read_text(), 1e-9, 0, lambda _: None)
    assert next(each.value for each in found.figures if each.measure == "duration") == 0
    assert any("no time for" in note for note in found.notes)
    assert next(timed) == 2  # of the play with search: with several games at once, and with one


def test_no_move_is_made_where_a_role_has_none_at_the_start_whatever_the_engine():
    rules = """
    (role a) (role b) (init i) (legal a x) (legal a y) (<= (legal b z) (true never)) (<= (next i) (true i))
    (<= terminal (true j)) (goal a 100) (goal b 0)
    """
    for engine in ("circuit", "relational"):
        table = table_of(load_text(rules, engine), 3, 0)
        assert table.ended.all()
        assert not table.terminal.any()


TIC_TAC_TOE = (GAMES / "ticTacToe.kif").read_text()


@pytest.mark.usefixtures("few")
def test_a_game_too_long_for_many_at_once_is_searched_one_game_at_a_time(monkeypatch: pytest.MonkeyPatch):
    """As chess is: a circuit whose games together would exceed the time of any measurement."""
    monkeypatch.setattr(measuring._Measurement, "_cost", lambda _, __, chunk: 1e-9 if chunk == ALONE else 1e9)
    monkeypatch.setattr(measuring, "DEPTH_GAMES", 4)
    found = measure("ticTacToe", TIC_TAC_TOE, 600, 0, lambda _: None)
    counts = {(each.measure, each.play): each.count for each in found.figures}
    assert counts["duration", "2 simulations"] >= 10
    assert counts["depth", "1 and 2"] >= 4
    assert not any("did not end" in note for note in found.notes)


@pytest.mark.usefixtures("few")
def test_a_puzzle_is_always_searched_by_the_tree_alone(monkeypatch: pytest.MonkeyPatch):
    """The search of a single game of one role solves it by other methods, so its simulations are no measure."""
    monkeypatch.setattr(measuring._Measurement, "_cost", lambda *_: 1e9)
    asked = []
    monkeypatch.setattr(measuring, "table_of", lambda *given: asked.append(given[3]) or table_of(*given))
    measure("lightsOut", (GAMES / "lightsOut.kif").read_text(), 600, 0, lambda _: None)
    assert asked
    assert ALONE not in asked


@pytest.mark.usefixtures("few")
def test_games_that_time_cuts_off_are_counted_and_have_no_score(monkeypatch: pytest.MonkeyPatch):
    def cut_off(table: Table, players: object, levels: np.ndarray, *more: object) -> Played:
        stops = iter((False, False, False, True))
        return play(table, players, levels, more[0], (lambda: next(stops)) if levels.any() else more[1])

    monkeypatch.setattr(measuring, "play", cut_off)
    found = measure("ticTacToe", TIC_TAC_TOE, 600, 0, lambda _: None)
    own = {each.measure: each for each in found.figures if each.play == "2 simulations"}
    assert own["timeouts"].value == 1
    assert own["duration"].value == 3
    assert not {"score", "drawishness", "balance"} & own.keys()
    said = f"play with 2 simulations: {own['timeouts'].count} of {own['timeouts'].count} games did not end in the time"
    assert any(note.startswith(said) for note in found.notes)


def test_few_games_have_wide_intervals():
    """Two games give no interval of a mean, and never a certain balance."""
    found = measured(machine("ticTacToe"), 2)
    assert (found["length in joint moves"].low, found["length in joint moves"].high) == (None, None)
    assert found["balance"].high - found["balance"].low > 0.4
