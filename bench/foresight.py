"""Benchmark of foresight: how long before the end of a lost match a search recognizes the loss.

    python -m bench.foresight GAME RECORD... --against commit:REV [--player ours] [--seconds 0.5] [--below 25]

RECORDs are matches of GAME as `python -m bench.strength` writes them. Both versions evaluate each position in which a
loser could choose, every time with an empty tree, for equal processor seconds. A loss counts as recognized from the
first such position since which the value of the best move is at most `--below`: so many steps before the end.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

import click
from rich.table import Table

from agent.cli.console import console
from agent.gamemaster.errors import ManagerError
from agent.gamemaster.games import kif_game
from bench.strength.entries import Entry, entry
from bench.strength.scores import result_of, seats_of
from bench.strength.seats import SeatError, SeatProcess
from reasoner import load
from reasoner.machine import Machine

UNDECIDED = 50.0
"""A role with less than this result has lost."""


@dataclass(frozen=True)
class Lost:
    """A match that `role` lost.

    `moves` are the joint moves as the machine writes them, `choices` the steps in which the role could choose.
    """

    role: int
    moves: tuple[tuple[str, ...], ...]
    choices: tuple[int, ...]


def lost_in(machine: Machine, record: Mapping[str, Any]) -> Iterator[Lost]:
    """Yield a match for each role that lost it. Raises ValueError if the record is of another game or incomplete."""
    goals = record.get("goalValues") or ()
    if tuple(record.get("roles", ())) != machine.roles or len(goals) != len(machine.roles):
        raise ValueError("its roles or its goals are not those of the game")
    moves, choices = list[tuple[str, ...]](), dict[int, list[int]]()
    state = machine.initial()
    for step, joint in enumerate(record["moves"]):
        legal = [{_plain(str(move)): move for move in own} for own in machine.legal(state)]
        try:
            chosen = [own[_plain(move)] for own, move in zip(legal, joint, strict=True)]
        except KeyError as error:
            raise ValueError(f"step {step + 1}: {error} is not legal") from None
        for role, own in enumerate(legal):
            if len(own) > 1:
                choices.setdefault(role, []).append(step)
        moves.append(tuple(map(str, chosen)))
        state = machine.next(state, chosen)
    for role in seats_of(machine.roles):
        if result_of(machine.roles, goals, role) < UNDECIDED:
            yield Lost(role, tuple(moves), tuple(choices.get(role, ())))


def values(side: SeatProcess, match: Lost, seconds: float) -> list[float]:
    """Return the loser's values of each position in which it could choose."""
    found = []
    for step in match.choices:
        side.begin([match.role], 1)
        for joint in match.moves[:step]:
            side.joint(joint)
        found.append(float(side.think([match.role], seconds)[match.role]["value"]))
    return found


def told(match: Lost, found: Sequence[float], below: float) -> int:
    """Return the steps before the end since which every value is at most `below`; 0 if the last is not."""
    known = len(list(takewhile(lambda value: value <= below, reversed(found))))
    return len(match.moves) - match.choices[-known] if known else 0


def _plain(move: str) -> str:
    return " ".join(move.replace("(", " ( ").replace(")", " ) ").split())


@click.command()
@click.argument("game")
@click.argument("records", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--player", default="ours", show_default=True, metavar="ENTRY")
@click.option("--against", required=True, metavar="ENTRY", help="ours or commit:REV, with settings.")
@click.option("--seconds", default=0.5, show_default=True, help="Processor seconds for each position.")
@click.option("--below", default=25.0, show_default=True, help="The value, 0 to 100, that indicates a loss.")
def main(game: str, records: tuple[Path, ...], player: str, against: str, seconds: float, below: float) -> None:
    """Show how many steps before the end each version recognizes lost matches of GAME."""
    try:
        sheet, entries = kif_game(game), [entry(player), entry(against)]
        machine = load(sheet.text, engine="relational")
        matches = [(path, match) for path in records for match in lost_in(machine, json.loads(path.read_text()))]
        sides = [_process(each) for each in entries]
    except (ValueError, ManagerError) as error:
        raise click.ClickException(str(error)) from None
    title = f"{sheet.name}: steps before the end, {seconds:g} s"
    table = Table("record", "loser", "steps", player, against, title=title)
    gains = []
    try:
        for side in sides:
            side.rules(sheet.text)
        for path, match in matches:
            known = [told(match, values(side, match, seconds), below) for side in sides]
            gains.append(float(known[0] - known[1]))
            table.add_row(path.stem[-40:], machine.roles[match.role], str(len(match.moves)), *map(str, known))
    except SeatError as error:
        raise click.ClickException(str(error)) from None
    finally:
        for side in sides:
            side.close()
    console().print(table)
    if len(gains) > 1:
        half = 1.96 * stdev(gains) / len(gains) ** 0.5
        click.echo(
            f"{len(gains)} lost matches: {player} recognizes the loss {fmean(gains):.1f} ± {half:.1f} steps sooner"
        )


def _process(each: Entry) -> SeatProcess:
    if each.folder is None:
        raise ValueError(f"{each.text} reports no values: give ours or commit:REV")
    return SeatProcess(each.folder, dict(each.settings))


if __name__ == "__main__":
    main()
