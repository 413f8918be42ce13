"""Recorded games in lanes: each recorded state in a lane of its own, its recorded moves forced, all at once."""

from __future__ import annotations

import numpy as np

from reasoner.lanes import play
from reasoner.lanes.lane_graph import GOAL, LEGAL, NEXT, REST
from reasoner.lanes.machine import CircuitMachine
from reasoner.lanes.rows import LANES, WORDS, aligned
from reasoner.language.parse import read_term
from tests.traces import Recording, both


class LaneReplayer:
    """Holds a machine's lanes against a recording. `compared` grows as it goes."""

    def __init__(self, machine: CircuitMachine, recording: Recording) -> None:
        self.machine = machine
        self.circuit = machine.circuit
        self.recording = recording
        self.compared = 0
        emitted = machine.program.code.load()
        self.emitted = emitted
        self.lanes = play.lanes(machine.program, emitted)
        self.values = aligned(emitted.rows)
        self.rows = self.values.reshape(-1, WORDS)
        self.moves = [
            {str(move): number for number, move in enumerate(moves, start)}
            for moves, start in zip(
                self.circuit.moves, np.cumsum([0, *map(len, self.circuit.moves)]).tolist(), strict=False
            )
        ]

    def run(self) -> str | None:
        """What differs first, if anything does."""
        pairs = [
            (step, following)
            for steps in self.recording.playouts
            for step, following in zip(steps, [*steps[1:], None], strict=True)
        ]
        for start in range(0, len(pairs), LANES):
            fault = self._batch(pairs[start : start + LANES])
            if fault:
                return fault
        return None

    def _batch(self, pairs: list[tuple[dict, dict | None]]) -> str | None:
        states = np.array([self._bits(step) for step, _ in pairs], bool)  # [lanes, bases]
        self._put(1, states.T)
        self.rows[self.lanes.hold] = 0
        play.section(self.values, self.lanes, LEGAL)
        play.section(self.values, self.lanes, GOAL)
        legal, terminal = self._bits_of(self.emitted.legal), self._bits_of([self.emitted.terminal])[0]
        goals = self._bits_of(self.emitted.goals[:, 2])
        for lane, (step, _) in enumerate(pairs):
            fault = self._seen_otherwise(step, legal[:, lane], bool(terminal[lane]), goals[:, lane])
            if fault:
                return f"lane {lane}: {fault}"
            self.compared += 1
        moved = np.zeros((len(self.circuit.legal), len(pairs)), bool)
        for lane, (step, _) in enumerate(pairs):
            for role, move in enumerate(step.get("moves") or ()):
                moved[self.moves[role][str(read_term(move))], lane] = True
        self._put(1 + self.lanes.bases, moved)
        play.section(self.values, self.lanes, REST)
        play.section(self.values, self.lanes, NEXT)
        after = self._bits_of(2 * np.arange(1, 1 + self.lanes.bases))
        for lane, (step, following) in enumerate(pairs):
            if following is not None and step.get("moves"):
                wanted = self._bits(following)
                if not np.array_equal(after[:, lane], wanted):
                    names = np.array([str(base) for base in self.circuit.bases])
                    return f"lane {lane}: next {both(set(names[after[:, lane]]), set(names[wanted]))}"
        return None

    def _seen_otherwise(self, step: dict, legal: np.ndarray, terminal: bool, goals: np.ndarray) -> str | None:
        if terminal != step["terminal"]:
            return f"terminal is {terminal}, recorded {step['terminal']}"
        for role, recorded in enumerate(step["goals"]):
            held = [value for of, value, _ in self.circuit.goals[goals].tolist() if of == role]
            if recorded is not None and held != [recorded]:
                return f"goals of role {role} are {held}, recorded {recorded}"
        for known, recorded in zip(self.moves, step.get("legal", ()), strict=False):
            found = {text for text, number in known.items() if legal[number]}
            if found != {str(read_term(move)) for move in recorded}:
                return f"moves {both(found, {str(read_term(move)) for move in recorded})}"
        return None

    def _bits(self, step: dict) -> np.ndarray:
        state = self.machine.state(step["state"])
        assert isinstance(state, bytes), "a recorded state that the circuit cannot hold"
        return np.unpackbits(np.frombuffer(state, np.uint8), count=len(self.circuit.bases)).astype(bool)

    def _put(self, first: int, bits: np.ndarray) -> None:
        """Set rows from bits.  # [rows, lanes used]"""
        full = np.zeros((len(bits), LANES), np.uint8)
        full[:, : bits.shape[1]] = bits
        self.rows[first : first + len(bits)] = np.packbits(full, axis=1, bitorder="little").view(np.uint64)

    def _bits_of(self, literals: np.ndarray | list[int]) -> np.ndarray:
        found = np.asarray(literals, np.int64)
        bits = np.unpackbits(self.rows[found >> 1].view(np.uint8), axis=1, bitorder="little")
        return (bits ^ (found & 1)[:, None].astype(np.uint8)).astype(bool)
