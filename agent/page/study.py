"""Analysis of a game: a tree of positions, and a search of the position that is shown.

A study has its own process (`agent.worker.analyst`). It searches one position, only while a page is open and within the
limit of the settings; an unused study is closed.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from agent.page.board import picture
from agent.page.drawing import Drawing
from agent.page.errors import PageError, RefereeError
from agent.page.history import MatchLog
from agent.page.host import KEY_BYTES, Host
from agent.page.look import Look
from agent.page.move_cells import places
from agent.page.readers import Readers
from agent.page.referee import Referee
from agent.page.sources import facts_of, source_of
from agent.page.story import shares
from agent.page.trail import BACK, cells_of, trail
from agent.worker.messages import Position, Think, Thought, Told
from reasoner.rules.points import FULL

MAX_NODES = 2_000
"""Maximum positions of one study."""
REST = 3.0
"""Seconds after which the search stops when no page is open."""
CLOSED = 120.0
"""Seconds after which a study without an open page is closed."""
MAX_TOLD = 200
"""Maximum characters of a joint move in a message."""
WAITING = 8
"""Maximum requests for an analysis at the same time; they start one by one."""
LOOK = 1.0
"""Seconds between two checks for open pages."""
GRACE = 5.0
"""Seconds for which a reloading page keeps its search."""
BESIDE = 4
"""Additional analyses without a search, so that a link shows its position even if all searches are in use."""


@dataclass(slots=True)
class Node:
    """A position of the tree."""

    number: int
    parent: int | None  # None: placed by its facts, or the initial one
    position: Position
    passed: bool = False  # whether it is the parent's position with another role to move
    figures: dict[int, Mapping[str, Any]] = field(default_factory=dict)  # last search figures by role

    @property
    def choosers(self) -> list[int]:
        """The roles that have a choice."""
        return [role for role, moves in enumerate(self.position.legal) if len(moves) > 1]


class Study:
    """One tree of positions. `referee` has read the rules; the study closes it."""

    def __init__(self, key: str, title: str, rules: str, roles: Sequence[str], referee: Referee, host: Host) -> None:
        self.key = key
        self.title = title
        self.rules = rules
        self.roles = tuple(roles)
        self.named: dict[str, Any] = {}  # the source in the request, for links
        self.nodes: list[Node] = []
        self.opposed, self.points = False, FULL
        self.searched: int | None = None  # the position that is being searched
        self.watchers = 0
        self.watched = False  # whether a page ever showed it
        self._seen = host.clock.now()  # when a page last showed it
        self._look = Look()
        self._referee = referee
        self._host = host
        self._lock = asyncio.Lock()  # the process answers one request at a time
        referee.listen(self._heard)
        self.task = asyncio.create_task(self._watch())

    @property
    def seen(self) -> float:
        """When a page last showed it, in seconds of the clock."""
        return self._host.clock.now() if self.watchers else self._seen

    async def begin(self) -> Node:
        """Add the initial position, number 0. Raises RefereeError."""
        node = await self._add(None, facts=())
        self.opposed, self.points = node.position.opposed, node.position.points
        log = MatchLog(self.key, self.title, 0.0, 0.0, 0.0, self.roles)
        log.may_hold(node.position)
        log.take(node.position, 0.0)
        await Drawing().draw(log)
        self._look = log.look
        return node

    async def place(self, text: str) -> Node:
        """Add a position given by its facts in KIF. Raises PageError, RefereeError."""
        return await self.placed(facts_of(text))

    async def placed(self, facts: Sequence[str]) -> Node:
        """Add a position given by a list of facts. Raises PageError, RefereeError."""
        return await self._add(None, facts=facts)

    async def follow(self, parent: int, joint: Sequence[str]) -> Node:
        """Return the position after a joint move; add it if it is new. Raises PageError, RefereeError."""
        known = (node for node in self.nodes if node.parent == parent and not node.passed)
        found = next((node for node in known if tuple(node.position.joint) == tuple(joint)), None)
        return found or await self._add(parent, joint=joint)

    async def swap(self, parent: int) -> Node:
        """Add the same position with another role to move. Raises PageError, RefereeError."""
        return await self._add(parent)

    def node(self, number: int) -> Node:
        """Return a position by its number. Raises PageError."""
        if not 0 <= number < len(self.nodes):
            raise PageError("this analysis has no such position")
        return self.nodes[number]

    def line(self, number: int) -> list[Node]:
        """Return the positions from the root of the tree to this one. Raises PageError."""
        node: Node | None = self.node(number)
        found = []
        while node is not None:
            found.append(node)
            node = None if node.parent is None else self.nodes[node.parent]
        return found[::-1]

    def joints(self, number: int) -> list[tuple[str, ...]]:
        """Return the joint moves from the initial position to this one. Raises PageError if none lead here."""
        line = self.line(number)
        if line[0].number != 0 or any(node.passed for node in line):
            raise PageError("this position was placed; a game can continue only from a position reached by moves")
        return [tuple(node.position.joint) for node in line[1:]]

    def think(self, number: int | None, role: int | None = None, seconds: float | None = None) -> None:
        """Search a position as `role`, else the first role with a choice; None: stop. Raises PageError."""
        if number is not None:
            node, limit = self.node(number), self._host.settings.page.analysis_seconds
            role = role if role is not None else next(iter(node.choosers), 0)
            if not 0 <= role < len(self.roles):
                raise PageError("the rules have no such role")
            self._referee.tell(Think(number, role, min(seconds or limit, limit)))
        else:
            self._referee.tell(Think(None))
        self.searched = number
        self._host.gallery.signal.change()

    async def best(self, number: int, role: int, seconds: float) -> Mapping[str, Any]:
        """Search a position for so many seconds and return the figures. Raises PageError."""
        self.think(number, role, seconds)
        end = self._host.clock.now() + seconds + REST
        while self._host.clock.now() < end and self.searched == number:
            version = self._host.gallery.signal.version
            if self.nodes[number].figures.get(role, {}).get("done"):
                break
            await self._host.gallery.signal.after(version, LOOK)
        return self.nodes[number].figures.get(role, {})

    def close(self) -> None:
        """End the process."""
        self.task.cancel()
        self._referee.close()
        self.searched = None
        self._host.gallery.signal.change()

    def touch(self) -> None:
        """Record that a page shows it, or did just now."""
        self._seen = self._host.clock.now()
        self.watched = self.watched or self.watchers > 0

    @property
    def left(self) -> bool:
        """Whether its page is closed, and not only reloading."""
        return not self.watchers and not (self.watched and self._host.clock.now() < self._seen + GRACE)

    def view(self, node: Node) -> dict[str, Any]:
        """Return a position as the page draws it, with the moves of each role and the search figures."""
        position = node.position
        return {
            **self.entry(node),
            "picture": self._picture(node),
            "facts": position.facts,
            "moves": [places(own, position.facts, self._look.layouts) for own in position.legal],
            "figures": node.figures,
        }

    def _picture(self, node: Node) -> dict[str, Any]:
        last = [(one.position.joint, one.position.facts) for one in self.line(node.number)[-1 - BACK :]]
        drawn = picture(node.position.facts, self._look, terminal=node.position.terminal)
        if node.position.cause:
            drawn["cause"] = cells_of(node.position.cause, self._look)
        return drawn | {"step": node.position.step, "moved": trail(last, self._look)}

    def entry(self, node: Node) -> dict[str, Any]:
        """Return the entry of a position in the tree."""
        position = node.position
        return {
            "node": node.number,
            "parent": node.parent,
            "passed": node.passed,
            "step": position.step,
            "joint": position.joint,
            "choosers": node.choosers,
            "terminal": position.terminal,
            "goals": position.goals,
            "values": self.values(node),
        }

    def values(self, node: Node) -> list[float | None]:
        """Return the expected goal per role, 0..100; None where unknown."""
        if node.position.goals is not None:
            return list(shares(node.position.goals, self.points))
        told = {role: figures.get("value") for role, figures in node.figures.items()}
        known = {role: float(value) for role, value in told.items() if isinstance(value, int | float)}
        if self.opposed and len(known) == 1:
            ((role, value),) = known.items()
            known[1 - role] = 100 - value
        return [round(known[role]) if role in known else None for role in range(len(self.roles))]

    async def _add(
        self, parent: int | None, joint: Sequence[str] | None = None, facts: Sequence[str] | None = None
    ) -> Node:
        if parent is not None:
            self.node(parent)
        async with self._lock:
            number = len(self.nodes)
            if number >= MAX_NODES:
                raise PageError(f"this analysis has reached the limit of {MAX_NODES:,} positions; start another")
            position = await self._referee.examine(number, parent or 0, joint, facts)
            node = Node(number, parent, position, passed=joint is None and facts is None)
            self.nodes.append(node)
        self.touch()
        return node

    def _heard(self, event: Told) -> None:
        if isinstance(event, Thought) and event.step < len(self.nodes):
            role = event.figures.get("role")
            if isinstance(role, int):
                known = self.nodes[event.step].figures.get(role, {})
                self.nodes[event.step].figures[role] = (
                    event.figures if "moves" in event.figures else {**known, "done": False, **event.figures}
                )
            self._host.gallery.signal.change()

    async def _watch(self) -> None:
        """Stop the search when no page is open, and close the study after a while."""
        while True:
            await asyncio.sleep(LOOK)
            if self.watchers:
                self.touch()
            unseen = self._host.clock.now() - self._seen
            if unseen > REST and self.searched is not None:
                self.think(None)
            if unseen > CLOSED:
                self._referee.close()
                return


class Studies:
    """The analyses on the page. The settings limit how many may search; a few more only show positions."""

    def __init__(self, host: Host, readers: Readers) -> None:
        self._host = host
        self._readers = readers
        self._studies: dict[str, Study] = {}
        self._searching: set[str] = set()  # keys of those that may search
        self._opening = asyncio.Lock()
        self._waiting = 0  # requests that wait to open one

    async def open(self, title: str, rules: str) -> Study:
        """Open a study at the initial position. Raises RulesFaultError, RefereeError, PageError."""
        if self._waiting >= WAITING:
            raise PageError("too many analyses are being opened; try again in a moment")
        self._waiting += 1
        try:
            return await self._opened(title, rules)
        finally:
            self._waiting -= 1

    async def _opened(self, title: str, rules: str) -> Study:
        async with self._opening:
            self._make_room()
            referee, _, roles = await self._readers.read(rules)
            key = secrets.token_urlsafe(KEY_BYTES)
            study = Study(key, title, rules, roles, referee, self._host)
            try:
                await study.begin()
            except BaseException:
                study.close()
                raise
            self._studies[key] = study
            self.may_search(study)
            return study

    def free(self, study: Study, *, hurried: bool = False) -> bool:
        """Whether a study may search; `hurried` also ignores studies whose page is reloading."""
        others = [one for key in self._searching - {study.key} if (one := self.get(key)) is not None]
        waits = [one for one in others if not (one.left or (hurried and not one.watchers))]
        return study.key in self._searching or len(waits) < self._host.settings.page.analyses

    def may_search(self, study: Study, *, hurried: bool = False) -> bool:
        """Give a study the right to search, if possible in the place of an unused one; return whether it has it."""
        if not self.free(study, hurried=hurried):
            return False
        self._searching.add(study.key)
        others = [one for key in self._searching - {study.key} if (one := self.get(key)) is not None]
        idle = sorted((one for one in others if not one.watchers), key=lambda one: (not one.left, one.seen))
        for one in idle[: max(0, len(others) + 1 - self._host.settings.page.analyses)]:
            others.remove(one)
            if one.searched is not None:
                one.think(None)
        self._searching = {study.key, *(one.key for one in others)}
        return True

    async def hint(self, log: MatchLog, role: int | None, seconds: float) -> Mapping[str, Any]:
        """Return the agent's move as `role` in the last position of a match, and its value.

        Raises PageError if the position cannot be searched, or if all searches are in use.
        """
        if role is None:
            raise PageError("you have no role in this game")
        source = source_of(log)
        study = await self.open(source.title, source.rules)
        try:
            if not self.may_search(study, hurried=True):
                raise PageError("the analysis board is in use; raise `page.analyses` to allow more")
            node = await follow_all(study, source.joints)
            figures = await study.best(node.number, role, seconds)
        finally:
            study.close()
        if "best" not in figures:
            raise PageError("the search found no move in time; try again")
        return {"move": figures["best"], "value": figures.get("value")}

    def get(self, key: str) -> Study | None:
        """Return the study with this key, unless it is closed."""
        study = self._studies.get(key)
        if study is not None and study.task.done():
            del self._studies[key]
            return None
        return study

    def drop(self, study: Study) -> None:
        """Close a study that no page will show."""
        study.close()
        self._studies.pop(study.key, None)

    def close(self) -> None:
        """Close all studies."""
        for study in self._studies.values():
            study.close()

    def _make_room(self) -> None:
        """Close unused studies if there are too many. Raises PageError."""
        limit = self._host.settings.page.analyses
        if limit < 1:
            raise PageError("analysis is disabled on this agent; set page.analyses to 1 or more")
        self._studies = {key: study for key, study in self._studies.items() if not study.task.done()}
        unseen = sorted((study.seen, key) for key, study in self._studies.items() if not study.watchers)
        while len(self._studies) >= limit + BESIDE and unseen:
            self._studies.pop(unseen.pop(0)[1]).close()
        if len(self._studies) >= limit + BESIDE:
            raise PageError("too many analyses are open on this agent; try again when one of them is closed")


async def follow_all(study: Study, joints: Sequence[Sequence[str]], facts: Sequence[str] = ()) -> Node:
    """Add a whole line to the tree, from the position of these facts if given; return the last position.

    Raises PageError if a move is not legal, RefereeError if the position does not exist.
    """
    node = await study.placed(facts) if facts else study.nodes[0]
    for step, joint in enumerate(joints):
        try:
            node = await study.follow(node.number, joint)
        except RefereeError as error:
            raise PageError(f"step {step + 1}: {error}: {' · '.join(joint)[:MAX_TOLD]}") from None
    return node
