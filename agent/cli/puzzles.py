"""`ggp-agent puzzles`: positions of a game with one best move, proven and graded."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING

import click

from agent.cli.completion import complete_game
from agent.cli.console import console, progress_console
from agent.cli.finite_range import FiniteRange
from agent.cli.solve import loaded
from agent.cli.words import counted
from agent.gamemaster.games import find_game

if TYPE_CHECKING:
    from reasoner.machine import Machine
    from search.exercises import Exercise


@click.command()
@click.argument("game", shell_complete=complete_game)
@click.option("--count", type=click.IntRange(1, 10_000), default=20, show_default=True, help="Number of puzzles.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Seed of the games played.")
@click.option(
    "--seconds",
    type=FiniteRange(min=0, min_open=True),
    default=1.0,
    show_default=True,
    help="Maximum time for solving a position.",
)
@click.option("--minutes", type=FiniteRange(min=0, min_open=True), default=5.0, show_default=True, help="Maximum time.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON list.")
def puzzles(game: str, count: int, seed: int, seconds: float, minutes: float, as_json: bool) -> None:
    """Find positions of GAME in which exactly one move keeps the value.

    The value and the move are proven; GAME needs two opposed roles that take turns. The grade is the number of
    simulations that the tree search needs to find the move. Ctrl-C ends the search and prints what was found. Exit code
    1: fewer than --count were found in the time.
    """
    from search.clock import MonotonicClock  # late imports: they load compiled kernels
    from search.exercises import exercises

    machine = loaded(find_game(game).text)
    clock, tried = MonotonicClock(), 0
    until = clock.now() + 60 * minutes
    found: list[Exercise] = []
    with suppress(KeyboardInterrupt), progress_console().status("searching") as status:
        for exercise in exercises(machine, seed, seconds, clock, until):
            tried += 1
            found += [exercise] if exercise is not None else []
            status.update(f"{counted(len(found), 'puzzle')} in {counted(tried, 'position')}")
            if len(found) == count:
                break
    found.sort(key=lambda each: each.level or float("inf"))
    if as_json:
        click.echo(json.dumps([each._asdict() for each in found], indent=1))
    elif found:
        _show(machine, found)
    else:
        click.echo("no puzzle was found: give more --minutes, or more --seconds for solving a position")
    if len(found) < count:
        raise click.exceptions.Exit(1)


def _show(machine: Machine, found: list[Exercise]) -> None:
    """Print the puzzles with their boards, easy ones first."""
    from agent.cli.picture import Picture  # late import, as above

    picture = Picture(machine, console())
    picture.legend()
    for number, each in enumerate(found, 1):
        grade = counted(each.level, "simulation") if each.level else "more simulations than were tried"
        click.echo(f"\n{number}. {each.role} to move, {each.legal} legal moves; the search needs {grade}")
        picture.show(machine.facts(machine.state(each.facts)))
        click.echo(f"solution: {each.move} reaches {each.goal}")
