"""Games by name, text or file: loading and checking."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakKeyDictionary

import reasoner
from reasoner.errors import RulesError
from reasoner.language.bundled import bundled_sheets, source_text
from reasoner.rules.read import ReadLimits, read_program

if TYPE_CHECKING:
    from reasoner.compilation.limits import BuildLimits
    from reasoner.diagnostics import Diagnostic
    from reasoner.machine import Machine
    from reasoner.rules.program import Program


class Origin(NamedTuple):
    """The rules of a loaded machine. `title` is the name of the game or file, or empty."""

    title: str
    text: str
    lenient: bool

    @property
    def program(self) -> Program:
        """The parsed rules."""
        return read_program(self.text, ReadLimits(lenient=self.lenient))[0]


_origins: WeakKeyDictionary[Machine, Origin] = WeakKeyDictionary()


def games() -> tuple[str, ...]:
    """Return the names of the bundled games, which `load` accepts."""
    return tuple(sorted(bundled_sheets(), key=str.lower))


def load(
    source: str | Path,
    engine: str | None = None,
    limits: BuildLimits | None = None,
    theory: str | None = None,
    progress: Callable[[str], None] | None = None,
    lenient: bool = False,
    rewritings: Sequence[str] = (),
) -> Machine:
    """Return the state machine of a rulesheet, given as the name of a bundled game, as text, or as a `Path`.

    engine:     "circuit" (compiled; raises LimitError past `limits`), "relational" (any rules, at once, slower), or
                None: the circuit if it can be built within `limits`, else relational.
    limits:     limits of the build: seconds, memory, size.
    theory:     additional rules that queries and features may use.
    progress:   called with the name of each build stage as it begins, from another thread.
    lenient:    accept, with a warning, constructs that some texts about GDL allow but strict GDL forbids.
    rewritings: names of optional rewritings for the circuit: store_statics, keep_views, unfold.

    Raises RulesError with all located diagnostics if the rules are in error, ValueError for text that is a file name.
    """
    machine = reasoner.load(source, engine, limits, theory, progress, lenient, rewritings)
    _origins[machine] = Origin(_title(source), source_text(source), lenient)
    return machine


def check(source: str | Path, *, lenient: bool = False) -> tuple[Diagnostic, ...]:
    """Return all errors and warnings of a rulesheet, given as for `load`; errors in the rules do not raise."""
    try:
        return read_program(source_text(source), ReadLimits(lenient=lenient))[1]
    except RulesError as error:
        return error.diagnostics


def origin_of(machine: Machine) -> Origin:
    """Return the rules of a machine. Raises ValueError if `load` did not make it."""
    try:
        return _origins[machine]
    except (KeyError, TypeError):
        raise ValueError("the rules of this machine are unknown: load it with ggp_agent.load") from None


def _title(source: str | Path) -> str:
    if isinstance(source, Path):
        return source.stem
    return source.strip() if source.strip() in bundled_sheets() else ""
