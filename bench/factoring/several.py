"""Benchmark of N copies of a puzzle.

    python -m bench.factoring.several FILE --counts 1,2,3 --seeds 1,2,3 --shared step

`compound` combines the copies. Their clock, facts of the names `--shared`, gets N times the steps if its last one is
given as `--last`. Printed are the processor seconds of one thread until the match search has proven its end optimal,
the median of all seeds and its parts: its own, and those of solver processes that it started; and the method. One-time
costs are excluded: a first search loads kernels and does not count, and no search continues for a shorter line once all
is solved. The search's clock is the processor time of this process, so that other programs take nothing from it. While
it waits for a solver's process, which they slow down, it continues with other methods, so a loaded machine shows
somewhat more.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from statistics import median

import click

import reasoner
from bench.factoring.compound import compounded
from bench.factoring.runs import ProcessorClock
from bench.puzzles import whole_numbers
from reasoner.platform_calls import children_seconds
from search import Search, SearchOptions
from search.report import Report

SLICE = 15.0
"""Seconds for a call of the search, as a start clock."""


@dataclass(frozen=True)
class Taken:
    """Processor seconds of a search and of its solver processes, and its report."""

    own: float
    solvers: float
    report: Report

    @property
    def total(self) -> float:
        """All seconds."""
        return self.own + self.solvers


def copies(text: str, count: int, shared: tuple[str, ...], last: int) -> str:
    """Return the rules of some copies; `last`: the clock's last step, whose successors are facts `tick`; 0: none."""
    if last:
        text = text.replace(f"(step {last})", f"(step {count * last})")
        text += "".join(f"\n(tick {step} {step + 1})" for step in range(last, count * last))
    return compounded([text] * count, shared)


def measured(rules: str, seed: int, seconds: float) -> Taken:
    """Measure a search until the game is solved, for at most `seconds`."""
    machine, clock = reasoner.load(rules, "circuit"), ProcessorClock()
    search = Search(machine, 0, machine.initial(), SearchOptions(threads=1, seed=seed), clock)
    began, children, end = clock.now(), children_seconds(), clock.now() + seconds
    while not search.solved and clock.now() < end:
        search.think(min(end, clock.now() + SLICE), lambda: search.solved)
    return Taken(clock.now() - began, children_seconds() - children, search.report())


def told(count: int, runs: list[Taken]) -> str:
    """Format a line about the copies."""
    each = ", ".join(f"{run.total:.2f}" for run in runs)
    points = ", ".join(sorted({f"{run.report.line:.0f}" for run in runs}))
    ways = ", ".join(sorted({run.report.by for run in runs}))
    return (
        f"{count} copies: {median(run.total for run in runs):.2f} s ({each}), of which solvers "
        f"{median(run.solvers for run in runs):.2f} s; {points} points"
        f"{'' if all(run.report.solved for run in runs) else ', not proven'}, by {ways}"
    )


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--counts", default="1,2,3,4", show_default=True, callback=whole_numbers)
@click.option("--seeds", default="1,2,3", show_default=True, callback=whole_numbers)
@click.option("--shared", default="", help="Names of the clock's facts, such as step,turn.")
@click.option("--last", default=0, help="The clock's last step.")
@click.option("--seconds", default=60.0, show_default=True, help="Time limit for each.")
def main(file: Path, counts: tuple[int, ...], seeds: tuple[int, ...], shared: str, last: int, seconds: float) -> None:
    """Measure N copies of the puzzle in FILE."""
    text, names = file.read_text(), tuple(filter(None, shared.split(",")))
    for count in (2, 1):  # loads the kernels
        measured(copies(text, count, names, last), 1, seconds)
    for count in counts:
        rules = copies(text, count, names, last)
        click.echo(told(count, [measured(rules, seed, seconds) for seed in seeds]))


if __name__ == "__main__":
    main()
