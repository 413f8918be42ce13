"""Main loop of a worker: set limits, obey commands, and ponder between them."""

from __future__ import annotations

import os
import signal
import socket
import sys
from collections.abc import Callable
from typing import NoReturn, TextIO, assert_never, cast

import numpy as np
import structlog

from agent.errors import SpecError
from agent.logs import configure_logs
from agent.players.base import Player
from agent.players.spec import is_of_module, player_factory
from agent.settings import Settings
from agent.worker.analyst import Analyst
from agent.worker.blame import blame
from agent.worker.channel import Channel
from agent.worker.overstay import Overstay
from agent.worker.player_output import LogBeside, PlayerOutput
from agent.worker.raw_output import Collector
from agent.worker.referee import Referee
from agent.worker.session import Session
from agent.worker.start_rules import RefusalError
from agent.worker.worker_messages import (
    AnalystCommand,
    Begin,
    BeginGame,
    Born,
    Choose,
    Command,
    End,
    Examine,
    Explain,
    Here,
    Knock,
    ReadRules,
    RefereeCommand,
    RefereeFailed,
    Refused,
    Rehearse,
)
from reasoner import warm_up_relational
from reasoner.errors import LimitError, ReasonerError
from reasoner.platform_calls import limit_data
from reasoner.relational.limits import TERM_FIX
from search.clock import MonotonicClock

KINDNESS = 10
"""Niceness of analysis and drawing, which run below matches."""

OUT_OF_MEMORY = "the rules took too much memory, so their process has ended"

FAILED = 1
"""Exit code of a worker that failed."""


def serve(end: socket.socket, settings: Settings, make_player: Callable[[], Player], collector: Collector) -> NoReturn:
    """Run as a worker: obey commands, then end this process."""
    os.setsid()  # a process group of its own, so that all children can be killed with it
    np.random.seed()  # for players; a fork inherits the state of NumPy's generator, while Python seeds its own again
    log = collector.redirect()
    sys.stdout = sys.stderr = output = PlayerOutput(log)
    entries = cast(TextIO, LogBeside(log, output))
    configure_logs(settings.log, entries)
    code, loop = 0, None
    try:
        channel = _channel(end)
        channel.send(Born(os.getpid()))  # from now on the server can kill this process
        loop = _CommandLoop(channel, settings, make_player)
        if is_of_module(settings.player.spec):
            channel.noticed = _watched(loop).noticed
        # set after the threads are started: to start one beyond the memory limit would block forever
        limit_data(settings.worker.memory_mib << 20, FAILED)
        loop.run(collector.follow)
    except BaseException:  # log any exception as one entry, then end this process
        configure_logs(settings.log, entries)  # a player may have changed it
        suspect = {"player": loop.custom} if loop is not None and loop.custom else {}
        structlog.get_logger().exception("the worker failed", **suspect)
        code = FAILED
    sys.stderr.flush()
    os._exit(code)


def _channel(end: socket.socket) -> Channel:
    """Return the channel to the server; end this process if its thread cannot be started."""
    try:
        return Channel(end.makefile("rb"), end.makefile("wb"), _end_group)
    except RuntimeError as error:
        _no_thread(error)


def _watched(loop: _CommandLoop) -> Overstay:
    """Return the watchdog that ends this process if the player does not return in time."""
    try:
        return Overstay(loop.stuck, _end_group)
    except RuntimeError as error:
        _no_thread(error)


def _no_thread(error: RuntimeError) -> NoReturn:
    structlog.get_logger().error("no thread for a worker", reason=str(error))
    os._exit(FAILED)


class _CommandLoop:
    """Obeys commands, and lets the player ponder between them."""

    def __init__(self, channel: Channel, settings: Settings, make_player: Callable[[], Player]) -> None:
        self._channel = channel
        self._settings = settings
        self._make_player = make_player
        self._session: Session | None = None
        self._referee = Referee(channel, settings)
        self._analyst: Analyst | None = None
        self._outgrown = False  # whether the rules of the match have built a term past a limit
        self.custom = ""  # specification of a player that is not built in; it may have changed the agent's objects

    def run(self, between: Callable[[], None]) -> None:
        """Serve until the match is over; `between` is called between commands."""
        while not isinstance(command := self._channel.receive(self._patience), End):
            between()
            if command is not None:
                self._obey(command)
            elif self._session is not None:
                self._session.ponder()
            elif self._analyst is not None:
                self._analyst.go_on()
        if self._session is not None:
            self._session.stop(command.joint)
        if self._analyst is not None:
            self._analyst.close()

    def stuck(self) -> bool:
        """Whether a command waits while a method of the player runs."""
        return self._session is not None and self._session.thinking and self._channel.waiting()

    @property
    def _patience(self) -> float | None:
        """Seconds to wait for a command before thinking again; None: without limit."""
        thinker = self._session or self._analyst
        return thinker.patience if thinker is not None else None

    def _obey(self, command: Command) -> None:
        if isinstance(command, Explain) or (isinstance(command, BeginGame | ReadRules) and command.gently):
            os.nice(KINDNESS)
        if isinstance(command, RefereeCommand | AnalystCommand):
            self._judge(command)
            return
        match command:
            case Rehearse():
                warm_up_relational()  # copies the shared memory pages that a match writes to
            case Knock():
                self._channel.send(Here())
            case Begin():
                self._begin(command)
            case Choose():
                self._choose(command)
            case End():
                pass  # handled in `run`
            case _:
                assert_never(command)

    def _judge(self, command: RefereeCommand | AnalystCommand) -> None:
        try:
            if isinstance(command, RefereeCommand):
                self._referee.obey(command)
            else:
                self._analyse(command)
        except MemoryError:
            self._channel.send(RefereeFailed(OUT_OF_MEMORY))
            raise

    def _begin(self, command: Begin) -> None:
        structlog.contextvars.bind_contextvars(match=command.start.match_id)
        player = self._made(command.start.player, command.start.simulations)
        if player is None:
            return
        try:
            self._session = Session(command, player, self._settings, self._channel, MonotonicClock())
            self._session.start(command)
        except (RefusalError, ReasonerError) as error:
            self._session = None
            faults = error.faults if isinstance(error, RefusalError) else ()
            self._channel.send(Refused(str(error), faults))

    def _made(self, spec: str, simulations: int) -> Player | None:
        """Create and limit a player, of `spec` if it is given; refuse the match and return None if this fails."""
        chosen = spec or self._settings.player.spec
        player = None
        try:
            self.custom = chosen if is_of_module(chosen) else ""
            player = self._chosen(spec) if spec else self._make_player()
            player.limit(simulations)
            return player
        except MemoryError:
            raise  # another process may have more memory
        except SpecError as error:
            self._channel.send(Refused(f"the player cannot be created: {error}"))
            return None
        except BaseException as error:  # players are third-party code, and may call sys.exit
            about = blame(error, player, "" if player else "__init__")
            structlog.get_logger().exception("the player failed", question=0, **about)
            self._channel.send(Refused(f"the player cannot be created: {about['reason']} ({about['place']})"))
            return None

    def _chosen(self, spec: str) -> Player:
        """Create a player that a visitor of the page chose. Raises SpecError."""
        if is_of_module(spec):
            self._channel.noticed = _watched(self).noticed
        return player_factory(spec)()

    def _analyse(self, command: AnalystCommand) -> None:
        """Examine or search a position of the rules that the referee has read."""
        try:
            if self._analyst is None:
                program = self._referee.program
                os.nice(KINDNESS)
                clock = MonotonicClock()
                self._analyst = Analyst(program, self._settings, self._make_player, self._channel, clock)
        except ReasonerError as error:
            self._channel.send(RefereeFailed(str(error)))
            return
        if isinstance(command, Examine):
            self._channel.send(self._analyst.examine(command))
        else:
            self._analyst.think(command)

    def _choose(self, command: Choose) -> None:
        try:
            if self._session is not None:
                self._session.play(command)
        except ReasonerError as error:
            self._complain(error)

    def _complain(self, error: ReasonerError) -> None:
        """Log why no move can be computed; terms past a limit, which all later turns pass too, once per match."""
        log = structlog.get_logger()
        if not (isinstance(error, LimitError) and error.of_terms):
            log.error("no move can be computed", reason=str(error))
        elif not self._outgrown:
            self._outgrown = True
            log.error(
                "the rules build too large terms: from now on moves may be illegal", reason=str(error), fix=TERM_FIX
            )


def _end_group() -> None:
    """Kill this process and its children, because the server is gone."""
    os.killpg(os.getpgid(0), signal.SIGKILL)
