"""The circuit of a game built in a child process, under limits of time and memory."""

from reasoner.compilation.handle import CircuitBuild, CountBuild
from reasoner.compilation.limits import BuildLimits

__all__ = ["BuildLimits", "CircuitBuild", "CountBuild"]
