"""The protocol as a manager lives it: real server, real workers, real clocks."""

import asyncio
import contextlib
import json
import os
import random
import signal

import pytest
import pytest_asyncio
from structlog.testing import capture_logs

from agent.protocol.messages import Start
from agent.server.openings import Openings
from reasoner.lanes.emitters import best
from search.clock import MonotonicClock
from tests.agent.players.odd import MARKER
from tests.agent.rules import ALIKE, BROKEN, ENDLESS, GROWING, LADDER, STONES, legal_after, machine
from tests.agent.server.client import agent
from tests.waiting import until

ODD = "tests.agent.players.odd:"
pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def a():
    """An agent that plays its first legal move; each test begins the match "m" anew."""
    async with agent() as one:
        yield one


async def test_a_match_from_start_to_stop(a):
    assert await a.start(STONES, "first") == "ready"
    assert "busy" in await a.ask("(INFO)")
    assert await a.ask("(PLAY m NIL)") == "(take 1)"
    assert await a.ask("(PLAY m ((take 1) noop))") == "noop"
    assert await a.ask("(PLAY m (noop (take 2)))") == "(take 1)"
    assert await a.ask("(STOP m ((take 1) noop))") == "done"
    await a.until_info_says("available")
    assert await a.ask("(PLAY m NIL)") == "busy"


async def test_a_match_in_dresdens_form_keeps_the_spelling_of_start(a):
    await a.ask("(ABORT m)")  # one that another test has left
    assert await a.start(STONES.upper(), "SECOND", match="Match.1x") == "ready"
    assert await a.ask("(PLAY Match.1x NIL)") == "NOOP"
    assert await a.ask("(PLAY Match.1x ((TAKE 2) NOOP))") == "(TAKE 1)"
    assert await a.ask("(STOP Match.1x (NOOP (TAKE 1)))") == "done"


async def test_the_last_decision_of_a_match_has_its_line_in_the_log_and_its_thoughts_in_the_record():
    """Both follow the answer, which the end of the match may overtake."""
    with capture_logs() as logs:
        async with agent("mcts:simulations=20,ponder=false") as a:
            await a.start(STONES, "first")
            move = await a.ask("(PLAY m NIL)")
            assert await a.ask(f"(STOP m ({move} noop))") == "done"
            (log,) = a.gallery.history.all()
            await until(lambda: any(line["event"] == "moved" for line in logs))
            assert [line["move"] for line in logs if line["event"] == "moved"] == [move]
            assert log.moments[0].thinking
            assert "(simulations " in await a.ask("(INFO)")


async def test_a_lone_surrogate_in_rules_is_a_fault_of_the_rules(a):
    """No HTTP message can hold one; JSON and journals can."""
    for rules in (f"{STONES} ; \ud800", "(role \udfff)", 'role(first)\ninit("\ud800")'):
        start = Start("m", "first", rules, 1.0, 1.0)
        now = MonotonicClock().now()
        assert await a.matches.answer(start, now, lambda: False) == "busy"
        Openings().note(start, "go")
    assert await a.start(STONES, "first") == "ready"


async def test_moves_in_another_case_than_start_are_understood(a):
    await a.start(STONES, "first")
    await a.ask("(PLAY m NIL)")
    assert await a.ask("(PLAY m ((TAKE 1) NOOP))") == "noop"


async def test_a_preview_is_answered_as_info_says_and_an_unknown_match_busy(a):
    """As ggp-base's players do: one that plays declines a preview."""
    await a.ask("(ABORT m)")
    assert await a.ask(f"(PREVIEW ({STONES}) 10)") == "ready"
    await a.start(STONES, "first")
    assert await a.ask(f"(PREVIEW ({STONES}) 10)") == "busy"
    await a.ask("(ABORT m)")
    for message in ("(PLAY x NIL)", "(STOP x NIL)", "(ABORT x)"):
        assert await a.ask(message) == "busy"


async def test_a_manager_at_another_address_does_not_end_a_match_by_choosing_its_id():
    """Its START would make the moves of two managers those of one match."""

    async def told(a, sender, text):
        head = f"POST / HTTP/1.0\r\nX-Forwarded-For: {sender}\r\nContent-Length: {len(text)}\r\n\r\n"
        return (await a.raw((head + text).encode())).partition(b"\r\n\r\n")[2].decode()

    async with agent(server__proxies="127.0.0.1", server__matches=2, server__takeover=0.0, clock__use_start=False) as a:
        start = f"(START m first ({STONES}) 9 9)"
        assert await told(a, "9.9.9.1", start) == "ready"
        assert await told(a, "9.9.9.2", start) == "busy"
        assert await told(a, "9.9.9.2", start.replace("first", "second")) == "busy"
        for going_on in ("(PLAY m NIL)", "(PLAY m ((take 2) noop))", "(STOP m (noop (take 2)))", "(ABORT m)"):
            assert await told(a, "9.9.9.2", going_on) == "busy"
        assert await told(a, "9.9.9.1", "(PLAY m NIL)") == "(take 1)"
        assert await told(a, "9.9.9.1", start.replace("first", "second").replace("9 9", "0 0")) == "ready"
        await until(lambda: a.matches.room == 2)  # the match is overdue
        assert await told(a, "9.9.9.2", start) == "ready"
        assert await told(a, "9.9.9.2", "(ABORT m)") == "aborted"
        assert await told(a, "9.9.9.1", start) == "ready"


async def test_abort_makes_room_for_the_next_match(a):
    assert await a.start(STONES, "first") == "ready"
    assert await a.start(STONES, "first", match="other") == "busy"
    assert await a.ask("(ABORT m)") == "aborted"
    assert await a.start(STONES, "first", match="other") == "ready"
    assert await a.ask("(ABORT other)") == "aborted"


async def test_several_matches_run_where_the_settings_allow_it():
    async with agent(server__matches=2) as a:
        replies = await asyncio.gather(*(a.start(STONES, "first", match=name) for name in "xyz"))
        assert sorted(replies) == ["busy", "ready", "ready"]


async def test_start_of_the_running_match_begins_it_again(a):
    await a.start(STONES, "first")
    await a.ask("(PLAY m NIL)")
    await a.ask("(PLAY m ((take 1) noop))")
    assert await a.start(STONES, "second") == "ready"
    assert await a.ask("(PLAY m NIL)") == "noop"
    assert await a.ask("(PLAY m ((take 1) noop))") == "(take 1)"


@pytest.mark.parametrize(
    ("rules", "role"), [(BROKEN, "first"), ("(role first)", "first"), (STONES, "nobody"), (ENDLESS, "a")]
)
async def test_start_that_cannot_be_played_leaves_the_running_match_of_its_id_alone(a, rules, role):
    """Anybody can send one, also by mistake."""
    await a.start(STONES, "first")
    assert await a.ask("(PLAY m NIL)") == "(take 1)"
    assert await a.start(rules, role) == "busy"
    assert await a.ask("(PLAY m ((take 1) noop))") == "noop"
    assert await a.ask("(PLAY m (noop (take 2)))") == "(take 1)"
    assert len(a.matches) == 1


async def test_of_two_starts_of_one_id_the_first_is_told_that_it_is_not_played():
    async with agent(ODD + "Waits") as a:
        first = asyncio.create_task(a.start(STONES, "first", clocks="60 60"))
        await until(lambda: len(a.matches))
        second = asyncio.create_task(a.start(STONES, "second", clocks="60 60"))
        assert await first == "busy"
        assert [start.role for start in a.matches.starts()] == ["second"]
        assert await a.ask("(ABORT m)") == "aborted"
        assert await second == "ready"


@pytest.mark.parametrize("end", ["(ABORT m)", "(STOP m NIL)"])
async def test_the_end_of_a_match_is_also_that_of_a_start_which_would_replace_it(end):
    async with agent(ODD + "Waits", clock__use_start=False) as a:
        assert await a.start(STONES, "first", clocks="60 60") == "ready"
        second = asyncio.create_task(a.start(STONES, "second", clocks="60 60"))
        await until(lambda: a.matches._successors)
        assert await a.ask(end) in ("aborted", "done")
        assert await second == "busy"
        assert len(a.matches) == 0


async def test_a_start_goes_on_if_the_match_that_it_would_replace_is_dropped_meanwhile():
    async with agent(ODD + "Waits", clock__use_start=False) as a:
        assert await a.start(STONES, "first", clocks="60 60") == "ready"
        second = asyncio.create_task(a.start(STONES, "second", clocks="60 60"))
        await until(lambda: a.matches._successors)
        a.matches._end("m", "silence")
        assert await second == "ready"
        assert [start.role for start in a.matches.starts()] == ["second"]


async def test_of_many_starts_of_the_running_id_the_last_one_is_played():
    async with agent() as a:
        await a.start(STONES, "first")
        roles = ["second", "first"] * 4
        asked = [asyncio.create_task(a.start(STONES, role, clocks=f"{9 + n} 9")) for n, role in enumerate(roles)]
        replies = await asyncio.gather(*asked)
        assert "ready" in replies
        assert len(a.matches) == 1
        assert await a.ask("(PLAY m NIL)") in ("(take 1)", "noop")
        assert len(a.matches._successors) == 0


async def test_events_of_a_replacing_match_are_forwarded_once_it_has_replaced_the_other():
    """Its first position came while the other was still the match of this id."""
    async with agent() as a:
        await a.start(STONES, "first")
        assert await a.start(STONES, "second") == "ready"
        log = a.gallery._running["m"].log
        assert (log.role, len(log.moments)) == (1, 1)


async def test_a_match_without_stop_is_dropped_after_silence():
    async with agent(clock__silence=0.2) as a:
        assert await a.start(STONES, "first", clocks="0.1 0.01") == "ready"
        await a.until_info_says("available")
        assert await a.ask("(PLAY m NIL)") == "busy"


async def test_play_during_start_ends_the_start_and_gets_a_legal_move():
    async with agent(ODD + "Waits") as a:
        start = asyncio.create_task(a.start(STONES, "first", clocks="60 2"))
        await a.until_info_says("busy")
        assert await a.ask("(PLAY m NIL)") in legal_after(STONES)[0]
        assert await start == "ready"


async def test_info_is_answered_while_a_move_is_sought():
    async with agent(ODD + "Waits") as a:
        await a.start(STONES, "first", clocks="1 60")
        play = asyncio.create_task(a.ask("(PLAY m NIL)"))
        assert "busy" in await a.ask("(INFO)")
        assert not play.done()
        assert await a.ask("(ABORT m)") == "aborted"
        assert await play  # whoever still listens gets the best move known by then


async def test_play_sent_twice_while_it_is_answered_gets_the_same_move():
    async with agent(ODD + "Waits") as a:
        await a.start(LADDER, "a", clocks="0.1 1")
        assert await asyncio.gather(a.ask("(PLAY m NIL)"), a.ask("(play m nil)")) == ["(to 1)"] * 2
        assert await asyncio.gather(a.ask("(PLAY m ((to 1)))"), a.ask("(PLAY m ((to 1)))")) == ["(to 2)"] * 2


async def test_play_sent_again_after_its_answer_gets_the_same_move(a):
    await a.start(LADDER, "a")
    assert [await a.ask("(PLAY m NIL)") for _ in range(3)] == ["(to 1)"] * 3
    assert [await a.ask("(PLAY m ((to 1)))") for _ in range(3)] == ["(to 2)"] * 3
    assert await a.ask("(PLAY m ((to 2)))") == "(to 3)"


async def test_the_same_joint_move_twice_is_two_turns_where_it_is_legal_twice():
    """The game ends after 20 turns, so that only a count of turns can have no more legal moves."""
    async with agent(ODD + "Last") as a:
        await a.start(ALIKE, "a")
        assert await a.ask("(PLAY m NIL)") == "wait"
        for _ in range(20):
            assert await a.ask("(PLAY m (wait wait))") == "wait"
        assert await a.ask("(STOP m (wait wait))") == "done"


async def test_a_manager_that_left_before_the_answer_may_ask_again():
    """The second message is the first repeated, though its moves would be legal as a new turn too."""
    async with agent(ODD + "Waits") as a:
        await a.start(ALIKE, "a", clocks="0.1 1")
        await a.ask("(PLAY m NIL)")
        leaving = asyncio.create_task(a.ask("(PLAY m (wait wait))"))
        await a.until_info_says("busy")
        leaving.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await leaving
        assert await a.ask("(PLAY m (wait wait))") == "wait"


async def test_nil_in_a_running_match_begins_it_again(a):
    await a.start(LADDER, "a")
    await a.ask("(PLAY m NIL)")
    await a.ask("(PLAY m ((to 1)))")
    assert await a.ask("(PLAY m NIL)") == "(to 1)"
    assert await a.ask("(PLAY m ((to 1)))") == "(to 2)"


@pytest.mark.parametrize("moves", ["((to 7))", "((to 1) (to 1))", "(nonsense)", "((to 1", "(())"])
async def test_impossible_moves_are_answered_by_a_legal_move_or_a_refusal_and_the_match_continues(a, moves):
    await a.start(LADDER, "a")
    await a.ask("(PLAY m NIL)")
    status, content = await a.reply(f"(PLAY m {moves})")
    assert (status, content) == (200, "(to 1)") or status == 400
    assert await a.ask("(PLAY m ((to 1)))") == "(to 2)"


async def test_a_role_without_a_legal_move_still_answers(a):
    await a.start("(role a) (init on) (<= (legal a x) (true off)) (<= terminal (true off)) (goal a 0)", "a")
    assert await a.ask("(PLAY m NIL)") == "noop"


@pytest.mark.long
async def test_the_search_plays_until_the_end_with_legal_moves_while_the_circuit_is_built():
    async with agent("mcts:seed=1,simulations=200", worker__engine="auto") as a:
        game = machine(STONES)
        state = game.initial()
        assert await a.start(STONES, "first", clocks="1 20") == "ready"
        answer = await a.ask("(PLAY m NIL)")
        opponent = random.Random(1)
        while True:
            mine, theirs = game.legal(state)
            assert answer in map(str, mine)
            joint = (answer, str(opponent.choice(theirs)))
            state = game.next(state, joint)
            if game.terminal(state):
                break
            answer = await a.ask(f"(PLAY m ({' '.join(joint)}))")
        assert await a.ask(f"(STOP m ({' '.join(joint)}))") == "done"
        await a.until_info_says("(playouts ")


@pytest.mark.parametrize("player", ["Hangs", "HangsTelling", "HangsPondering"])
async def test_a_player_that_does_not_come_back_costs_no_legal_move(player):
    """Long before its process is taken for hung the next message ends that, and another one knows what is legal."""
    async with agent(ODD + player) as a:
        assert await a.start(STONES, "first", clocks="2 2") == "ready"
        assert await a.ask("(PLAY m NIL)") in ("(take 1)", "(take 2)")
        assert await a.ask("(PLAY m ((take 1) noop))") == "noop"
        assert await a.ask("(PLAY m (noop (take 2)))") in ("(take 1)", "(take 2)")
        assert a.matches.metrics.text().count(b'kind="move guessed"') == 0


async def test_a_player_whose_start_does_not_return_costs_no_legal_first_move():
    async with agent(ODD + "HangsStarting") as a:
        assert await a.start(STONES, "first", clocks="3 1") == "ready"
        assert await a.ask("(PLAY m NIL)") in ("(take 1)", "(take 2)")


HARMFUL = ["Dies", "DiesOnce", "DiesBetween", "Hangs", "HangsOnce", "Raises", "Cheats", "Hoards"]


@pytest.mark.parametrize("player", HARMFUL)
async def test_whatever_the_player_does_legal_moves_leave_in_time(player, tmp_path, monkeypatch):
    monkeypatch.setenv(MARKER, str(tmp_path / "marker"))
    async with agent(ODD + player, worker__memory_mib=600, worker__hang=0.6, worker__evaluation=0.5) as a:
        async with asyncio.timeout(30):
            assert await a.start(STONES, "first", clocks="1 1.5") == "ready"
            move = await a.ask("(PLAY m NIL)")
            assert move in legal_after(STONES)[0]
            assert await a.ask(f"(PLAY m ({move} noop))") == "noop"
            assert await a.ask("(PLAY m (noop (take 1)))") in legal_after(STONES)[0]
        assert await a.ask("(ABORT m)") == "aborted"


@pytest.mark.parametrize("player", ["Exits", "TellsNothing", "TellsNonsense"])
async def test_any_figures_of_a_player_kill_no_process_and_are_sent_as_valid_json(player):
    """Its match is played by one process; metrics, the event stream and the record are JSON and numbers."""
    async with agent(ODD + player) as a:
        await a.start(STONES, "first", clocks="1 20")
        (worker,) = a.workers.alive
        with capture_logs() as logs:
            assert await a.ask("(PLAY m NIL)") == "(take 2)"
            await until(lambda: a.matches.metrics.worker_bytes._value.get() or player != "TellsNonsense")
            assert await a.ask("(PLAY m ((take 2) noop))") == "noop"
        assert worker in a.workers.alive
        assert "the worker died" not in {line["event"] for line in logs}
        assert b"NaN" not in a.matches.metrics.text()
        info = await a.ask("(INFO)")
        assert (info.count("("), info.count(")")) == (info.count(")"), info.count("("))
        reader, writer = await asyncio.open_connection(a.host, a.port)
        writer.write(b"GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        sections = []
        while len(sections) < 6:
            line = (await reader.readline()).decode()
            if line.startswith("data: "):
                sections.append(json.loads(line[6:], parse_constant=pytest.fail))
        writer.close()
        await a.ask("(STOP m (noop (take 1)))")
        (log,) = a.gallery.history.all()
        answer = await a.raw(f"GET /api/matches/{log.key} HTTP/1.0\r\nHost: localhost\r\n\r\n".encode())
        json.loads(answer.partition(b"\r\n\r\n")[2], parse_constant=pytest.fail)


async def test_what_a_player_prints_does_not_reach_the_server():
    async with agent(ODD + "Prints") as a:
        await a.start(STONES, "first")
        assert await a.ask("(PLAY m NIL)") == "(take 2)"


async def test_a_player_that_ends_its_process_again_and_again_leaves_a_match_of_legal_moves():
    async with agent(ODD + "DiesAtStart") as a:
        assert await a.start(STONES, "first", clocks="60 30") == "ready"
        async with asyncio.timeout(29):  # of the clock
            assert await a.ask("(PLAY m NIL)") in legal_after(STONES)[0]


async def test_a_worker_killed_in_mid_search_costs_no_move():
    """Killed at moments that the test does not choose: before, while or after the message is taken in."""
    async with agent("mcts:seed=1") as a:
        played = [("(take 1)", "noop"), ("noop", "(take 1)")] * 2
        await a.start(STONES, "first", clocks="0.5 2")
        message, killed = "NIL", 0
        for turn, joint in enumerate(played):
            answer = asyncio.create_task(a.ask(f"(PLAY m {message})"))
            if turn % 2:
                await a.ask("(INFO)")
            for worker in tuple(a.workers.alive):
                if worker.pid is not None:  # it is born
                    with contextlib.suppress(ProcessLookupError):  # killed a turn ago, and the agent has not noticed
                        os.kill(worker.pid, signal.SIGKILL)
                        killed += 1
            assert await answer in legal_after(STONES, *played[:turn])[0]
            message = f"({' '.join(joint)})"
        assert killed


@pytest.mark.long  # it builds, in processes of its own
async def test_rules_without_finite_grounding_are_played():
    async with agent("mcts:seed=1,max_steps=50,simulations=5", worker__engine="auto", build__seconds=0.5) as a:
        assert await a.start(GROWING, "a", clocks="1 20") == "ready"
        assert await a.ask("(PLAY m NIL)") in ("on", "off")
        for move in ("on", "off", "off"):
            assert await a.ask(f"(PLAY m ({move}))") in ("on", "off")


@pytest.mark.long  # it builds, in processes of its own
async def test_rules_that_cannot_be_evaluated_are_answered_busy_and_the_server_continues():
    async with agent(worker__engine="auto", build__seconds=1.0) as a:
        assert await a.start(ENDLESS, "a", clocks="30 1") == "busy"
        await a.until_info_says("available")
        assert await a.start(STONES, "first") == "ready"


async def test_a_fork_server_that_ended_is_started_again_and_matches_continue():
    async with agent() as a:
        await a.start(STONES, "first")
        a.workers.process.kill()
        assert await a.ask("(PLAY m NIL)") == "(take 1)"
        assert await a.start(STONES, "second", clocks="20 1") == "ready"
        assert await a.ask("(PLAY m NIL)") == "noop"


@pytest.mark.long  # it builds, in processes of its own
async def test_only_the_circuit_plays_where_the_settings_say_so():
    async with agent(worker__engine="circuit", build__seconds=2.0) as a:
        assert await a.start(STONES, "first", clocks="20 1") == "ready"
        assert await a.ask("(PLAY m NIL)") == "(take 1)"
        await a.until_info_says(f"(engine circuit) (lanes {best()})")
        await a.ask("(ABORT m)")
        assert await a.start(GROWING, "a", clocks="20 1") == "busy"


async def test_ready_is_answered_at_once_where_the_settings_say_so():
    async with agent(ODD + "Waits", clock__use_start=False) as a:
        async with asyncio.timeout(30):
            assert await a.start(STONES, "first", clocks="3600 1") == "ready"


async def test_rules_that_are_too_long_are_refused_before_anything_is_done_with_them():
    async with agent(rules__characters=100) as small:
        assert await small.start(STONES, "first") == "busy"
        (away,) = small.gallery.turned_away
        assert away.reason.endswith("more than rules.characters allows")


async def test_an_agent_without_match_slots_names_the_setting():
    async with agent(server__matches=0) as a:
        with capture_logs() as entries:
            assert await a.start(STONES, "first") == "busy"
        assert any("no match slot is free; increase server.matches = 0" in entry["event"] for entry in entries)
