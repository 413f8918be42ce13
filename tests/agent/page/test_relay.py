"""The relay for Gamemaster beside an agent that takes its time."""

import asyncio
from types import SimpleNamespace

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
