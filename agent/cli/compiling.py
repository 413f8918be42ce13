"""Progress of kernel compilation: a bar on a terminal, plain lines elsewhere."""

from __future__ import annotations

import contextlib

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bar

from agent.gamemaster.local import COMPILING
from agent.progress import progress_line

ONCE = "compiling kernels (first start only)"


class CompilingDisplay:
    """Progress display of kernel compilation on standard error. The context manager removes the bar at the end."""

    def __init__(self, out: Console | None = None) -> None:
        self._out = out or Console(stderr=True, highlight=False, soft_wrap=True)
        self._bar: Bar | None = None

    def __enter__(self) -> CompilingDisplay:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def tell(self, done: int, of: int) -> None:
        """Show that `done` of at most `of` kernels are compiled."""
        if not (self._out.is_terminal or self._out.is_jupyter):
            self._out.print(progress_line(done, of))
            return
        if self._bar is None:
            columns = (SpinnerColumn(), TextColumn(ONCE), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
            self._bar = Bar(*columns, console=self._out, transient=True)
            self._bar.add_task("compiling")
            self._bar.start()
        self._bar.update(self._bar.task_ids[0], completed=done, total=of)

    def end(self) -> None:
        """Remove the bar."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None


def say_compiling(out: Console) -> None:
    """Show the line, from a callback of the event loop; the next output reports a full disk."""
    with contextlib.suppress(OSError):
        out.print(COMPILING, style="dim")
