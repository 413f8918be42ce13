"""Find in the current process, from the rules, how a game is drawn; for boards outside the page."""

from __future__ import annotations

from msgspec.structs import replace

from agent.boards.look import Look
from agent.page.history import MatchLog, Moment
from agent.worker.term_text import view_of
from agent.worker.viewing import first_view
from agent.worker.worker_messages import Position
from reasoner.relational.machine import RelationalMachine
from reasoner.rules.program import Program


def look_of_rules(program: Program, title: str, seed: int = 0) -> Look:
    """Return how the states of a game are drawn; `title` is the name of a bundled game, whose author's hints apply.

    It plays random games for about a second. Raises ReasonerError if the first state cannot be evaluated.
    """
    machine = RelationalMachine(program)
    first = replace(Position(0, [], *view_of(machine, machine.initial())), **first_view(program, seed))
    log = MatchLog(title, title, 0.0, 0.0, 0.0, machine.roles)
    log.may_hold(first)
    log.reach(0, Moment((), tuple(first.facts), 0.0))
    return log.look
