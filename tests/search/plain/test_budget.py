"""Time: a clock that only machine calls move shows to the microsecond what a search would have taken."""

from __future__ import annotations

from itertools import pairwise
from math import inf
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from search import SearchOptions
from search.plain.budget import MAX_PLAYOUTS, Budget, Pace
from search.plain.search import PlainSearch
from tests.clocks import FakeClock
from tests.search.games import Costly, Gamble, Line, Matrix, Nim, PythonGame, Slide

GAMES: list[tuple[PythonGame, int]] = [
    (Line(3, 3, 3), 0),
    (Line(5, 4, 4, gravity=True), 1),
    (Nim(9, 9, 9), 0),
    (Slide(3, 3, 40, 30, 5), 0),
    (Gamble({"a": [0, 100], "b": [50, 60]}), 1),
    (Matrix({(row, column): (50, 50) for row in "abc" for column in "abc"}), 0),
]


def costly(game: PythonGame, **prices: float) -> tuple[Costly, FakeClock]:
    clock = FakeClock()
    return Costly(game, clock, prices), clock


def a_search(machine: Any, clock: FakeClock, role: int = 0, **options: Any) -> PlainSearch:
    return PlainSearch(machine, role, machine.initial(), SearchOptions(**options), clock)


@settings(max_examples=60)
@given(
    st.sampled_from(GAMES),
    st.floats(0.001, 0.05),
    st.fixed_dictionaries({name: st.floats(0.5, 2) for name in ("legal", "next", "terminal", "goal", "step")}),
    st.lists(st.floats(0.05, 3), min_size=1, max_size=4),
)
@example(GAMES[0], 0.035, {"legal": 1.5, "next": 1.0, "terminal": 1.5, "goal": 1.0, "step": 1.0}, [0.56])
def test_no_deadline_is_passed_whatever_the_calls_cost(
    game: tuple[PythonGame, int], unit: float, shares: dict[str, float], times: list[float]
) -> None:
    machine, clock = costly(game[0], playouts=unit / 10, **{name: unit * share for name, share in shares.items()})
    search = a_search(machine, clock, role=game[1])
    for seconds in times:
        deadline = clock.now() + seconds
        search.think(deadline)
        assert clock.now() <= deadline
        assert search.best() in machine.game.legal(machine.game.start)[game[1]]


class Endless(PythonGame):
    """A role that turns left or right for ever. State: how often."""

    roles = ("player",)

    def words(self, _state: Any) -> list[list[str]]:
        return [["left", "right"]]

    def follow(self, state: Any, _words: tuple[str, ...]) -> Any:
        return state + 1

    def over(self, _state: Any) -> bool:
        return False

    def reward(self, _state: Any) -> tuple[int | None, ...]:
        return (50,)

    def initial(self) -> Any:
        return 0


@pytest.mark.parametrize("step", [0.00003, 0.0001, 0.0003])
def test_no_deadline_is_passed_where_no_random_game_ends(step: float) -> None:
    """The first costs come from playouts of some steps."""
    machine, clock = costly(Endless(), step=step)
    search = a_search(machine, clock)
    for seconds in (20 * step, 3_000 * step, 15_000 * step, 50_000 * step):
        deadline = clock.now() + seconds
        search.think(deadline)
        assert clock.now() <= deadline


def test_most_of_the_time_is_used() -> None:
    machine, clock = costly(Line(5, 4, 4, gravity=True), step=0.0002, next=0.0002, legal=0.0002, terminal=0.0001)
    search = a_search(machine, clock)
    deadline = clock.now() + 2
    search.think(deadline)
    assert deadline - clock.now() < 0.1
    assert search.report().simulations > 100


def test_a_playout_longer_than_the_whole_budget_is_cut_and_moves_are_compared() -> None:
    # a game takes some 18 steps: 9 s, of 4 s there are
    machine, clock = costly(Line(5, 4, 4, gravity=True), step=0.5, next=0.01, legal=0.01, terminal=0.01)
    search = a_search(machine, clock)
    deadline = clock.now() + 4
    search.think(deadline)
    assert clock.now() <= deadline
    assert search.report().simulations >= 3


def test_no_machine_call_is_made_where_not_even_one_fits() -> None:
    machine, clock = costly(Line(3, 3, 3), legal=1.0, terminal=0.1)
    search = a_search(machine, clock)
    machine.calls.clear()
    search.think(clock.now() + 2)
    assert machine.calls == {}
    assert search.best() in machine.game.legal(machine.game.start)[0]


def test_one_slow_moment_is_forgotten_after_some_thinks() -> None:
    machine, clock = costly(Line(4, 4, 4), step=0.0001, next=0.0001)
    search = a_search(machine, clock)
    search.think(clock.now() + 0.5)
    machine.prices["next"] = 5.0
    search.think(clock.now() + 0.5)
    machine.prices["next"] = 0.0001
    done = []
    for _ in range(12):
        before = search.report().simulations
        search.think(clock.now() + 0.5)
        done.append(search.report().simulations - before)
    assert done[0] == 0
    assert done[-1] > 10


def test_a_price_that_forbade_thinking_is_measured_again_at_the_next_position() -> None:
    machine, clock = costly(Line(4, 4, 4), step=0.0001, next=9.0)
    search = a_search(machine, clock)
    search.think(clock.now() + 0.5)
    assert search.report().simulations == 0
    machine.prices["next"] = 0.0001
    joint = [own[0] for own in machine.game.legal(machine.game.start)]
    search.advance(joint, machine.game.next(machine.game.start, joint))
    search.think(clock.now() + 0.5)
    assert search.report().simulations > 10


def test_a_first_call_that_compiles_is_not_a_price() -> None:
    machine, clock = costly(Line(4, 4, 4), step=0.0001, legal=0.1, next=0.2, terminal=0.1, playouts=0.1)
    machine.first_only = True
    search = a_search(machine, clock)
    search.think(clock.now() + 0.3)
    assert search.report().simulations > 10


def test_a_stop_is_heard_soon_however_long_playouts_are() -> None:
    machine, clock = costly(Line(5, 4, 4, gravity=True), step=0.1, next=0.01, legal=0.01, terminal=0.01)
    search = a_search(machine, clock)
    heard: list[float] = []

    def stop() -> bool:
        heard.append(clock.now())
        return len(heard) > 30

    search.think(inf, stop)
    assert max(later - earlier for earlier, later in pairwise(heard[2:])) < 0.5


@pytest.mark.parametrize(("playout", "count"), [(2e-6, 25), (0.5, 1), (1e-9, MAX_PLAYOUTS)])
def test_playouts_of_a_leaf_cost_about_as_much_as_the_rest(playout: float, count: int) -> None:
    pace = Pace()
    pace.rest.note(50e-6)
    pace.note_playouts(playout, 20, 1)
    assert pace.playouts == pytest.approx(count, abs=1)


def test_a_moment_without_a_processor_costs_no_playouts_of_a_fast_machine() -> None:
    pace = Pace()
    for _ in range(100):
        pace.note_playouts(100e-6, 20, 1)
    pace.note_playouts(0.03, 20, 1)  # 30 ms instead of 0.1 ms
    budget = Budget(pace, 0.0, 0.4)
    assert budget.count(0.0, 8) == 1  # where a leaf has one playout, nothing is known but that it can take so long
    pace.rest.note(0.01)
    assert budget.count(0.0, 8) == 8


def test_playouts_grow_as_soon_as_they_are_cheap() -> None:
    machine, clock = costly(Line(4, 4, 4), step=0.01, next=0.0001)
    search = a_search(machine, clock)
    search.think(clock.now() + 0.5)
    assert 0 < search.report().playouts <= search.report().simulations
    machine.prices["step"] = 1e-6
    for _ in range(3):
        search.think(clock.now() + 0.02)
    assert search.report().playouts > 2 * search.report().simulations


def test_stop_is_asked_before_each_simulation() -> None:
    machine, clock = costly(Line(5, 4, 4), step=0.001)
    search = a_search(machine, clock)
    asked = 0

    def stop() -> bool:
        nonlocal asked
        asked += 1
        return asked > 25

    search.think(inf, stop)
    assert asked == 26
    assert 20 <= search.report().simulations <= 25
