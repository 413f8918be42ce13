"""The rules of a game understood: parsed, checked, grounded and evaluated.

from reasoner import load
machine = load("ticTacToe")  # or load(pathlib.Path("my.kif"))

Its rooms, as rules pass through them: `language` (text to terms), `rules` (checks, normal form), `relational` (a state
machine at once), `rewrite`, `ground`, `circuit`, `lanes` (a faster one), `batch` (many games of it as arrays),
`compilation` (all that in a process of its own). Beside them: `identity` (what makes two rulesheets the same game),
`sat` (a solver in a process of its own), `kernels` (how numba compiles, and what kernels share).
`machine` says what every state machine answers, `pipeline` makes one, `stages` prints each form on the way, `verify`
plays at random and finds faults. `errors` and `diagnostics` are what is raised and reported, `arrays` the types of
arrays. `beside` runs work in a thread, `fork_server` in a process that need not start, `platform_calls` holds what is
not the same on every operating system; `compiling` hears what numba compiles.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from reasoner.compilation.limits import BuildLimits
    from reasoner.lanes.machine import CircuitMachine
    from reasoner.machine import Machine


def load(
    source: str | Path,
    engine: str | None = None,
    limits: BuildLimits | None = None,
    theory: str | None = None,
    progress: Callable[[str], None] | None = None,
    lenient: bool = False,
    rewritings: Sequence[str] = (),
) -> Machine:
    """The state machine of a rulesheet, given as text, as a file or by the name of a bundled game.

    `engine` is ``"circuit"`` (grounded and compiled; raises LimitError past `limits`), ``"relational"`` (any rules,
    at once, slower), or None: the circuit when it can be built within `limits`, else relational. `theory` is rules of
    one's own, in the same notation, that queries and features may use beside the rulesheet's. `progress` hears the name
    of each stage of the build as it begins, from another thread.
    `lenient` reads ``next`` in bodies, and variables that only the uses of a relation bind, as `ReadLimits` says.
    `rewritings` switches some on for the circuit (``"keep_views"``), which answers as it does without them.
    Raises RulesError, carrying all located diagnostics, when the rules are in error, ValueError on text that is a
    file's name, or on a rewriting that there is not.
    """
    from reasoner.pipeline import load as load_machine  # late: `--help` must not wait for numba

    return load_machine(source, engine, limits, theory, progress, lenient, rewritings)


def warm_up(emitter: str | None = None, meanwhile: Callable[[CircuitMachine], object] | None = None) -> None:
    """Compile every kernel, or load it from numba's cache, so that no match has to wait for it.

    `emitter` is the one that matches will use, as in `BuildLimits`. Raises ReasonerError where it cannot be had.
    `meanwhile` is called with a small machine while another process compiles what builds: to compile more with it.
    """
    from reasoner.pipeline import warm_up as warm

    warm(emitter, meanwhile)


def warm_up_relational() -> None:
    """The same for the relational engine alone, where no circuit will be built."""
    from reasoner.pipeline import warm_up_relational as warm

    warm()


__all__ = ["load", "warm_up", "warm_up_relational"]
