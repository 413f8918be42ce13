"""A match that comes while kernels are compiled is taken: `ready` by its clock, legal moves from what is there."""

import asyncio
import contextlib
import os
import random
import re
import signal
import zlib

import pytest

import agent.worker.__main__ as fork_server
from agent.protocol.read import read_message
from agent.serve import _listen, running
from agent.server.fallback_server import FallbackServer
from agent.server.matches import Matches
from agent.server.workers import Workers
from agent.settings import load_settings
from bench.processes import process
from reasoner.platform_calls import lock_file
from search.clock import MonotonicClock
from tests.agent.page.gamemaster import RULES
from tests.agent.page.test_site import relaying
from tests.agent.rules import STONES, machine
from tests.agent.server.client import Agent
from tests.agent.server.test_dialogues import DRESDEN, GGP_BASE, HIDDEN, exchanges, in_infix, to_the_end
from tests.waiting import until


class NoWorkers:
    """Workers that none can be had of, for ever."""

    warm = False
    loading = True
    trouble = None

    def __init__(self):
        self.asked = 0

    async def fallback(self, _):
        raise OSError(11, "Resource temporarily unavailable")

    async def take(self, _):
        self.asked += 1
        raise OSError(11, "Resource temporarily unavailable")


@pytest.fixture
def matches(monkeypatch):
    monkeypatch.setattr("agent.server.vacancy.RETRY", 0.0)
    return Matches(load_settings(environment={}), NoWorkers(), MonotonicClock())


async def asked(matches, text):
    return await matches.answer(read_message(text), MonotonicClock().now(), lambda: False)


async def test_info_says_busy_while_kernels_are_compiled(matches):
    assert "(status busy)" in await asked(matches, "(INFO)")


async def test_a_match_is_taken_before_there_is_any_process_and_its_messages_are_answered_by_their_clocks(matches):
    """Nothing can be known of the rules then; the match lives on, and is played as soon as a process is there."""
    assert await asked(matches, f"(START m first ({STONES}) 0.02 0.02)") == "ready"
    assert await asked(matches, "(PLAY m NIL)") == "noop"
    assert len(matches) == 1
    matches.close()


async def test_a_start_that_is_repeated_while_it_waits_for_a_match_slot_gets_the_same_answer(monkeypatch):
    monkeypatch.setattr("agent.server.vacancy.RETRY", 0.0)
    settings = load_settings(environment={}, flags={"server.matches": 1})
    matches = Matches(settings, NoWorkers(), MonotonicClock())
    assert await asked(matches, f"(START before first ({STONES}) 0.02 9)") == "ready"
    starts = [asyncio.create_task(asked(matches, f"(START m first ({STONES}) 0.5 9)")) for _ in range(2)]
    await asyncio.sleep(0)  # both begin to wait
    assert await asked(matches, "(ABORT before)") == "aborted"
    assert await asyncio.gather(*starts) == ["ready", "ready"]
    assert [start.match_id for start in matches.starts()] == ["m"]
    matches.close()


@contextlib.contextmanager
def compiling_for_ever(folder, monkeypatch):
    """Hold what one agent waits for while another compiles; gives a call that lets go."""
    monkeypatch.setenv("TMPDIR", str(folder))
    name = f"ggp-agent-{os.getuid()}-{zlib.crc32(fork_server.__file__.encode()):08x}.lock"
    with contextlib.ExitStack() as held:
        lock = os.open(folder / name, os.O_RDWR | os.O_CREAT, 0o600)
        held.callback(os.close, lock)
        lock_file(lock, wait=True)
        yield held.close


@contextlib.asynccontextmanager
async def cold(player):
    """An agent that nobody waits for."""
    flags = {"server.port": 0, "player.spec": player}
    async with running(load_settings(environment={}, flags=flags)) as (url, workers, matches, gallery, *_):
        yield Agent(url, workers, matches, gallery)


@pytest.mark.parametrize("path", GGP_BASE, ids=lambda path: path.stem)
async def test_a_whole_match_of_ggp_base_is_played_while_kernels_are_compiled(path, tmp_path, monkeypatch):
    """The agent is asked from its first moment on, and is not warm before the match is over."""
    with compiling_for_ever(tmp_path, monkeypatch):
        async with cold("legal") as a:
            for exchange in exchanges(path):
                assert to_the_end(await a.raw(exchange.request)) == exchange.answer, exchange.body
            assert not a.workers.warm
            assert "(status busy)" in await a.ask("(INFO)")


async def test_a_player_of_gamemaster_out_of_control_is_silent_while_kernels_are_compiled(tmp_path, monkeypatch):
    """The positions are unknown then; the move tells who is in control."""
    with compiling_for_ever(tmp_path, monkeypatch):
        async with cold("legal") as a:
            say = relaying(a)
            for role, said in (("left", {"to": "manager", "text": "message(4,me,manager,claim(1,1))"}), ("right", {})):
                await say(f"start({role},ruleset({','.join(RULES)}),2,2)")
                assert await say("play(nil)") == (200, said)
                await say("abort()")
            assert not a.workers.warm


@pytest.mark.long  # it builds, in processes of its own
async def test_a_match_that_began_while_kernels_were_compiled_is_searched_on_a_circuit_once_they_are(
    tmp_path, monkeypatch
):
    with compiling_for_ever(tmp_path, monkeypatch) as compiled:
        async with cold("mcts:seed=1,simulations=200") as a:
            game, rng = machine(STONES), random.Random(1)
            assert await a.start(STONES, "first", clocks="30 30") == "ready"
            assert await a.ask("(PLAY m NIL)") in map(str, game.legal(game.initial())[0])
            assert not a.workers.warm
            compiled()
            await a.workers.wait_warm()
            async with asyncio.timeout(60):
                while "(engine circuit)" not in await a.ask("(INFO)"):
                    await one_match(a, game, rng)


@pytest.fixture
def loaded(monkeypatch):
    """An event: until it is set, no fork server of the workers is started."""
    event, spawn = asyncio.Event(), Workers._spawn

    async def spawn_when_loaded(self, control):
        await event.wait()
        return await spawn(self, control)

    monkeypatch.setattr(Workers, "_spawn", spawn_when_loaded)
    return event


def with_short_clocks(request):
    """A request of a dialogue, whose clocks are 5 and 2 seconds."""
    head, _, body = request.partition(b"\r\n\r\n")
    body = re.sub(rb" 15 5\)$", b" 5 2)", body)
    return b"%s\r\n\r\n%s" % (re.sub(rb"(?i)(content-length:) \d+", rb"\1 %d" % len(body), head), body)


@pytest.mark.long
async def test_whole_matches_are_played_before_any_worker_can_be_forked(loaded):
    """One of ggp-base, one with rules in infix, one with hidden information, at the same time."""
    requests = [with_short_clocks(exchange.request) for exchange in exchanges(HIDDEN[1])]
    matches = [
        (exchanges(GGP_BASE[0]), [exchange.request for exchange in exchanges(GGP_BASE[0])], str),
        (exchanges(DRESDEN[0]), list(map(in_infix, exchanges(DRESDEN[0]))), str.lower),
        (exchanges(HIDDEN[1]), requests, str),
    ]

    async def answers(requests):
        async with cold("legal") as a:
            found = [to_the_end(await a.raw(request)) for request in requests]
            assert not a.workers.alive
            return found

    found = await asyncio.gather(*(answers(requests) for _, requests, _ in matches))
    assert found == [[spelled(exchange.answer) for exchange in dialogue] for dialogue, _, spelled in matches]
    assert not loaded.is_set()


async def test_a_worker_continues_a_match_that_began_without_one(loaded):
    async with cold("legal") as a:
        game = machine(STONES)
        assert await a.start(STONES, "first", clocks="5 2") == "ready"
        first = await a.ask("(PLAY m NIL)")
        state = game.next(game.initial(), (first, "noop"))
        loaded.set()
        await until(lambda: not a.workers.loading)
        assert await a.ask(f"(PLAY m ({first} noop))") == "noop"
        state = game.next(state, ("noop", "(take 2)"))
        assert await a.ask("(PLAY m (noop (take 2)))") in map(str, game.legal(state)[0])
        await until(lambda: len(a.workers.alive) == 1)
        assert "(engine " in await a.ask("(INFO)")


class Silent:
    """A match that hears nothing."""

    def heard(self, event):
        pass

    def died(self):
        pass


@pytest.mark.usefixtures("loaded")
async def test_the_agent_listens_only_once_the_program_of_the_fallbacks_is_loaded(monkeypatch):
    """Otherwise a move of a resumed match would be due before any legal move can be known."""
    order = []

    def noted(function, name):
        async def call(*arguments):
            result = await function(*arguments)
            order.append(name)
            return result

        return call

    monkeypatch.setattr(FallbackServer, "ready", noted(FallbackServer.ready, "loaded"))
    monkeypatch.setattr("agent.serve._listen", noted(_listen, "listens"))
    async with cold("legal"):
        assert order == ["loaded", "listens"]


async def test_the_fallbacks_of_several_matches_are_forks_of_one_program_that_is_loaded_before_a_message(loaded):
    """To load it for each match takes seconds on a busy machine, in which moves would be guessed."""
    async with cold("legal") as a:
        fallbacks = [await a.workers.fallback(Silent()) for _ in range(3)]
        await until(lambda: all(fallback.pid for fallback in fallbacks))
        (program,) = {process(fallback.pid).parent for fallback in fallbacks}
        assert process(program).parent == os.getpid()
        os.kill(program, signal.SIGKILL)
        await until(lambda: process(program) is None)
        another = await a.workers.fallback(Silent())
        await until(lambda: another.pid)
        program = process(another.pid).parent
        loaded.set()
        await until(lambda: not a.workers.loading)
        yet_another = await a.workers.fallback(Silent())
        await until(lambda: yet_another.pid)
        assert process(yet_another.pid).parent == program
    await until(lambda: process(program) is None)


async def test_a_program_of_the_fallbacks_that_hangs_is_stopped_and_replaced(monkeypatch, loaded):
    async with cold("legal") as a:
        first = await a.workers.fallback(Silent())
        await until(lambda: first.pid)
        program = process(first.pid).parent
        os.kill(program, signal.SIGSTOP)
        with monkeypatch.context() as patched:
            patched.setattr("agent.server.fallback_server.SILENCE", 0.01)
            waiting = await a.workers.fallback(Silent())
        await until(lambda: waiting.ended)
        another = await a.workers.fallback(Silent())
        await until(lambda: another.pid)
        assert process(another.pid).parent != program
        assert not first.ended
        loaded.set()


@pytest.mark.own_fork_server
@pytest.mark.long  # an agent that compiles everything
async def test_a_match_is_played_in_time_while_no_kernel_was_ever_compiled(tmp_path, monkeypatch):
    """The cache of kernels is empty, START is the first message, and the match is over before the agent is warm."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    async with cold("mcts:seed=1") as a:
        assert await a.start(STONES, "first", clocks="4 2") == "ready"
        await one_match(a, machine(STONES), random.Random(1))
        assert not a.workers.warm
        metrics = (await a.raw(b"GET /metrics HTTP/1.0\r\n\r\n")).decode()
    late, made = (re.search(rf"move_margin_seconds_{key} (\d+)", metrics) for key in (r'bucket{le="0.0"}', "count"))
    assert (late[1], made[1] > "0") == ("0", True)


async def one_match(a, game, rng):
    """A match from its first PLAY on; NIL begins it anew."""
    state, told = game.initial(), "NIL"
    while not game.terminal(state):
        answer = await a.ask(f"(PLAY m {told})")
        mine, theirs = game.legal(state)
        assert answer in map(str, mine)
        joint = (answer, str(rng.choice(theirs)))
        state, told = game.next(state, joint), f"({' '.join(joint)})"
