import asyncio
import io
import itertools
import json
import sys
import threading
from dataclasses import replace

import pytest

from agent.gamemaster.errors import PlayerError, RecordError
from agent.gamemaster.failures import FailureLog
from agent.gamemaster.games import find_game
from agent.gamemaster.rulesheet import Rulesheet
from agent.protocol.messages import Info
from agent.tournament import play as module
from agent.tournament.arena import JudgedGame
from agent.tournament.errors import StoreError
from agent.tournament.plan import TournamentPlan
from agent.tournament.play import Tournament, TournamentObserver
from agent.tournament.store import ResultStore
from reasoner import load
from tests.agent.gamemaster.fakes import LegalFake, WrongFake, serving
from tests.agent.gamemaster.test_match import GROWING

STUB = (sys.executable, "-m", "tests.agent.gamemaster.stub_agent")


@pytest.fixture
def store(tmp_path):
    made = ResultStore(tmp_path / "r.sqlite", "plan")
    yield made
    made.close()


class Counter(TournamentObserver):
    """Stops the tournament after some matches."""

    def __init__(self, most=1000):
        self.most = most
        self.began = []
        self.ended = []

    def begin(self, done, total):
        self.began.append((done, total))

    def end(self, outcome):
        self.ended.append(outcome)
        if len(self.ended) == self.most:
            asyncio.current_task().cancel()


def boards(*games):
    sheets = [game if isinstance(game, Rulesheet) else find_game(game) for game in games]
    return {sheet.name: JudgedGame(sheet, load(sheet.text, engine="relational")) for sheet in sheets}


def tournament(store, games, players, watcher=None, **plan):
    trace = plan.pop("trace", None)
    made = TournamentPlan(players, tuple(games), **plan)
    return Tournament(made, games, store, watcher or TournamentObserver(), trace, serve=STUB)


async def test_results_of_other_rules_are_not_mixed(store):
    (name, board), *_ = boards("nim").items()
    commented = replace(board, sheet=replace(board.sheet, text=f"; a comment\n{board.sheet.text}\n"))
    other = replace(board, sheet=replace(board.sheet, text=board.sheet.text.replace("100", "99")))
    async with serving(LegalFake(), LegalFake()) as urls:
        players = dict(zip("ab", urls, strict=True))
        await tournament(store, {name: board}, players).run()
        watcher = Counter()
        await tournament(store, {name: commented}, players, watcher).run()
        assert (watcher.began, watcher.ended) == ([(2, 2)], [])
        with pytest.raises(StoreError, match="has results of other rules of nim; give another --results file"):
            await tournament(store, {name: other}, players).run()


async def test_players_in_another_order_do_not_play_all_matches_again(store):
    """The order decides who meets in which seats, so results of two orders would be mixed in one table."""
    async with serving(LegalFake(), LegalFake()) as urls:
        players = dict(zip("ab", urls, strict=True))
        await tournament(store, boards("nim"), players).run()
        with pytest.raises(StoreError, match="players in another order: put a, b in this order, or give another"):
            await tournament(store, boards("nim"), dict(reversed(players.items()))).run()
    assert len(store.outcomes()) == 2


async def test_every_match_is_played_and_kept(store):
    async with serving(LegalFake(), WrongFake()) as urls:
        await tournament(store, boards("nim", "goofspiel"), dict(zip("ab", urls, strict=True)), rounds=2).run()
    outcomes = store.outcomes()
    assert len(outcomes) == 8
    assert all(o.completed and len(o.goals) == 2 for o in outcomes)
    assert {error for o in outcomes for error in o.errors[o.players.index("b")].split()} == {"IL"}
    assert {error for o in outcomes for error in o.errors[o.players.index("a")].split()} == set()


async def test_an_interrupted_tournament_continues_and_plays_nothing_twice(store):
    async with serving(LegalFake(), LegalFake()) as urls:
        players = dict(zip("ab", urls, strict=True))
        with pytest.raises(asyncio.CancelledError):
            await tournament(store, boards("nim"), players, Counter(3), rounds=3).run()
        first = store.outcomes()
        assert len(first) == 3
        again = Counter()
        session = tournament(store, boards("nim"), players, again, rounds=3)
        await session.run()
    assert again.began == [(3, 6)]
    assert store.outcomes()[:3] == first
    assert (len(again.ended), session.left()) == (3, ())


async def test_the_result_of_a_match_whose_record_cannot_be_written_is_kept(store, tmp_path, monkeypatch):
    def full(*_):
        raise RecordError("the disk is full")

    monkeypatch.setattr(module, "write_record", full)
    async with serving(LegalFake(), LegalFake()) as urls:
        session = tournament(store, boards("nim"), dict(zip("ab", urls, strict=True)), records=str(tmp_path))
        with pytest.raises(RecordError):
            await session.run()
    assert [outcome.completed for outcome in store.outcomes()] == [True]


async def test_answers_are_received_while_a_result_is_stored(store, tmp_path, monkeypatch):
    """Else another match would take answers for late that came in time."""
    loop, stored = asyncio.get_running_loop(), []

    def slow(store):
        def stored_late(*what):
            asyncio.run_coroutine_threadsafe(asyncio.sleep(0), loop).result(timeout=60)
            stored.append(store.__name__)
            return store(*what)

        return stored_late

    monkeypatch.setattr(module, "write_record", slow(module.write_record))
    monkeypatch.setattr(store, "add", slow(store.add))
    async with serving(LegalFake()) as urls:
        await tournament(store, boards("lightsOut"), {"a": urls[0]}, records=str(tmp_path)).run()
    assert stored == ["write_record", "add"]


async def test_a_result_that_is_being_stored_is_kept_when_the_tournament_is_interrupted(store, monkeypatch):
    loop, add = asyncio.get_running_loop(), store.add

    def interrupted(outcome):
        loop.call_soon_threadsafe(running.cancel)
        asyncio.run_coroutine_threadsafe(asyncio.sleep(0), loop).result(timeout=60)
        add(outcome)

    monkeypatch.setattr(store, "add", interrupted)
    async with serving(LegalFake()) as urls:
        running = asyncio.create_task(tournament(store, boards("lightsOut"), {"a": urls[0]}).run())
        with pytest.raises(asyncio.CancelledError):
            await running
    assert [outcome.completed for outcome in store.outcomes()] == [True]


async def test_players_that_run_elsewhere_play_one_match_at_a_time(store):
    class Alone(LegalFake):
        """Is busy while a match runs."""

        running = None
        clashes = 0

        async def answer(self, message):
            match_id = getattr(message, "match_id", None)
            if type(message).__name__ == "Start":
                self.clashes += self.running is not None
                self.running = match_id
            elif type(message).__name__ in ("Stop", "Abort"):
                self.running = None
            return await super().answer(message)

    fakes = [Alone(), Alone(), Alone()]
    async with serving(*fakes) as urls:
        await tournament(store, boards("nim"), dict(zip("abc", urls, strict=True)), parallel=3).run()
    assert len(store.outcomes()) == 6
    assert [fake.clashes for fake in fakes] == [0, 0, 0]


@pytest.mark.long  # agents in processes of their own
async def test_local_players_are_started_for_the_tournament(store):
    await tournament(store, boards("lightsOut"), {"a": "legal", "b": "random"}).run()
    assert sorted(o.players for o in store.outcomes()) == [("a",), ("b",)]


async def test_a_trace_holds_everything_sent_and_received(store):
    trace = io.StringIO()
    async with serving(LegalFake(), WrongFake()) as urls:
        await tournament(store, boards("nim"), dict(zip("ab", urls, strict=True)), trace=trace).run()
    lines = [json.loads(line) for line in trace.getvalue().splitlines()]
    assert {line["player"] for line in lines} == {"a", "b"}
    assert {line["sent"].split()[1] for line in lines} == {"START", "PLAY", "STOP"}
    assert all("received" in line for line in lines)


DEAD_END = """(role a) (init start) (<= (legal a go) (true start)) (<= (next end) (true start))
              (goal a 0) (<= terminal (true never))"""


@pytest.mark.parametrize(("rules", "steps"), [(DEAD_END, 1), (GROWING, 11)])
async def test_a_game_without_a_way_on_is_kept_without_a_result_and_the_others_are_played(store, rules, steps):
    async with serving(LegalFake()) as urls:
        session = tournament(store, boards(Rulesheet("faulty", rules), "lightsOut"), {"a": urls[0]})
        await session.run()
    assert session.left() == ()
    outcome, other = store.outcomes()
    assert (outcome.completed, outcome.goals, outcome.steps) == (False, (), steps)
    assert other.completed


async def test_a_player_that_is_gone_stops_the_tournament_and_keeps_the_rest(store):
    async with serving(LegalFake()) as urls:
        pass  # closed again
    with pytest.raises(PlayerError, match="player a does not answer"):
        await tournament(store, boards("lightsOut"), {"a": urls[0]}).run()


@pytest.mark.parametrize("refusal", ["busy", "error: START: a clock of 1 s is too long"])
async def test_a_player_that_refuses_stops_the_tournament_instead_of_losing_by_random_moves(store, refusal):
    class Full(LegalFake):
        async def answer(self, message):
            return await super().answer(message) if isinstance(message, Info) else refusal

    async with serving(Full()) as urls:
        with pytest.raises(PlayerError, match=r"^a refused START .* needs a match slot for each of its seats"):
            await tournament(store, boards("lightsOut"), {"a": urls[0]}).run()
    assert store.outcomes() == ()


async def test_a_long_log_of_a_player_delays_no_answer_of_another_match(store, monkeypatch):
    """The event loop runs while a log is read, in which a player may have printed hundreds of megabytes."""
    loop, read, turns = asyncio.get_running_loop(), FailureLog.read, []

    def reads(log):
        if threading.current_thread() is not threading.main_thread():
            asyncio.run_coroutine_threadsafe(asyncio.sleep(0), loop).result(timeout=60)
            turns.append(log)
        read(log)

    monkeypatch.setattr(FailureLog, "read", reads)
    await tournament(store, boards("lightsOut"), {"a": "legal"}).run()
    assert len(turns) == len(store.outcomes()) == 1


async def test_a_clock_that_is_set_back_spoils_no_result(store):
    times = itertools.count(1_000_000_000, -60)
    async with serving(LegalFake()) as urls:
        session = tournament(store, boards("lightsOut"), {"a": urls[0]})
        await replace(session, wall=lambda: float(next(times))).run()
    (outcome,) = store.outcomes()
    assert outcome.seconds == 0


async def test_a_player_at_two_seats_knows_them_apart(store):
    fake = LegalFake()
    async with serving(fake) as urls:
        await tournament(store, boards("nim"), {"a": urls[0]}).run()
    ids = {body.split()[2] for body in fake.heard if "START" in body}
    assert len(ids) == 2
