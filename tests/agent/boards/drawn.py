"""Positions of rules played at random, as the page draws them."""

from __future__ import annotations

import sys
from itertools import takewhile

from agent.boards.find_boards import layouts_of
from agent.boards.look import look_of
from agent.page.history import MatchLog, Moment
from agent.page.match_views import position
from agent.worker.probe import sample
from agent.worker.viewing import first_view
from agent.worker.worker_messages import Position
from reasoner import load
from reasoner.rules.read import read_program

TRIES = 5


def drawn_rules(rules: str, title: str = "shown", steps: int = 24):
    """The picture of a position of a random game, at most so many joint moves into it."""
    program, _ = read_program(rules)
    views = (first_view(program, 3) for _ in range(TRIES))  # on a busy machine there may be no time for games
    first = Position(0, (), (), False, None, **next((view for view in views if view["sample"]), {}))
    log = MatchLog("shown", title, 0.0, 1, 1, tuple(map(str, program.roles)))
    log.may_hold(first)
    game = list(takewhile(lambda one: one[0] or one is first.sample[0], first.sample))[:steps]
    for step, (joint, facts) in enumerate(game):
        log.reach(step, Moment(tuple(joint), tuple(facts), 0.0))
    return position(log)["picture"]


def looked(rules, author=None):
    """A game's look, its first facts and its sample, from what a referee's process would tell."""
    machine = load(rules, engine="relational")
    seen = sample(machine, 1)
    first = seen.positions[0][1]
    layouts = layouts_of(first, [], seen.positions, seen.orders, seen.nets)
    return look_of(layouts, first, machine.roles, seen.positions, seen.links, author), first, seen


def calls_of(task):
    """The number of Python calls that a task makes: its work, on a machine of any speed."""
    made = 0

    def count(_frame, event, _argument):
        nonlocal made
        made += event == "call"

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        task()
    finally:
        sys.setprofile(before)
    return made
