"""Pictures of states, for notebooks and as SVG files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from agent.boards.board import picture
from agent.boards.look import Look
from agent.boards.svg import as_svg
from agent.page.still import look_of_rules
from ggp_agent.loading import Origin, origin_of

if TYPE_CHECKING:
    from reasoner.machine import Machine, State

KEPT = 16
"""Number of games whose board layout is cached."""


@dataclass(frozen=True)
class Board:
    """A state as a picture. A notebook shows it; `print` shows the facts."""

    facts: tuple[str, ...]  # sorted
    svg: str = field(repr=False)  # an SVG image without script

    def __str__(self) -> str:
        return "\n".join(self.facts)

    def _repr_html_(self) -> str:
        """Return the picture for a notebook."""
        return self.svg

    def save(self, file: str | Path) -> None:
        """Write the picture as an SVG file. Raises ValueError for the suffix of another format, OSError."""
        if Path(file).suffix.lower() not in {"", ".svg"}:
            raise ValueError(f"{file} does not name an SVG file, the only format of a board: {Path(file).stem}.svg")
        Path(file).write_text(self.svg, encoding="utf-8")


def draw(machine: Machine, state: State) -> Board:
    """Return a picture of a state. The first picture of a game takes about a second, because random games are played.

    Raises ValueError if the machine was not made by `load`.
    """
    origin, caption = origin_of(machine), ""
    terminal = machine.terminal(state)
    if terminal:
        goals = zip(machine.roles, machine.goal(state), strict=True)
        caption = "goals: " + ", ".join(f"{role} {'-' if goal is None else goal}" for role, goal in goals)
    return board_of(origin, [str(fact) for fact in machine.facts(state)], caption, terminal=terminal)


def board_of(origin: Origin, facts: Sequence[str], caption: str = "", *, terminal: bool = False) -> Board:
    """Return a picture of facts with a caption; for a `terminal` state, the picture does not show whose turn it is."""
    return Board(tuple(sorted(facts)), as_svg(picture(facts, _look(origin), terminal=terminal), caption))


@lru_cache(KEPT)
def _look(origin: Origin) -> Look:
    return look_of_rules(origin.program, origin.title)
