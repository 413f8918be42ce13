"""`ggp-agent check --simulate`: faults found by random games, as text and data."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator

from agent.cli.words import counted
from reasoner.relational.machine import RelationalMachine
from reasoner.rules.read import ReadLimits, read_program
from reasoner.verify import FAULTS, Fault, verify

SHOWN_MOVES = 30
"""Maximum joint moves of a counter-example printed; JSON has all."""


class Simulation:
    """Random games of a rulesheet without errors, determined by `seed`. Raises ReasonerError.

    Plays `games` games, or fewer if `seconds` are over. Each game ends after at most `steps` joint moves. `text` is the
    rulesheet, `file` its name; for `lenient` see ReadLimits.
    """

    def __init__(
        self, games: int, steps: int, seed: int, seconds: float, file: str, text: str, lenient: bool = False
    ) -> None:
        self._asked, self._seconds, self._file = games, seconds, file
        end = time.monotonic() + seconds
        machine = RelationalMachine(read_program(text, ReadLimits(lenient=lenient))[0])
        self._found = verify(machine, games, steps, seed, lambda: time.monotonic() > end)

    @property
    def faults(self) -> int:
        """Number of kinds of faults found."""
        return len(self._found.faults)

    def told(self) -> Iterator[str]:
        """Lines with the statistics, and each fault with the moves that lead to it."""
        yield f"{self._file}: {'; '.join(self._figures())}"
        for code, fault in self._found.faults.items():
            games = counted(self._found.games_with[code], "game")
            yield f"{self._file}: error: {FAULTS[code]}: {fault.detail}; in {games} [{code}]"
            yield from _trace(fault)

    def data(self) -> dict[str, object]:
        """The statistics and the faults as a JSON object."""
        found = self._found
        return {
            "file": self._file,
            "games": len(found.lengths),
            "ended": len(found.goals),
            "steps": {"least": min(found.lengths, default=0), "most": max(found.lengths, default=0)},
            "moves": {str(count): states for count, states in sorted(found.choices.items())},
            "goals": dict(zip(found.roles, self._means(), strict=True)),
            "declared": found.declared,
            "faults": [self._fault_data(fault) for fault in found.faults.values()],
        }

    def _fault_data(self, fault: Fault) -> dict[str, object]:
        games = self._found.games_with[fault.code]
        moves = [list(map(str, joint)) for joint in fault.moves]
        return {
            "code": fault.code,
            "message": FAULTS[fault.code],
            "detail": fault.detail,
            "games": games,
            "moves": moves,
        }

    def _figures(self) -> Iterator[str]:
        lengths, choices = self._found.lengths, self._found.choices
        if not lengths:
            yield f"no game ended within {self._seconds:g} s"
            return
        short = f" of {self._asked}, stopped after {self._seconds:g} s" if len(lengths) < self._asked else ""
        yield counted(len(lengths), "random game") + short
        yield f"{min(lengths)} to {max(lengths)} steps, {sum(lengths) / len(lengths):.1f} on average"
        if choices:
            average = sum(count * states for count, states in choices.items()) / sum(choices.values())
            yield f"{min(choices)} to {max(choices)} moves per role, {average:.1f} on average"
        goals = zip(self._found.roles, self._means(), strict=True)
        yield "goals " + ", ".join(f"{role} {'none' if goal is None else f'{goal:.1f}'}" for role, goal in goals)
        missing = [f"`{name}`" for name, stated in self._found.declared.items() if not stated]
        if missing:
            yield f"not checked: no {' and no '.join(missing)}"

    def _means(self) -> list[float | None]:
        """Mean goal per role over the games with a goal."""
        columns = list(zip(*self._found.goals, strict=True)) or [()] * len(self._found.roles)
        known = [[goal for goal in column if goal is not None] for column in columns]
        return [sum(goals) / len(goals) if goals else None for goals in known]


def _trace(fault: Fault) -> Iterable[str]:
    if not fault.moves:
        return ("   in the initial state",)
    lines = [f"   {n:>4}. {' '.join(map(str, joint))}" for n, joint in enumerate(fault.moves[:SHOWN_MOVES], 1)]
    more = len(fault.moves) - SHOWN_MOVES
    return [*lines, *([f"         and {counted(more, 'more joint move')} (--json has all)"] if more > 0 else [])]
