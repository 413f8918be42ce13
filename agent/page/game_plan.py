"""What a person wants to play, and what is to be played once the rules are read."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from agent.gamemaster.games import bundled, bundled_game
from agent.page.errors import BusyError, PageError
from agent.page.history import Moment
from agent.page.host import Host
from agent.page.sources import Source
from reasoner.rules.chance import is_chance

TAKEN = "all places of this agent are taken by other matches; wait for one, or let it move at random"


@dataclass(frozen=True, slots=True)
class GamePlan:
    """What is to be played. `role` is the person's, None to look on; clocks are the agent's, in seconds."""

    title: str
    rules: str
    roles: tuple[str, ...]
    role: int | None
    start_clock: float
    play_clock: float
    seed: int
    joints: tuple[tuple[str, ...], ...] = ()  # made already: the game goes on from where they lead
    simulations: int = 0  # descents of the agent's search a move; 0: as many as the clock allows
    random: bool = False  # whether a role for which the agent has no place may be played at random
    game: str | None = None  # the bundled game that it is, if any

    @property
    def others(self) -> list[int]:
        """The roles that are neither the person's nor chance's."""
        return [index for index, role in enumerate(self.roles) if index != self.role and not is_chance(role)]


@dataclass(frozen=True, slots=True)
class GameWish:
    """What a person wants to play, as which role, and how well the agent is to play."""

    source: Source
    role: str | None
    start_clock: float
    play_clock: float
    simulations: int = 0
    before: Sequence[Moment] = ()  # positions of a game that it goes on from
    random: bool = False  # whether roles that the agent has no place for may be played at random

    def plan(self, roles: tuple[str, ...], host: Host) -> GamePlan:
        """The plan, once the roles are known. Raises PageError, BusyError where all places are taken."""
        if self.role is not None and self.role not in roles:
            raise PageError(f"the rules have no role {self.role:.60}; their roles are {', '.join(roles):.200}")
        role = None if self.role is None else roles.index(self.role)
        clocks, seed = (self.start_clock, self.play_clock), random.getrandbits(32)
        source = self.source
        told = source.title, source.rules, roles, role, *clocks, seed, source.joints, self.simulations
        game = source.title if source.title in bundled() and bundled_game(source.title).text == source.rules else None
        plan = GamePlan(*told, self.random, game)
        if not plan.random and host.matches.room < wanted(len(plan.others), host):
            raise BusyError(TAKEN)
        return plan


def wanted(roles: int, host: Host) -> int:
    """The places that a game needs of the agent for so many roles: it never has more than its setting says."""
    return min(roles, host.settings.server.matches)
