"""The facts for drawing a game are collected in bounded time."""

from itertools import count

from agent.worker import viewing
from agent.worker.viewing import first_view
from reasoner.rules.read import read_program

LONG = """
(role left) (role right) (init (at 0)) (legal left go) (legal right wait)
(<= (next (at ?y)) (true (at ?x)) (after ?x ?y)) (<= terminal (true (at 40))) (goal left 100) (goal right 0)
""" + " ".join(f"(after {x} {x + 1})" for x in range(40))


def test_random_games_are_given_up_when_their_time_is_over_however_slow_a_step_is():
    program, _ = read_program(LONG)
    assert first_view(program, 1)["opposed"]
    slow = count()
    told = first_view(program, 1, lambda: next(slow) / 5)
    assert not told["opposed"]
    assert len(told["sample"]) < 10
    assert next(slow) < 40  # looks at the clock, a few for each question


def test_two_roles_that_share_all_points_are_opposed_whatever_the_points():
    """The whole is told, too."""
    program, _ = read_program(LONG)
    assert first_view(program, 1)["points"] == 100
    rules = """(role a) (role b) (init (at 0)) (legal a x) (legal a y) (legal b wait) (pays x 120 50) (pays y 0 170)
        (<= (next (end ?m ?n)) (does a ?move) (pays ?move ?m ?n)) (<= terminal (true (end ?m ?n)))
        (<= (goal a ?m) (true (end ?m ?n))) (<= (goal b ?n) (true (end ?m ?n)))"""
    told = first_view(read_program(rules)[0], 1)
    assert (told["points"], told["opposed"]) == (170, True)


def test_rules_whose_first_position_takes_too_long_are_drawn_by_what_is_known(monkeypatch):
    program, _ = read_program(LONG)
    monkeypatch.setattr(viewing, "QUICK", 0.0)
    told = first_view(program, 1)
    assert (told["sample"], told["possible"], told["kinds"], told["opposed"]) == ([], [], [], False)
