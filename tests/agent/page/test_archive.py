"""What the page shows of matches of an earlier run, of refused ones, and of STARTs that were answered busy."""

import errno
import json
import threading
from pathlib import Path

import pytest

from agent.journal.folder import replayed_from
from agent.page import archive
from agent.page.match_views import summary
from tests.agent.page.games.test_people import PENNIES
from tests.agent.page.test_site import got, sent, until
from tests.agent.rules import BROKEN, STONES, machine
from tests.agent.server.client import agent
from tests.waiting import until as appears


@pytest.fixture
def journal(tmp_path):
    return {"journal__folder": str(tmp_path / "journal")}


async def played(a, match="m"):
    """A match of two moves."""
    assert await a.start(STONES, "first", clocks="60 60", match=match) == "ready"
    await a.ask(f"(PLAY {match} NIL)")
    await a.ask(f"(PLAY {match} ((take 1) noop))")
    assert await a.ask(f"(STOP {match} (noop (take 2)))") == "done"


def key_of(a, match="m"):
    """The number of the last match with this id."""
    return next(log.key for log in a.gallery.history.all() if log.match_id == match)


async def replayed(a, key):
    return json.loads((await got(a, f"/api/matches/{key}"))[1])


async def test_a_match_of_an_earlier_run_is_replayed_from_its_journal_to_its_last_position(journal):
    async with agent(**journal) as a:
        await played(a)
        await appears(lambda: a.gallery.history.get(key_of(a)).steps == 2)  # the last position comes after the end
        before = await replayed(a, key_of(a))
    async with agent(**journal) as a:
        assert summary(a.gallery.history.get(key_of(a)))["steps"] == 2
        after = await replayed(a, key_of(a))
        record = json.loads((await got(a, f"/api/matches/{key_of(a)}/record.json"))[1])
    assert [step["joint"] for step in after["steps"]] == [[], ["(take 1)", "noop"], ["noop", "(take 2)"]]
    assert [step["picture"] for step in after["steps"]] == [step["picture"] for step in before["steps"]]
    assert [after[key] for key in ("goals", "roles", "role", "status")] == [
        before[key] for key in ("goals", "roles", "role", "status")
    ]
    assert (len(record["states"]), len(record["moves"])) == (3, 2)
    assert "earlier run" in after["note"]


@pytest.mark.parametrize("lost", [0, 2])
async def test_a_match_that_went_on_after_a_restart_is_shown_whole_if_nothing_was_lost(journal, lost):
    """A journal has a gap there, as messages may have been lost; those after a true loss lead to no end of the game."""
    game = machine(STONES)
    state, moves = game.initial(), list[str]()
    while not game.terminal(state):
        joint = [legal[0] for legal in game.legal(state)]
        state = game.next(state, joint)
        moves.append(f"({' '.join(map(str, joint))})")
    async with agent(**journal) as a:
        assert await a.start(STONES, "first", clocks="60 60") == "ready"
        for told in ("NIL", *moves[:3]):
            await a.ask(f"(PLAY m {told})")
    async with agent(**journal) as a:
        for told in moves[3 + lost : -1]:
            await a.ask(f"(PLAY m {told})")
        assert await a.ask(f"(STOP m {moves[-1]})") == "done"
    async with agent(**journal) as a:
        record = json.loads((await got(a, f"/api/matches/{key_of(a)}/record.json"))[1])
        shown = (await replayed(a, key_of(a)))["steps"]
    assert len(record["moves"]) == len(shown) - 1 == (len(moves) if lost == 0 else 3)
    assert record["isCompleted"] is (lost == 0)


async def test_a_link_to_a_match_leads_to_no_other_match_after_a_restart(journal):
    async with agent(**journal) as a:
        for match in ("a", "m", "m"):
            await played(a, match)
        first, second = (log.key for log in reversed(a.gallery.history.all()) if log.match_id == "m")
        gone = key_of(a, "a")
        assert (await sent(a, f"/api/matches/{gone}/delete", {}))[0] == 200
    async with agent(**journal) as a:
        assert [log.key for log in reversed(a.gallery.history.all())] == [first, second]
        assert " 404 " in (await got(a, f"/api/matches/{gone}"))[0]


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
        assert (await replayed(a, key_of(a)))["note"] == "its journal file no longer exists"
        told = await replayed(a, key_of(a, "n"))
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
        told = await replayed(a, key_of(a))
        record = json.loads((await got(a, f"/api/matches/{key_of(a)}/record.json"))[1])
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
        assert len((await replayed(a, key_of(a)))["steps"]) == 3
    assert len(threads) == 1
    assert threads[0] is not threading.main_thread()


async def test_a_refused_match_is_in_the_history_with_the_faults_of_its_rules(journal):
    async with agent(**journal) as a:
        assert await a.start(BROKEN, "first") == "busy"
        now = await replayed(a, key_of(a))
    async with agent(**journal) as a:
        later = await replayed(a, key_of(a))
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
        key = key_of(a)
        assert [(await sent(a, f"/api/matches/{key}/delete", {}))[0] for _ in range(2)] == [200, 404]
        assert [path.name.rpartition("-")[2] for path in (tmp_path / "journal").glob("*.journal")] == ["n.journal"]
    async with agent(**journal) as a:
        assert [log.match_id for log in a.gallery.history.all()] == ["n"]
        assert (await sent(a, f"/api/matches/{key_of(a, 'n')}/delete", {}))[0] == 200
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


async def test_a_later_match_with_the_id_of_an_earlier_run_keeps_its_positions(journal):
    async with agent(**journal) as a:
        await played(a)
    async with agent(**journal, page__matches=2) as a:
        for match in ("x", "y"):  # the match of the earlier run leaves the history
            await played(a, match)
        await a.start(STONES, "first", clocks="60 60")
        await a.ask("(PLAY m NIL)")
        await a.ask("(STOP m ((take 2) noop))")
        await appears(lambda: a.gallery.history.get(key_of(a)).steps == 1)
        told = await replayed(a, key_of(a))
    assert [step["joint"] for step in told["steps"]] == [[], ["(take 2)", "noop"]]


@pytest.mark.parametrize("deleted", [0, 1])
async def test_of_two_matches_with_one_id_only_the_deleted_one_loses_its_journal(journal, deleted):
    async with agent(**journal) as a:
        await played(a)
        await a.start(STONES, "first", clocks="60 60")
        await a.ask("(PLAY m NIL)")
        await a.ask("(STOP m ((take 2) noop))")
        one = a.gallery.history.all()[1 - deleted]
        assert (await sent(a, f"/api/matches/{one.key}/delete", {}))[0] == 200
    async with agent(**journal) as a:
        assert [log.steps for log in a.gallery.history.all()] == [[2, 1][1 - deleted]]


async def test_a_match_that_was_resumed_is_deleted_with_its_journal(journal, tmp_path):
    """It began at another time for the history, which the restart has emptied."""
    async with agent(**journal) as a:
        await a.start(STONES, "first", clocks="60 60")
    async with agent(**journal) as a:
        await appears(lambda: a.gallery.current().log.moments)
        a.gallery.current().log.began += 3600.0
        await a.ask("(STOP m ((take 1) noop))")
        assert (await sent(a, f"/api/matches/{key_of(a)}/delete", {}))[0] == 200
    assert list((tmp_path / "journal").glob("*.journal")) == []


async def test_a_match_whose_journal_cannot_be_deleted_stays_with_the_reason(journal, monkeypatch):
    def refuse(path, **_):
        raise OSError(errno.EROFS, "Read-only file system", str(path))

    async with agent(**journal) as a:
        await played(a)
        with monkeypatch.context() as patched:
            patched.setattr(Path, "unlink", refuse)
            status, told = await sent(a, f"/api/matches/{key_of(a)}/delete", {})
        assert (status, "cannot be deleted (Read-only file system)" in told["error"]) == (400, True)
        assert (await replayed(a, key_of(a)))["steps"]


async def test_a_match_that_cannot_be_replayed_at_the_moment_is_replayed_later(journal, monkeypatch):
    async def refuse(_):
        raise OSError(errno.EAGAIN, "Resource temporarily unavailable")

    async with agent(**journal) as a:
        await played(a)
    async with agent(**journal) as a:
        with monkeypatch.context() as patched:
            patched.setattr(a.workers, "take", refuse)
            assert (await replayed(a, key_of(a)))["error"].endswith("(Resource temporarily unavailable); try again")
        told = await replayed(a, key_of(a))
    assert len(told["steps"]) == 3
    assert "try again" not in told["note"]


async def test_the_moves_of_a_match_with_hidden_information_are_not_called_illegal(journal):
    """Its journal has what the agent perceived."""
    async with agent(**journal) as a:
        assert await a.start(PENNIES, "left", clocks="60 60") == "ready"
        move = await a.ask("(PLAY m 0 NIL ())")
        await a.ask(f"(STOP m 1 {move} ((chose heads)))")
    async with agent(**journal) as a:
        told = await replayed(a, key_of(a))
    assert len(told["steps"]) == 1
    assert told["note"].endswith("the moves are not known, because the game has hidden information")
