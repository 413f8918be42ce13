"""A game for the search: the searching role, the chance role, and goals scaled to values from 0 to 1."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from reasoner.machine import Machine
from reasoner.rules.chance import is_chance
from reasoner.rules.points import worth
from search.errors import SearchError

NO_ROLE = -1

Values = tuple[float, ...]  # [roles], 0..1


@dataclass(frozen=True, slots=True)
class SearchedGame:
    """A machine and the searching role. Raises SearchError if the game has no such role."""

    machine: Machine
    role: int  # index into machine.roles
    size: int = field(init=False)  # the number of roles, chance included
    chance: int = field(init=False)  # the chance role, or NO_ROLE; never the searching role
    points: int = field(init=False)  # the goal that has value 1

    def __post_init__(self) -> None:
        """Check the role and find chance."""
        roles = self.machine.roles
        if self.role not in range(len(roles)):
            raise SearchError(f"role {self.role!r:.40} does not exist: this game has roles 0 to {len(roles) - 1}")
        by_chance = [index for index, name in enumerate(roles) if is_chance(name) and index != self.role]
        object.__setattr__(self, "size", len(roles))
        object.__setattr__(self, "points", self.machine.points)
        object.__setattr__(self, "chance", by_chance[0] if by_chance else NO_ROLE)

    @property
    def single(self) -> bool:
        """Whether there is one role and no chance, so that a line found can be played to its end."""
        return self.size == 1

    @property
    def nothing(self) -> Values:
        """The value 0 for every role."""
        return (0.0,) * self.size

    def values(self, goals: Sequence[float | None]) -> Values:
        """Scale goals to 0..1; an undefined goal, and any goal of chance, counts as 0."""
        scaled = [worth(goal, self.points) for goal in goals]
        if self.chance != NO_ROLE:
            scaled[self.chance] = 0.0
        return tuple(scaled)
