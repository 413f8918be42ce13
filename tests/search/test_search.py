"""The handle: begin, think, commit, advance, best, report."""

from __future__ import annotations

from math import inf

import pytest

from search import SearchError, SearchOptions
from search.plain.search import PlainSearch
from tests.clocks import FakeClock
from tests.search.games import NOOP, Costly, Line, Nim
from tests.search.helpers import after, searching, thought, visits


def test_best_makes_no_machine_call() -> None:
    clock = FakeClock()
    machine = Costly(Line(3, 3, 3), clock, {})
    search = PlainSearch(machine, 0, machine.initial(), SearchOptions(), clock)
    machine.calls.clear()
    search.best()
    search.report()
    assert machine.calls == {}


def test_a_role_with_one_move_is_forced() -> None:
    search = searching(Line(3, 3, 3), role=1)
    assert search.forced
    assert str(search.best()) == NOOP
    assert not searching(Line(3, 3, 3), role=0).forced


def test_a_state_that_was_never_seen_is_begun_again() -> None:
    game = Line(4, 4, 4)
    search = thought(game, simulations=50)
    far = after(game, "0", "1", "2", "3")
    search.advance((), far)
    assert search.report().nodes == 1
    assert search.best() in game.legal(far)[0]


def test_thinking_after_a_commitment_goes_to_what_follows_it() -> None:
    game = Line(4, 4, 4)
    search = thought(game, simulations=300)
    move = search.best()
    before = visits(search.report(), str(move))
    search.commit(move)
    search._mcts.simulations = 0
    search.think(inf)
    assert search.best() == move
    joint = (move, game.legal(game.start)[1][0])
    search.advance(joint, game.next(game.start, joint))
    assert search.report().moves[0].visits >= before - 2 + 300


def test_a_commitment_to_a_move_that_is_not_legal_changes_nothing() -> None:
    game = Line(3, 3, 3)
    search = thought(game, simulations=50)
    search.commit(Line(9, 9, 9).legal("." * 81)[0][80])
    assert search._start is search._root
    search.commit(game.legal(game.start)[0][3])
    assert search._start is not search._root


def test_a_solved_position_is_played_without_search() -> None:
    search = thought(Nim(1, 2), simulations=5_000)
    done = search.report().simulations
    assert search.solved
    search.think(inf)
    assert search.report().simulations == done


def test_the_report_contains_every_legal_move_and_the_expected_line() -> None:
    report = thought(Nim(3, 4, 5), simulations=20_000).report()
    assert len(report.moves) == 12
    visits = [move.visits for move in report.moves[1:]]
    assert visits == sorted(visits, reverse=True)
    assert [str(move) for move in report.principal_variation[0]] == ["0-2", NOOP]
    assert all(0 <= move.value <= 100 for move in report.moves)


def test_the_report_of_a_forced_role_tells_what_it_can_expect() -> None:
    report = thought(Nim(3, 4, 5), role=1, simulations=20_000).report()
    assert [(str(move.move), move.value, move.proven) for move in report.moves] == [(NOOP, 0.0, True)]


def test_a_position_where_the_game_is_over_ends_thinking() -> None:
    game = Line(3, 3, 3)
    search = searching(game, state="xxxoo....")
    search.think(inf)
    assert search.solved
    assert search.report().principal_variation == ()


def test_a_role_that_does_not_exist_is_refused() -> None:
    with pytest.raises(SearchError, match="role 2"):
        searching(Line(3, 3, 3), role=2)
