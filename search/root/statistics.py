"""Statistics of a state, in one form for all searches; the choice of the move to play reads them.

A joint move is one integer, its *key*: the sum over the roles with a choice of index * stride, in mixed radix.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

from reasoner.language.terms import Term
from search.game import Values

# Kinds of states, by the roles that have a choice.
FORCED = 0  # no role
TURN = 1  # exactly one role, not chance
CHANCE = 2  # chance alone
JOINT = 3  # several roles

NO_SLOT = -1

Legal = tuple[tuple[Term, ...], ...]
"""The legal moves of each role of the game."""
JointStats = Callable[[int], tuple[float, float]]
"""Maps the key of a joint move to the sum of its values for the searching role, each 0..1, and to its visits.

A proven move has infinite visits, and its exact value in place of the sum. An unvisited move has 0 visits.
"""


@dataclass(frozen=True, slots=True)
class Proof:
    """The exact values of a state when every role maximizes its own goal, and the distance to the end."""

    values: Values
    distance: int  # joint moves to the end along the proof


class JointMoves:
    """The legal joint moves of a state, and their keys."""

    __slots__ = ("chance", "kind", "legal", "roles", "strides", "width")

    def __init__(self, kind: int, legal: Legal, roles: tuple[int, ...], chance: int) -> None:
        self.kind = kind
        self.legal = legal
        self.roles = roles  # the roles with a choice; the position of a role among them is its *slot*
        self.chance = chance  # the slot of the chance role, or NO_SLOT
        self.strides: list[int] = []  # by slot
        self.width = 1  # the number of joint moves
        for role in roles:
            self.strides.append(self.width)
            self.width *= len(legal[role])

    @classmethod
    def of(cls, legal: Legal, chance: int) -> Self:
        """Return the joint moves of a state with these legal moves; `chance`: the chance role; below 0: none."""
        roles = tuple([role for role, own in enumerate(legal) if len(own) > 1])
        slot = roles.index(chance) if chance in roles else NO_SLOT
        kind = FORCED if not roles else JOINT if len(roles) > 1 else TURN if slot == NO_SLOT else CHANCE
        return cls(kind, legal, roles, slot)

    def index(self, slot: int, key: int) -> int:
        """Return the index of the move that the role at `slot` makes in the joint move `key`."""
        return key // self.strides[slot] % len(self.legal[self.roles[slot]])

    def joint(self, key: int) -> tuple[Term, ...]:
        """Return the joint move `key`, one term per role of the game."""
        moves = [own[0] for own in self.legal]
        for slot, role in enumerate(self.roles):
            moves[role] = self.legal[role][self.index(slot, key)]
        return tuple(moves)

    def takes_all(self, wins: Mapping[tuple[int, int], int], slot: int, index: int) -> bool:
        """Whether a move takes all (1 for its role, 0 for the others) whatever the others do.

        `wins`: by slot and move, the number of joint moves that are proven to take all.
        """
        return wins.get((slot, index), 0) == self.width // len(self.legal[self.roles[slot]])

    def winning(self, wins: Mapping[tuple[int, int], int]) -> list[int | None]:
        """Return for each slot a move proven to take all whatever the others do at the same time, or None."""
        found: list[int | None] = [None] * len(self.roles)
        for slot, index in list(wins):
            if found[slot] is None and self.takes_all(wins, slot, index):
                found[slot] = index
        return found


class MoveStatistics(NamedTuple):
    """The statistics of one role's moves in one state; all fields are [moves], and empty for chance."""

    visits: Sequence[int]
    means: Sequence[float]  # 0..1
    bests: Sequence[float]  # 0..1, in one-player games the best single result; otherwise the means


def _nothing_known(_key: int) -> tuple[float, float]:
    return 0.0, 0.0


@dataclass(frozen=True, slots=True)
class Statistics:
    """Statistics of a state. `moves` is None before the first descent through it."""

    visits: int
    total: float  # sum of the values for the searching role
    proof: Proof | None = None
    moves: JointMoves | None = None
    by_slot: tuple[MoveStatistics, ...] = ()
    proofs: Mapping[int, Proof] | None = None  # proofs of joint moves, by key; unused in JOINT
    winning: Sequence[int | None] = ()  # in JOINT by slot: a move proven to take all whatever the others do
    joint_stats: JointStats = _nothing_known  # in JOINT
