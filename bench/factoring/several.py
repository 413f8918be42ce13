"""`python -m bench.factoring.several FILE --counts 1,2,3 --shared step`: what N copies of a puzzle take.

The copies are put together as `compound` says; their clock, facts of the names `--shared`, gets N times the steps if
its last one is given as `--last`. Printed are processor seconds until the search of matches, of one thread, has an end
that none surpasses: its own, and those of solvers' processes that it started; and by which way.
"""

from __future__ import annotations

import resource
import time
from pathlib import Path

import click

import reasoner
from bench.factoring.compound import compounded
from search import MonotonicClock, Search, SearchOptions

SLICE = 15.0
"""Seconds for a call of the search, as a start clock."""


def copies(text: str, count: int, shared: tuple[str, ...], last: int) -> str:
    """The rules of some copies; `last`: of the clock's steps the last, whose successors are facts `tick`; 0: none."""
    if last:
        text = text.replace(f"(step {last})", f"(step {count * last})")
        text += "".join(f"\n(tick {step} {step + 1})" for step in range(last, count * last))
    return compounded([text] * count, shared)


def measured(rules: str, seconds: float) -> tuple[float, float, Search]:
    """Processor seconds of the search and of its solvers, and the search."""
    machine, clock = reasoner.load(rules, "circuit"), MonotonicClock()
    search = Search(machine, 0, machine.initial(), SearchOptions(threads=1, seed=1), clock)
    began, children, end = time.process_time(), _children(), clock.now() + seconds
    while not search.solved and clock.now() < end:
        search.think(min(end, clock.now() + SLICE))
    return time.process_time() - began, _children() - children, search


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--counts", default="1,1,2,3,4", show_default=True, help="The first also loads kernels.")
@click.option("--shared", default="", help="Names of the clock's facts, as in step,turn.")
@click.option("--last", default=0, help="The clock's last step.")
@click.option("--seconds", default=60.0, show_default=True, help="At most, for each.")
def main(file: Path, counts: str, shared: str, last: int, seconds: float) -> None:
    """What N copies of the puzzle in FILE take."""
    for count in map(int, counts.split(",")):
        rules = copies(file.read_text(), count, tuple(filter(None, shared.split(","))), last)
        own, children, search = measured(rules, seconds)
        report = search.report()
        click.echo(
            f"{count} copies: {own:.2f} s and solvers {children:.2f} s, {report.line:.0f} points"
            f"{'' if report.solved else ', not proven'}, by {report.by}"
        )


if __name__ == "__main__":
    main()
