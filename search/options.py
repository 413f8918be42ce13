"""All options of the search, with defaults and ranges."""

from __future__ import annotations

import operator
from dataclasses import dataclass
from numbers import Real

from search.errors import OptionsError

RENAMED = {"equilibrium": "mix_hidden", "first_play": "fpu_value", "ideas": "solvers"}
"""Former names of options, for messages."""

FIXED_PLAYOUTS = 4
"""Playouts per leaf if the number of simulations is fixed: a measured number would make results differ."""

EXPLORATION = 0.7
STEADY_EXPLORATION = 0.15
"""Default weights of the UCB term, for one playout per leaf and for many; see research/exploration.md."""

NODES_PER_MIB = 200
"""Nodes per MiB in the search in plain Python: a node with its moves takes about 0.8 to 2 KB."""

INTEGERS = {
    "simulations": 0,
    "playouts": 0,
    "threads": 0,
    "memory_mib": 8,
    "max_nodes": 0,
    "max_steps": 1,
    "seed": 0,
}
"""The integer options, each with its least value."""


def fixed_playouts(share: float) -> int:
    """Return the playouts per leaf if the number of simulations is fixed; `share`: their weight in its value, 0..1."""
    return max(round(FIXED_PLAYOUTS * share), 1)


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """Options of a search. All fields are numbers, so a settings file or the text of a player can contain them.

    simulations:   descents per position; 0 = as many as the clock allows. With a fixed number and seed, and enough
                   time for all simulations, every computer finds the same moves.
    playouts:      random games per new leaf; 0 = as many as cost about the same time as the rest of a simulation, or
                   4 if `simulations` is set, because a measured number would differ; both times the weight that
                   playouts have beside a network.
    exploration:   weight of the UCB term; goals are scaled to 0..1. A larger weight tries more moves, a smaller one
                   searches deeper. 0 = 0.15 where leaves are played out in lanes and several roles play, because
                   their means vary little; else 0.7. Where playouts prefer captures, states with many moves use a
                   smaller weight, down to half.
    fpu_value:    value of an unvisited move, 0..1 (first-play urgency); 1 tries nearly every move once first.
    best_weight:   one-player games: share of the best result in a move's value, 0..1; the rest is the mean's share.
    mix_tolerance: simultaneous moves: the move to play is drawn from the moves whose value, 0..1, is at most this
                   far from that of the most visited move; 0 always plays the most visited move.
    mix_hidden:    imperfect information: whether moves are mixed; better against opponents who know our strategy.
    threads:       threads that search one tree, if the game has a circuit; 0 = half of the CPUs, so that the other
                   half is free for other processes. One thread if `simulations` is set.
    memory_mib:    memory for the tree, at least 8 MiB; when it is full, the least visited half is freed.
    max_nodes:     states kept in memory, at least 16; 0 = as many as `memory_mib` holds.
    max_steps:     joint moves after which a playout is cut off, at least 1.
    decisive:      whether playouts prefer moves that win at once, then moves that answer a threat, then captures. The
                   tree also tries such moves first. Has an effect only if the game has a circuit with such moves, and
                   if a measurement shows that the preference pays off.
    factoring:     whether compound games are split and their subgames searched separately; only if the game has a
                   circuit; without effect if `simulations` is set.
    solvers:       whether solvers run beside the tree search: in one-player games breadth-first search and a solver
                   process, in games of two opposed roles a proof-number search; only if the game has a circuit;
                   without effect if `simulations` is set.
    ponder:        whether to think on the opponents' time; without effect if `simulations` is set.
    seed:          seed of all random choices.
    """

    simulations: int = 0
    playouts: int = 0
    exploration: float = 0.0
    fpu_value: float = 1.0
    best_weight: float = 0.5
    mix_tolerance: float = 0.02
    mix_hidden: bool = False
    threads: int = 0
    memory_mib: int = 1024
    max_nodes: int = 0
    max_steps: int = 10_000
    decisive: bool = True
    factoring: bool = True
    solvers: bool = True
    ponder: bool = True
    seed: int = 0

    def __post_init__(self) -> None:
        """Raise OptionsError for the first setting that is out of its range."""
        for name, least in INTEGERS.items():
            self._integer(name, least)
        if self.max_nodes:
            self._at_least("max_nodes", self.max_nodes, 16)
        self._at_least("exploration", self.exploration, 0)
        self._share("fpu_value", self.fpu_value)
        self._share("best_weight", self.best_weight)
        self._share("mix_tolerance", self.mix_tolerance)

    @property
    def plain_nodes(self) -> int:
        """Maximum number of nodes of the search in plain Python."""
        return self.max_nodes or max(self.memory_mib * NODES_PER_MIB, 16)

    @property
    def ponders(self) -> bool:
        """Whether to think on the opponents' time; never with a fixed number of simulations."""
        return self.ponder and self.simulations == 0

    def explores(self, steady: bool) -> float:
        """Return the weight of the UCB term; `steady`: the value of a leaf is the mean of many playouts."""
        return self.exploration or (STEADY_EXPLORATION if steady else EXPLORATION)

    def _integer(self, name: str, least: int) -> None:
        """Check an integer of Python or NumPy, and keep it as one of Python, which other libraries expect."""
        value = getattr(self, name)
        try:
            object.__setattr__(self, name, operator.index(value))
        except TypeError:
            raise OptionsError(f"search setting {name} = {value!r:.40} is not an integer") from None
        self._at_least(name, value, least)

    def _at_least(self, name: str, value: float, least: float) -> None:
        self._number(name, value)
        # `not >=` also rejects NaN
        if not value >= least:
            raise OptionsError(f"search setting {name} = {value} is too small: give {least} or more")

    def _share(self, name: str, value: float) -> None:
        self._number(name, value)
        if not 0 <= value <= 1:
            raise OptionsError(f"search setting {name} = {value} is out of range: give a number from 0 to 1")

    def _number(self, name: str, value: float) -> None:
        if not isinstance(value, Real):  # of Python or NumPy
            raise OptionsError(f"search setting {name} = {value!r:.40} is not a number")
