"""Referee of a game between people and the agent: applies the rules and plays no role.

Its commands and events are in `agent.worker.worker_messages`.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import assert_never

from msgspec.structs import replace

from agent.settings import Settings
from agent.worker.cause import cause
from agent.worker.channel import Channel
from agent.worker.start_rules import read_limits
from agent.worker.term_text import View, moves_to_show, spelled, stuck, view_of
from agent.worker.viewing import first_view
from agent.worker.worker_messages import (
    Advance,
    BeginGame,
    Explain,
    Explained,
    Fault,
    Follow,
    Position,
    ReadRules,
    RefereeCommand,
    RefereeEvent,
    RefereeFailed,
    RulesRead,
)
from reasoner.diagnostics import Diagnostic, as_json
from reasoner.errors import ReasonerError, RulesError
from reasoner.language.parse import read_term
from reasoner.language.terms import Term
from reasoner.machine import State
from reasoner.relational.limits import EvaluationLimits
from reasoner.relational.machine import RelationalMachine
from reasoner.rules.program import Program
from reasoner.rules.read import read_program
from search.belief.belief import Belief
from search.belief.state_set import Observation
from search.clock import MonotonicClock

BELIEVING = 2.0
"""Seconds for updating the viewers' beliefs after a joint move."""
CERTAIN, SHOWN_STATES = 1 - 1e-6, 200
"""Minimum probability of a fact that counts as known, and the number of possible states from which it is estimated."""
MAX_FAULTS = 200
"""Maximum diagnostics of a rulesheet that are sent."""


class Referee:
    """Obeys commands one by one; every failure is sent as an event."""

    def __init__(self, channel: Channel, settings: Settings) -> None:
        self._channel = channel
        self._seconds = settings.worker.evaluation
        self._limits = read_limits(settings.rules)
        self._program: Program | None = None
        self._machine: RelationalMachine | None = None
        self._state: State = None
        self._step = 0
        self._chance = random.Random()
        self._clock = MonotonicClock()
        self._beliefs: list[Belief] = []  # of the viewers, in GDL-II

    @property
    def program(self) -> Program:
        """The rules that were read. Raises ReasonerError if there are none or they have errors."""
        if self._program is None:
            raise ReasonerError("no valid rules were read")
        return self._program

    @property
    def machine(self) -> RelationalMachine:
        """The machine of the running game. Raises ReasonerError if none was started."""
        if self._machine is None:
            raise ReasonerError("no game was started")
        return self._machine

    def obey(self, command: RefereeCommand) -> None:
        """Answer a command with one event."""
        try:
            event = self._answer(command)
        except ReasonerError as error:
            event = RefereeFailed(str(error))
        self._channel.send(event)

    def _answer(self, command: RefereeCommand) -> RefereeEvent:
        match command:
            case ReadRules(rules):
                return self._read(rules)
            case BeginGame(seed, viewers, _):
                return self._begin(seed, viewers)
            case Follow(joint):
                return self._follow(joint)
            case Advance(joint):
                return self._advance(joint)
            case Explain(before, facts):
                return self._explain(before, facts)
            case _:
                assert_never(command)

    def _read(self, rules: str) -> RulesRead:
        try:
            self._program, found = read_program(rules, self._limits)
        except RulesError as error:
            self._program, found = None, error.diagnostics
        roles = [] if self._program is None else [str(role) for role in self._program.roles]
        return RulesRead(_faults(found), roles)

    def _explain(self, before: Sequence[str], facts: Sequence[str]) -> Explained:
        machine = RelationalMachine(self.program, EvaluationLimits(max_seconds=self._seconds))
        last = machine.state(before) if before else None
        return Explained(cause(machine, machine.state(facts), last))

    def _begin(self, seed: int, viewers: Sequence[int]) -> Position:
        self._machine = RelationalMachine(self.program, EvaluationLimits(max_seconds=self._seconds))
        self._state, self._step = self._machine.initial(), 0
        self._chance = random.Random(seed)
        self._beliefs = [Belief(self._machine, viewer) for viewer in viewers] if self._machine.hides else []
        return replace(self._position((), []), **first_view(self.program, seed))

    def _advance(self, joint: Sequence[str | None]) -> Position:
        chosen: list[Term] = []
        replaced: list[int] = []  # roles whose move was not legal
        for role, (wanted, moves) in enumerate(zip(joint, self.machine.legal(self._state), strict=True)):
            move = next((move for move in moves if str(move) == wanted), None)
            if move is None and wanted is not None:
                replaced.append(role)
            chosen.append(move or self._chance.choice(moves))
        return self._reached(chosen, replaced)

    def _follow(self, joint: Sequence[str]) -> Position:
        terms = spelled(tuple(joint), self.machine.legal(self._state))
        if terms is None:
            raise ReasonerError(f"the moves played after {self._step} steps are not legal in that position")
        return self._reached(terms, [])

    def _reached(self, joint: Sequence[Term], replaced: list[int]) -> Position:
        before, self._state = self._state, self.machine.next(self._state, joint)
        self._step += 1
        if self.machine.terminal(self._state):
            found = cause(self.machine, self._state, before)
            return replace(self._position(list(map(str, joint)), replaced), cause=found)
        percepts = self.machine.percepts(self._state) if self._beliefs else ()
        for belief in self._beliefs:
            self._observe(belief, Observation(joint[belief.role], percepts[belief.role]))
        return self._position(list(map(str, joint)), replaced)

    def _position(self, joint: Sequence[str], replaced: list[int]) -> Position:
        view = view_of(self.machine, self._state)
        legal = [] if view.terminal else moves_to_show(self.machine.legal(self._state))
        if not all(legal):
            raise ReasonerError(stuck(self.machine.roles, legal, f"after {self._step} steps"))
        percepts = [sorted(map(str, seen)) for seen in self.machine.percepts(self._state)] if self.machine.hides else []
        return Position(self._step, joint, *view, legal, replaced, percepts=percepts, known=self._known(view))

    def _observe(self, belief: Belief, seen: Observation) -> None:
        end = self._clock.now() + BELIEVING / len(self._beliefs)
        belief.observe(seen, lambda: self._clock.now() > end)

    def _known(self, view: View) -> list[list[str] | None]:
        """Return per role the facts that a viewer knows for certain; empty (all) without viewers or after the end."""
        if view.terminal or not self._beliefs:
            return []
        known: list[list[str] | None] = [None] * len(self.machine.roles)
        for belief in self._beliefs:
            believed = belief.facts(SHOWN_STATES)
            known[belief.role] = [fact for fact in view.facts if believed.get(read_term(fact), 0.0) > CERTAIN]
        return known


def _faults(found: Sequence[Diagnostic]) -> list[Fault]:
    return [as_json(fault, "rules") for fault in found[:MAX_FAULTS]]
