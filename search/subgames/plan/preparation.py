"""Preparation of planning: the step counter run ahead, the ends, each subgame's exploration."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain

import numpy as np

from reasoner.arrays import Bytes, Ints
from reasoner.lanes.machine import CircuitMachine
from search.factoring.factors import Factoring
from search.factoring.gates import going, stage
from search.subgames.plan.action_combinations import Rows, rows_in_stages, rows_of
from search.subgames.plan.bit_packing import BITS, words_for
from search.subgames.plan.counter_schedule import CounterSchedule, Values, ending_signals, of_literals, run
from search.subgames.plan.errors import TooMuchError
from search.subgames.plan.exploration import ILLEGAL, Exploration, Rules
from search.subgames.plan.outcome_diagram import OutcomeDiagram
from search.subgames.plan.product_game import Clockwork, ExploredSubgame, ProductGame, known
from search.subgames.plan.projection import cut_out, forbids, signals
from search.subgames.restricted_circuit import RestrictedCircuit

FOREVER = 1 << 30


class Preparation:
    """The subgames of a factoring from a state of the whole on; `steps` does the work."""

    def __init__(self, machine: CircuitMachine, factoring: Factoring, state: bytes) -> None:
        self._machine = machine
        self._counter = factoring.counter
        self._subgames = factoring.subgames
        if factoring.rest and forbids(machine.circuit, factoring.rest, self._counter):
            self._subgames = (*factoring.subgames, factoring.rest)
        if not self._subgames:
            raise TooMuchError("no subgame affects goals or termination")
        self._gates = factoring.gates
        self._signals = [self._read_of(k) for k in range(len(self._subgames))]
        self._start = self._bits(state)
        self.whole: ProductGame | None = None  # once all was explored
        self.explored: list[Exploration] = []
        self._parts: list[RestrictedCircuit] = []

    def steps(self) -> Iterator[None]:
        """Run the step counter, and cut the subgames out."""
        circuit = self._machine.circuit
        self.ends = OutcomeDiagram(circuit, self._signals)
        seen: list[bytes] = []  # for each time, the moves that the step counter allows

        def look(value: Values) -> None:
            self.ends.look(value)
            seen.append((of_literals(value, circuit.legal) != 0).tobytes())

        times = yield from run(circuit, self._counter, self._start, look)
        yield
        for k, subgame in enumerate(self._subgames):
            staged = going(stage(circuit, self._gates, k), self._counter)
            start = self._start.astype(np.bool_)
            self._parts.append(cut_out(circuit, staged, subgame, self._counter, start, self._signals[k]))
            self.explored.append(self._exploration(k, times))
            yield
        classes_of = [part.members for part in self._parts]
        self.rows = rows_in_stages(classes_of) if self._gates else rows_of(classes_of, len(circuit.legal))
        self.clockwork = _clockwork(times, seen, self.rows)
        self.here = self._located(self._start, 0)

    def _exploration(self, k: int, times: CounterSchedule) -> Exploration:
        own = self._signals[k]
        ends = np.array(ending_signals(self._machine.circuit, own), np.uint8).reshape(-1, 2)
        if k < len(self._gates):
            ends[own.index(self._gates[k]), 1] = 1  # the next begins
        ending = np.zeros((2, words_for(len(own)) * BITS), np.uint8)
        ending[:, : len(own)] = ends.T
        packed = np.packbits(ending, axis=1, bitorder="little").view(np.uint64)
        rules = Rules(packed, FOREVER if times.last is None else times.last)
        return Exploration(self._parts[k].circuit, len(own), rules, self._machine.emitter)

    @property
    def states(self) -> int:
        """The number of states of subgames found."""
        return sum(each.count for each in self.explored)

    @property
    def spent(self) -> int:
        """The bytes of the explorations."""
        return sum(each.count * each.bytes_each for each in self.explored)

    def modest(self, k: int) -> bool:
        """Return whether a subgame has used less than its share."""
        return self.explored[k].count * self.explored[k].bytes_each * len(self.explored) < self.spent

    @property
    def complete(self) -> bool:
        """Whether all subgames are completely explored."""
        return all(each.complete for each in self.explored)

    def known(self, k: int) -> ExploredSubgame:
        """Return a subgame as far as it was explored."""
        part = known(self.explored[k], len(self._signals[k]))
        if not self._gates:
            return part
        here = np.arange(len(part.vector), dtype=np.int32)
        ended = np.zeros(len(here), np.bool_)
        if k < len(self._gates):
            ended = part.shown[part.vector, self._signals[k].index(self._gates[k])]
        more = np.stack([here, np.where(ended, here, ILLEGAL)], axis=1).astype(np.int32)
        return replace(part, following=np.concatenate([part.following, more], axis=1))

    def _read_of(self, k: int) -> tuple[int, ...]:
        """Return the literals that goals, termination and the next subgame read of a subgame."""
        found = signals(self._machine.circuit, self._subgames[k], self._counter)
        return (*found, *self._gates[k : k + 1])

    def advance(self, state: bytes) -> bool:
        """Continue from the next state of the whole; return False if a subgame does not know its part of it."""
        if len(self.explored) < len(self._signals):
            return False
        here = self._located(self._bits(state), self._next_setting())
        if (here < 0).any():
            return False
        self.here = here
        return True

    def _next_setting(self) -> int:
        times = self.clockwork.times
        return times.index(int(self.here[0]) + 1) if times.again >= 0 else int(self.here[0]) + 1

    def _located(self, bits: Bytes, setting: int) -> Ints:
        """Return the step counter's setting, and the number of each subgame's state; -1 if unknown.  # [1 + K]."""
        numbers = [each.number(bits[part.bases]) for each, part in zip(self.explored, self._parts, strict=True)]
        settings = self.clockwork.times.settings
        right = setting < len(settings) and settings[setting] == tuple(bits[list(self._counter)].tolist())
        return np.array([setting if right else -1, *numbers], np.int32)

    def _bits(self, state: bytes) -> Bytes:
        return np.unpackbits(np.frombuffer(state, np.uint8), count=len(self._machine.circuit.bases))


def _clockwork(times: CounterSchedule, seen: Sequence[bytes], rows: Rows) -> Clockwork:
    """Return the rows that have an allowed move, by phase."""
    phases = {allowed: number for number, allowed in enumerate(dict.fromkeys(seen))}
    table = np.array([np.frombuffer(allowed, np.bool_) for allowed in phases])
    first = np.array([0, *np.cumsum([len(own) for own in rows.members])[:-1]])
    order = np.array([*chain.from_iterable(rows.members)])
    open_rows = np.logical_or.reduceat(table[:, order], first, axis=1)
    return Clockwork(times, np.array([phases[allowed] for allowed in seen], np.int32), open_rows)
