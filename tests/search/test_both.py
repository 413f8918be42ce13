"""What the search in Python and the native one share; each test runs with games of both."""

from __future__ import annotations

import threading
from math import inf
from typing import Any

import pytest

from search import NoLegalMoveError
from tests.search.games import Chase, Gamble, Line, Matrix, Nim, Slide, Stuck, Walk
from tests.search.helpers import after, played, searching, step, thought, value
from tests.search.native.rulesheets import CIRCLE, DICE, PENNIES, STUCK, machine

FOUR = Line(4, 4, 3)


def game_of(given: Any) -> Any:
    """A game in Python, or the circuit of a rulesheet."""
    return machine(given) if isinstance(given, str) else given


@pytest.mark.parametrize(
    ("given", "role"),
    [
        (Line(3, 3, 3), 0),
        (Gamble({"a": [1, 2], "b": [3]}), 1),
        (Chase(), 0),
        *((rules, 0) for rules in ("connectFour", "goofspiel", "eightPuzzle", PENNIES, DICE)),
    ],
)
def test_best_is_legal_before_any_thinking(given: Any, role: int) -> None:
    game = game_of(given)
    assert searching(game, role).best() in game.legal(game.initial())[role]


@pytest.mark.parametrize("given", [FOUR, "connectFour"])
def test_a_fixed_number_of_simulations_is_done_once_a_position(given: Any) -> None:
    search = thought(game_of(given), simulations=500)
    assert search.report().simulations == 500
    assert sum(move.visits for move in search.report().moves) == 500
    search.think(inf)
    assert search.report().simulations == 500


@pytest.mark.parametrize(
    "given",
    [
        FOUR,
        Matrix({(a, b): (50, 50) for a in "abc" for b in "abc"}),
        Nim(5, 6),
        *("connectFour", "goofspiel", "diceRace", "lightsOut", "breakthrough"),
    ],
)
def test_the_same_seed_gives_the_same_search(given: Any) -> None:
    first, second = (thought(game_of(given), simulations=400, seed=7).report() for _ in range(2))
    assert first.moves == second.moves
    assert first.principal_variation == second.principal_variation
    assert first.playouts == second.playouts


@pytest.mark.parametrize(("given", "pending"), [(Line(4, 4, 4), 2), ("connectFour", 40)])
def test_what_is_known_is_kept_on_advance(given: Any, pending: int) -> None:
    game = game_of(given)
    search = thought(game, simulations=2_000)
    report = search.report()
    move = report.moves[0]
    step(game, search, game.initial(), str(move.move))
    kept = search.report()
    assert kept.moves[0].visits == pytest.approx(move.visits, abs=pending)
    assert kept.simulations == kept.playouts == 0
    assert 1 < kept.nodes < report.nodes or given == "connectFour"  # the native search frees nodes when it needs them


@pytest.mark.parametrize(("given", "simulations"), [(Nim(3, 4, 5), 20_000), ("connectFour", 3_000)])
def test_the_lines_are_legal_and_the_first_is_the_expected_one(given: Any, simulations: int) -> None:
    game = game_of(given)
    report = thought(game, simulations=simulations).report()
    assert report.variations[0] == report.principal_variation
    for variation in report.variations:
        state = game.initial()
        for joint in variation:
            assert all(move in own for move, own in zip(joint, game.legal(state), strict=True))
            state = game.next(state, joint)
    assert len(report.variations) == len({line[0] for line in report.variations}) == 3
    assert len(report.principal_variation) >= 3


@pytest.mark.parametrize("given", [Stuck(), STUCK])
def test_a_role_without_a_legal_move_is_named_in_the_error(given: Any) -> None:
    game = game_of(given)
    search = searching(game, 1, after(game, "stop"))
    search.think(inf)
    with pytest.raises(NoLegalMoveError, match="right"):
        search.best()


def test_a_state_where_a_role_has_no_move_counts_as_ended_with_its_goals() -> None:
    search = thought(machine(STUCK), simulations=200)
    assert search.solved
    assert str(search.best()) == "stop"
    assert value(search.report(), "stop") == 80


@pytest.mark.parametrize(
    ("given", "role", "best", "values"),
    [
        (Gamble({"high": [0, 0, 100], "even": [45, 45], "sure": [40]}), 1, "even", {"high": 100 / 3, "even": 45}),
        (DICE, 0, "high", {"high": 95, "low": 10}),
    ],
)
def test_a_die_is_worth_its_expectation(given: Any, role: int, best: str, values: dict[str, float]) -> None:
    search = thought(game_of(given), role, simulations=500)
    assert search.solved
    assert str(search.best()) == best
    assert {move: value(search.report(), move) for move in values} == pytest.approx(values)


@pytest.mark.parametrize(
    ("given", "simulations"),
    [
        *((Slide(3, 3, 30, 14, seed), 1_500) for seed in range(4)),
        (Walk(10), 800),
        *((rules, 3_000) for rules in ("eightPuzzle", "hanoi", "lightsOut", CIRCLE)),
    ],
)
def test_one_player_alone_finds_the_way_and_goes_it(given: Any, simulations: int) -> None:
    assert played(game_of(given), simulations=simulations) == 100


@pytest.mark.parametrize("given", [Slide(3, 2, 30, 12, 1), "eightPuzzle"])
def test_a_line_once_found_is_followed_without_thinking(given: Any) -> None:
    game = game_of(given)
    search, state = thought(game, simulations=5_000), game.initial()
    while not game.terminal(state):
        assert search.solved
        search.commit(search.best())
        state = step(game, search, state, str(search.best()))
        search.think(inf)
        assert search.report().simulations == 0
    assert game.goal(state) == (100,)


@pytest.mark.parametrize("given", [Slide(3, 2, 30, 12, 1), "lightsOut"])
def test_leaving_the_line_forgets_it(given: Any) -> None:
    game = game_of(given)
    search = thought(game, simulations=5_000)
    assert search.solved
    other = next(move for move in game.legal(game.initial())[0] if move != search.best())
    step(game, search, game.initial(), str(other))
    assert not search.solved


@pytest.mark.parametrize(("given", "nodes"), [(Line(4, 4, 4), 64), ("connectFour", 200), ("goofspiel", 200)])
def test_nodes_stay_below_their_limit_and_thinking_continues(given: Any, nodes: int) -> None:
    game = game_of(given)
    report = thought(game, simulations=3_000, max_nodes=nodes).report()
    assert report.nodes <= nodes
    assert report.simulations == 3_000
    assert len(report.moves) == len(game.legal(game.initial())[0])


@pytest.mark.parametrize("given", [FOUR, "connectFour"])
def test_best_and_report_may_be_asked_for_while_another_thread_thinks(given: Any) -> None:
    game = game_of(given)
    search, legal, over = searching(game, memory_mib=8), game.legal(game.initial())[0], threading.Event()
    thinker = threading.Thread(target=search.think, args=(inf, over.is_set))
    thinker.start()
    try:
        for _ in range(200):
            assert search.best() in legal
            assert len(search.report().moves) == len(legal)
    finally:
        over.set()
        thinker.join()
