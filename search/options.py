"""Every knob of the search, with its default and its range."""

from __future__ import annotations

from dataclasses import dataclass

from search.errors import OptionsError

FIXED_PLAYOUTS = 4
"""Playouts a leaf gets under a fixed number of simulations, where a measured number would make results differ."""

EXPLORATION = 0.7
STEADY_EXPLORATION = 0.15
"""The weights of the UCB term by default: of one playout a leaf, and of many; measured, see research/exploration.md."""

NODES_PER_MIB = 200
"""Nodes of the search in plain Python; each takes some 0.8 to 2 KB with its moves."""


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """How a search thinks. All fields are plain numbers, so a settings file or a player's text can carry them.

    simulations:   descents a position gets; 0 = as many as the clock allows. With a number and one seed, and a
                   clock that leaves time for all of them, the same moves come out on every machine.
    playouts:      random games a new leaf gets; 0 = measured so that they cost about what the rest of a
                   simulation does (with `simulations` set: 4, because a measured number would differ).
    exploration:   weight of the UCB term; goals are scaled to 0..1. Larger tries more moves, smaller goes deeper.
                   0 = 0.15 where leaves are played out in lanes and several play, whose means are steady; else 0.7.
                   Where captures stand first, states of many moves have down to half of it.
    first_play:    the value of a move never tried, 0..1 (first-play urgency); 1 tries nearly every move once first.
    best_weight:   single-player games: share of the best result seen, against the mean, in a move's value, 0..1.
    mix_tolerance: simultaneous moves by visits: those within this of the best value, 0..1, are mixed when the move to
                   play is drawn; 0 plays the most visited one always.
    equilibrium:   simultaneous moves of two opposed roles: whether the move to play is drawn from an equilibrium of
                   what the joint moves have brought; false: by visits, as where there are more roles. Where roles see
                   in part: whether moves are mixed at all.
    threads:       threads that search one tree, where the game has a circuit; 0 = half of the processors, because
                   others play on the same machine, or compile. One where `simulations` is set.
    memory_mib:    memory for the tree, at least 8 MiB; when it is full the least visited half is forgotten.
    max_nodes:     states kept in memory, at least 16; 0 = as many as `memory_mib` holds.
    max_steps:     joint moves after which a playout is cut short, at least 1.
    cutoff:        steps after which a playout ends and is scored by an evaluation fitted on random play; 0 = never.
                   Only where the game has a circuit and more than one role.
    decisive:      whether playouts prefer moves that win at once, else those that meet a threat to, else captures,
                   which the tree tries first, too; only where the game has a circuit on which such moves are known,
                   and preferring them is seen to pay.
    factoring:     whether compound games are split, and their subgames searched apart; only where the game has a
                   circuit, without effect when `simulations` is set.
    ideas:         games of one role: whether breadth-first search and a solver's process are tried beside the tree;
                   only where the game has a circuit, without effect when `simulations` is set.
    ponder:        whether to think on the opponents' time; without effect when `simulations` is set.
    seed:          the seed of all random choices.
    """

    simulations: int = 0
    playouts: int = 0
    exploration: float = 0.0
    first_play: float = 1.0
    best_weight: float = 0.5
    mix_tolerance: float = 0.02
    equilibrium: bool = False
    threads: int = 0
    memory_mib: int = 1024
    max_nodes: int = 0
    max_steps: int = 10_000
    cutoff: int = 0
    decisive: bool = True
    factoring: bool = True
    ideas: bool = True
    ponder: bool = True
    seed: int = 0

    def __post_init__(self) -> None:
        """Raise OptionsError on the first setting outside its range."""
        self._at_least("simulations", self.simulations, 0)
        self._at_least("playouts", self.playouts, 0)
        self._at_least("exploration", self.exploration, 0)
        self._at_least("threads", self.threads, 0)
        self._at_least("memory_mib", self.memory_mib, 8)
        self._at_least("max_nodes", self.max_nodes, 16 if self.max_nodes else 0)
        self._at_least("max_steps", self.max_steps, 1)
        self._at_least("cutoff", self.cutoff, 0)
        self._at_least("seed", self.seed, 0)
        self._share("first_play", self.first_play)
        self._share("best_weight", self.best_weight)
        self._share("mix_tolerance", self.mix_tolerance)

    @property
    def plain_nodes(self) -> int:
        """The nodes that the search in plain Python keeps."""
        return self.max_nodes or max(self.memory_mib * NODES_PER_MIB, 16)

    @property
    def ponders(self) -> bool:
        """Whether thinking on the opponents' time is wanted and keeps a fixed amount of thinking fixed."""
        return self.ponder and self.simulations == 0

    def explores(self, steady: bool) -> float:
        """The weight of the UCB term, where leaves have the mean of many playouts (`steady`) or not."""
        return self.exploration or (STEADY_EXPLORATION if steady else EXPLORATION)

    def _at_least(self, name: str, value: float, least: float) -> None:
        # written this way round so that not-a-number fails too
        if not value >= least:
            raise OptionsError(f"search setting {name} = {value} is too small: give {least} or more")

    def _share(self, name: str, value: float) -> None:
        if not 0 <= value <= 1:
            raise OptionsError(f"search setting {name} = {value} is out of range: give a number from 0 to 1")
