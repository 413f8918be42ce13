"""The circuit of a game built in a child process, under limits of time and memory."""

from reasoner.build.handle import CircuitBuild, CountBuild
from reasoner.build.limits import BuildLimits

__all__ = ["BuildLimits", "CircuitBuild", "CountBuild"]
