"""Text view of a state: the grid that `agent.boards.find_layouts` finds, and the other facts."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console
from rich.text import Text

from agent.boards.find_layouts import find_layout
from agent.boards.layout import Layout
from reasoner.errors import ReasonerError
from reasoner.language.terms import Term, Variable
from reasoner.machine import Machine

PALETTE = ("bold red", "bold yellow", "bold cyan", "bold green", "bold magenta", "bold blue")
WIDTH = 100  # maximum characters of a line of other facts


class Picture:
    """View of the states of one game. The layout is computed once, so that all states look alike."""

    def __init__(self, machine: Machine, out: Console) -> None:
        self._out = out
        self._layout = find_layout(machine.facts(machine.initial()), _possible(machine))

    def show(self, facts: Iterable[Term]) -> None:
        """Print a state."""
        facts = list(facts)
        layout = self._layout
        if layout:
            for line in self._grid(layout, facts):
                self._out.print(line)
        self._list(layout.others(facts) if layout else sorted(map(str, facts)))

    def legend(self) -> None:
        """Print the meanings of the grid's symbols that are abbreviations, if any."""
        if self._layout and self._layout.legend():
            self._out.print(f"symbols: {self._layout.legend()}", style="dim")

    def _grid(self, layout: Layout, facts: list[Term]) -> Iterable[Text]:
        margin = max(map(len, layout.rows))
        width = max(*map(len, layout.columns), *map(len, layout.symbols.values()))
        styles = dict(zip((c for c, s in layout.symbols.items() if s.strip() != "."), PALETTE, strict=False))
        for row, cells in zip(layout.rows, layout.cells(facts), strict=True):
            line = Text(f"  {row:>{margin}} ", style="dim")
            for cell in cells:
                line.append(f" {layout.symbols.get(cell, cell or '.').strip():>{width}}", style=styles.get(cell, "dim"))
            yield line
        yield Text(f"  {'':{margin}} " + "".join(f" {column:>{width}}" for column in layout.columns), style="dim")

    def _list(self, facts: list[str]) -> None:
        """Print the facts, several per line."""
        line = ""
        for fact in facts:
            if line and len(line) + len(fact) > WIDTH:
                self._out.print(f"  {line.rstrip()}")
                line = ""
            line += f"{fact}  "
        if line:
            self._out.print(f"  {line.rstrip()}")


def _possible(machine: Machine) -> list[Term]:
    """Return the facts that `base` declares; empty without `base` or past the time limit."""
    fact = Variable("fact")
    try:
        return [answer[fact] for answer in machine.query(machine.initial(), "(base ?fact)")]
    except ReasonerError:
        return []
