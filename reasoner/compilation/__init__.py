"""Build a game's circuit in a child process, under limits of time and memory.

`handle` is the parent's side, `child` the child process, `build_messages` the protocol between them, `limits` the
limits, and `exit_reasons` the meaning of exit codes. `stages` contains the stages from rules to a circuit, `features`
the stages for features that are compiled later. `heap` keeps freed memory, and `warm` compiles every kernel ahead of
time.
"""

from reasoner.compilation.handle import CircuitBuild, CountBuild
from reasoner.compilation.limits import BuildLimits

__all__ = ["BuildLimits", "CircuitBuild", "CountBuild"]
