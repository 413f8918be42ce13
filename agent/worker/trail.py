"""The last messages of a match, and the fewest losses between them that explain all of them.

A message that is lost is often noticed only after later ones: the next moves may be legal in the wrong state, too. So
the last messages are kept, with what was known before each.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from typing import NamedTuple

from agent.worker.term_text import Joint, spelled
from reasoner.machine import Machine, State
from search.belief.missed import LOST, REPLACED, Losses, Received, by_answer, states_after
from search.belief.propagation import Over

LENGTH = 6
"""Number of last messages that are kept."""
MOVED = 500
"""Maximum states that are kept for another machine."""
SUSPECT = 4
"""Maximum messages after a gap that are doubted before another message is thought to be lost."""
COSTS = (LOST + REPLACED, 2 * LOST + REPLACED, 4 * LOST)
"""Maximum cost of the losses between them. A lower one is tried with all messages before the next higher one."""


@dataclass(frozen=True, slots=True)
class Step:
    """A message, and what was known before it."""

    joint: Joint
    made: int  # the number of joint moves and gaps
    states: tuple[State, ...]  # the possible states
    further: tuple[State, ...]  # those that are possible if one more of our answers was lost
    answered: str | None  # our move there
    replaced: bool  # whether the message has another move in place of ours
    gap: bool = False  # whether messages before it may be missing, for example after a restart
    fits: bool = True  # whether it was taken in

    def after(self, machine: Machine, role: int, over: Over) -> tuple[tuple[State, ...], tuple[State, ...]]:
        """Return the possible states after it, and those that need one more lost answer."""
        likely, others, denied = list(self.states), list(self.further), list[State]()
        if self.replaced:
            likely, denied = by_answer(machine, role, likely, self.answered, over)
            others, _ = by_answer(machine, role, others, self.answered, over)
        reading = [partial(spelled, self.joint)]
        states = states_after(machine, likely, reading, over)
        further = states_after(machine, dict.fromkeys([*denied, *others]), reading, over)
        return (states, _without(further, states)) if states else (further, ())

    def received(self, *, missed: bool = False) -> Received:
        """Return the joint move for `Losses`."""
        return Received(partial(spelled, self.joint), self.answered, self.replaced, missed)


class Explanation(NamedTuple):
    """The messages before and between which others were lost, and the possible states after them."""

    steps: Sequence[Step]
    states: tuple[State, ...]
    further: tuple[State, ...]  # if one more answer was lost


class Trail:
    """The last messages."""

    def __init__(self, steps: Sequence[Step] = ()) -> None:
        self.steps = list(steps)

    def add(self, step: Step) -> None:
        """Add a message that was received; only the last ones are kept."""
        self.steps = [*self.steps, step][-LENGTH:]

    def reject(self) -> None:
        """Note that the last message was not taken in."""
        self.steps[-1] = replace(self.steps[-1], fits=False)

    def on(self, there: Callable[[Sequence[State]], tuple[State, ...]]) -> Trail:
        """Return it for another machine, with the states of `there`, as far as it is still needed."""
        known = sum(len(step.states) + len(step.further) for step in self.steps)
        if known > MOVED or all(step.fits for step in self.steps):
            return Trail()
        return Trail([replace(step, states=there(step.states), further=there(step.further)) for step in self.steps])

    def explained(
        self,
        machine: Machine,
        role: int,
        over: Over,
        costs: Sequence[int] = COSTS,
        *,
        missed: bool = False,
        further: bool = True,
    ) -> Explanation | None:
        """Return the losses before and between the fewest last messages that explain them; None if nothing does.

        Losses at a gap shortly before are more likely than others. Messages that were not taken in are left out if
        nothing fits otherwise. `missed`: there was certainly a loss before the first message. `further`: also find the
        states that one more lost answer explains.
        """
        fitting = [step for step in self.steps[:-1] if step.fits] + self.steps[-1:]
        for steps in [self.steps, fitting][: 1 + (len(fitting) < len(self.steps))]:
            latest = range(len(steps) - 1, -1, -1)
            gaps = [first for first in latest[: SUSPECT + 1] if steps[first].gap]
            for most, first in product(costs, dict.fromkeys([*gaps, *latest])):
                received = [step.received(missed=missed and step is steps[0]) for step in steps[first:]]
                losses = Losses(machine, role, steps[first].states, received, over, steps[first].further)
                states, others = losses.least(most, further=further)
                if states:
                    return Explanation(steps[first:], states, others)
                if over():
                    return None
        return None


def moved(before: Machine, machine: Machine, states: Sequence[State]) -> tuple[State, ...]:
    """Return states of one machine as states of another."""
    return tuple(machine.state(before.facts(state)) for state in states)


def _without(states: Sequence[State], others: Sequence[State]) -> tuple[State, ...]:
    known = set(others)
    return tuple(state for state in states if state not in known)
