"""Recorded games, and a machine held against one: up to 3 games of 60 steps each.

ggp-base's prover played those in KIF, Stanford's own interpreter those in its newer language.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from reasoner.language.parse import read_term
from reasoner.machine import Machine, State
from tests.shared import SHARED


@dataclass(frozen=True)
class Recording:
    """A game's recorded play; `recorded` are lists of steps as docs/GDL.md of the shared data describes them."""

    game: str
    roles: tuple[str, ...]
    recorded: tuple[list[dict], ...]
    folder: str = "games"
    ending: str = "kif"
    turns: bool = False  # each step is told of one role in control, as the newer language knows it

    @cached_property
    def playouts(self) -> tuple[list[dict], ...]:
        """What was recorded, as plain GDL plays it: who is not in control does `noop`."""
        if not self.turns:
            return self.recorded
        return tuple([_joint_step(step, self.roles) for step in steps] for steps in self.recorded)

    @property
    def name(self) -> str:
        """The game; of those in the newer language, with its ending, as some games are in both."""
        return self.game if self.ending == "kif" else f"{self.game}.{self.ending}"

    def rulesheet(self, shared: Path) -> Path:
        return shared / self.folder / f"{self.game}.{self.ending}"

    def steps(self) -> int:
        return sum(map(len, self.playouts))


@dataclass(frozen=True, slots=True)
class Replay:
    """How far a machine agreed: steps compared, and what differed first, if anything did."""

    steps: int
    disagreement: str | None


@cache
def recordings(shared: Path) -> tuple[Recording, ...]:
    return tuple(_recorded(shared / "traces" / "traces.jsonl.gz"))


@cache
def infix_recordings(shared: Path) -> tuple[Recording, ...]:
    """Games in Stanford's newer language."""
    place = {"folder": "games_infix", "ending": "gdl", "turns": True}
    return tuple(_recorded(shared / "traces" / "traces_infix.jsonl.gz", **place))


def _recorded(file: Path, **place: str | bool) -> Iterator[Recording]:
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        for record in map(json.loads, lines):
            playouts = tuple(playout["steps"] for playout in record["playouts"])
            yield Recording(record["game"], tuple(record["roles"]), playouts, **place)


def _joint_step(step: dict, roles: tuple[str, ...]) -> dict:
    """A step of one role in control as a step of all; a goal that is not stated is 0."""
    state = [plain_text(fact) for fact in step["state"]]
    plain = {"state": state, "terminal": step["terminal"], "goals": [goal or 0 for goal in step["goals"]]}
    if step.get("move"):
        legal = [plain_text(move) for move in step["legal"]]
        plain["legal"] = [legal if role == step["control"] else ["noop"] for role in roles]
        plain["moves"] = [plain_text(step["move"]) if role == step["control"] else "noop" for role in roles]
    return plain


@cache
def plain_text(term: str) -> str:
    """A term as plain GDL spells it; the same thousand stand in a hundred thousand places."""
    return str(read_term(term))


SMALL = 4000
"""Characters of a rulesheet that builds in no time."""


def small_recordings(every: int) -> list[Recording]:
    """Each `every`-th of the recorded games with a small rulesheet, by name; none where they are not."""
    if SHARED is None:
        return []
    found = sorted(recordings(SHARED), key=lambda recording: recording.name)
    return [one for one in found if one.rulesheet(SHARED).stat().st_size < SMALL][::every]


class Replayer:
    """Follows a recording with a machine. `compared` grows as it goes, so that an interrupted replay can be told."""

    def __init__(self, machine: Machine, recording: Recording) -> None:
        self.machine = machine
        self.recording = recording
        self.compared = 0

    def run(self, most_steps: int | None = None) -> Replay:
        """Compare every step (the first `most_steps` of each playout) until something differs."""
        machine = self.machine
        if machine.roles != self.recording.roles:
            return Replay(0, f"roles {' '.join(machine.roles)}, recorded {' '.join(self.recording.roles)}")
        for number, steps in enumerate(self.recording.playouts, 1):
            state = machine.initial()
            for place, step in enumerate(steps[:most_steps], 1):
                fault = difference(machine, state, step)
                if fault:
                    return Replay(self.compared, f"playout {number}, step {place}: {fault}")
                self.compared += 1
                if step.get("moves"):
                    state = machine.next(state, step["moves"])
        return Replay(self.compared, None)


def difference(machine: Machine, state: State, step: dict) -> str | None:
    """What the machine sees otherwise than it was recorded."""
    facts = set(map(str, machine.facts(state)))
    if facts != set(step["state"]):
        return f"facts {both(facts, set(step['state']))}"
    if machine.terminal(state) != step["terminal"]:
        return f"terminal is {machine.terminal(state)}, recorded {step['terminal']}"
    for role, goal, recorded in zip(machine.roles, machine.goal(state), step["goals"], strict=True):
        if recorded is not None and goal != recorded:
            return f"the goal of {role} is {goal}, recorded {recorded}"
    for role, moves, recorded in zip(machine.roles, machine.legal(state), step.get("legal", ()), strict=False):
        if set(map(str, moves)) != set(recorded):
            return f"moves of {role} {both(set(map(str, moves)), set(recorded))}"
    return None


def both(found: set[str], recorded: set[str]) -> str:
    """What two sets do not share, shortened."""
    extra, missing = sorted(found - recorded), sorted(recorded - found)
    parts = [f"{word} {' '.join(some[:5])}" for word, some in (("too many:", extra), ("missing:", missing)) if some]
    return "; ".join(parts)
