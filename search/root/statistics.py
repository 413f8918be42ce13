"""What a search has found at a state, in one form: both searches fill it, and the move to play is chosen by it.

A joint move is one integer, its *key*: the sum over the roles with a choice of index * stride, in mixed radix.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

from reasoner.language.terms import Term
from search.game import Values

# Kinds of states, by who has a choice.
FORCED = 0  # no role
TURN = 1  # exactly one role, and it is not chance
CHANCE = 2  # chance alone
JOINT = 3  # several roles

NO_SLOT = -1

Legal = tuple[tuple[Term, ...], ...]
"""Per role of the game its moves."""
Worth = Callable[[int], tuple[float, float]]
"""By the key of a joint move: what it has brought the searching role, 0..1, summed, and visits: inf where it is proven
(then the sum is the value itself), 0 where it was never made."""


@dataclass(frozen=True, slots=True)
class Proof:
    """The exact values of a state when everyone plays for their own goal, and how far away the end then is."""

    values: Values
    distance: int  # joint moves to the end along the proof


class JointMoves:
    """The joint moves that are legal in a state, and their keys."""

    __slots__ = ("chance", "kind", "legal", "roles", "strides", "width")

    def __init__(self, kind: int, legal: Legal, roles: tuple[int, ...], chance: int) -> None:
        self.kind = kind
        self.legal = legal
        self.roles = roles  # those with a choice; the position of one among them is its *slot*
        self.chance = chance  # the slot of the chance role, or NO_SLOT
        self.strides: list[int] = []  # by slot
        self.width = 1  # the number of joint moves
        for role in roles:
            self.strides.append(self.width)
            self.width *= len(legal[role])

    @classmethod
    def of(cls, legal: Legal, chance: int) -> Self:
        """Those of a state with these legal moves; `chance` is a role, below 0: none."""
        roles = tuple([role for role, own in enumerate(legal) if len(own) > 1])
        slot = roles.index(chance) if chance in roles else NO_SLOT
        kind = FORCED if not roles else JOINT if len(roles) > 1 else TURN if slot == NO_SLOT else CHANCE
        return cls(kind, legal, roles, slot)

    def index(self, slot: int, key: int) -> int:
        """Which move the role at `slot` makes in the joint move `key`."""
        return key // self.strides[slot] % len(self.legal[self.roles[slot]])

    def joint(self, key: int) -> tuple[Term, ...]:
        """The joint move `key`, one term a role of the game."""
        moves = [own[0] for own in self.legal]
        for slot, role in enumerate(self.roles):
            moves[role] = self.legal[role][self.index(slot, key)]
        return tuple(moves)

    def takes_all(self, wins: Mapping[tuple[int, int], int], slot: int, index: int) -> bool:
        """Whether a move takes all whatever the others do; `wins`: by slot and move the joint moves proven to."""
        return wins.get((slot, index), 0) == self.width // len(self.legal[self.roles[slot]])

    def sure(self, wins: Mapping[tuple[int, int], int]) -> list[int | None]:
        """By slot a move that takes all whatever the others do at the same time, if one is proven."""
        found: list[int | None] = [None] * len(self.roles)
        for slot, index in list(wins):
            if found[slot] is None and self.takes_all(wins, slot, index):
                found[slot] = index
        return found


class MoveStatistics(NamedTuple):
    """The statistics of one role's moves in one state; all are [moves], and empty for chance."""

    visits: Sequence[int]
    means: Sequence[float]  # 0..1
    bests: Sequence[float]  # 0..1, of one player alone the best single result; else the means


def _nothing_known(_key: int) -> tuple[float, float]:
    return 0.0, 0.0


@dataclass(frozen=True, slots=True)
class Statistics:
    """What is known of a state. Without `moves` no descent went through it yet."""

    visits: int
    total: float  # what they brought the searching role, summed
    proof: Proof | None = None
    moves: JointMoves | None = None
    by_slot: tuple[MoveStatistics, ...] = ()
    settled: Mapping[int, Proof] | None = None  # what is proven of joint moves, by key; not of JOINT
    sure: Sequence[int | None] = ()  # of JOINT by slot: the move that is proven to take all whatever the others do
    worth: Worth = _nothing_known  # of JOINT
