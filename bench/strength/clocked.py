"""Matches over HTTP by the wall clock, as `ggp-agent match` plays them, with each agent on its own core."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from aiohttp import ClientSession

from agent.gamemaster.local import LocalAgent
from agent.gamemaster.match import ManagedMatch, MatchSetup, SeatedPlayer
from agent.gamemaster.player import RemotePlayer, session
from agent.gamemaster.records import MatchRecord
from agent.gamemaster.rulesheet import Rulesheet
from agent.gamemaster.series import available
from agent.tournament.seats import SecondSeat
from bench.strength import versions
from bench.strength.chooser import Chooser, ChooserPlayer, Onlooker
from bench.strength.courts import Clocks, Machines, chooser_for
from bench.strength.entries import PLAYER, Entry
from bench.strength.inturn import Played
from bench.strength.scores import seat_in, seats_of
from reasoner.machine import Machine
from search.clock import MonotonicClock

PINNED = Path(__file__).with_name("pinned.py")
SERVE = ("-m", "agent", "serve", "--port", "0", "--player")


class Clocked:
    """A `Court` whose players all think at the same time. Each seat has one agent, which is reused in later matches.

    The player's agent runs on the first of `cores`; the opponent's agents are distributed over the other cores. If
    there is only one core, all share it.
    """

    def __init__(self, player: Entry, opponent: Entry, clocks: Clocks, cores: Sequence[int]) -> None:
        self._entries = (player, opponent)
        self._clocks = clocks
        self._cores = tuple(cores)
        self._machines = Machines()
        self._runner = asyncio.Runner()
        self._agents: dict[tuple[int, int], LocalAgent] = {}  # agents by side and number of the side's seat
        self._choosers: dict[tuple[int, int], Chooser] = {}

    def play(self, sheet: Rulesheet, number: int, seed: int) -> Played:
        """See `courts.Court`."""
        return self._runner.run(self._match(sheet, number, seed))

    def close(self) -> None:
        """See `courts.Court`."""
        try:
            self._runner.run(self._stop())
        finally:
            for agent in self._agents.values():
                agent.kill()
            for chooser in self._choosers.values():
                chooser.close()
            self._runner.close()

    async def _match(self, sheet: Rulesheet, number: int, seed: int) -> Played:
        machine = self._machines.of(sheet)
        seat, places = seat_in(machine.roles, number), dict[int, tuple[int, int]]()
        for role in seats_of(machine.roles):
            side = int(role != seat)
            places[role] = (side, sum(place[0] == side for place in places.values()))
        match_id = f"strength.{int(time.time() * 1000)}.{number}"
        async with session() as http:
            players = {}
            for role, place in places.items():
                players[role] = await self._player(place, machine, http, f"{match_id}.{place[1]}")
            setup = MatchSetup(
                match_id=match_id,
                rulesheet=sheet,
                machine=machine,
                seats=tuple(players.get(role) for role in range(len(machine.roles))),
                start_clock=self._clocks.start,
                play_clock=self._clocks.move,
                wall=time.time,
                seed=seed,
            )
            return _played(machine, await ManagedMatch(setup).play())

    async def _player(self, place: tuple[int, int], machine: Machine, http: ClientSession, second: str) -> SeatedPlayer:
        side, number = place
        entry, name = self._entries[side], f"{self._entries[side].text} {number + 1}"
        if entry.kind == "url":
            player = RemotePlayer(http, name, entry.text)
            return SecondSeat(player, second) if number else player
        if not entry.searches and entry.kind != PLAYER:
            if place not in self._choosers:
                self._choosers[place] = await asyncio.to_thread(chooser_for, entry)
            return ChooserPlayer(Onlooker(self._choosers[place], machine), machine.roles, name)
        if place not in self._agents or self._agents[place].died:
            self._agents[place] = await self._launched(entry, place)
        remote = RemotePlayer(http, name, self._agents[place].url)
        await available(remote, False, MonotonicClock())
        return remote

    async def _launched(self, entry: Entry, place: tuple[int, int]) -> LocalAgent:
        core = str(self._cores[sum(place) % len(self._cores)]) if self._cores else "-"
        code, place_of = entry.folder or versions.ROOT, entry.folder or Path.cwd()  # folder of a custom player
        command = (sys.executable, str(PINNED), core, str(place_of), sys.executable, *SERVE)
        paths = {"PYTHONPATH": str(code), "PYTHONSAFEPATH": "1", "GGP_AGENT_PAGE_ENABLED": "false"}
        paths["XDG_DATA_HOME"] = os.devnull  # without the networks studied on this machine
        agent = await LocalAgent.launch(entry.spec, command, paths)
        await agent.listening()
        return agent

    async def _stop(self) -> None:
        await asyncio.gather(*(agent.stop() for agent in self._agents.values()))


def _played(machine: Machine, record: MatchRecord) -> Played:
    goals = tuple(goal or 0 for goal in record.goals)
    return Played(machine.roles, [*record.states], [*record.moves], [], goals, record.errors, record.match_id)
