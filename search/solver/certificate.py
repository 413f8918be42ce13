"""Certificates: files with a strategy for each role, which anybody can check.

A certificate is text compressed by gzip, with one JSON value per line. The first line has the rules and the position.
Each strategy begins with a line that has a role and the goal that the role reaches. The next lines are the positions of
the strategy, one per line, numbered from 0. A position is a list: the role's move, then the number of the position
after each answer of the other roles (their joint moves, sorted by their text). The list is empty if the game is over.
Positions that differ only in facts on which play does not depend may share a number; each of them is checked.

`check` replays every line by the relational engine. It uses nothing of the lanes, of circuits or of the solver.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product
from math import prod
from pathlib import Path
from typing import IO, Any, NamedTuple

import reasoner
from reasoner.errors import ReasonerError
from reasoner.language.terms import Term
from reasoner.machine import Machine, State
from search.errors import CertificateError
from search.files import replacing
from search.solver.strategy import MAX_POSITIONS, Step, Strategy

FORMAT = "ggp-agent certificate 1"
MAX_LINE = 16 << 20
"""Maximum number of characters of a line."""
MAX_ANSWERS = 8 * MAX_POSITIONS
"""Maximum number of answers in all lines of a strategy: more would fill the memory."""
MAX_TEXT = 64 * MAX_POSITIONS
"""Maximum number of characters of all moves of a strategy, for the same reason."""


class Claim(NamedTuple):
    """What a strategy of a certificate proves: the role can reach at least this goal."""

    role: str
    at_least: int
    positions: int
    moves: int  # the maximum number of moves to the end, if the role plays by the strategy


class Proof(NamedTuple):
    """What a certificate proves, and of which game and position."""

    rules: str
    position: list[str] | None  # the true facts; None: the initial state
    claims: list[Claim]


def write(file: Path, rules: str, facts: Sequence[str] | None, strategies: Iterable[Strategy]) -> None:
    """Write a certificate; an error leaves an earlier one at its place. Raises OSError.

    facts: the true facts of the position; None: the initial state.
    """
    with replacing(file) as draft, gzip.open(draft, "wt", encoding="utf-8") as out:
        out.write(json.dumps({"format": FORMAT, "rules": rules, "position": facts}) + "\n")
        for strategy in strategies:
            head = {"role": strategy.role, "at_least": strategy.at_least, "positions": len(strategy.steps)}
            out.write(json.dumps(head) + "\n")
            for step in strategy.steps:
                out.write(json.dumps([step.move, *step.following] if step.following else []) + "\n")


def check(file: Path, progress: Callable[[int], None] = lambda _: None) -> Proof:
    """Check a certificate; return its rules, its position and what its strategies prove.

    progress: called with the number of positions checked so far; it may raise an exception to interrupt the check.
    Raises CertificateError, which names the line, and OSError.
    """
    with gzip.open(file, "rt", encoding="utf-8") as text:
        lines = _lines(text)
        head = _record(next(lines, (1, None)), "format", "rules", "position")
        if head["format"] != FORMAT:
            raise CertificateError(f"line 1: the format is {str(head['format'])[:40]!r}; this program reads {FORMAT!r}")
        if not isinstance(head["rules"], str):
            raise CertificateError("line 1: the rules must be a text")
        try:
            machine = reasoner.load_text(head["rules"], engine="relational")
            given = head["position"]
            if given is not None and not (isinstance(given, list) and all(isinstance(fact, str) for fact in given)):
                raise ValueError("the position must be null or a list of facts, each a text")
            start = machine.initial() if given is None else machine.state(given)
        except (ReasonerError, ValueError) as error:
            raise CertificateError(f"line 1: the rules or the position cannot be read: {error}") from None
        if machine.hides:
            raise CertificateError("line 1: this game hides information, so no strategy can depend on the position")
        claims = []
        for line in lines:
            record = _record(line, "role", "at_least", "positions")
            claims.append(_Check(machine, record, line[0], progress).claim(start, lines))
    if not claims:
        raise CertificateError("the certificate has no strategy")
    return Proof(head["rules"], None if start == machine.initial() else given, claims)


class _Check:
    """Check of one strategy."""

    def __init__(self, machine: Machine, record: dict[str, Any], line: int, progress: Callable[[int], None]) -> None:
        role, goal, count = record["role"], record["at_least"], record["positions"]
        if role not in machine.roles:
            raise CertificateError(f"line {line}: the game has no role {str(role)[:40]!r}")
        if type(goal) is not int or type(count) is not int or not 0 < count <= MAX_POSITIONS:
            limit = f"`positions` from 1 to {MAX_POSITIONS:,}"
            raise CertificateError(f"line {line}: `at_least` and `positions` must be whole numbers, {limit}")
        self.machine, self.progress = machine, progress
        self.role, self.goal, self.count, self.line = machine.roles.index(role), goal, count, line
        self.steps: list[Step] = []

    def claim(self, start: State, lines: Iterator[tuple[int, Any]]) -> Claim:
        """Read the steps, and replay them from `start`. Raises CertificateError."""
        answers = text = 0
        for _ in range(self.count):
            line = next(lines, (self.line + len(self.steps) + 1, None))
            self.steps.append(_step(line, self.count))
            answers += len(self.steps[-1].following)
            if answers > MAX_ANSWERS:
                raise CertificateError(f"line {line[0]}: the strategy has more than {MAX_ANSWERS:,} answers")
            text += len(self.steps[-1].move)
            if text > MAX_TEXT:
                raise CertificateError(f"line {line[0]}: the strategy has moves of more than {MAX_TEXT:,} characters")
        order, waiting, done = self._order(), defaultdict[int, set[State]](set), 0
        waiting[0] = {start}
        for number in reversed(order):  # every position before those that follow it
            for state in waiting.pop(number):
                for following, after in self._following(number, state):
                    waiting[following].add(after)
                done += 1
                self.progress(done)
                if done > MAX_POSITIONS:
                    raise self._fault(number, f"more than {MAX_POSITIONS:,} positions were to be checked")
        return Claim(self.machine.roles[self.role], self.goal, done, self._depth(order))

    def _following(self, number: int, state: State) -> Iterator[tuple[int, State]]:
        """Yield the position after each answer, with its number."""
        machine, step = self.machine, self.steps[number]
        legal = () if machine.terminal(state) else machine.legal(state)
        if not legal or not all(legal):  # a role without a move ends the game, too
            goal = machine.goal(state)[self.role]
            if step.following or goal is None or goal < self.goal:
                raise self._fault(number, f"the game is over and the goal is {goal}, not at least {self.goal}")
            return
        own = legal[self.role] if not step.move else tuple(m for m in legal[self.role] if str(m) == step.move)
        if len(own) != 1:
            raise self._fault(
                number, f"{step.move!r:.60} does not name one legal move; legal: {_listed(legal[self.role])}"
            )
        choices = [own if role == self.role else moves for role, moves in enumerate(legal)]
        if (answers := prod(map(len, choices))) != len(step.following):
            raise self._fault(number, f"{len(step.following)} positions for {answers:,} answers of the other roles")
        for joint, following in zip(product(*choices), step.following, strict=True):
            yield following, machine.next(state, joint)

    def _order(self) -> list[int]:
        """Return the positions that play can reach, successors before predecessors. Raises if play can repeat."""
        order, done, path = list[int](), bytearray(self.count), [(0, iter(self.steps[0].following))]
        done[0] = 1
        while path:
            number, rest = path[-1]
            following = next(rest, None)
            if following is None:
                path.pop()
                done[number] = 2
                order.append(number)
            elif done[following] == 1:
                raise self._fault(number, f"position {following} is repeated, so the game might never end")
            elif not done[following]:
                done[following] = 1
                path.append((following, iter(self.steps[following].following)))
        return order

    def _depth(self, order: Sequence[int]) -> int:
        """Return the most moves from the first position to the end."""
        depths = [0] * self.count
        for number in order:
            depths[number] = max((1 + depths[i] for i in self.steps[number].following), default=0)
        return depths[0]

    def _fault(self, number: int, text: str) -> CertificateError:
        return CertificateError(f"line {self.line + 1 + number}: {text}")


def _listed(moves: Sequence[Term]) -> str:
    return ", ".join(map(str, moves[:5])) + (", …" if len(moves) > 5 else "")


def _lines(text: IO[str]) -> Iterator[tuple[int, Any]]:
    """Yield the number and the JSON value of each line."""
    number = 0
    try:
        while line := text.readline(MAX_LINE):
            number += 1
            yield number, json.loads(line)
    except (ValueError, RecursionError, EOFError, gzip.BadGzipFile, zlib.error):
        raise CertificateError(
            f"line {number or 1}: this is not a certificate, or a damaged one: `solve --certificate FILE` writes them"
        ) from None


def _record(line: tuple[int, Any], *names: str) -> dict[str, Any]:
    number, value = line
    if not isinstance(value, dict) or any(name not in value for name in names):
        raise CertificateError(f"line {number}: a record with {', '.join(names)} is expected")
    return value


def _step(line: tuple[int, Any], count: int) -> Step:
    number, value = line
    if value == []:
        return Step("", ())
    if (
        not isinstance(value, list)
        or not isinstance(value[0], str)
        or not all(type(i) is int and 0 <= i < count for i in value[1:])
    ):
        raise CertificateError(f"line {number}: a list of a move and of numbers below {count} is expected")
    return Step(value[0], tuple(value[1:]))
