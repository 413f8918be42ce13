"""`python -m bench.factoring.found`: the games inside the games of folders, and how long it takes to find them.

Seconds are CPU seconds on the built circuit, the best of some, kernels compiled. How long a match would look is told
as a share of its start clock, in seconds that pass: what the build took of it is gone by then, and limits hold. Writes
all figures as JSON.
"""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import click

from agent.gamemaster.games import ENDINGS, read_game
from reasoner import warm_up
from reasoner.circuit.circuit import Circuit
from reasoner.compilation import BuildLimits, CircuitBuild
from reasoner.errors import ReasonerError
from reasoner.rules.read import read_program
from search.clock import MonotonicClock
from search.factoring import Factoring, factor
from search.factoring.factors import NONE
from search.subgames.restricted_circuit import packed
from search.subgames.split_detector import SplitDetector

RESULTS = Path(__file__).parents[1] / "results" / "factors.json"


@dataclass(frozen=True, slots=True)
class Found:
    """One game; `fault` says why it has no circuit."""

    game: str
    kind: str = ""
    termination: str = ""
    subgames: int = 0
    facts: tuple[int, ...] = ()  # of each subgame
    classes: tuple[tuple[int, ...], ...] = ()  # of each subgame, per role
    moves: tuple[int, ...] = ()  # per role
    dropped: int = 0
    gates: int = 0  # of the circuit
    in_series: int = 0  # gates that open a subgame
    reason: str = ""
    seconds: float = 0.0
    of_start: float = 0.0  # the share of a match's start clock that it would look
    fault: str = ""


def found_in(path: Path, repeats: int, start_clock: float, seconds: float) -> Found:
    """What is found in a rulesheet."""
    began = time.monotonic()
    try:
        circuit = CircuitBuild(read_program(read_game(path).text)[0], BuildLimits(seconds)).result().circuit
    except ReasonerError as error:
        return Found(path.stem, fault=str(error))
    looked = _looked(circuit, began, start_clock)
    took, found = min((_timed(circuit) for _ in range(repeats)), key=lambda each: each[0])
    return Found(
        path.stem,
        found.kind,
        found.termination,
        len(found.subgames),
        tuple(len(one.bases) for one in found.subgames),
        tuple(tuple(map(len, one.classes)) for one in found.subgames),
        tuple(map(len, circuit.moves)),
        len(found.dropped),
        len(circuit.left),
        len(found.gates),
        found.reason,
        round(took, 4),
        round(looked / start_clock, 4),
    )


def _looked(circuit: Circuit, began: float, start_clock: float) -> float:
    """The seconds that a match which began at `began` would look."""
    clock = MonotonicClock()
    detector = SplitDetector(circuit, clock)
    detector.split(packed(circuit.initial), began + start_clock)
    return detector.spent


def _timed(circuit: Circuit) -> tuple[float, Factoring]:
    began = time.process_time()
    found = factor(circuit)
    return time.process_time() - began, found


def files(given: tuple[Path, ...]) -> Iterator[Path]:
    """The rulesheets named, and those in the folders named."""
    for path in given:
        yield from sorted(each for each in path.iterdir() if each.suffix in ENDINGS) if path.is_dir() else [path]


@click.command()
@click.argument("games", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path), metavar="PATH...")
@click.option("--repeats", default=3, show_default=True, help="Of which the fastest counts.")
@click.option("--seconds", default=60.0, show_default=True, help="For one build at most.")
@click.option("--start-clock", default=20.0, show_default=True, help="Of the match that would look, in seconds.")
@click.option("--output", type=click.Path(path_type=Path), default=RESULTS, show_default=True)
def main(games: tuple[Path, ...], repeats: int, seconds: float, start_clock: float, output: Path) -> None:
    """Look for games inside the games of rulesheets, and of folders of them."""
    warm_up()
    rows: list[Found] = []
    for path in files(games):
        rows.append(found_in(path, repeats if rows else repeats + 1, start_clock, seconds))
        last = rows[-1]
        click.echo(
            f"{path.stem} {last.kind or last.fault} {last.subgames} {last.seconds} {last.of_start:.1%}", err=True
        )
    took = sorted(row.seconds for row in rows if not row.fault)
    spread = {"median": statistics.median(took), "95%": took[int(0.95 * len(took))], "most": took[-1]}
    most = max(row.of_start for row in rows)
    told = {"seconds": spread, "start_clock": start_clock, "of_start": most}
    output.write_text(_as_json(told, rows))
    split = sum(not row.fault and row.kind != NONE for row in rows)
    click.echo(f"{len(took)} games, {split} split: {spread}; looking takes {most:.1%} of {start_clock:g} s at most")


def _as_json(told: dict[str, object], rows: list[Found]) -> str:
    """Everything, one game a line."""
    games = ",\n".join(json.dumps(asdict(row)) for row in sorted(rows, key=lambda row: row.game.casefold()))
    return f'{json.dumps(told)[:-1]}, "games": [\n{games}\n]}}\n'


if __name__ == "__main__":
    main()
