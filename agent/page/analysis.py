"""Analysis of a game: a tree of positions, and a search of the position that is shown.

An analysis has its own process (`agent.worker.analyst`), which searches one position while a page shows the analysis.
An unused analysis is closed. The settings limit the number of searches; further analyses wait in a queue.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from agent.boards.board import picture
from agent.boards.edits import EditDomain, domain_of
from agent.boards.look import Look
from agent.boards.move_cells import places
from agent.boards.pictures import Picture
from agent.boards.trail import BACK, cells_of, trail
from agent.page.answers import NodeEntry, NodeView, TreeView
from agent.page.drawing import Drawing
from agent.page.errors import PageError, RefereeError
from agent.page.history import MatchLog
from agent.page.host import Host
from agent.page.referee import Referee
from agent.page.requested import MAX_NODES
from agent.page.requests import asker
from agent.page.sources import Source, facts_of
from agent.page.story import shares
from agent.worker.worker_messages import Position, Think, Thought, Told
from reasoner.rules.points import FULL

REST = 3.0
"""Seconds after which the search stops when no page is open."""
CLOSED = 120.0
"""Seconds after which an analysis without an open page is closed."""
MAX_SIZE = 64 << 20
"""Maximum size of the positions of one analysis, in characters with TEXT for each fact and each legal move."""
TEXT = 50
MAX_TOLD = 200
"""Maximum characters of a joint move in a message."""
UNKNOWN = "the moves are not known, because the game has hidden information; the line ends here"
"""Why a line ends before an empty joint move: the agent knew only its own move."""
LOOK = 1.0
"""Seconds between two checks for open pages."""
ENDED = "the process of its rules has ended"
"""Why an analysis was closed whose process was killed, or took too much memory."""
GRACE = 5.0
"""Seconds for which an analysis keeps its search, or its position in the queue, while its page reloads."""


@dataclass(slots=True)
class Node:
    """A position of the tree."""

    number: int
    parent: int | None  # None: the initial position, or one placed by its facts
    position: Position
    passed: bool = False  # whether it is the parent's position with another role to move
    figures: dict[int, Mapping[str, Any]] = field(default_factory=dict)  # last search figures by role

    @property
    def choosers(self) -> list[int]:
        """The roles with more than one legal move."""
        return [role for role, moves in enumerate(self.position.legal) if len(moves) > 1]


class Analysis:
    """One tree of positions. `referee` is a process that has read the rules; `close` ends this process."""

    def __init__(
        self,
        key: str,
        source: Source,
        roles: Sequence[str],
        referee: Referee,
        host: Host,
        each_second: Callable[[], None] = lambda: None,
    ) -> None:
        self.key = key
        self.title, self.rules = source.title, source.rules
        self.roles = tuple(roles)
        self.named: dict[str, Any] = {}  # the source in the request, for links
        self.nodes: list[Node] = []
        self._size = 0
        self.opposed, self.points = False, FULL
        self.searched: int | None = None  # the position that is being searched
        self._searcher = 0  # the role that it is searched for
        self.closed = ""  # why the analysis was closed; empty while it is open
        self.asker = asker.get()
        self.watchers = 0
        self.watched = False  # whether a page ever showed the analysis
        self._host, self._each_second = host, each_second
        self._seen = self._host.clock.now()  # time at which a page last showed the analysis
        self._look = Look()
        self._domain: EditDomain | None = None
        self._referee = referee
        self._lock = asyncio.Lock()  # the process answers one request at a time
        referee.listen(self._heard, lambda: self.close(ENDED))
        self.task = asyncio.create_task(self._watch())

    @property
    def seen(self) -> float:
        """Time at which a page last showed the analysis, in seconds of the clock."""
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
        """Return the joint moves from the initial position to this one. Raises PageError for a placed position."""
        line = self.line(number)
        if line[0].number != 0 or any(node.passed for node in line):
            raise PageError("this position was placed; a game can continue only from a position reached by moves")
        return [tuple(node.position.joint) for node in line[1:]]

    def think(self, number: int | None, role: int | None = None, seconds: float | None = None) -> None:
        """Search position `number` for at most `seconds`, or stop the search if `number` is None. Raises PageError.

        role: the role to search for, by default the first role with a choice.
        """
        if number is not None:
            node, limit = self.node(number), self._host.settings.page.analysis_seconds
            role = role if role is not None else next(iter(node.choosers), 0)
            if not 0 <= role < len(self.roles):
                raise PageError("the rules have no such role")
            self._referee.tell(Think(number, role, min(seconds or limit, limit)))
            self._searcher = role
        else:
            self._referee.tell(Think(None))
        self.searched = number
        self._host.gallery.signal.change()

    async def best(self, number: int, role: int, seconds: float) -> Mapping[str, Any]:
        """Search a position for `seconds` and return the figures. Raises PageError."""
        self.think(number, role, seconds)
        end = self._host.clock.now() + seconds + REST
        while self._host.clock.now() < end and self.searched == number:
            version = self._host.gallery.signal.version
            if self.nodes[number].figures.get(role, {}).get("done"):
                break
            await self._host.gallery.signal.after(version, LOOK)
        return self.nodes[number].figures.get(role, {})

    def close(self, reason: str = "it was unused") -> None:
        """End the process; `reason` is for pages that show the analysis."""
        self.closed = reason
        self.task.cancel()
        self._referee.close()
        self.searched = None
        self._host.gallery.signal.change()

    def touch(self) -> None:
        """Record that a page shows the analysis now."""
        self._seen = self._host.clock.now()
        self.watched = self.watched or self.watchers > 0

    @property
    def left(self) -> bool:
        """Whether the page of the analysis is closed, and not only reloading."""
        return not self.watchers and not (self.watched and self._host.clock.now() < self._seen + GRACE)

    @property
    def gone(self) -> bool:
        """Whether no page shows the analysis or has requested it recently."""
        return not self.watchers and self._host.clock.now() >= self._seen + GRACE

    @property
    def searching(self) -> bool:
        """Whether a search is running."""
        if self.searched is None:
            return False
        return not self.nodes[self.searched].figures.get(self._searcher, {}).get("done")

    def tree(self) -> TreeView:
        """Return the whole tree; the page opens it at the end of the main line."""
        return {
            "key": self.key,
            "title": self.title,
            "source": self.named or None,
            "roles": self.roles,
            "opposed": self.opposed,
            "points": self.points,
            "nodes": [self.entry(node) for node in self.nodes],
        }

    def view(self, node: Node) -> NodeView:
        """Return a position with the moves of each role and the search figures."""
        position = node.position
        return {
            **self.entry(node),
            "picture": self.drawn(node),
            "facts": position.facts,
            "moves": [places(own, position.facts, self._look.layouts, self._look.starts) for own in position.legal],
            "figures": node.figures,
        }

    def domain(self) -> EditDomain:
        """Return what may be placed in a position. The first call is slow; make it in a thread."""
        self._domain = self._domain or domain_of(self.nodes[0].position, self._look)
        return self._domain

    def sketch(self, facts: Sequence[str]) -> Picture:
        """Return the picture of any facts."""
        return picture(facts, self._look)

    def drawn(self, node: Node) -> Picture:
        """Return the picture of a position, with the last moves."""
        last = [(one.position.joint, one.position.facts) for one in self.line(node.number)[-1 - BACK :]]
        drawn = picture(node.position.facts, self._look, terminal=node.position.terminal)
        if node.position.cause:
            drawn["cause"] = cells_of(node.position.cause, self._look)
        drawn["step"], drawn["moved"] = node.position.step, trail(last, self._look)
        return drawn

    def entry(self, node: Node) -> NodeEntry:
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
            size = sum(len(text) + TEXT for text in chain(position.facts, *position.legal))
            if number and self._size + size > MAX_SIZE:
                raise PageError("this analysis has reached the limit of its memory; start another")
            self._size += size
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
        """Stop the search when no page is open, and close the analysis after a while."""
        while True:
            await asyncio.sleep(LOOK)
            if self.watchers:
                self.touch()
            self._each_second()
            unseen = self._host.clock.now() - self._seen
            if unseen > REST and self.searched is not None:
                self.think(None)
            if unseen > CLOSED:
                self.close()


async def follow_all(analysis: Analysis, joints: Sequence[Sequence[str]], facts: Sequence[str] = ()) -> Node:
    """Add a whole line to the tree, starting at the position of `facts`, if given; return the last position.

    Raises PageError if a move is not legal, RefereeError if the position does not exist.
    """
    node = await analysis.placed(facts) if facts else analysis.nodes[0]
    for step, joint in enumerate(joints):
        if not joint:
            raise PageError(f"step {step + 1}: {UNKNOWN}")
        try:
            node = await analysis.follow(node.number, joint)
        except RefereeError as error:
            raise PageError(f"step {step + 1}: {error}: {' · '.join(joint)[:MAX_TOLD]}") from None
    return node
