"""The clock is kept, and moves are legal, whatever becomes of the nodes that help."""

import asyncio
import re
import sys
from contextlib import asynccontextmanager

import pytest

from agent.gamemaster.games import find_game
from agent.gamemaster.local import LocalAgent
from agent.gamemaster.player import RemotePlayer, session
from agent.protocol.messages import Play, Start, Stop
from reasoner import load
from tests.waiting import until

pytestmark = pytest.mark.long  # nodes of a real cluster

CLOCK = 3.0
EARLY = {"GGP_AGENT_CLOCK_MARGIN": "1.5", "GGP_AGENT_CLOCK_MARGIN_SHARE": "0.5"}
"""A move leaves when half of the clock is over: that a process of the tests waits for a processor is no late answer."""
SERVE = (sys.executable, "-m", "agent", "serve", "--port", "0")


@asynccontextmanager
async def playing(address, game, **settings):
    """A match of a player that asks the nodes of a cluster."""
    settings = {"GGP_AGENT_PAGE_ENABLED": "off", **settings}
    command = (*SERVE, "--cluster", address, "--player")
    agent = await LocalAgent.launch("mcts:threads=1", command, EARLY | settings)
    try:
        await agent.listening()
        async with session() as http:
            match = Match(RemotePlayer(http, "player", agent.url), agent, game)
            await match.start()
            yield match
            await match.stop()
    finally:
        await agent.stop()


class Match:
    """Against opponents that play their first legal moves."""

    def __init__(self, player, agent, name):
        self._player, self._agent, self._text = player, agent, find_game(name).text
        self.machine = load(self._text, engine="relational")

    async def start(self):
        self.state, self.last, self.moves = self.machine.initial(), None, 0
        await self._player.ask(Start("m", self.machine.roles[0], self._text, CLOCK, CLOCK), CLOCK)

    async def stop(self):
        await self._player.ask(Stop("m", self.last), CLOCK)

    async def turn(self):
        """A turn in which there is a choice; a late answer or an illegal one fails. How many nodes have helped."""
        forced = True
        while forced:
            if self.machine.terminal(self.state):
                await self.stop()
                await self.start()
            forced = len(self.machine.legal(self.state)[0]) == 1
            await self._move()
        moved = re.compile(rf" moved +engine.* turn={self.moves - 1}\b.*")
        await until(lambda: moved.search(self._agent.tail()))  # it is logged after the answer
        helpers = re.search(r"'elsewhere': (\d+)", moved.search(self._agent.tail())[0])
        return int(helpers[1]) if helpers else 0

    async def turns_until(self, count):
        """Turns, of as many matches as it takes, until so many nodes help."""
        while await self.turn() != count:
            pass

    async def _move(self):
        answer = await self._player.ask(Play("m", self.last), CLOCK)
        legal = self.machine.legal(self.state)
        assert answer in map(str, legal[0]), self._agent.tail()
        self.last = (answer, *(str(own[0]) for own in legal[1:]))
        terms = [next(move for move in own if str(move) == text) for own, text in zip(legal, self.last, strict=True)]
        self.state, self.moves = self.machine.next(self.state, terms), self.moves + 1


async def test_a_move_is_in_time_if_the_helping_nodes_die_during_it(cluster):
    cluster.needed(2)
    # which is there at once
    async with playing(cluster.address, "connectFour", GGP_AGENT_WORKER_ENGINE="relational") as match:
        await match.turns_until(2)
        for left in (1, 0):
            moving = asyncio.create_task(match.turn())
            await asyncio.to_thread(cluster.kill)
            await moving
            await match.turns_until(left)


async def test_where_no_node_ever_comes_the_agent_plays_alone(cluster):
    cluster.needed(0)
    async with playing(cluster.address, "goofspiel") as match:
        assert [await match.turn() for _ in range(2)] == [0, 0]
