"""The process that solves: clauses and gates come in on standard input, answers go out on standard output.

It imports clingo and little of ours, so that it is there in a tenth of a second. A message is two numbers,
its kind and how many numbers follow; all are 32-bit, in this machine's order. Variables count from 1, and a negative
number is a variable's negation. It ends with whoever holds the other end of its input.
"""

from __future__ import annotations

import contextlib
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
"""The exit code of a process that can go on no more."""


class Kind(IntEnum):
    """What a message tells, and its numbers."""

    FREE = 0  # variables that may be either
    GATES = 1  # (out, a, b): out = a and b
    CLAUSES = 2  # literals of which one holds, 0 after each clause
    COUNT = 3  # (out, k, literals …): out = at least k of these; 0 in place of out: not so many hold
    SOLVE = 4  # milliseconds, then literals that are assumed


class Verdict(IntEnum):
    """Answers; the true ones of the free variables follow YES."""

    YES = 0
    NO = 1
    UNKNOWN = 2


class _Solver:
    """One program that grows."""

    def __init__(self, options: list[str]) -> None:
        self.control = Control(options, logger=lambda *_: None)
        self.free: dict[int, int] = {}  # by atom the variable
        self.atoms: dict[int, int] = {}  # by variable, as they come

    def take(self, kind: Kind, numbers: array[int]) -> None:
        """Add to the program."""
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
                    raise ValueError("a question adds nothing to the program")
                case _:
                    assert_never(kind)

    def _meet(self, backend: Backend, numbers: array[int]) -> None:
        """Give each new variable an atom; what has an atom must be defined before the next question."""
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
        """The answer, and the free variables that are true."""
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
    """Take messages in, also while one is answered; end everything when there are no more."""
    while len(head := source.read(8)) == 8:
        kind, count = array("i", head)
        data = source.read(4 * count)
        if len(data) < 4 * count:
            break
        messages.put((Kind(kind), array("i", data)))
    os._exit(0)


def _limit(megabytes: int, seconds: int) -> None:
    """Let the operating system end what takes too much."""
    size = megabytes * 2**20
    with contextlib.suppress(OSError, ValueError):  # it has a smaller limit already
        limit_address_space(size, FAILED)
    with contextlib.suppress(OSError, ValueError):
        limit_processor_time(seconds)
    write_no_core()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who asked decides when to stop
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
