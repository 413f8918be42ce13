"""The relay for Gamemaster beside an agent that takes its time."""

import asyncio
from types import SimpleNamespace

import pytest

from agent.page.relay import Relay
from agent.protocol.messages import Start
from agent.server.long_texts import LongTexts
from tests.waiting import until


async def test_who_has_sent_a_later_move_no_longer_waits_for_the_answer_to_the_earlier_one():
    """The role in control may answer before we do; the later move must not be taken for a late copy of an earlier."""
    go_on, asked = asyncio.Event(), []

    class Host:
        matches = SimpleNamespace(starts=lambda: [Start("gamemaster.me.1", "left", "", 9.0, 9.0)])
        gallery = SimpleNamespace(log_of=lambda _: None)

        async def ask(self, _, *, gone):
            asked.append(gone)
            await go_on.wait()
            return "noop"

    relay = Relay(Host(), LongTexts())
    told = [
        asyncio.create_task(relay.answer(f"message({n},you,me,play(go))", message=f"a{n}", obeyed=True))
        for n in range(2)
    ]
    await until(lambda: len(asked) == 2)
    assert [gone() for gone in asked] == [True, False]
    go_on.set()
    assert await asyncio.gather(*told) == [None, None]


@pytest.mark.parametrize("then", ["abort()", "stop()", "start(left,rulesheet(role(left)),9,9)"])
async def test_a_start_that_waits_for_a_match_slot_is_given_up_if_its_player_is_told_otherwise(then):
    """Else its match would begin later, beside the next one or for nobody."""
    asked, given_up, free = [], [], asyncio.Event()

    class Host:
        matches = SimpleNamespace(starts=list)

        async def ask(self, message, _sender):
            asked.append(message.match_id)
            try:
                await free.wait()
            except asyncio.CancelledError:
                given_up.append(message.match_id)
                raise
            return "ready"

    relay = Relay(Host(), LongTexts())
    start = "message(1,you,me,start(right,rulesheet(role(right)),9,9))"
    waiting = asyncio.create_task(relay.answer(start))
    await until(lambda: asked)
    told = asyncio.create_task(relay.answer(f"message(2,you,me,{then})"))
    assert await waiting == ("you", "message(1,me,you,busy)")
    free.set()
    assert (await told)[1] == f"message(2,me,you,{'ready' if 'start' in then else 'done'})"
    assert given_up == ["gamemaster.me.1"]
