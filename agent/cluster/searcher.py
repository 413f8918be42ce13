"""Searches positions of matches that are played elsewhere: the class of an actor, one on each node that helps.

It knows nothing of Ray. A thread of its own searches, in turns where there are several matches; what an actor's methods
do meanwhile is over at once.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import structlog

from agent.cluster.source import check_source
from agent.elsewhere.messages import Committed, Found, SearchedMatch, SearchedPosition, decode, encode, read_stored
from agent.settings import Settings, from_dict
from agent.worker.engines import Engines, read_limits
from reasoner.errors import ReasonerError
from reasoner.language.ground import ground_term
from reasoner.machine import Machine, State
from reasoner.rules.read import read_program
from search import MonotonicClock, Search, SearchError, SearchOptions
from search.errors import NetworkError
from search.warm import warm_up_first

SLICE = 0.1
"""Seconds of a search's turn."""
IDLE = 0.2
"""Seconds between two looks at a build, where there is nothing to search."""
STRIDE = 1009
"""Between the seeds of two nodes, more than there are threads."""


class _Searched:
    """One match: what is known of it, and the search of its newest position."""

    def __init__(self, match: SearchedMatch, settings: Settings, seed: int, threads: int) -> None:
        program, _ = read_program(match.rules, read_limits(settings.rules))
        options = SearchOptions(**match.options)  # type: ignore[arg-type] # the fields of another one
        self._options = replace(options, seed=options.seed + seed, threads=threads)
        self._match = match
        self._studied = read_stored(match.studied)
        self._engines = Engines(program, settings)
        self._clock = MonotonicClock()
        self._search: Search | None = None
        self._at = 0  # the number of the position searched
        self._committed = 0  # ... and of that in which the move answered was taken in
        self._told = 0  # ... and of that which was told of last
        self.position: SearchedPosition | None = None
        self.commit: Committed | None = None
        self.found = ""  # the newest, as a line

    def think(self, who: str) -> bool:
        """Search for a while, and note what was found; whether there was something to do."""
        position = self.position
        if position is None:
            return False
        search = self._searching(position)
        rests = self._committed == position.number and not self._options.ponder
        if search.solved or rests:
            if self._told != position.number:  # it was known before anybody thought
                self._tell(position, who, search)
            return False
        end = self._clock.now() + SLICE
        far = self._clock.now() + max(self._match.play_clock, 2 * SLICE)
        search.think(far, lambda: self._clock.now() >= end or self.position is not position)
        self._tell(position, who, search)
        return True

    def _tell(self, position: SearchedPosition, who: str, search: Search) -> None:
        root = search.told()
        if root.visits or root.proof:
            self.found = encode(Found(position.number, who, root))
            self._told = position.number

    def _begun(self, machine: Machine, state: State) -> Search:
        """A new search, with what was studied where it is of this game."""
        try:
            return Search(machine, self._match.role, state, self._options, self._clock, studied=self._studied)
        except NetworkError as error:
            structlog.get_logger().warning("a search without its network", reason=str(error))
            self._studied = None
            return Search(machine, self._match.role, state, self._options, self._clock)

    def close(self) -> None:
        """End what still runs."""
        self._engines.close()

    def _searching(self, position: SearchedPosition) -> Search:
        """The search, brought to the position."""
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
    """Searches what it is told of. Raises ClusterError where this machine has another agent."""

    def __init__(self, source: str, settings: Mapping[str, Any], who: str, number: int, threads: int) -> None:
        check_source(source)
        given = from_dict(settings)  # what was studied comes with the match, and is not looked for here
        self._settings = replace(given, knowledge=replace(given.knowledge, use=False))
        self._who = who
        self._seed = STRIDE * (number + 1)
        self._threads = threads
        self._matches: dict[str, _Searched] = {}
        self._over: list[_Searched] = []
        self._news = threading.Condition()
        threading.Thread(target=self._work, daemon=True).start()

    def tell(self, match: str, line: str) -> None:
        """Hear of a match, of its newest position, or of the move answered there."""
        message = decode(line)
        if isinstance(message, SearchedMatch):
            try:
                made = _Searched(message, self._settings, self._seed, self._threads)
            except (ReasonerError, SearchError, ValueError) as error:
                structlog.get_logger().warning("a match cannot be searched here", reason=str(error))
                return
        with self._news:
            if isinstance(message, SearchedMatch):
                self._over += [self._matches[match]] if match in self._matches else []
                self._matches[match] = made
            elif (searched := self._matches.get(match)) is not None:
                if isinstance(message, SearchedPosition):
                    searched.position = message
                elif isinstance(message, Committed):
                    searched.commit = message
            self._news.notify()

    def found(self, match: str) -> str:
        """What was found last, as a line; empty where nothing was."""
        searched = self._matches.get(match)
        return searched.found if searched is not None else ""

    def forget(self, match: str) -> None:
        """A match is over."""
        with self._news:
            searched = self._matches.pop(match, None)
            if searched is not None:
                self._over.append(searched)
            self._news.notify()

    def _work(self) -> None:
        self._warm()
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
        """Compile or load what a first match would have to wait for."""
        if self._settings.worker.engine != "relational":
            emitter = self._settings.build.emitter
            warm_up_first(None if emitter == "auto" else emitter)

    def _thought(self, searched: _Searched) -> bool:
        try:
            return searched.think(self._who)
        except (ReasonerError, SearchError) as error:
            structlog.get_logger().warning("a position cannot be searched here", reason=str(error))
            searched.position = None
            return False
