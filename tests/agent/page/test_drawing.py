"""What is drawn for people takes little of the event loop, whatever facts there are."""

import asyncio
import json
import random
import threading

import pytest

from agent.boards.find_boards import layouts_of
from agent.boards.look import Look
from agent.boards.terms import MAX_FACT, term_of
from agent.page import history
from agent.page.analysis import Analysis
from agent.page.drawing import Drawing
from agent.page.events import Sections
from agent.page.history import MatchLog, Moment
from agent.page.match_views import position
from agent.page.watching import Signal
from reasoner.language.terms import Constant
from tests.agent.page.test_site import got, sent
from tests.agent.rules import STONES
from tests.agent.server.client import agent


def log(*facts):
    one = MatchLog("m", "a game", 1000.0, 10.0, 5.0, ("a",))
    one.reach(0, Moment((), facts, 1000.0))
    return one


async def test_others_are_answered_while_boards_are_found(monkeypatch):
    """Finding them ends only when the event loop says so, which it could not if it waited."""
    go_on, looks = threading.Event(), []

    def find():
        assert go_on.wait(60)
        looks.append(1)
        return Look(checkered=True)

    one = log("(cell 1 1 x)")
    monkeypatch.setattr(MatchLog, "look_question", lambda _: None if looks else ((1, 1), find))
    drawing = Drawing()
    both = [asyncio.create_task(drawing.draw(one)) for _ in range(2)]
    await asyncio.sleep(0)
    go_on.set()
    await asyncio.gather(*both)
    assert (looks, one.look.checkered) == ([1], True)


async def test_what_was_found_elsewhere_is_not_found_again_on_the_event_loop():
    one = log("(cell 1 1 x)")
    await Drawing().draw(one)
    before = one.look
    one.reach(1, Moment(("go",), ("(cell 1 2 x)",), 1001.0))
    assert one.look is before
    await Drawing().draw(one)
    assert one.look is not before


async def test_sections_are_written_once_for_all_who_look_and_seldom_where_that_takes_long(monkeypatch):
    """A hundred pages that are open cost what one does, and at most a tenth of the loop's time."""
    signal, made, spent = Signal(), [], 0.0

    def make():
        made.append(1)
        return {"n": len(made)}

    def thread_time():
        return spent * len(made)

    monkeypatch.setattr("agent.page.events.time.thread_time", thread_time)
    quick = Sections(signal, make)
    for _ in range(2):
        texts = await asyncio.gather(*(quick.texts() for _ in range(100)))
        assert {json.loads(text["n"]) for text in texts} == {len(made)}
        signal.change()
    assert len(made) == 2
    spent = 60.0
    slow = Sections(signal, make)
    for _ in range(3):
        assert await slow.texts() == {"n": "3"}
        signal.change()
    assert slow.version < signal.version  # so that who waits for news comes again


def test_facts_with_many_arguments_are_no_boards():
    """Each pair of arguments might be lines: with hundreds of them, looking would take minutes."""
    facts = [f"(c {' '.join(str(i * j % 97) for j in range(240))})" for i in range(400)]
    assert layouts_of(facts, facts) == ()


@pytest.mark.parametrize("arguments", [4, 8])
def test_what_takes_too_long_to_draw_is_listed(arguments, monkeypatch):
    """Facts at random may be thousands of boards, with thousands of pieces: their finding ends, with none."""
    monkeypatch.setattr(history, "MAX_BOARD_SECONDS", 0.05)
    chance = random.Random(1)
    facts = [f"(c {' '.join(str(chance.randrange(30)) for _ in range(arguments))})" for _ in range(500)]
    one = log(*facts)
    for turn in range(1, 9):
        one.reach(turn, Moment(("go",), tuple(chance.sample(facts, 400)), 1000.0))
    assert one.look == Look(roles=("a",))
    assert len(position(one)["picture"]["others"]["c"]) == 400


def test_a_very_long_fact_is_a_word_that_is_cut():
    """It is neither taken apart nor kept."""
    fact = f"(f {'x' * 10_000})"
    assert term_of(fact) == Constant(f"{fact[:MAX_FACT]} …")
    assert str(term_of(fact[:100] + ")")) == fact[:100] + ")"


async def test_an_analysed_position_is_drawn_beside_the_event_loop(monkeypatch):
    """With tens of thousands of moves that takes seconds."""
    threads = []

    async with agent() as a:
        _, told = await sent(a, "/api/analysis", {"rules": STONES})
        view = Analysis.view
        monkeypatch.setattr(Analysis, "view", lambda *asked: threads.append(threading.get_ident()) or view(*asked))
        assert '"facts"' in (await got(a, f"/api/analysis/{told['key']}/nodes/0"))[1]
    assert len(threads) == 1
    assert threads[0] != threading.get_ident()
