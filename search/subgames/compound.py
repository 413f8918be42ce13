"""Search of a game of several roles: a search of the whole game, one of each subgame and a solver share the time.

The detector tries to find subgames at the start and in every later position, because a game may split only in the
course of a match. In each subgame, moves with the same effect form a class. If a move acts on all subgames at once, the
move to play combines the best class of each. If a move acts on one subgame only, the move to play is the best move of
the subgame where it gains the most over idling. If idling is better in every subgame and a move idles in all, the move
to play is such a move. Moves that lose by a proof of the whole game are left out. The search of the whole game
overrides this choice if it has proven the position, or if it values the chosen move much less than its own best move.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence, Set
from dataclasses import replace
from itertools import accumulate

from reasoner.lanes.machine import CircuitMachine
from reasoner.language.terms import Term
from reasoner.machine import State
from search.clock import Clock
from search.factoring.factors import ACTIONS
from search.native.search import NativeSearch
from search.network.storage import Model
from search.options import SearchOptions
from search.report import PartReport, Report
from search.root.remote import RootStats
from search.root.summary import played_first
from search.solver.kept_proofs import KeptProofs
from search.solver.prover import Prover
from search.subgames.other_subgame_states import contexts
from search.subgames.restricted_circuit import held, unpacked
from search.subgames.split_detector import Split, SplitDetector
from search.subgames.subgame_circuit import SubgameCircuit, play_cone, signals
from search.subgames.subgame_search import SubgameSearch
from search.subgames.unchanged_stakes import stakes_unchanged

TURN_SECONDS, MIN_TURNS = 0.02, 4
"""Maximum seconds of one turn of a search; and the minimum number of turns to plan for each search."""
MIN_MEMORY_MIB = 8
"""Memory for the search of a subgame if there is no more."""
SAMPLING_SHARE = 0.1
"""Maximum share of the time for finding subgames and for the random games that give contexts."""
VETO_MARGIN = 0.07
"""A move is not played if the search of the whole game values it lower than its best move by more than this, 0..1."""
VETO_SIMULATIONS = 200
"""Minimum visits of a move in the search of the whole game for `VETO_MARGIN` to apply."""


class CompoundSearch:
    """A `Thinker` for a `CircuitMachine`; see `search.search.Search` for its methods."""

    def __init__(
        self,
        whole: NativeSearch,
        machine: CircuitMachine,
        role: int,
        state: bytes,
        options: SearchOptions,
        clock: Clock,
        model: Model | None = None,
    ) -> None:
        self._whole = whole
        self._machine = machine
        self._role = role
        self._state = state
        self._options = options
        self._model = model
        self._clock = clock
        self._detector = SplitDetector(machine.circuit, clock)
        self._split: Split | None = None
        self._locals: list[SubgameSearch] = []  # one per subgame; empty if the game is searched whole
        self._settled: tuple[bool, ...] = ()  # the signals in the position that the cones were cut from
        self._cut_at = state  # this position, or a later one with the same cones
        self._starts = (*accumulate(map(len, machine.circuit.moves), initial=0),)
        self._turn = 0
        self._prover = Prover(machine, role, state, options, clock)
        self._committed = False  # whether the solver searches the position after the committed move

    @property
    def forced(self) -> bool:
        """See `search.search.Search.forced`."""
        return self._whole.forced

    @property
    def solved(self) -> bool:
        """See `search.search.Search.solved`."""
        return self._whole.solved

    def think(
        self,
        deadline: float,
        stop: Callable[[], bool] | None = None,
        interrupted: Callable[[], bool] | None = None,
    ) -> None:
        """See `search.search.Search.think`."""
        if self._options.factoring and self._split is None and not self._whole.solved:
            self.look(deadline, interrupted)
        while not self.solved and self._clock.now() < deadline and not (stop and stop()):
            self._take_turn(deadline, stop)

    def _take_turn(self, deadline: float, stop: Callable[[], bool] | None) -> None:
        if self._prover.due(deadline):
            self._prover.turn(stop)
        if self._proven():
            return
        every: list[NativeSearch | SubgameSearch] = [self._whole, *self._locals]
        searches = [each for each in every if not (each.solved or each.forced)] if self._locals else []
        if not searches and not self._prover.active:
            self._whole.think(deadline, stop)
            return
        self._turn += 1
        searches = searches or [self._whole]
        now = self._clock.now()
        end = now + min(TURN_SECONDS, (deadline - now) / (MIN_TURNS * len(searches)))
        searches[self._turn % len(searches)].think(deadline, lambda: self._clock.now() >= end or bool(stop and stop()))
        self._prover.note(self._clock.now() - now)

    def _proven(self) -> bool:
        """Whether the solver has a proof for this position, which enters the tree of the whole game."""
        proof = self._prover.proof
        return proof is not None and not self._committed and self._whole.prove(*proof)

    def use_proofs(self, proofs: KeptProofs) -> None:
        """See `search.search.Search.use_proofs`."""
        self._prover.use_proofs(proofs)

    def commit(self, move: Term) -> None:
        """See `search.search.Search.commit`."""
        self._whole.commit(move)
        legal = self._machine.legal(self._state)
        others = [own for role, own in enumerate(legal) if role != self._role]
        if move in legal[self._role] and all(len(own) == 1 for own in others):
            joint = [move if role == self._role else own[0] for role, own in enumerate(legal)]
            self._prover.enter(self._machine.next(self._state, joint))
            self._committed = True
        for each in self._locals:
            each.commit(self._number(self._role, move))

    def advance(self, joint: Sequence[Term], state: State) -> None:
        """See `search.search.Search.advance`."""
        self._whole.advance(joint, state)
        assert isinstance(state, bytes)
        self._state = state
        self._committed = False
        self._prover.enter(state)
        if self._split is None:
            return
        numbers = [self._number(role, move) for role, move in enumerate(joint)]
        signals = self._signals(self._split)
        if not self._detector.given_up and (signals == self._settled or self._fits(self._split)):
            if not all(each.follows(numbers, state) for each in self._locals):
                self._detector.given_up = "given up: a subgame did not develop as predicted"
            elif signals == self._settled or not any(each.over for each in self._locals):
                self._settled, self._cut_at = signals, state
                return
        self._split, self._locals = None, []  # the remaining game is analysed again

    def best(self) -> Term:
        """See `search.search.Search.best`."""
        return self._reasoned()[0]

    def _reasoned(self) -> tuple[Term, str]:
        """Return the move to play, and the reason for it if there are subgames, else an empty text."""
        whole, split = self._whole.best(), self._split
        if split is None or not self._locals or self._whole.forced:
            return whole, ""
        if self._whole.solved:
            return whole, "the search of the whole game has proven it"
        known = {each.move: each for each in self._whole.moves()}
        lost = {move for move, each in known.items() if each.proven and each.value <= 0}
        found = self._recombined(split, lost if whole not in lost else set())
        if found is None:
            return whole, "the subgame searches recommend no move; the search of the whole game recommends it"
        if known[found].visits >= VETO_SIMULATIONS and known[found].value < known[whole].value - 100 * VETO_MARGIN:
            return whole, f"the whole game's search values {found}, recommended for a subgame, much less than its best"
        return found, "the subgame searches recommend it"

    def _recombined(self, split: Split, lost: Set[Term]) -> Term | None:
        """Return the legal move that the subgame searches recommend; None if they recommend none.

        `lost` are the moves that lose by a proof of the whole game, which a subgame does not see.
        """
        advice = [each for each in (local.advice() for local in self._locals) if each is not None]
        legal = {self._number(self._role, move): move for move in self._machine.legal(self._state)[self._role]}
        own = frozenset(number for number, move in legal.items() if move not in lost)
        together = frozenset(legal).intersection(*(each.moves for each in advice))
        if advice and not together and split.factoring.kind == ACTIONS:
            self._detector.given_up = "given up: no legal move combines the recommendations of the subgame searches"
        elif advice and not together:
            urgent = sorted(advice, key=lambda each: each.gain, reverse=True)
            together = next((moves for each in urgent if (moves := own & each.acting)), together)
        return max((legal[move] for move in own & together), key=str, default=None)

    def root_stats(self) -> RootStats:
        """See `search.search.Search.root_stats`."""
        return self._whole.root_stats()

    def report(self) -> Report:
        """See `search.search.Search.report`."""
        reports = [self._whole.report(), *(each.report() for each in self._locals)]
        best, reason = self._reasoned() if reports[0].moves else (None, "")
        return replace(
            reports[0],
            moves=played_first(reports[0].moves, best) if best is not None else (),
            parts=self._parts(best) if best is not None and reason else (),
            reason=reason,
            simulations=sum(each.simulations for each in reports),
            playouts=sum(each.playouts for each in reports),
            seconds=sum(each.seconds for each in reports),
            nodes=sum(each.nodes for each in reports),
            tree_bytes=sum(each.tree_bytes for each in reports),
            solved=self.solved,
            factors=self._detector.given_up or (self._split.summary if self._split else ""),
            looking=self._detector.spent,
        )

    def _parts(self, best: Term) -> tuple[PartReport, ...]:
        """Return the report of each subgame with a choice; `best` is the move that is played in the whole game."""
        number = self._number(self._role, best)
        parts = [part for each in self._locals if (part := each.part(number)) is not None]
        return tuple(part.named(best) if part.played else part for part in parts)

    def look(self, deadline: float, interrupted: Callable[[], bool] | None = None) -> None:
        """Find subgames in this position within a share of the time, and start a search of each."""
        began = self._clock.now()
        split = self._detector.split(self._state, deadline, interrupted)
        if split is None:
            return
        circuit = split.part.circuit
        count = 1 if split.factoring.gates else len(split.factoring.subgames)  # in series only the first is played
        around = contexts(
            self._machine, self._state, self._options.seed, self._clock, began + SAMPLING_SHARE * (deadline - began)
        )
        bits = [each[split.part.bases] for each in around]
        cones = [play_cone(circuit, split.factoring, number, circuit.initial, bits) for number in range(count)]
        self._locals = self._searches([cone.of(split.part) for cone in cones])
        if not self._locals:
            self._detector.given_up = "given up: there is no memory for the searches of the subgames"
            return
        self._split, self._settled, self._cut_at = split, self._signals(split), self._state
        self._detector.note(began)

    def _searches(self, cones: Sequence[SubgameCircuit]) -> list[SubgameSearch]:
        """Return a search of each cone, with the least memory if there is no more; none if even that is too much."""
        for memory_mib in (max(self._options.memory_mib // (2 * len(cones)), MIN_MEMORY_MIB), MIN_MEMORY_MIB):
            options = replace(self._options, memory_mib=memory_mib)
            told = self._machine, self._role, self._state, options, self._clock, self._model
            with contextlib.suppress(MemoryError):
                return [SubgameSearch(cone, *told) for cone in cones]
        return []

    def _fits(self, split: Split) -> bool:
        """Return whether the cones are still valid after signals of the subgames have changed."""
        if split.factoring.gates:
            return False
        part = split.part
        before, now = (unpacked(state, part.width)[part.bases] for state in (self._cut_at, self._state))
        return stakes_unchanged(part.circuit, split.factoring, before, now)

    def _signals(self, split: Split) -> tuple[bool, ...]:
        """Return the values, in this position, of the subgames' literals that goals, termination and gates read."""
        wanted = [literal for one in split.factoring.subgames for literal in signals(one)]
        wanted += split.factoring.gates
        bits = unpacked(self._state, split.part.width)[split.part.bases]
        return held(split.part.circuit, bits, wanted)

    def _number(self, role: int, move: Term) -> int:
        found = self._machine.circuit.moves[role].find(move)
        assert found is not None  # the move was made
        return self._starts[role] + found
