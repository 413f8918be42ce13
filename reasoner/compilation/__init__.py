"""The circuit of a game built in a child process, under limits of time and memory.

`handle` is the parent's side, `child` the process, `messages` what passes between them, `limits` what it may use and
`exit_reasons` why it brought nothing. `stages` are the steps from rules to a circuit, `features` those for features
asked for later; `heap` keeps freed memory, and `warm` compiles every kernel ahead.
"""

from reasoner.compilation.handle import CircuitBuild, CountBuild
from reasoner.compilation.limits import BuildLimits

__all__ = ["BuildLimits", "CircuitBuild", "CountBuild"]
