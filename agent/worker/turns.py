"""Joint moves of a match, and the effect of a PLAY message on them.

PLAY has no turn number, so the same moves sent twice may be a repeated message or two equal turns.
docs/reference/protocol.md explains the decision; this file contains the part that needs the rules. A gap is a place in
the match where messages may have been missed. After a gap, the next moves may be legal only after some unseen moves;
all states that are then possible are kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial

from agent.worker.term_text import Joint, alike, spelled
from agent.worker.trail import COSTS, SUSPECT, Step, Trail, moved
from reasoner.errors import LimitError
from reasoner.language.terms import Term
from reasoner.machine import Machine, State
from search.belief.missed import legal_counts
from search.belief.propagation import Over

RECENT = 4
"""Number of last messages. The older ones of them may arrive again, if a manager sent them twice."""

WIDE = 1_000
"""Number of legal moves beyond which only one lost message is assumed: after more, the search takes too long."""
WIDEST = 10_000
"""Number of legal moves beyond which no lost message is assumed."""

Item = Joint | None
"""A joint move, or None for a gap: an unknown number of missed joint moves."""


@dataclass(frozen=True, slots=True)
class JointsChange:
    """Effect of a message on the known joint moves: the first `keep` stay, `added` follow them."""

    keep: int
    added: tuple[Item, ...] = ()
    terms: tuple[Term, ...] | None = None  # the moves of the message, if it continues from the previous state
    revised: bool = field(default=False, compare=False)  # whether the state before it may have been wrong


@dataclass(frozen=True, slots=True)
class _Before:
    """The joint moves and the possible states before an assumed gap or a NIL, and our move there."""

    joints: list[Item]
    states: tuple[State, ...]
    answered: str | None
    further: tuple[State, ...] = ()


class Turns:
    """The joint moves of a match and the state after them.

    `states` are all likely states, `state` is the first of them; there are several only after a gap.
    """

    def __init__(self, machine: Machine, role: int) -> None:
        self.machine = machine
        self.role = role
        self.joints: list[Item] = []
        self.states: tuple[State, ...] = (machine.initial(),)
        self.answered: str | None = None  # our move in this state, once answered
        self._skipped: Joint | None = None  # a repeated joint move that was treated as the same message sent twice
        self._doubled = False  # whether the last joint move may come from a repeated message
        self._recurs = False  # whether it is also one of the joint moves shortly before it
        self._before_nil: _Before | None = None  # what was known before a NIL that was the last message
        self._other: list[Item] | None = None  # the joint moves if a NIL was understood wrongly
        self._open = False  # whether nothing after the last gap is taken in yet
        self._assumed = False  # whether losses were assumed for the last message
        self._since: list[Joint] = []  # joint moves received after the last gap
        self._further: tuple[State, ...] = ()  # states that are possible if one more of our answers was lost
        self._sure: _Before | None = None  # what was known before a gap that was only assumed
        self._trail = Trail()

    @property
    def state(self) -> State:
        """The current state, or the most likely one."""
        return self.states[0]

    @property
    def made(self) -> int:
        """The number of known joint moves; missed ones are not counted."""
        return len(self.joints) - self.joints.count(None)

    @property
    def doubtful(self) -> bool:
        """Whether several states are likely."""
        return len(self.states) > 1

    @property
    def unsure(self) -> bool:
        """Whether other states are possible, even if less likely."""
        return self.doubtful or bool(self._further)

    def apply(
        self,
        joint: Joint | None,
        *,
        repeated: bool,
        gap: bool = False,
        lost: bool = False,
        lossy: bool = False,
        ended: bool = False,
        soon: bool = False,
        over: Over = lambda: False,
    ) -> JointsChange | None:
        """Apply the moves of a message.

        `repeated`: the previous message had the same moves. `gap`: messages before this one may have been missed;
        `lost`: they were. With `lossy`, this is assumed if the moves are illegal otherwise. `soon`: the message arrived
        before a manager would have given up waiting for the answer to a missed one, so one with older moves is a
        repetition. `ended`: it ends the match. `over()` says whether the time to guess the missed moves is over. Return
        None and change nothing if the moves are legal in no interpretation.
        """
        if joint is None:
            return self._begin_again()
        if repeated and not self._may_be_new(joint):
            self._skipped = joint
            return JointsChange(len(self.joints))
        with self._all_or_nothing():
            before_nil, self._before_nil = self._before_nil, None
            if before_nil is not None and self._repeats_last(before_nil, joint):
                return self._go_on_as(before_nil, joint)
            if gap:
                self._since = []
            self._open = gap = gap or self._open  # nothing after the last gap is taken in yet
            made, unsure = len(self.joints), self.unsure
            step = Step(joint, made, self.states, self._further, self.answered, self._replaces_ours(joint), gap)
            self._trail.add(step)
            assumed, self._assumed = self._assumed, False
            applied = self._applied_late(joint) if soon else None
            applied = applied or (self._applied_with_losses(over, further=not assumed, lost=True) if lost else None)
            applied = applied or self._applied_usually(joint, repeated, gap, before_nil, soon)
            if unsure and (applied is None or applied.terms is not None):
                applied = self._applied_in_doubt(step, applied, gap, over)
            if applied is None and self._sure is not None and 0 < len(self._since) <= SUSPECT:
                applied = next(filter(None, self._applied_otherwise(self._sure, joint, soon)), None)
            if applied is not None and applied.keep < made:
                self._trail, self._further = Trail(), ()
            if applied is None and (gap or lossy) and len(joint) in (1, len(self.machine.roles)):
                if soon and not gap and joint in self._since[-RECENT:]:
                    self._trail.steps.pop()
                    return JointsChange(made)
                applied = self._applied_with_losses(over, further=not assumed)
            if applied is None:
                self._trail.reject()
                return None
            self._open = False
            self._since.append(joint)
            if self.unsure and not ended:
                applied = self._while_asked(applied, over)
            if self._other is not None and not (before_nil and self._other[1:] and alike(self._other[-1], joint)):
                self._other = [*self._other, joint]
            added = applied.keep == made and (applied.added[:1] == (None,) or applied.terms is not None)
            return replace(applied, revised=not added)

    def replay(self, items: Sequence[Item], over: Over = lambda: False) -> bool:
        """Apply the moves that another process has applied; leave out illegal ones; return False if there were any."""
        lossy, found = False, list[JointsChange | None]()
        for gap, joint in gaps(items):
            lossy = lossy or gap
            found.append(self.apply(joint, repeated=False, gap=gap, lossy=lossy, over=over))
        return None not in found

    def switch(self, machine: Machine) -> None:
        """Switch to another machine and keep the state."""
        there = partial(moved, self.machine, machine)
        self.machine = machine
        self.states, self._further, self._trail = there(self.states), there(self._further), self._trail.on(there)
        self._sure, self._before_nil = (
            known and replace(known, states=there(known.states), further=()) for known in (self._sure, self._before_nil)
        )

    def favourites(self, over: Over) -> tuple[Term, ...]:
        """Return our moves that are legal in the most states, and of them those in the most less likely ones."""
        counts = legal_counts(self.machine, self.role, self.states, over)
        others = legal_counts(self.machine, self.role, self._further, over)
        shares = {move: (count, others.get(move, 0)) for move, count in counts.items()}
        most = max(shares.values(), default=0)
        return tuple(move for move, share in shares.items() if share == most)

    @contextmanager
    def _all_or_nothing(self) -> Iterator[None]:
        """Change nothing if a limit is exceeded: the moves are applied again when there is a faster machine."""
        known = {**vars(self), "_trail": Trail(self._trail.steps), "_since": [*self._since]}
        try:
            yield
        except LimitError:
            vars(self).update(known)
            raise

    def _begin_again(self) -> JointsChange:
        """Apply NIL: no move was made yet. The moves so far count again if later moves fit only after them."""
        if self.joints:
            self._before_nil = _Before(self.joints, self.states, self.answered, self._further)
            self._other, self._open, self._trail = self.joints, False, Trail()
            self.joints, self.states, self._further, self.answered = [], (self.machine.initial(),), (), None
        return JointsChange(0)

    def _repeats_last(self, before_nil: _Before, joint: Joint) -> bool:
        """Whether the last message before a NIL comes again, and is not the first one of a new match."""
        is_first = self.answered is not None and self._may_be_new(joint)
        return alike(before_nil.joints[-1], joint) and not is_first

    def _go_on_as(self, before_nil: _Before, joint: Joint) -> JointsChange:
        """Continue the match before a NIL, which only repeated the first message."""
        self.joints, self.states, self.answered = before_nil.joints, before_nil.states, before_nil.answered
        self._further = before_nil.further
        self._other, self._skipped = [joint], joint
        self._doubled = self._recurs = False
        return JointsChange(0, tuple(self.joints))

    def _may_be_new(self, joint: Joint) -> bool:
        """Whether `joint` can be the next joint move: it is legal now, and contains our last answer."""
        terms = spelled(joint, self.machine.legal(self.state))
        return terms is not None and self.answered in (None, str(terms[self.role]))

    def _applied_usually(
        self, joint: Joint, repeated: bool, gap: bool, before_nil: _Before | None, soon: bool
    ) -> JointsChange | None:
        """Apply moves when the state is known."""
        if self.doubtful:
            return None
        recurs = joint in self._since[-RECENT:]
        doubled = repeated or (recurs and self._replaces_ours(joint))
        known, other = self.joints, self._other
        for earlier in self._readings(joint, before_nil, soon):
            if (applied := self._applied_after(earlier, joint, gap)) is not None:
                self._doubled, self._recurs = doubled, recurs
                self._since = _changed_alike(self._since, known, earlier)
                if earlier is other:
                    self._other = known
                return applied
        return None

    def _readings(self, joint: Joint, before_nil: _Before | None, soon: bool) -> Iterator[list[Item]]:
        """Yield the possible lists of moves before this message, most likely first."""
        if self._other is not None and self._denies_nil(joint, before_nil):
            yield self._other
        yield self.joints
        if self._skipped is not None:
            yield [*self.joints, self._skipped]
        if self._doubled or (self._recurs and soon and self._has_our_last(joint)):
            yield self.joints[:-1]
        if self._other is not None:
            yield self._other

    def _denies_nil(self, joint: Joint, before_nil: _Before | None) -> bool:
        """Whether our part of a joint move shows that the NIL, if it was the last message, repeated the first one."""
        if before_nil is None:
            return self._replaces_ours(joint)
        return self._has(before_nil.answered, joint) and not self._has(self.answered, joint)

    def _applied_after(self, earlier: list[Item], joint: Joint, gap: bool) -> JointsChange | None:
        usual = earlier is self.joints
        state = self.state if usual else self._state_after(earlier)
        terms = None if state is None else spelled(joint, self.machine.legal(state))
        if terms is None:
            return None
        following = self.machine.next(state, terms)
        known = self.joints
        keep = _common(earlier, known)
        self.joints = [*earlier, *([None] if gap else []), tuple(map(str, terms))]
        self.states, self.answered, self._skipped = (following,), None, None
        return JointsChange(keep, tuple(self.joints[keep:]), terms if usual else None)

    def _state_after(self, items: Sequence[Item]) -> State | None:
        turns = Turns(self.machine, self.role)
        return turns.state if turns.replay(items) and not turns.doubtful else None

    def _applied_in_doubt(self, step: Step, applied: JointsChange | None, gap: bool, over: Over) -> JointsChange | None:
        """Apply moves when several states are possible; `applied` is their effect on the one that is likely, if any."""
        terms = spelled(step.joint, self.machine.legal(step.states[0]))
        states, further = step.after(self.machine, self.role, over)
        if not states:
            return applied
        if applied is None:
            usual = terms is not None and self.machine.next(step.states[0], terms) == states[0]
            added = [*([None] if gap else []), step.joint]
            return self._went_on(step.made, added, states, further, terms if usual else None)
        self.states, self._further = states, further
        return applied

    def _while_asked(self, applied: JointsChange, over: Over) -> JointsChange:
        """Leave out the states in which the game is over, as far as there is time to look, unless it is in all."""
        states, further = (
            tuple(state for state in states if over() or not self.machine.terminal(state))
            for states in (self.states, self._further)
        )
        likely = self.state
        self.states, self._further = (states, further) if states else (further or self.states, ())
        return applied if self.state == likely else replace(applied, terms=None)  # its moves lead to another state

    def _went_on(
        self,
        keep: int,
        added: Sequence[Item],
        states: tuple[State, ...],
        further: tuple[State, ...],
        terms: tuple[Term, ...] | None = None,
    ) -> JointsChange:
        """Go on from these states, which are possible after `added`; `further` are less likely."""
        self.joints = [*self.joints[:keep], *added]
        self.states, self._further, self.answered, self._skipped = states, further, None, None
        self._doubled = self._recurs = False
        return JointsChange(keep, tuple(added), terms)

    def _applied_late(self, joint: Joint) -> JointsChange | None:
        """Apply a message that arrived after the next one, so that a gap was assumed; it has our answer of then."""
        before = self._sure
        if before is None or len(self._since) != 1 or not self._has(before.answered, joint):
            return None
        return self._applied_without_gap(before, [joint, *self._since]) if self._replaces_ours(joint) else None

    def _applied_otherwise(self, before: _Before, joint: Joint, soon: bool) -> Iterator[JointsChange | None]:
        """Try to apply the messages after an assumed gap in another order, and without the first one."""
        first, *others = self._since
        if soon and self._has(before.answered, joint):
            yield self._applied_without_gap(before, [joint, first, *others])
        yield self._applied_without_gap(before, [*others, joint])

    def _applied_without_gap(self, before: _Before, joints: Sequence[Joint]) -> JointsChange | None:
        """Apply messages to the state before an assumed gap, as if nothing were lost."""
        state, made = before.states[0], list[Item]()
        for told in joints:
            terms = spelled(told, self.machine.legal(state))
            if terms is None:
                return None
            state = self.machine.next(state, terms)
            made.append(tuple(map(str, terms)))
        keep = _common(before.joints, self.joints)
        self.joints, self.states, self.answered = [*before.joints, *made], (state,), None
        self._since, self._sure, self._skipped = [], None, None
        self._doubled = self._recurs = False
        return JointsChange(keep, tuple(self.joints[keep:]))

    def _applied_with_losses(self, over: Over, *, further: bool, lost: bool = False) -> JointsChange | None:
        """Apply the last messages as if others before or between them were lost, or just before the last one."""
        width, trail = sum(map(len, self.machine.legal(self.state))), self._trail
        if width > WIDE or lost:
            trail = Trail(trail.steps[-1:])
        if width > WIDEST and not self._open:
            return None
        costs = COSTS[:1] if width > WIDE and not self._open else COSTS
        try:
            found = trail.explained(self.machine, self.role, over, costs, missed=lost, further=further)
        except LimitError:
            return None
        if found is None:
            return None
        if not self._open and not self.doubtful:
            self._sure = _Before(list(self.joints), self.states, self.answered)
        self._since, self._assumed = [], True
        added = [None, *(step.joint for step in found.steps)]
        return self._went_on(min(found.steps[0].made, len(self.joints)), added, found.states, found.further)

    def _replaces_ours(self, joint: Joint) -> bool:
        """Whether a joint move has another move in the place of our answer."""
        complete = len(joint) == len(self.machine.roles)  # else it tells the move of one role alone
        return self.answered is not None and complete and not self._has(self.answered, joint)

    def _has_our_last(self, joint: Joint) -> bool:
        """Whether a joint move has our move of the last one, as the next message has after a copy with our answer."""
        last = self.joints[-1] if self.joints else None
        return last is not None and self._has(last[self.role], joint)

    def _has(self, answered: str | None, joint: Joint) -> bool:
        """Whether `answered` is our part of a joint move."""
        if answered is None or len(joint) != len(self.machine.roles):
            return False
        return joint[self.role].casefold() == answered.casefold()


def _common(some: Sequence[Item], others: Sequence[Item]) -> int:
    """Return the length of the longest common prefix."""
    pairs = zip(some, others, strict=False)
    return next((at for at, (one, other) in enumerate(pairs) if one != other), min(len(some), len(others)))


def _changed_alike(since: list[Joint], known: list[Item], earlier: list[Item]) -> list[Joint]:
    """Return the last messages without the last one if `earlier` has no such joint move, or with the one it adds."""
    if known and earlier == known[:-1]:
        return since[:-1]
    added = earlier[-1] if earlier and earlier[:-1] == known else None
    return since if added is None else [*since, added]


def gaps(items: Sequence[Item]) -> Iterator[tuple[bool, Joint]]:
    """Yield for each joint move whether others may have been missed before it, and the joint move."""
    gap = False
    for item in items:
        if item is not None:
            yield gap, item
        gap = item is None
