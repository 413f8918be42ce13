"""Games between people over HTTP: invitations, moves, clocks, draws, hidden information, and limits."""

import asyncio
import json

import pytest

from agent.page.games import course, people_game, people_games
from agent.page.games.people_game import PeopleGame
from tests.agent.page.test_site import got, sent
from tests.agent.rules import STONES
from tests.agent.server.client import agent

pytestmark = pytest.mark.asyncio
PENNIES = """
; Each chooses in secret, then both choose again.
(role left) (role right) (side heads) (side tails) (init (round 1))
(<= (base (chosen ?r ?s)) (role ?r) (side ?s))
(<= (legal ?r (choose ?s)) (role ?r) (side ?s))
(<= (next (chosen ?r ?s)) (does ?r (choose ?s)))
(<= (next (round 2)) (true (round 1))) (<= (next (round 3)) (true (round 2)))
(<= (sees ?r (chose ?s)) (does ?r (choose ?s)))
(<= terminal (true (round 3)))
(<= equal (true (chosen left ?s)) (true (chosen right ?s)))
(<= (goal left 100) equal) (<= (goal left 0) (not equal)) (<= (goal right 0) equal) (<= (goal right 100) (not equal))
"""
DRAWN = STONES + "(<= (goal ?r 50) (role ?r) (true (heap 0)) (true (heap 9)))"


async def seen(a, key, fits):
    """The game as the place with this key sees it, as soon as `fits` is true of it."""
    reader, writer = await asyncio.open_connection(a.host, a.port, limit=1 << 20)
    try:
        writer.write(f"GET /api/people/{key}/events HTTP/1.1\r\nHost: {a.host}\r\n\r\n".encode())
        while line := await asyncio.wait_for(reader.readline(), 60):
            if line.startswith(b"data: {") and b'"invite"' in line and fits(table := json.loads(line[6:])):
                return table
    finally:
        writer.close()
    raise AssertionError("never seen")


def phase(name, after=-1):
    return lambda table: table["phase"] == name and table["position"]["step"] > after


async def opened(a, rules=STONES, role="first", seconds=0):
    """The keys of a new game: of the place, of the invitation, of watchers."""
    status, told = await sent(a, "/api/people", {"rules": rules, "role": role, "seconds": seconds})
    assert status == 200, told
    return told["key"], told["invite"], told["watch"]


async def paired(a, roles=("first", "second"), **asked):
    """The keys of the two players of a new game, and of watchers."""
    mine, invite, watch = await opened(a, role=roles[0], **asked)
    status, told = await sent(a, f"/api/people/invited/{invite}", {"role": roles[1]})
    assert status == 200, told
    return mine, told["key"], watch


async def move(a, key, step, text):
    return await sent(a, f"/api/people/{key}/move", {"step": step, "move": text})


async def test_two_people_play_to_the_end_and_a_watcher_sees_it(monkeypatch):
    monkeypatch.setattr(people_game, "RELOAD", 1e6)  # nobody is away, however long the test waits for a processor
    async with agent() as a:
        mine, invite, watch = await opened(a)
        table = await seen(a, mine, phase("inviting"))
        assert (table["taken"], table["invite"]) == ([True, False], invite)
        _, told = await got(a, f"/api/people/invited/{invite}")
        assert (json.loads(told)["free"], json.loads(told)["watch"]) == (["second"], watch)
        theirs = (await sent(a, f"/api/people/invited/{invite}", {"role": "second"}))[1]["key"]
        status, told = await sent(a, f"/api/people/invited/{invite}", {"role": "second"})
        assert (status, told["error"]) == (400, "this role is no longer free; take another one, or watch")
        table = await seen(a, mine, phase("person"))
        assert table["present"] == [True, True]  # the page of the second one opens only now
        assert (table["players"], table["asked"]) == (["you", "a person"], None)
        assert (await seen(a, theirs, phase("others")))["moves"] == []
        assert (await move(a, theirs, 0, "noop"))[0] == 400
        assert (await move(a, mine, 0, "(take 7)"))[0] == 400
        for step in range(9):
            mover = (mine, theirs)[step % 2]
            await seen(a, mover, phase("person", step - 1))
            assert (await move(a, mover, step, "(take 1)"))[0] == 200
        for key, players in ((mine, ["you", "a person"]), (watch, ["a person"] * 2)):
            table = await seen(a, key, phase("over"))
            assert (table["goals"], table["players"]) == ([100, 0], players)
        record = json.loads((await got(a, f"/api/matches/{table['key']}/record.json"))[1])
        assert (len(record["moves"]), record["goalValues"]) == (9, [100, 0])


async def test_a_watcher_has_no_rights_and_learns_no_secret():
    async with agent() as a:
        mine, theirs, watch = await paired(a)
        table = await seen(a, watch, phase("others"))
        assert (table["invite"], table["person"], table["moves"]) == (None, None, [])
        for verb in ("draw", "resign"):
            assert (await sent(a, f"/api/people/{watch}/{verb}", {}))[0] == 400
        assert (await move(a, watch, 0, "(take 1)"))[0] == 400
        assert (await sent(a, f"/api/people/{watch}/leave", {}))[0] == 200
        text = json.dumps(table)
        assert mine not in text
        assert theirs not in text
        assert (await seen(a, mine, phase("person")))["phase"] == "person"


async def test_hidden_information_stays_hidden_until_the_end():
    async with agent() as a:
        mine, theirs, watch = await paired(a, ("left", "right"), rules=PENNIES)
        await seen(a, mine, phase("person"))
        await move(a, mine, 0, "(choose heads)")
        await move(a, theirs, 0, "(choose tails)")
        table = await seen(a, mine, phase("person", 0))
        assert table["position"]["joint"] == ["(choose heads)", "unseen"]
        assert table["percepts"] == ["(chose heads)"]
        assert "tails" not in json.dumps(table["position"])
        other = await seen(a, theirs, phase("person", 0))
        assert other["position"]["joint"] == ["unseen", "(choose tails)"]
        assert "heads" not in json.dumps(other["position"])
        for step in (0, 1):
            _, told = await got(a, f"/api/people/{watch}/position/{step}")
            assert not {"heads", "tails"} & set(told.replace('"', " ").replace(")", " ").split())
        table = await seen(a, watch, phase("others", 0))
        assert (table["position"]["joint"], table["awaited"], table["percepts"]) == (["unseen", "unseen"], [], [])
        await move(a, mine, 1, "(choose heads)")
        await move(a, theirs, 1, "(choose tails)")
        table = await seen(a, watch, phase("over"))
        assert (table["goals"], table["position"]["joint"]) == ([0, 100], ["(choose heads)", "(choose tails)"])
        record = json.loads((await got(a, f"/api/matches/{table['key']}/record.json"))[1])
        assert "unseen" not in json.dumps(record)
        assert "tails" in record["states"][1]


async def test_a_move_declines_a_draw_and_two_offers_agree_on_it():
    async with agent() as a:
        mine, theirs, _ = await paired(a, rules=DRAWN)
        await seen(a, mine, phase("person"))
        assert (await sent(a, f"/api/people/{mine}/draw", {}))[0] == 200
        assert (await seen(a, theirs, lambda table: table["offers"]))["offers"] == [0]
        await move(a, mine, 0, "(take 1)")
        table = await seen(a, theirs, phase("person"))
        assert (table["offers"], table["even"]) == ([0], True)  # an offer comes with a move
        await move(a, theirs, 1, "(take 1)")
        assert (await seen(a, mine, phase("person", 1)))["offers"] == []
        for key in (theirs, mine):
            await sent(a, f"/api/people/{key}/draw", {})
        assert (await seen(a, mine, phase("left")))["status"] == "draw agreed"


async def test_rules_without_a_draw_know_no_offer_and_a_player_may_resign():
    async with agent() as a:
        mine, theirs, watch = await paired(a)
        assert not (await seen(a, mine, phase("person")))["even"]
        status, told = await sent(a, f"/api/people/{mine}/draw", {})
        assert (status, told["error"]) == (400, "the rules of this game have no draw")
        assert (await sent(a, f"/api/people/{theirs}/resign", {}))[0] == 200
        assert (await seen(a, watch, phase("left")))["status"] == "second resigned"
        assert (await sent(a, f"/api/people/{mine}/resign", {}))[0] == 400


@pytest.mark.parametrize("waited_for", ["move", "referee"])
async def test_who_resigns_in_the_moment_in_which_the_turn_is_complete_has_resigned(waited_for, monkeypatch):
    games = []

    class Noted(PeopleGame):
        def __init__(self, *told):
            super().__init__(*told)
            games.append(self)

    monkeypatch.setattr(people_games, "PeopleGame", Noted)
    async with agent() as a:
        mine, _, watch = await paired(a, seconds=60)
        await seen(a, mine, phase("person"))
        (game,) = games
        first, second = game.seats.values()
        if waited_for == "referee":
            heard = game._referee.heard
            monkeypatch.setattr(game._referee, "heard", lambda event: (heard(event), game.resign(second)))
        game.choose(first, 0, "(take 1)")
        if waited_for == "move":
            game.resign(second)
        table = await seen(a, watch, lambda table: table["phase"] == "left" or table["position"]["step"])
        assert (table["status"], table["position"]["step"]) == ("second resigned", 0)


async def test_a_person_whose_answer_was_lost_gets_the_same_place_again():
    async with agent() as a:
        _, invite, _ = await opened(a)
        at, mine = f"/api/people/invited/{invite}", {"role": "second", "token": "mine"}
        status, first = await sent(a, at, mine)
        assert status == 200
        assert await sent(a, at, mine) == (200, first)
        for token in ("", "other", "\ud800"):
            assert (await sent(a, at, {"role": "second", "token": token}))[0] == 400
            assert (await sent(a, at, {"role": "first", "token": token}))[0] == 400


async def test_a_rematch_exchanges_the_roles_and_is_one_game_for_all():
    async with agent(page__people=1) as a:  # the game that is over needs no place
        mine, theirs, watch = await paired(a)
        await seen(a, mine, phase("person"))
        assert (await sent(a, f"/api/people/{mine}/rematch", {}))[0] == 400  # the game is not over
        await sent(a, f"/api/people/{theirs}/resign", {})
        assert (await seen(a, mine, phase("left")))["again"] == []
        assert (await sent(a, f"/api/people/{watch}/rematch", {}))[0] == 400
        answers = await asyncio.gather(*(sent(a, f"/api/people/{key}/rematch", {}) for key in (mine, theirs, mine)))
        assert {status for status, _ in answers} == {200}
        (_, one), (_, other), (_, same) = answers
        assert (one["invite"], same["key"]) == (other["invite"], one["key"])
        assert one["key"] != other["key"]
        assert (await seen(a, one["key"], phase("others")))["person"] == 1
        assert (await seen(a, other["key"], phase("person")))["person"] == 0
        assert (await seen(a, mine, phase("left")))["again"] == [0, 1]


async def test_a_place_in_a_rematch_that_was_given_away_stays_given_away():
    async with agent() as a:
        mine, theirs, _ = await paired(a)
        await seen(a, mine, phase("person"))
        await sent(a, f"/api/people/{theirs}/resign", {})
        invite = (await sent(a, f"/api/people/{mine}/rematch", {}))[1]["invite"]
        assert (await sent(a, f"/api/people/invited/{invite}", {"role": "first"}))[0] == 200
        status, told = await sent(a, f"/api/people/{theirs}/rematch", {})
        assert (status, told["error"]) == (400, "this role is no longer free; take another one, or watch")


async def test_a_late_move_is_replaced_by_a_random_one():
    async with agent() as a:
        _, _, watch = await paired(a, seconds=0.05)
        table = await seen(a, watch, phase("over"))
        assert sum(table["goals"]) == 100
        record = json.loads((await got(a, f"/api/matches/{table['key']}/record.json"))[1])
        assert record["errors"][1] == ["TO", ""]


ENDLESS = """
(role first) (role second) (init (s 0)) (legal first wait) (legal second wait) (succ 0 1) (succ 1 0)
(<= (next (s ?m)) (true (s ?n)) (succ ?n ?m)) (<= terminal (true (s 2))) (goal first 50) (goal second 50)
"""


async def test_a_game_that_runs_by_itself_without_an_end_is_ended(monkeypatch):
    monkeypatch.setattr(course, "MAX_STEPS", 20)
    async with agent() as a:
        _, _, watch = await paired(a, rules=ENDLESS)
        assert (await seen(a, watch, phase("left")))["status"] == "the game was ended after 20 moves"
        status, told = await sent(
            a, "/api/play", {"rules": ENDLESS, "role": "first", "startClock": 0.1, "playClock": 0.1}
        )
        assert status == 200
        reader, writer = await asyncio.open_connection(a.host, a.port, limit=1 << 20)
        writer.write(f"GET /api/play/{told['key']}/events HTTP/1.1\r\nHost: {a.host}\r\n\r\n".encode())
        while b"The game was ended after 20 moves." not in await asyncio.wait_for(reader.readline(), 60):
            pass
        writer.close()


async def test_a_game_ends_when_its_people_are_gone(monkeypatch):
    monkeypatch.setattr(people_game, "BEAT", 0.02)
    monkeypatch.setattr(people_game, "AWAY", 0.2)
    async with agent() as a:
        mine, _, watch = await paired(a)
        assert (await seen(a, watch, phase("left")))["status"] == "everybody left"
        assert (await move(a, mine, 0, "(take 1)"))[0] == 400


async def test_one_address_may_not_fill_the_page_and_games_without_people_give_way(monkeypatch):
    monkeypatch.setattr(people_game, "RELOAD", 0.0)
    async with agent() as a:
        first, _, _ = await opened(a)
        reader, writer = await asyncio.open_connection(a.host, a.port)
        writer.write(f"GET /api/people/{first}/events HTTP/1.1\r\nHost: {a.host}\r\n\r\n".encode())
        await asyncio.wait_for(reader.readuntil(b"event: table"), 60)
        second, _, _ = await opened(a)
        await opened(a)  # takes the place of the second, which nobody has open
        assert (await got(a, f"/api/people/{second}/rules"))[0].startswith("http/1.1 404")
        assert (await got(a, f"/api/people/{first}/rules"))[0].startswith("http/1.1 200")
        writer.close()


async def test_a_full_page_takes_a_place_from_the_address_with_most_games_and_refuses_its_equals():
    def header(address):
        return f"Content-Type: application/json\r\nX-Forwarded-For: {address}\r\n"

    async def asked(address):
        return await sent(a, "/api/people", {"rules": STONES, "role": "first", "seconds": 0}, header(address))

    async with agent(page__people=2, server__proxies="127.0.0.1") as a:
        keys = [(await asked("192.0.2.1"))[1]["key"] for _ in range(2)]
        status, told = await asked("192.0.2.1")
        assert (status, "leave or end one of them" in told["error"]) == (400, True)
        assert (await asked("192.0.2.2"))[0] == 200
        kept = [(await got(a, f"/api/people/{key}/rules"))[0].split()[1] for key in keys]
        assert kept == ["404", "200"]
        status, told = await asked("192.0.2.3")
        assert (status, "try again later" in told["error"]) == (400, True)


async def test_games_between_people_need_two_roles_and_may_be_disabled():
    async with agent(page__people=0) as a:
        status, told = await sent(a, "/api/people", {"rules": STONES, "role": "first", "seconds": 0})
        assert (status, "page.people" in told["error"]) == (400, True)
    async with agent() as a:
        for asked in ({"game": "lightsOut", "role": "robot"}, {"rules": STONES, "role": "third"}):
            assert (await sent(a, "/api/people", {**asked, "seconds": 0}))[0] == 400


async def test_visitors_of_one_address_may_have_half_of_the_games_between_people():
    """A class may share the address of a proxy."""
    async with agent(page__people=6) as a:
        asked = {"rules": STONES, "role": "first", "seconds": 0}
        assert [(await sent(a, "/api/people", asked))[0] for _ in range(3)] == [200] * 3
        status, told = await sent(a, "/api/people", asked)
        assert (status, told["error"][:40]) == (400, "3 games between people from your address")
