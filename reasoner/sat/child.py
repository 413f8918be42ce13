"""The solver process: read clauses and gates from standard input, write answers to standard output.

The process imports clingo and few modules of this project, so it starts in a tenth of a second. A message begins with
its kind and the count of the numbers that follow. All numbers are 32-bit, in native byte order. Variables are numbered
from 1; a negative number is the negation of a variable. The process ends when its input is closed.
"""

from __future__ import annotations

import os
import queue
import signal
import sys
import threading
from array import array
from enum import IntEnum
from typing import BinaryIO, assert_never

from clingo import Backend, Control, Model

from reasoner.platform_calls import limit_address_space, limit_processor_time, offer_to_oom_killer, write_no_core

FAILED = 1
"""The exit code of a process after an unrecoverable error."""


class Kind(IntEnum):
    """The kind of a message; the comments describe the numbers that the message contains."""

    FREE = 0  # free variables
    GATES = 1  # (out, a, b): out = a and b
    CLAUSES = 2  # literals, at least one of which is true; 0 after each clause
    COUNT = 3  # (out, k, literals …): out = at least k of them are true; out = 0: require fewer than k
    SOLVE = 4  # time limit in milliseconds, then assumed literals


class Verdict(IntEnum):
    """The kind of an answer: YES (satisfiable), with the true free variables, NO, or UNKNOWN (time is up)."""

    YES = 0
    NO = 1
    UNKNOWN = 2


class _Solver:
    """A clingo control to which messages add clauses and gates."""

    def __init__(self, options: list[str]) -> None:
        self.control = Control(options, logger=lambda *_: None)
        self.free: dict[int, int] = {}  # variables by atom
        self.atoms: dict[int, int] = {}  # atoms by variable, in order of appearance

    def take(self, kind: Kind, numbers: array[int]) -> None:
        """Add a message to the program."""
        with self.control.backend() as backend:
            self._meet(backend, numbers[:1] + numbers[2:] if kind is Kind.COUNT else numbers)
            match kind:
                case Kind.FREE:
                    self.free |= {self.atoms[each]: each for each in numbers}
                    backend.add_rule([self.atoms[each] for each in numbers], [], choice=True)
                case Kind.GATES:
                    self._add_gates(backend, [self._literal(each) for each in numbers])
                case Kind.CLAUSES:
                    self._add_clauses(backend, numbers)
                case Kind.COUNT:
                    head = [self._literal(numbers[0])] if numbers[0] else []
                    backend.add_weight_rule(head, numbers[1], [(self._literal(each), 1) for each in numbers[2:]])
                case Kind.SOLVE:
                    raise ValueError("SOLVE is a question, which cannot be added to the program")
                case _:
                    assert_never(kind)

    def _meet(self, backend: Backend, numbers: array[int]) -> None:
        """Create an atom for each new variable; the atom must be defined before the next question."""
        for variable in set(map(abs, numbers)) - self.atoms.keys() - {0}:
            self.atoms[variable] = backend.add_atom()

    def _literal(self, number: int) -> int:
        return self.atoms[number] if number > 0 else -self.atoms[-number]

    @staticmethod
    def _add_gates(backend: Backend, literals: list[int]) -> None:
        for i in range(0, len(literals), 3):
            backend.add_rule([literals[i]], [literals[i + 1], literals[i + 2]])

    def _add_clauses(self, backend: Backend, numbers: array[int]) -> None:
        body: list[int] = []
        for number in numbers:
            if number:
                body.append(-self._literal(number))
            else:
                backend.add_rule([], body)
                body = []

    def solve(self, milliseconds: int, assumed: array[int]) -> tuple[Verdict, list[int]]:
        """Return the verdict and the free variables that are true in the model."""
        found: list[int] = []

        def keep(model: Model) -> bool:
            found.extend(variable for atom, variable in self.free.items() if model.is_true(atom))
            return False

        literals = [self._literal(each) for each in assumed]
        with self.control.solve(assumptions=literals, on_model=keep, async_=True) as handle:
            if not handle.wait(milliseconds / 1000):
                handle.cancel()
            result = handle.get()
        verdict = Verdict.YES if result.satisfiable else Verdict.NO if result.unsatisfiable else Verdict.UNKNOWN
        return verdict, found


def _read(source: BinaryIO, messages: queue.Queue[tuple[Kind, array[int]]]) -> None:
    """Read messages, also during a question; end the process at the end of the input."""
    while len(head := source.read(8)) == 8:
        kind, count = array("i", head)
        data = source.read(4 * count)
        if len(data) < 4 * count:
            break
        messages.put((Kind(kind), array("i", data)))
    os._exit(0)


def _limit(megabytes: int, seconds: int) -> None:
    """Set limits of memory and processor time."""
    limit_address_space(megabytes * 2**20, FAILED)
    limit_processor_time(seconds)
    write_no_core()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the client decides when to stop
    offer_to_oom_killer()


def main() -> None:
    """Answer until the input ends: ``python -m reasoner.sat.child MEGABYTES SECONDS OPTION…``."""
    _limit(int(sys.argv[1]), int(sys.argv[2]))
    messages: queue.Queue[tuple[Kind, array[int]]] = queue.Queue()
    threading.Thread(target=_read, args=(sys.stdin.buffer, messages), daemon=True).start()
    solver = _Solver(sys.argv[3:])
    while True:
        kind, numbers = messages.get()
        if kind is not Kind.SOLVE:
            solver.take(kind, numbers)
            continue
        verdict, true = solver.solve(numbers[0], numbers[1:])
        sys.stdout.buffer.write(array("i", [verdict, len(true), *true]).tobytes())
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    try:
        main()
    except BaseException:
        os._exit(FAILED)
