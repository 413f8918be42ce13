"""A person's request for a game, and the plan of the game, made after the rules are read."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from agent.gamemaster.addresses import is_url
from agent.gamemaster.games import bundled, bundled_game
from agent.page.errors import BusyError, PageError
from agent.page.games.opponents import offered
from agent.page.history import Moment
from agent.page.host import Host
from agent.page.sources import Source
from reasoner.language.notation import is_infix
from reasoner.rules.chance import is_chance

TAKEN = "all match slots of this agent are in use; wait for one, or choose random moves"


@dataclass(frozen=True, slots=True)
class GamePlan:
    """A game to play. `role` is the person's role, or None to watch; the clocks of the agent are in seconds."""

    title: str
    rules: str
    roles: tuple[str, ...]
    role: int | None
    start_clock: float
    play_clock: float
    seed: int
    joints: tuple[tuple[str, ...], ...] = ()  # moves already made: the game continues after them
    simulations: int = 0  # limit of the agent's simulations per move; 0: no limit
    random: bool = False  # whether a role without a match slot may move at random
    game: str | None = None  # name of the bundled game, if it is one
    opponent: str = ""  # name of another player than the agent's own
    spec: str = ""  # its specification or address

    @property
    def others(self) -> list[int]:
        """The roles of the agent: neither the person's role nor chance."""
        return [index for index, role in enumerate(self.roles) if index != self.role and not is_chance(role)]


@dataclass(frozen=True, slots=True)
class GameWish:
    """A person's request: the game, the role, and the strength of the agent."""

    source: Source
    role: str | None
    start_clock: float
    play_clock: float
    simulations: int = 0
    before: Sequence[Moment] = ()  # positions of the game that it continues
    random: bool = False  # whether roles without a match slot may move at random
    opponent: str = ""  # name of another player than the agent's own

    def check(self, roles: tuple[str, ...], host: Host) -> str:
        """Return the opponent's specification or address, empty for the agent's own player.

        Raises PageError if the wished role is none of `roles`, or the opponent cannot play the game.
        """
        if self.role is not None and self.role not in roles:
            raise PageError(f"the rules have no role {self.role:.60}; their roles are {', '.join(roles):.200}")
        return self._spec(host)

    def plan(self, roles: tuple[str, ...], host: Host, starting: int) -> GamePlan:
        """Return the plan for these roles; games that start now take `starting` of the free match slots.

        Raises PageError, or BusyError if too few match slots are free.
        """
        spec = self.check(roles, host)
        role = None if self.role is None else roles.index(self.role)
        clocks, seed = (self.start_clock, self.play_clock), random.getrandbits(32)
        source = self.source
        told = source.title, source.rules, roles, role, *clocks, seed, source.joints, self.simulations
        plan = GamePlan(*told, self.random, bundled_name(source), self.opponent, spec)
        if is_url(spec):
            return plan
        if not plan.random and host.matches.room - starting < wanted(len(plan.others), host):
            raise BusyError(TAKEN)
        return plan

    def _spec(self, host: Host) -> str:
        """Return the opponent's specification or address; empty for the agent's own player. Raises PageError."""
        if not self.opponent:
            return ""
        spec = offered(host.settings).get(self.opponent)
        if spec is None:
            raise PageError("this agent does not offer this opponent; the setting page.opponents names the others")
        if is_url(spec) and self.source.joints:
            raise PageError("a player at an address plays only from the start; choose the agent to continue a game")
        if is_url(spec) and is_infix(self.source.rules):
            raise PageError("a player at an address gets rules in KIF only; convert these rules first")
        return spec


def bundled_name(source: Source) -> str | None:
    """Return the name of the bundled game with these rules; None if there is none."""
    return source.title if source.title in bundled() and bundled_game(source.title).text == source.rules else None


def wanted(roles: int, host: Host) -> int:
    """Return how many match slots the agent needs to play `roles` roles: one per role, at most `server.matches`."""
    return min(roles, host.settings.server.matches)
