"""Random games show ends that a proof search does not visit."""

from __future__ import annotations

from agent.gamemaster.games import bundled_game
from search.solve import solve
from search.solver import Solver, with_opposed_ends
from tests.machines import built

SUMS = """
(role a) (role b) (init (control a))
(<= (legal a win) (true (control a))) (<= (legal a share) (true (control a)))
(<= (legal b noop) (true (control a))) (<= (legal b give) (true (control b))) (<= (legal a noop) (true (control b)))
(<= (next won) (does a win)) (<= (next (control b)) (does a share)) (<= (next shared) (true (control b)))
(<= terminal (true won)) (<= terminal (true shared))
(<= (goal a 100) terminal) (<= (goal b 0) (true won)) (<= (goal b 100) (true shared)) (<= (goal a 0) (not terminal))
"""


def test_an_end_that_the_proof_does_not_need_shows_that_roles_are_not_opposed():
    """The first role wins at once, so the search never sees the end at which both roles get 100."""
    found = solve(built(SUMS), seconds=60, memory_mib=1)
    assert found.goals is None
    assert found.bounds == ((100, 100), (0, 100))


def test_random_games_of_opposed_roles_are_accepted():
    assert with_opposed_ends(Solver(built(bundled_game("nim").text), memory_mib=1)).run(60)
