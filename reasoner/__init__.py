"""GDL rules to state machines: parse, check, ground, compile and evaluate the rules of a game.

from reasoner import load
machine = load("ticTacToe")  # or load(pathlib.Path("my.kif"))

Packages, in the order in which rules pass through them: `language` (text to terms), `rules` (checks, normal form),
`relational` (a state machine without compilation), `rewrite`, `ground`, `circuit`, `lanes` (a faster state machine),
`batch` (many games as arrays), `compilation` (the build in a child process). Also: `identity` (which rulesheets
describe the same game), `sat` (a SAT solver in a child process), `kernels` (numba options and shared kernels).
Modules: `machine` is the interface of all state machines, `loading` builds a machine, `stages` prints each intermediate
form, `verify` finds faults by random play, `frames` forgotten frame rules. `errors` defines the exceptions,
`diagnostics` the reported faults, `arrays` the array types. `background` runs work in a thread, `fork_server` forks
preloaded processes, `platform_calls` wraps the calls that differ between operating systems, `jit_progress` reports the
progress of numba's compilation.
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
    """Return the state machine of a rulesheet, given as text, as a file or by the name of a bundled game.

    `engine` is ``"circuit"`` (grounded and compiled; raises LimitError if `limits` are exceeded), ``"relational"`` (any
    rules, no build time, slower), or None: the circuit if it can be built within `limits`, otherwise relational.
    `theory` is additional rules in the same notation, which queries and features may use. `progress` is called from
    another thread with the name of each build stage at its start. `lenient` accepts rules that strict GDL refuses, such
    as ``next`` in bodies; `ReadLimits` describes them. `rewritings` are optional rewritings for the circuit, such as
    ``"keep_views"``; they do not change its answers. Raises RulesError with all located diagnostics if the rules are
    invalid, and ValueError for text that is a file name, and for an unknown engine or rewriting.
    """
    from reasoner.loading import load as load_machine  # imported here, so that `--help` does not wait for numba

    return load_machine(source, engine, limits, theory, progress, lenient, rewritings)


def load_text(
    text: str,
    engine: str | None = None,
    limits: BuildLimits | None = None,
    progress: Callable[[str], None] | None = None,
    lenient: bool = False,
) -> Machine:
    """Return the state machine of rules that were read from a file or a message.

    Unlike `load`, this function never reads the text as a name: the text ``ticTacToe`` is an invalid rulesheet, not the
    bundled game. Everything else is as in `load`.
    """
    from reasoner.loading import load_text as load_machine  # imported here, as in `load`

    return load_machine(text, engine, limits, progress=progress, lenient=lenient)


def warm_up(emitter: str | None = None, meanwhile: Callable[[CircuitMachine], object] | None = None) -> None:
    """Compile every kernel, or load it from numba's cache, so that no match has to wait for compilation.

    `emitter` is the emitter that matches will use, as in `BuildLimits`. Raises ReasonerError if it is not available.
    `meanwhile` is called with a small machine while another process compiles the build kernels; it may compile further
    kernels with the machine.
    """
    from reasoner.loading import warm_up as warm

    warm(emitter, meanwhile)


def warm_up_relational() -> None:
    """Compile only the kernels of the relational engine, for servers that never build a circuit."""
    from reasoner.loading import warm_up_relational as warm

    warm()


__all__ = ["load", "load_text", "warm_up", "warm_up_relational"]
