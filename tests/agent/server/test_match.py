"""The side of a match that knows the clock and not the rules, against a worker that says what the test wants."""

import asyncio
import errno
import math
from dataclasses import replace

from structlog.testing import capture_logs

from agent.journal.replayed_match import ReplayedMatch
from agent.journal.untaken_moves import MAX_MESSAGES, UntakenMoves
from agent.page.history import History
from agent.page.watching import Gallery
from agent.protocol.messages import Start
from agent.server import applied_moves
from agent.server.applied_moves import AppliedMoves
from agent.server.match import Match
from agent.server.metrics import Metrics
from agent.server.openings import KEPT, Openings
from agent.server.shared import Shared
from agent.server.watch import NOBODY
from agent.settings import load_settings
from agent.worker.worker_messages import OPENING, Answered, Applied, Offered, Ready, Refused, Reported, Seen
from search.clock import MonotonicClock
from tests.clocks import FakeClock
from tests.waiting import until as seen

AT_ONCE = {"worker.hang": 2e-9, "worker.evaluation": 1e-9}  # a late worker is killed at once
SETTINGS = load_settings(environment={}, flags={"clock.margin": 0.0, **AT_ONCE})
EARLY = load_settings(environment={}, flags={"clock.margin": 1000.0, **AT_ONCE})
LONG = Start("m", "a", "", 3600.0, 3600.0)
SHORT = Start("m", "a", "", 0.01, 0.01)


class FakeWorker:
    pid = 1

    def __init__(self, listener):
        self.listener = listener
        self.commands = []
        self.killed = False

    def send(self, command):
        self.commands.append(command)

    def kill(self):
        self.killed = True

    def tell(self, event):
        self.listener.heard(event)


class FakeWorkers:
    loading = False

    def __init__(self):
        self.made = []
        self.fallbacks = []
        self.released = []

    async def take(self, listener):
        self.made.append(FakeWorker(listener))
        return self.made[-1]

    async def fallback(self, listener):
        self.fallbacks.append(FakeWorker(listener))
        return self.fallbacks[-1]

    def release(self, worker, _moves, listener):
        worker.listener = listener
        self.released.append(worker)


async def until(condition):
    """Nothing but the event loop is waited for, so it is asked for whenever that has done something."""
    await seen(condition, look=0)


async def started(message=LONG, openings=None, watcher=NOBODY):
    """A match that has answered START, and its workers."""
    workers = FakeWorkers()
    shared = Shared(SETTINGS, workers, MonotonicClock(), watcher, openings=openings or Openings())
    match = Match(message, shared, MonotonicClock().now())
    task = asyncio.create_task(match.start())
    await until(lambda: workers.made and workers.made[-1].commands)
    if message is LONG:
        workers.made[-1].tell(Ready())
    assert await task == "ready"
    return match, workers


async def asked(match, workers, moves, gone=lambda: False):
    """PLAY under way, its command sent to the newest worker."""
    sent = len(workers.made[-1].commands)
    task = asyncio.create_task(match.play(moves, MonotonicClock().now(), gone))
    await until(lambda: len(workers.made[-1].commands) > sent)
    return task, workers.made[-1].commands[-1]


async def resumed(**told):
    """A match that goes on with an open third PLAY, and its first worker."""
    workers = FakeWorkers()
    match = Match(LONG, Shared(SETTINGS, workers, MonotonicClock(), openings=Openings()), MonotonicClock().now())
    match.go_on(ReplayedMatch(LONG, number=3, moves=("x3",), own="m2", last_answer="m2", **told))
    await until(lambda: workers.made and len(workers.made[-1].commands) == 2)
    return match, workers


async def two_turns(match, workers):
    """The messages x1 and x2, answered."""
    for number in (1, 2):
        task, command = await asked(match, workers, (f"x{number}",))
        workers.made[0].tell(Answered(command.number, f"m{number}"))
        await task


async def test_the_workers_answer_leaves_at_once():
    match, workers = await started()
    task, command = await asked(match, workers, None)
    assert (command.number, command.apply, command.joint) == (1, True, None)
    workers.made[0].tell(Answered(1, "(go 1)"))
    assert await task == "(go 1)"


async def test_the_last_offer_leaves_when_the_clock_ends_and_a_silent_worker_is_ended():
    match, workers = await started(SHORT)
    task, _ = await asked(match, workers, None)
    workers.made[0].tell(Offered(1, "one"))
    workers.made[0].tell(Offered(1, "two"))
    assert await task == "two"
    await until(lambda: workers.made[0].killed)


async def test_what_a_worker_sends_after_the_end_does_not_reach_the_next_match_with_the_same_id():
    """The manager may start the next match before the last position of the one before has come."""
    gallery = Gallery(History(5), "me")
    seen = Seen(0, [], ["(n 0)"], terminal=False, goals=None, roles=["a", "b"], role=0)
    workers = []
    for _ in range(2):
        gallery.began(LONG)
        match, made = await started(watcher=gallery)
        workers += made.made
        workers[-1].tell(seen)
        if len(workers) == 1:
            match.end()
            gallery.ended("m", "stopped")
    workers[0].tell(Seen(1, ["x", "y"], ["(n 1)"], terminal=True, goals=[100, 0], roles=["a", "b"], role=0))
    (old,), new = gallery.history.all(), gallery.current().log
    assert (old.steps, old.terminal, old.goals) == (1, True, (100, 0))
    assert (new.steps, new.terminal, new.goals) == (0, False, None)


async def test_a_late_first_move_is_replaced_by_a_first_move_of_an_earlier_match():
    openings = Openings()
    match, workers = await started(openings=openings)
    task = asyncio.create_task(match.play(None, MonotonicClock().now(), lambda: False))
    await until(lambda: len(workers.made[0].commands) == 2)
    workers.made[0].tell(Answered(1, "(take 2)"))
    assert await task == "(take 2)"
    for other, answer in ((SHORT, "(take 2)"), (replace(SHORT, role="b"), "noop")):
        late, _ = await started(other, openings)
        assert await late.play(None, MonotonicClock().now(), lambda: False) == answer
        assert await late.play(("x", "y"), MonotonicClock().now(), lambda: False) == answer  # its last, as before


def test_only_so_many_openings_are_remembered():
    openings = Openings()
    for number in range(KEPT + 1):
        openings.note(replace(LONG, rules=f"{number}"), "go")
    found = [openings.find(replace(LONG, rules=f"{number}")) for number in range(KEPT + 1)]
    assert found == [None] + KEPT * ["go"]


async def test_nothing_is_guessed_for_a_message_whose_sender_the_agent_lost_when_it_was_killed():
    """The next PLAY comes before any process: only its own answer may be a guess, and no unsent answer is kept."""
    workers, forked, take = FakeWorkers(), asyncio.Event(), FakeWorkers.take

    async def take_later(listener):
        await forked.wait()
        return await take(workers, listener)

    workers.take = take_later
    match = Match(LONG, Shared(SETTINGS, workers, MonotonicClock()), MonotonicClock().now())
    match.go_on(ReplayedMatch(LONG, number=2, moves=("x", "y"), last_answer="before"))
    with capture_logs() as logs:
        task = asyncio.create_task(match.play(("y", "x"), MonotonicClock().now(), lambda: False))
        await until(lambda: match._question.number == 3)
        forked.set()
        await until(lambda: workers.made and len(workers.made[0].commands) == 2)
    assert [log for log in logs if log["log_level"] == "error"] == []
    begin, choose = workers.made[0].commands
    assert (begin.joints, begin.answered, choose.joint) == ([["x", "y"]], None, ("y", "x"))
    workers.made[0].tell(Answered(3, "go"))
    assert await task == "go"


async def test_where_noops_alternate_with_moves_the_guess_is_the_answer_before_the_last():
    match, workers = await started(SHORT)
    for n, (moves, answer) in enumerate([(None, "(take 2)"), (("x", "y"), "noop"), (("y", "x"), "(take 2)")], 1):
        task = asyncio.create_task(match.play(moves, MonotonicClock().now(), lambda: False))
        await until(lambda n=n: len(workers.made[0].commands) > n)
        if n < 3:
            workers.made[0].tell(Answered(n, answer))
        assert await task == answer


class Crowded(FakeWorkers):
    """Has no room for the first processes that are asked for."""

    def __init__(self, refusals):
        super().__init__()
        self.refusals = refusals

    async def take(self, listener):
        if self.refusals:
            self.refusals -= 1
            raise OSError(errno.EMFILE, "Too many open files")
        return await super().take(listener)


async def test_a_process_that_could_not_start_is_requested_again_within_the_clock(monkeypatch):
    """It is logged once, and counted."""
    monkeypatch.setattr("agent.server.vacancy.RETRY", 0.0)
    workers, metrics = Crowded(3), Metrics()
    match = Match(LONG, Shared(SETTINGS, workers, MonotonicClock(), metrics=metrics), MonotonicClock().now())
    with capture_logs() as logs:
        task = asyncio.create_task(match.start())
        await until(lambda: workers.made)
        await until(lambda: workers.made[0].commands)
        workers.made[0].tell(Ready())
        assert await task == "ready"
    assert [line["reason"] for line in logs if line["log_level"] == "error"] == ["Too many open files"]
    assert 'ggp_agent_errors_total{kind="no process"} 3.0' in metrics.text().decode()


async def test_a_process_that_was_never_born_is_asked_for_again_and_again(monkeypatch):
    """The fork server had no room for it; that is no fault of the match, and counts as no death of its worker."""
    monkeypatch.setattr("agent.server.vacancy.RETRY", 0.0)
    match, workers = await started()
    workers.made[0].pid = None
    for number in range(9):
        workers.made[-1].pid = None
        match.died()
        await until(lambda number=number: len(workers.made) == number + 2 and workers.made[-1].commands)
    task, _ = await asked(match, workers, None)
    workers.made[-1].tell(Answered(1, "(go 1)"))
    assert await task == "(go 1)"


async def test_what_is_said_about_an_earlier_message_is_no_answer_to_a_later_one():
    match, workers = await started()
    first, _ = await asked(match, workers, None)
    workers.made[0].tell(Offered(1, "early"))
    second, command = await asked(match, workers, ("x",))
    assert await first == "early"  # overtaken: the manager has gone on
    workers.made[0].tell(Answered(1, "late"))
    workers.made[0].tell(Answered(command.number, "right"))
    assert await second == "right"


async def test_figures_are_logged_with_their_move_also_when_the_next_message_has_come():
    match, workers = await started()
    first, _ = await asked(match, workers, None)
    workers.made[0].tell(Answered(1, "m1"))
    assert await first == "m1"
    second, _ = await asked(match, workers, ("x",))
    with capture_logs() as logs:
        workers.made[0].tell(Reported("circuit", {"playouts": 7}, 0))
    assert [(entry["move"], entry["figures"]) for entry in logs] == [("m1", {"playouts": 7})]
    workers.made[0].tell(Answered(2, "m2"))
    assert await second == "m2"


async def test_another_worker_is_told_what_the_lost_one_had_applied():
    match, workers = await started()
    task, _ = await asked(match, workers, ("x",))
    workers.made[0].tell(Applied(1, 0, [["x"]]))
    workers.made[0].tell(Answered(1, "m1"))
    assert await task == "m1"
    task, _ = await asked(match, workers, ("y",))
    match.died()
    await until(lambda: len(workers.made) == 2 and len(workers.made[1].commands) == 2)
    start, play = workers.made[1].commands
    assert (start.joints, start.answered) == ([["x"]], "m1")
    assert (play.apply, play.joint) == (True, ("y",))
    workers.made[1].tell(Applied(play.number, 1, [["y"]]))
    match.died()
    await until(lambda: len(workers.made) == 3 and len(workers.made[2].commands) == 2)
    start, play = workers.made[2].commands
    assert (start.joints, start.answered) == ([["x"], ["y"]], None)
    assert play.apply is False
    workers.made[2].tell(Answered(play.number, "m2"))
    assert await task == "m2"


async def test_moves_applied_late_do_not_count_for_the_message_that_overtook_them():
    match, workers = await started()
    first, _ = await asked(match, workers, ("x",))
    second, _ = await asked(match, workers, ("y",))
    workers.made[0].tell(Applied(1, 0, [["x"]]))
    match.died()
    await until(lambda: len(workers.made) == 2 and len(workers.made[1].commands) == 2)
    start, play = workers.made[1].commands
    assert (start.joints, play.apply, play.joint) == ([["x"]], True, ("y",))
    match.end()
    await asyncio.gather(first, second)


async def test_unapplied_moves_of_an_overtaken_message_are_sent_to_the_next_worker():
    match, workers = await started()
    first, _ = await asked(match, workers, ("x",))
    second, _ = await asked(match, workers, ("y",))
    match.died()
    await until(lambda: len(workers.made) == 2 and len(workers.made[1].commands) == 2)
    start, play = workers.made[1].commands
    assert (start.joints, play.joint) == ([["x"]], ("y",))
    workers.made[1].tell(Applied(0, 0, [["x"]]))
    workers.made[1].tell(Applied(2, 1, [["y"]]))
    match.died()
    await until(lambda: len(workers.made) == 3 and len(workers.made[2].commands) == 2)
    assert workers.made[2].commands[0].joints == [["x"], ["y"]]
    match.end()
    await asyncio.gather(first, second)


async def test_a_worker_lost_again_and_again_is_not_replaced_for_ever():
    match, workers = await started()
    task, command = await asked(match, workers, None)
    workers.made[0].tell(Offered(command.number, "known"))
    while not task.done():
        known = len(workers.made)
        match.died()
        await until(lambda known=known: task.done() or (len(workers.made) > known and workers.made[-1].commands))
    assert await task == "known"
    assert len(workers.made) < 6


async def lose_workers(match, workers, count):
    """The worker dies again and again; each new one is ready."""
    for _ in range(count):
        known = len(workers.made)
        match.died()
        await until(lambda known=known: match._engaging.done() and len(workers.made) >= known)
        if len(workers.made) > known:
            workers.made[-1].tell(Applied(0, 0, []))
            workers.made[-1].tell(Ready())


async def test_a_worker_lost_again_and_again_before_the_first_move_ends_no_match():
    """The rules were accepted, so the first PLAY asks for another worker."""
    match, workers = await started()
    workers.made[0].tell(Applied(0, 0, []))
    await lose_workers(match, workers, 4)
    known = len(workers.made)
    task = asyncio.create_task(match.play(None, MonotonicClock().now(), lambda: False))
    await until(lambda: len(workers.made) > known and len(workers.made[-1].commands) == 2)
    workers.made[-1].tell(Answered(1, "go"))
    assert await task == "go"


async def test_a_start_whose_worker_is_lost_again_and_again_is_ready_if_a_legal_move_is_known():
    workers = FakeWorkers()
    match = Match(LONG, Shared(SETTINGS, workers, MonotonicClock()), MonotonicClock().now())
    task = asyncio.create_task(match.start())
    await until(lambda: workers.made and workers.made[-1].commands)
    workers.made[0].tell(Offered(OPENING, "go"))
    for number in (2, 3, 3):
        match.died()
        await until(lambda number=number: match._engaging.done() and len(workers.made) == number)
    assert await task == "ready"


async def test_where_no_worker_lives_until_it_offers_a_move_a_fallback_answers_within_the_clock():
    """A move was guessed at once, with nearly all of the clock left."""
    match, workers = await started()
    task, command = await asked(match, workers, ("x", "y"))
    while not workers.fallbacks:
        known = len(workers.made)
        match.died()
        await until(lambda known=known: workers.fallbacks or (workers.made[-1].commands and len(workers.made) > known))
    await until(lambda: len(workers.fallbacks[0].commands) == 2)
    workers.fallbacks[0].tell(Offered(command.number - 1, "of before"))
    workers.fallbacks[0].tell(Offered(command.number, "legal"))
    assert await task == "legal"


async def test_a_worker_that_refuses_rules_which_another_has_accepted_has_failed_itself():
    """Such as a player that cannot be made a second time; the match had no worker and no fallback to its end."""
    match, workers = await started()
    workers.made[0].tell(Applied(0, 0, []))
    await two_turns(match, workers)
    match.died()
    await until(lambda: len(workers.made) == 2 and workers.made[1].commands)
    workers.made[1].tell(Refused("the player cannot be created"))
    assert workers.made[1].killed
    match.died()
    await until(lambda: len(workers.made) == 3 and workers.made[2].commands)
    task, command = await asked(match, workers, ("x3",))
    workers.made[2].tell(Answered(command.number, "m3"))
    assert await task == "m3"


async def test_a_start_that_comes_again_is_refused_if_its_rules_were_refused_after_the_start_clock():
    workers = FakeWorkers()
    now = MonotonicClock().now()
    match = Match(replace(LONG, start_clock=0.01), Shared(SETTINGS, workers, MonotonicClock()), now)
    assert await match.start() == "ready"
    await until(lambda: workers.made and workers.made[0].commands)
    workers.made[0].tell(Refused("these rules have a fault"))
    assert await match.started() == "busy"


async def test_of_two_clients_that_ask_for_a_move_one_may_leave():
    """The other waits for the answer, and gets it: so equal moves are a new turn."""
    match, workers = await started()
    await two_turns(match, workers)
    task, command = await asked(match, workers, ("x3",))
    copy = asyncio.create_task(match.play(("x3",), MonotonicClock().now(), lambda: True))
    await asyncio.sleep(0)
    assert match._question.waited_for
    workers.made[0].tell(Answered(command.number, "m3"))
    assert (await task, await copy) == ("m3", "m3")
    again, command = await asked(match, workers, ("x3",))
    assert (command.number, command.repeated, command.own, command.sent) == (4, True, "m3", 3)
    workers.made[0].tell(Answered(4, "m4"))
    assert await again == "m4"


async def test_an_answer_that_no_client_gets_is_told_to_no_process_as_ours():
    """After a restart it was, although the manager had put another move in its place."""
    match, workers = await resumed()
    workers.made[0].tell(Applied(3, 0, [["x3"]]))
    assert not match.overdue(MonotonicClock().now())
    assert match.overdue(match.overdue_from + 1.0)  # whether or not it is ever answered
    workers.made[0].tell(Answered(3, "never sent"))
    task, command = await asked(match, workers, ("x4",))
    assert (command.own, command.sent) == (None, 0)
    workers.made[0].tell(Answered(4, "m4"))
    assert await task == "m4"
    _, command = await asked(match, workers, ("x5",))
    assert (command.own, command.sent) == ("m4", 4)
    match.end()


async def test_the_answer_for_a_client_that_asks_again_after_a_restart_is_ours_even_if_it_has_closed_its_side():
    """It may still read; so does a manager that closes its side of each connection after the request."""
    match, workers = await resumed()
    workers.made[0].tell(Applied(3, 0, [["x3"]]))
    workers.made[0].tell(Answered(3, "m3"))
    assert await match.play(("x3",), MonotonicClock().now(), lambda: True) == "m3"
    _, command = await asked(match, workers, ("x4",))
    assert (command.own, command.sent) == ("m3", 3)
    match.end()


async def test_a_copy_from_before_a_restart_does_not_end_the_search_for_the_current_message():
    match, workers = await resumed(earlier=[("x1",), ("x2",)])
    task = asyncio.create_task(match.play(("x3",), MonotonicClock().now(), lambda: False))
    await asyncio.sleep(0)
    copy = asyncio.create_task(match.play(("x1",), MonotonicClock().now(), lambda: False))
    await asyncio.sleep(0)
    workers.made[0].tell(Answered(3, "m3"))
    assert (await task, await copy) == ("m3", "m3")
    match.end()


async def test_no_message_was_missed_in_a_restart_if_the_last_one_came_again():
    """Else a late copy of an earlier message would be taken for a turn after missed ones."""
    match, workers = await resumed()
    workers.made[0].tell(Answered(3, "m3"))
    assert await match.play(("x3",), MonotonicClock().now(), lambda: False) == "m3"
    _, command = await asked(match, workers, ("x4",))
    assert not command.gap
    match.end()


async def test_a_copy_whose_client_has_left_does_not_replace_the_answer_before_it():
    """A move was guessed for it, and the next message had this guess as our answer."""
    match, workers = await started()
    await two_turns(match, workers)
    copy, _ = await asked(match, workers, ("x1",), lambda: True)
    task, command = await asked(match, workers, ("x2",))
    assert (command.own, command.sent) == (None, 2)
    workers.made[0].tell(Answered(command.number, "m2"))
    assert await task == "m2"
    await copy


async def test_the_same_message_is_passed_on_as_repeated_or_answered_from_memory():
    match, workers = await started()
    left = [False]
    for number, gone in enumerate((True, False, False), 1):
        left[0] = gone
        task, command = await asked(match, workers, (f"x{number}",), lambda: left[0])
        workers.made[0].tell(Answered(command.number, f"m{number}"))
        assert await task == f"m{number}"
        again = asyncio.create_task(match.play((f"x{number}",), MonotonicClock().now(), lambda: False))
        if gone:  # nobody heard the answer
            assert await again == f"m{number}"
        else:
            sent = workers.made[0].commands
            await until(lambda number=number, sent=sent: sent[-1].number > number and sent[-1].repeated)
            workers.made[0].tell(Answered(sent[-1].number, f"m{number}"))
            assert await again == f"m{number}"


async def test_a_late_copy_of_an_earlier_message_does_not_end_the_search_for_the_current_one():
    """It did, and a move was guessed for the current message if no legal one was known so soon."""
    match, workers = await started()
    await two_turns(match, workers)
    task, command = await asked(match, workers, ("x3",))
    late = asyncio.create_task(match.play(("x1",), MonotonicClock().now(), lambda: True))
    await asyncio.sleep(0)
    assert workers.made[0].commands[-1].number == 3
    workers.made[0].tell(Answered(command.number, "m3"))
    assert (await task, await late) == ("m3", "m3")


async def test_moves_of_an_earlier_message_are_a_new_turn_where_the_sender_of_the_current_one_has_left():
    match, workers = await started()
    await two_turns(match, workers)
    left, _ = await asked(match, workers, ("x3",), lambda: True)
    task, command = await asked(match, workers, ("x1",))
    assert (command.number, command.joint) == (4, ("x1",))
    workers.made[0].tell(Answered(command.number, "m4"))
    assert await task == "m4"
    await left


async def test_a_message_with_an_older_turn_gets_the_last_answer_and_a_lost_turn_is_passed_on():
    match, workers = await started()
    told = {turn: (f"observed {turn}", "NIL" if turn == 0 else "go", "(did a go)") for turn in range(5)}
    for number, turn in enumerate((0, 1, 3), 1):
        task, command = await asked(match, workers, told[turn])
        assert (command.number, command.gap) == (number, turn == 3)
        workers.made[0].tell(Answered(command.number, f"m{turn}"))
        assert await task == f"m{turn}"
    for turn in (1, 2, 3):
        assert await match.play(told[turn], MonotonicClock().now(), lambda: False) == "m3"
    assert workers.made[0].commands[-1].number == 3


async def test_a_match_that_ends_answers_what_is_open_and_gives_its_worker_back():
    match, workers = await started()
    task, _ = await asked(match, workers, None)
    match.end()
    assert await task == "noop"
    assert workers.released == workers.made
    assert match.message.start_clock < math.inf


async def test_moves_that_a_worker_does_not_take_in_are_not_hoarded():
    """Neither here nor on their way to it: it is ended, and the next one is told the last of them."""
    match, workers = await started()
    tasks = []
    for number in range(2 * MAX_MESSAGES):
        task, _ = await asked(match, workers, (f"x{number}",))
        tasks.append(task)
        if workers.made[-1].killed:
            break
    assert number == MAX_MESSAGES + 1
    match.died()
    await until(lambda: len(workers.made) == 2 and len(workers.made[1].commands) == 2)
    start, play = workers.made[1].commands
    assert start.joints == [None, *([f"x{n}"] for n in range(1, MAX_MESSAGES + 1))]
    assert play.joint == (f"x{number}",)
    match.end()
    await asyncio.gather(*tasks)


async def test_a_match_that_is_too_long_keeps_its_last_moves_and_its_worker_is_ended(monkeypatch):
    monkeypatch.setattr(applied_moves, "MAX_CHARACTERS", 20_000)
    match, workers = await started()
    tasks, number = [], 0
    while not workers.made[0].killed:
        number += 1
        task, _ = await asked(match, workers, (f"{number}" * 500,))
        tasks.append(task)
        workers.made[0].tell(Applied(number, number - 1, [[f"{number}" * 500]]))
        workers.made[0].tell(Answered(number, "m"))
    match.died()
    await until(lambda: len(workers.made) == 2 and workers.made[1].commands)
    joints = workers.made[1].commands[0].joints
    assert joints == [None, *([f"{n}" * 500] for n in range(number - applied_moves.LAST + 1, number + 1))]
    match.end()
    await asyncio.gather(*tasks)


def test_equal_moves_of_a_match_share_their_memory():
    own = AppliedMoves()
    for turn in range(3):
        assert own.put(turn, [["".join(["x"] * 9), "noop"]])
    assert not own.put(2, [["xxxxxxxxx", "noop"]])
    assert len({id(joint[0]) for joint in own}) == 1
    assert own.turn == 3


def test_a_new_process_gets_the_last_known_position_unless_the_moves_before_it_have_changed():
    own = AppliedMoves([["x"], ["y"]], 1, ["(at 1)"])

    def known():
        begin = own.begin(LONG, 0.0, None, UntakenMoves())
        return begin.reached, list(begin.position)

    assert known() == (1, ["(at 1)"])
    own.put(0, [["x"], ["y"], ["z"]])
    assert known() == (1, ["(at 1)"])
    own.put(3, [["x"]], ["(at 4)"])
    assert known() == (4, ["(at 4)"])
    own.put(4, [["y"]])
    assert known() == (4, ["(at 4)"])
    own.put(3, [["y"]])
    assert known() == (0, [])
    own.put(4, [["z"]], ["(at 5)"])
    own.put(5, [["x"]], [])  # the last message shows that it was a wrong guess
    assert known() == (0, [])


async def test_without_a_legal_move_at_the_deadline_the_first_one_found_is_sent():
    """A guess in time loses as surely as a move too late; 0.98 of the clock is in time."""
    workers = FakeWorkers()
    match = Match(LONG, Shared(EARLY, workers, FakeClock(time=3200.0)), 0.0)
    start = asyncio.create_task(match.start())
    await until(lambda: workers.made and workers.made[0].commands)
    assert await start == "ready"
    task, _ = await asked_at(match, workers, 0.0)
    times = match._question.times
    assert times.last < 3200.0 < times.utmost == 0.98 * 3600.0
    workers.made[0].tell(Offered(1, "one"))
    assert await task == "one"


async def test_a_guess_leaves_at_the_utmost_moment():
    match, _ = await started(SHORT)
    match._clock, match._settings = FakeClock(time=0.98 * 3600.0), EARLY
    match.message = LONG
    assert await match.play(None, 0.0, lambda: False) == "noop"


async def test_a_client_that_asks_again_after_the_clock_of_one_that_left_gets_no_guess_but_a_legal_move():
    """It waits for one as long as its own clock lasts, as the answer to the first request was sent to nobody."""
    match, workers = await started(SHORT)
    match._clock, match._settings, match.message = FakeClock(time=0.98 * 3600.0), EARLY, LONG
    await match.play(("x",), 0.0, lambda: True)
    match._clock = FakeClock(time=4000.0)
    task = asyncio.create_task(match.play(("x",), 4000.0, lambda: False))
    await asyncio.sleep(0)
    assert match._question.times.end == 7600.0
    workers.made[0].tell(Answered(1, "m1"))
    assert await task == "m1"
    _, command = await asked(match, workers, ("y",))
    assert (command.number, command.own, command.sent) == (2, "m1", 1)
    match.end()


async def test_a_client_that_has_closed_its_side_gets_the_same_guess_as_others():
    """Old managers do so after each message, and read the answer; their PLAY counts as left."""
    match, workers = await started(SHORT)
    task, _ = await asked(match, workers, None)
    workers.made[0].tell(Answered(1, "(take 2)"))
    assert await task == "(take 2)"
    assert await match.play(("x", "y"), MonotonicClock().now(), lambda: True) == "(take 2)"
    assert match._question.open
    match.end()


async def test_where_the_workers_were_lost_after_the_client_had_left_it_may_ask_again_for_a_legal_move():
    """A fallback process gives it; the agent had guessed a move when the last worker was lost."""
    match, workers = await started()
    first, _ = await asked(match, workers, ("x",), lambda: True)
    await lose_workers(match, workers, 4)
    assert match._question.open
    task = asyncio.create_task(match.play(("x",), MonotonicClock().now(), lambda: False))
    await until(lambda: workers.fallbacks and workers.fallbacks[0].commands)
    workers.fallbacks[0].tell(Offered(1, "m1"))
    assert (await first, await task) == ("m1", "m1")


class AtFirst:
    """A clock that says this time once, and 0 after it."""

    def __init__(self, first):
        self._times = iter([first])

    def now(self):
        return next(self._times, 0.0)


async def test_where_a_worker_is_silent_for_a_quarter_of_the_clock_a_fallback_gives_the_move(monkeypatch):
    """The worker may have been stopped between two turns; a guess could be illegal."""
    monkeypatch.setattr("agent.server.fallback.WORTHWHILE", 0.0)
    match, workers = await started()
    match._clock = AtFirst(3600.0)  # the fallback starts at once, and the clock does not end
    task = asyncio.create_task(match.play(None, 0.0, lambda: False))
    await until(lambda: workers.fallbacks and workers.fallbacks[0].commands)
    begin, choose = workers.fallbacks[0].commands
    assert (begin.joints, choose.number, choose.apply) == ([], 1, True)
    workers.fallbacks[0].tell(Offered(1, "(take 1)"))
    match.end()
    assert await task == "(take 1)"


async def test_where_a_worker_is_silent_the_next_moves_are_those_of_a_fallback():
    """It follows the match with all moves that the worker has not applied; the worker's first offer ends it."""
    match, workers = await started(SHORT)
    match._clock, match._settings, match.message = FakeClock(time=0.98 * 3600.0), EARLY, LONG
    assert await match.play(None, 0.0, lambda: False) == "noop"
    assert await match.play(("noop", "x"), 0.0, lambda: False) == "noop"
    await until(lambda: workers.fallbacks and workers.fallbacks[0].commands)
    (fallback,), (begin, *_) = workers.fallbacks, workers.fallbacks[0].commands
    joints = [*begin.joints, *(play.joint for play in fallback.commands[1:])]
    assert ([list(joint) for joint in joints], begin.answered) == ([["noop", "x"]], "noop")
    match._clock = FakeClock(time=3200.0)
    task = asyncio.create_task(match.play(("noop", "y"), 0.0, lambda: False))
    await until(lambda: fallback.commands[-1] is not begin and fallback.commands[-1].joint == ("noop", "y"))
    fallback.tell(Offered(3, "(take 1)"))
    assert await task == "(take 1)"
    workers.made[0].tell(Offered(3, "(take 2)"))
    assert fallback.killed


async def test_moves_that_a_fallback_applied_while_a_worker_was_awaited_are_not_lost():
    """A worker that was never forked took the place of the dead one: meanwhile nobody recorded what was applied."""
    match, workers = await started()
    task, _ = await asked(match, workers, None)
    workers.made[0].tell(Answered(1, "go"))
    assert await task == "go"
    for number, moves in enumerate([("go", "x"), ("noop", "y")], 2):
        task, _ = await asked(match, workers, moves)  # the worker does not apply them
        match._heard_fallback(Applied(number, number - 2, [moves], False))
        match._heard_fallback(Offered(number, "on"))
        match._close(match._question)
        assert await task == "on"
    task, _ = await asked(match, workers, ("on", "z"))
    match._worker = None  # the fork failed
    match._heard_fallback(Applied(4, 2, [("on", "z")], False))
    begin, choose = match._first_commands()
    assert ([*map(tuple, begin.joints)], choose.joint) == ([("go", "x"), ("noop", "y")], ("on", "z"))
    assert (begin.own, begin.answered, choose.own) == (["go", "on"], "on", "on")  # what was sent before each of them
    match.end()
    await task


async def asked_at(match, workers, arrival):
    """PLAY that came at `arrival`, under way."""
    sent = len(workers.made[-1].commands)
    task = asyncio.create_task(match.play(None, arrival, lambda: False))
    await until(lambda: len(workers.made[-1].commands) > sent)
    return task, workers.made[-1].commands[-1]
