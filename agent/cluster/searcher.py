"""Actor class that searches positions of remote matches; each helping node runs one actor.

This module does not import Ray. One background thread handles the messages in their order, another searches all matches
in turn; the actor's methods return at once.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import replace
from queue import Queue
from typing import Any

import structlog

from agent.cluster.source import check_source
from agent.message_lines import encode
from agent.remote.search_messages import Committed, Found, SearchedMatch, SearchedPosition, decode, read_stored
from agent.settings import Settings, from_dict
from agent.worker.engines import Engines
from agent.worker.start_rules import read_limits
from reasoner.lanes.emitters import why_not
from reasoner.language.parse import ground_term
from reasoner.machine import Machine, State
from reasoner.rules.read import read_program
from search import MonotonicClock, Search, SearchOptions
from search.errors import NetworkError
from search.warm import warm_up_first

SLICE = 0.1
"""Seconds of a search slice."""
IDLE = 0.2
"""Seconds between two checks for finished builds while no position is to be searched."""
STRIDE = 1009
"""Difference between the seeds of two nodes; more than the number of threads."""


class _Searched:
    """One match and the search of its newest position."""

    def __init__(self, match: SearchedMatch, settings: Settings, seed: int, threads: int) -> None:
        program, _ = read_program(match.rules, read_limits(settings.rules))
        options = SearchOptions(**match.options)  # type: ignore[arg-type] # the fields of the match's SearchOptions
        self._options = replace(options, seed=options.seed + seed, threads=threads)
        self._match = match
        self._studied = read_stored(match.studied)
        self._engines = Engines(program, settings)
        self._clock = MonotonicClock()
        self._search: Search | None = None
        self._at = 0  # number of the searched position
        self._committed = 0  # number of the position of the last applied commit
        self._told = 0  # number of the last reported position
        self.position: SearchedPosition | None = None
        self.commit: Committed | None = None
        self.found = ""  # the newest result, as a line

    def think(self, who: str) -> bool:
        """Search for one slice and store the result; return whether there was work."""
        position = self.position
        if position is None:
            return False
        search = self._searching(position)
        rests = self._committed == position.number and not self._options.ponder
        if search.solved or rests:
            if self._told != position.number:  # solved without a search
                self._tell(position, who, search)
            return False
        end = self._clock.now() + SLICE
        far = self._clock.now() + max(self._match.play_clock, 2 * SLICE)
        search.think(far, lambda: self._clock.now() >= end or self.position is not position)
        self._tell(position, who, search)
        return True

    def _tell(self, position: SearchedPosition, who: str, search: Search) -> None:
        root = search.root_stats()
        if root.visits or root.proof:
            self.found = encode(Found(position.number, who, root))
            self._told = position.number

    def _begun(self, machine: Machine, state: State) -> Search:
        """Create a search, with the studied network if it matches the game."""
        try:
            return Search(
                machine, self._match.role, state, self._options, self._clock, studied=self._studied, learns=False
            )
        except NetworkError as error:
            structlog.get_logger().warning("a node searches without the network", reason=str(error))
            self._studied = None
            return Search(machine, self._match.role, state, self._options, self._clock, learns=False)

    def close(self) -> None:
        """Stop running builds."""
        self._engines.close()

    def _searching(self, position: SearchedPosition) -> Search:
        """Return the search, advanced to the position."""
        better = self._engines.upgrade()
        machine, search = self._engines.machine, self._search
        if search is not None and not better and position.number == self._at + 1 and position.joint is not None:
            search.advance(tuple(map(ground_term, position.joint)), machine.state(position.facts))
        elif search is None or better or position.number != self._at:
            search = self._begun(machine, machine.state(position.facts))
            self._committed = 0
        self._search, self._at = search, position.number
        commit = self.commit
        if commit is not None and commit.number == position.number != self._committed:
            self._committed = commit.number
            search.commit(ground_term(commit.move))
        return search


class Searcher:
    """Searches the positions it receives. Raises ClusterError if this machine has another version of the agent."""

    def __init__(self, source: str, settings: Mapping[str, Any], who: str, number: int, threads: int) -> None:
        check_source(source)
        given = from_dict(settings)  # each match sends its own network
        self._settings = _runnable(replace(given, knowledge=replace(given.knowledge, use=False)))
        self._who = who
        self._seed = STRIDE * (number + 1)
        self._threads = threads
        self._matches: dict[str, _Searched] = {}
        self._over: list[_Searched] = []
        self._news = threading.Condition()
        self._told: Queue[tuple[str, object]] = Queue()  # messages by match; None: forget it
        for target in (self._work, self._handle_all):
            threading.Thread(target=target, daemon=True).start()

    def tell(self, match: str, line: str) -> None:
        """Take a message: a match, its newest position, or the move that the match chose in a position."""
        self._told.put((match, decode(line)))

    def found(self, match: str) -> str:
        """Return the newest result for a match as a line; empty if there is none."""
        searched = self._matches.get(match)
        return searched.found if searched is not None else ""

    def forget(self, match: str) -> None:
        """Drop a match."""
        self._told.put((match, None))

    def _handle_all(self) -> None:
        while True:
            match, message = self._told.get()
            try:
                self._handle(match, message)
            except Exception as error:  # any rules may fail; the thread handles the other matches
                reason = str(error) or repr(error)
                structlog.get_logger().warning("a match cannot be searched on this node", reason=reason)
            self._told.task_done()

    def _handle(self, match: str, message: object) -> None:
        """Handle a message. To read the rules of a match may take seconds."""
        searched = self._matches.get(match)
        if isinstance(message, SearchedMatch):
            self._replace(match, _Searched(message, self._settings, self._seed, self._threads))
        elif message is None:
            self._replace(match, None)
        elif searched is not None:
            if isinstance(message, SearchedPosition):
                searched.position = message
            elif isinstance(message, Committed):
                searched.commit = message
        with self._news:
            self._news.notify()

    def _replace(self, match: str, searched: _Searched | None) -> None:
        """Let `searched` take the place of a match; None: nothing does."""
        with self._news:
            if (earlier := self._matches.pop(match, None)) is not None:
                self._over.append(earlier)
            if searched is not None:
                self._matches[match] = searched

    def _work(self) -> None:
        try:
            self._warm()
        except Exception as error:  # the search compiles kernels when it needs them
            structlog.get_logger().warning("a node cannot compile its kernels", reason=str(error) or repr(error))
        while True:
            with self._news:
                matches, over = list(self._matches.values()), self._over
                self._over = []
            for searched in over:
                searched.close()
            if not [True for searched in matches if self._thought(searched)]:
                with self._news:
                    self._news.wait(IDLE)

    def _warm(self) -> None:
        """Compile or load the kernels before the first match."""
        if self._settings.worker.engine != "relational":
            emitter = self._settings.build.emitter
            warm_up_first(None if emitter == "auto" else emitter)

    def _thought(self, searched: _Searched) -> bool:
        position = searched.position
        try:
            return searched.think(self._who)
        except Exception as error:  # any position may fail; the thread searches the other matches
            reason = str(error) or repr(error)
            structlog.get_logger().warning("a position cannot be searched on this node", reason=reason)
            if searched.position is position:  # else the next one has come
                searched.position = None
            return False


def _runnable(settings: Settings) -> Settings:
    """Return settings with the code emitter of this machine, if it cannot run the agent's."""
    emitter = settings.build.emitter
    if emitter == "auto" or (reason := why_not(emitter)) is None:
        return settings
    structlog.get_logger().warning("a node uses its own code emitter", missing=emitter, reason=reason)
    return replace(settings, build=replace(settings.build, emitter="auto"))
