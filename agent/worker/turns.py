"""What was played in a match, and what a PLAY message means for it.

PLAY carries no turn number, so that the same moves sent twice may be one message repeated or two turns alike.
docs/protocol.md says how that is decided; here is the part that needs the rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from reasoner.language.terms import Term
from reasoner.machine import Machine, State

Joint = tuple[str, ...]
"""The text of one move per role, as the message spelled it or as the rules spell it."""


@dataclass(frozen=True, slots=True)
class Applied:
    """What a message did to the joint moves known before: the first `keep` stay, `added` follow them."""

    keep: int
    added: tuple[Joint, ...] = ()
    terms: tuple[Term, ...] | None = None  # the moves, when they lead on from the state before


class Turns:
    """The joint moves of a match and the state that they lead to."""

    def __init__(self, machine: Machine, role: int) -> None:
        self.machine = machine
        self.role = role
        self.joints: list[Joint] = []
        self.state: State = machine.initial()
        self.answered: str | None = None  # our move in this state, once answered
        self._skipped: Joint | None = None  # a repeated joint that was taken for one message sent twice
        self._doubled = False  # whether the last joint repeats the one before it

    def apply(self, joint: Joint | None, *, repeated: bool) -> Applied | None:
        """Take in the moves of a message; `repeated` says that the message before carried the same.

        None when the moves are legal in no reading of what was played; nothing changes then.
        """
        if joint is None:
            return self._begin_again()
        if repeated and not self._may_be_new(joint):
            self._skipped = joint
            return Applied(len(self.joints))
        for earlier in self._readings():
            if (applied := self._applied_after(earlier, joint)) is not None:
                self._doubled = repeated
                return applied
        return None

    def switch(self, machine: Machine) -> None:
        """Go on in the same state with another machine."""
        self.state = machine.state(self.machine.facts(self.state))
        self.machine = machine

    def _begin_again(self) -> Applied:
        """NIL: no move was made yet, whatever was known."""
        if self.joints:
            self.joints, self.state, self.answered = [], self.machine.initial(), None
        return Applied(0)

    def _may_be_new(self, joint: Joint) -> bool:
        """Whether `joint` can be the next turn: legal now, and its part of ours is what we answered."""
        terms = spelled(joint, self.machine.legal(self.state))
        return terms is not None and self.answered in (None, str(terms[self.role]))

    def _readings(self) -> Iterator[list[Joint]]:
        """What may have been played before this message, likeliest first."""
        yield self.joints
        if self._skipped is not None:
            yield [*self.joints, self._skipped]
        if self._doubled:
            yield self.joints[:-1]

    def _applied_after(self, earlier: list[Joint], joint: Joint) -> Applied | None:
        usual = earlier is self.joints
        state = self.state if usual else self._state_after(earlier)
        terms = None if state is None else spelled(joint, self.machine.legal(state))
        if terms is None:
            return None
        following = self.machine.next(state, terms)
        known = self.joints
        keep = min(len(earlier), len(known))
        self.joints = [*earlier, tuple(map(str, terms))]
        self.state, self.answered, self._skipped = following, None, None
        return Applied(keep, tuple(self.joints[keep:]), terms if usual else None)

    def _state_after(self, joints: Sequence[Joint]) -> State | None:
        state = self.machine.initial()
        for joint in joints:
            terms = spelled(joint, self.machine.legal(state))
            if terms is None:
                return None
            state = self.machine.next(state, terms)
        return state


def spelled(joint: Joint, legal: Sequence[Sequence[Term]]) -> tuple[Term, ...] | None:
    """The legal moves that `joint` spells, where letters may differ in case; None when one is no legal move."""
    if len(joint) != len(legal):
        return None
    terms = [_find(text, moves) for text, moves in zip(joint, legal, strict=True)]
    return None if None in terms else tuple(term for term in terms if term is not None)


def _find(text: str, moves: Sequence[Term]) -> Term | None:
    exact = next((move for move in moves if str(move) == text), None)
    if exact is not None:
        return exact
    alike = [move for move in moves if str(move).casefold() == text.casefold()]
    return alike[0] if len(alike) == 1 else None
