"""The process that keeps a game's rules, asked by the page."""

import asyncio

import pytest

from agent.page.errors import ProcessError
from agent.page.referee import Referee
from agent.worker.worker_messages import RulesRead
from tests.waiting import until


class Silent:
    """A process that never answers."""

    killed = False

    def send(self, _):
        pass

    def kill(self):
        self.killed = True


async def test_a_process_that_ends_just_as_its_time_is_over_is_one_clear_error(monkeypatch):
    class Ending(Silent):
        def send(self, _):
            loop = asyncio.get_running_loop()
            loop.call_soon(loop.call_soon, referee.died)  # between the end of the time and the step of the request

    worker = Ending()

    class Workers:
        async def take(self, _):
            return worker

    referee = Referee(Workers())
    monkeypatch.setattr("agent.page.referee.SECONDS", 0.0)
    with pytest.raises(ProcessError, match="were not evaluated within"):
        await referee.begin(1)
    assert worker.killed


async def test_what_is_asked_after_the_process_has_ended_goes_to_no_process_that_knows_nothing_of_it():
    """As where a page asks on after a position took too long."""
    taken = []

    class Workers:
        async def take(self, _):
            taken.append(Silent())
            return taken[-1]

    referee = Referee(Workers())
    reading = asyncio.create_task(referee.read("(role a)"))
    await until(lambda: taken and referee._answer)
    referee.died()
    with pytest.raises(ProcessError, match="has ended; open the game again"):
        await reading
    for ask in (referee.begin(1), referee.examine(1, 0, ["go"], None), referee.explain([], [])):
        with pytest.raises(ProcessError, match="has ended; open the game again"):
            await ask
    assert len(taken) == 1


async def test_the_end_of_a_process_is_told_also_while_nothing_is_asked():
    class Workers:
        async def take(self, _):
            return Silent()

        def release(self, _):
            pass

    told = []
    for end in (Referee.died, Referee.close):
        referee = Referee(Workers())
        referee.listen(lambda _: None, lambda end=end: told.append(end))
        reading = asyncio.create_task(referee.read("(role a)"))
        await until(lambda referee=referee: referee._answer)
        referee.heard(RulesRead([], ["a"]))
        await reading
        end(referee)
    assert told == [Referee.died]  # who closes it knows


@pytest.mark.parametrize("answered", [False, True])
async def test_only_an_answer_that_is_still_to_come_to_a_cancelled_request_is_left_out(answered):
    """Else the answer to the next request would be, and its page would wait until the process is ended."""

    class Workers:
        async def take(self, _):
            return Silent()

    referee = Referee(Workers())
    reading = asyncio.create_task(referee.read("(role a)"))
    await until(lambda: referee._answer)
    first = referee._answer
    if answered:
        referee.heard(RulesRead([], ["a"]))
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading
    again = asyncio.create_task(referee.read("(role b)"))
    await until(lambda: referee._answer is not first)
    if not answered:
        referee.heard(RulesRead([], ["a"]))
    referee.heard(RulesRead([], ["b"]))
    assert (await again)[1] == ["b"]
