"""What the page shows of matches of an earlier run, of refused ones, and of STARTs that were answered busy."""

import json
import threading

import pytest

from agent.journal.folder import replayed_from
from agent.page import archive
from agent.page.history import number_of
from agent.page.match_views import summary
from tests.agent.page.test_site import got, sent, until
from tests.agent.rules import BROKEN, STONES
from tests.agent.server.client import agent
from tests.waiting import until as appears

M = number_of("m")


@pytest.fixture
def journal(tmp_path):
    return {"journal__folder": str(tmp_path / "journal")}


async def played(a, match="m"):
    """A match of two moves."""
    assert await a.start(STONES, "first", clocks="60 60", match=match) == "ready"
    await a.ask(f"(PLAY {match} NIL)")
    await a.ask(f"(PLAY {match} ((take 1) noop))")
    assert await a.ask(f"(STOP {match} (noop (take 2)))") == "done"


async def replayed(a, key):
    return json.loads((await got(a, f"/api/matches/{key}"))[1])


async def test_a_match_of_an_earlier_run_is_replayed_from_its_journal_to_its_last_position(journal):
    async with agent(**journal) as a:
        await played(a)
        await appears(lambda: a.gallery.history.get(M).steps == 2)  # the last position comes after the end
        before = await replayed(a, M)
    async with agent(**journal) as a:
        assert summary(a.gallery.history.get(M))["steps"] == 2
        after = await replayed(a, M)
        record = json.loads((await got(a, f"/api/matches/{M}/record.json"))[1])
    assert [step["joint"] for step in after["steps"]] == [[], ["(take 1)", "noop"], ["noop", "(take 2)"]]
    assert [step["picture"] for step in after["steps"]] == [step["picture"] for step in before["steps"]]
    assert [after[key] for key in ("goals", "roles", "role", "status")] == [
        before[key] for key in ("goals", "roles", "role", "status")
    ]
    assert (len(record["states"]), len(record["moves"])) == (3, 2)
    assert "earlier run" in after["note"]


async def test_a_link_to_a_match_leads_to_no_other_match_after_a_restart(journal):
    async with agent(**journal) as a:
        for match in ("a", "m", "m"):
            await played(a, match)
        first, second = (log.key for log in reversed(a.gallery.history.all()) if log.match_id == "m")
        assert (await sent(a, f"/api/matches/{number_of('a')}/delete", {}))[0] == 200
    async with agent(**journal) as a:
        assert [log.key for log in reversed(a.gallery.history.all())] == [first, second]
        assert " 404 " in (await got(a, f"/api/matches/{number_of('a')}"))[0]


async def test_a_game_in_which_the_agent_has_two_roles_is_one_match_with_the_same_number(journal):
    """Each of its roles has a journal."""
    async with agent(**journal, server__matches=2) as a:
        asked = {"rules": STONES, "role": None, "startClock": 0.5, "playClock": 0.5}
        assert (await sent(a, "/api/play", asked))[0] == 200
        await appears(lambda: a.gallery.history.all() and a.gallery.history.all()[0].terminal)
        (log,) = a.gallery.history.all()
        assert len(log.seats) == 2
    async with agent(**journal, server__matches=2) as a:
        (again,) = a.gallery.history.all()
        assert again.key == log.key


async def test_a_journal_that_is_gone_or_leads_nowhere_is_reported(journal, tmp_path):
    async with agent(**journal) as a:
        await played(a)
        await a.start(STONES, "second", clocks="60 60", match="n")
        await a.ask("(STOP n (noop noop))")
    async with agent(**journal) as a:
        next((tmp_path / "journal").glob("*-m.journal")).unlink()
        assert (await replayed(a, M))["note"] == "its journal file no longer exists"
        told = await replayed(a, number_of("n"))
        assert len(told["steps"]) == 1
        assert told["note"].endswith("the moves played after 0 steps are not legal in that position")


@pytest.mark.parametrize(("kinds", "steps", "aborted"), [(["applied"], 3, True), (["applied", "play"], 1, False)])
async def test_a_damaged_journal_is_told_and_its_unknown_end_is_no_abort(journal, tmp_path, kinds, steps, aborted):
    """The moves of a damaged line are those of its message, unless that is damaged, too."""
    async with agent(**journal) as a:
        await played(a)
        await a.start(STONES, "first", clocks="60 60", match="next")
    (path,) = (tmp_path / "journal").glob("*-m.journal")
    lines = path.read_bytes().splitlines(keepends=True)
    for kind in kinds:
        *_, damaged = (number for number, line in enumerate(lines) if f'"is":"{kind}"'.encode() in line)
        lines[damaged] = lines[damaged].replace(b'"is"', b'"iz"')
    path.write_bytes(b"".join(lines))
    async with agent(**journal) as a:
        told = await replayed(a, M)
        record = json.loads((await got(a, f"/api/matches/{M}/record.json"))[1])
    assert len(told["steps"]) == steps
    assert "damaged lines" in told["note"]
    assert record["isAborted"] is aborted


async def test_the_journal_of_a_match_is_read_beside_the_event_loop(journal, monkeypatch):
    """It may have 64 MiB, and others are answered while somebody looks at such a match."""
    threads = []

    def noted(path):
        threads.append(threading.current_thread())
        return replayed_from(path)

    async with agent(**journal) as a:
        await played(a)
    async with agent(**journal) as a:
        monkeypatch.setattr(archive, "replayed_from", noted)
        assert len((await replayed(a, M))["steps"]) == 3
    assert len(threads) == 1
    assert threads[0] is not threading.main_thread()


async def test_a_refused_match_is_in_the_history_with_the_faults_of_its_rules(journal):
    async with agent(**journal) as a:
        assert await a.start(BROKEN, "first") == "busy"
        now = await replayed(a, M)
    async with agent(**journal) as a:
        later = await replayed(a, M)
    for told in (now, later):
        assert (told["status"], told["note"], told["steps"]) == ("refused", "the rules have errors", [])
        assert told["faults"][0]["severity"] == "error"
        assert told["faults"][0]["fix"]


async def test_a_start_that_is_answered_busy_is_shown_with_the_reason():
    async with agent() as a:
        assert await a.start(STONES, "first", clocks="60 60") == "ready"
        assert await a.start(STONES, "first", match="other") == "busy"
        (away,) = a.gallery.turned_away
    assert (away.match_id, away.reason.startswith("no match slot is free")) == ("other", True)


async def test_a_match_that_is_deleted_is_gone_for_later_agents_too_and_no_other(journal, tmp_path):
    async with agent(**journal) as a:
        await played(a)
        await played(a, "n")
        assert (await sent(a, f"/api/matches/{M}/delete", {}))[0] == 200
        assert (await sent(a, f"/api/matches/{M}/delete", {}))[0] == 404
        assert [path.name.rpartition("-")[2] for path in (tmp_path / "journal").glob("*.journal")] == ["n.journal"]
    async with agent(**journal) as a:
        assert [log.match_id for log in a.gallery.history.all()] == ["n"]
        assert (await sent(a, f"/api/matches/{number_of('n')}/delete", {}))[0] == 200
        assert list((tmp_path / "journal").glob("*.journal")) == []


async def test_a_game_that_began_in_a_later_position_is_replayed_from_its_journal(journal):
    """Pasted rules are called there by their first comment, as no file's name is in the journal."""
    asked = {"rules": f"; Nine stones. Two players.\n{STONES}", "role": "first", "startClock": 0.5, "playClock": 0.5}
    moves = [["(take 2)", "noop"], ["noop", "(take 1)"]]
    async with agent(**journal) as a:
        key = (await sent(a, "/api/play", {**asked, "moves": moves}))[1]["key"]
        await until(a, key, "person")
        assert (await sent(a, f"/api/play/{key}/move", {"step": 2, "move": "(take 1)"}))[0] == 200
        await until(a, key, "person", after=3)
        await sent(a, f"/api/play/{key}/leave", {})
        await until(a, key, "left")
    async with agent(**journal) as a:
        told = await replayed(a, a.gallery.history.all()[0].key)
    assert [step["joint"] for step in told["steps"]][:3] == [[], *moves]
    assert "not legal" not in told["note"]
    assert told["title"] == "Nine stones"
