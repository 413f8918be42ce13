"""Learning of an evaluation at the start of a study, as matches do in the start clock (`search.minimax`), but longer.

A studied evaluation is better than one of a start clock, which has at most 12 seconds. Matches use it if there is no
network, and the network of the study must be better than the search by it.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf

from reasoner.lanes.machine import CircuitMachine
from search.clock import Clock
from search.minimax.learner import Learner
from search.minimax.lesson import Lesson
from search.minimax.mixing import mixing_weight
from search.minimax.start_learning import MEASURED_SHARE, MIN_SECONDS, has_pieces, playouts_per_second
from search.native.search import NativeSearch
from search.options import SearchOptions

MAX_SECONDS = 300.0
"""Maximum time for learning."""
MEMORY_MIB = 64


def learns_evaluation(machine: CircuitMachine, seconds: float) -> bool:
    """Whether a study of the game learns an evaluation, with `seconds` for it."""
    return seconds >= MIN_SECONDS and has_pieces(machine)


def learn_evaluation(
    machine: CircuitMachine, seconds: float, seed: int, clock: Clock, stopped: Callable[[], bool]
) -> Lesson | None:
    """Return a lesson, with playouts measured on one thread.

    None if no game of self-play or no playout ended in the time, or if `stopped` returned true.
    """
    seconds = min(seconds, MAX_SECONDS)
    measured = MEASURED_SHARE * seconds
    options = SearchOptions(threads=1, memory_mib=MEMORY_MIB, seed=seed)
    rate = 0.0
    for share in (0.1, 0.4):  # the first search loads the kernels
        other = NativeSearch(machine, 0, machine.initial(), options, clock)
        rate = playouts_per_second(other, clock, share * measured, stopped)
    learner = Learner(machine, seconds - measured, seed)
    learner.run(clock, inf, stopped)
    lesson, sample = learner.lesson, learner.sample
    if not learner.finished or lesson is None or sample is None or not rate:
        return None
    weight = mixing_weight(machine, lesson.evaluation, sample.bits, sample.results, rate, seed, measured / 2)
    return lesson._replace(playouts=rate, weight=weight)
