import asyncio
import random
import threading

import pytest

from agent.gamemaster.errors import DeadEndError, UnplayableError
from agent.gamemaster.games import find_game
from agent.gamemaster.match import ManagedMatch, MatchSetup
from agent.gamemaster.player import RemotePlayer, session
from agent.gamemaster.records import spaced
from agent.gamemaster.rulesheet import Rulesheet
from agent.gamemaster.scramble import Scrambler
from agent.protocol.messages import Abort, Stop
from reasoner import load
from tests.agent.gamemaster.fakes import BlindFake, DroppingFake, LegalFake, SleepyFake, WrongFake, serving
from tests.reasoner.test_percepts import BOXES


async def played(game, fakes, **changes):
    sheet = game if isinstance(game, Rulesheet) else find_game(game)
    async with serving(*[fake for fake in fakes if fake]) as urls, session() as http:
        addresses = iter(urls)
        seats = tuple(fake and RemotePlayer(http, type(fake).__name__, next(addresses)) for fake in fakes)
        given = {"match_id": "m.1", "start_clock": 10, "play_clock": 10, "wall": lambda: 1234.5, "seed": 7}
        given["machine"] = changes.get("machine") or load(sheet.text, engine="relational")
        setup = MatchSetup(rulesheet=sheet, seats=seats, **(given | changes))
        return await ManagedMatch(setup).play()


async def test_a_match_sends_start_play_and_stop_as_ggp_base_spells_them():
    first, second = LegalFake(), LegalFake()
    record = await played("ticTacToe", [first, second])
    assert first.kinds() == ["START"] + ["PLAY"] * len(record.moves) + ["STOP"]
    assert first.heard[0].startswith("( START m.1 cross (( role cross ) ( role nought ) ( sign cross x ) ")
    assert first.heard[0].endswith(" ( <= ( goal ?player 0 ) ( other ?player ?rival ) ( wins ?rival ) ) ) 10 10)")
    assert second.heard[0].startswith("( START m.1 nought ((")
    assert first.heard[1:3] == ["( PLAY m.1 NIL )", "( PLAY m.1 (( mark 1 1 ) noop ) )"]
    assert first.heard[-1] == f"( STOP m.1 ({record.moves[-1][0]} {record.moves[-1][1]} ) )"
    assert record.completed
    assert not record.aborted


@pytest.mark.parametrize("scrambler", [False, True])
async def test_a_record_holds_the_rules_that_its_moves_and_roles_are_of(scrambler):
    """Also of a scrambled match they are the rulesheet's own, so that the record can be played again by itself."""
    sheet = find_game("nim")
    changes = {"scrambler": Scrambler.of(sheet.text, 1)} if scrambler else {}
    record = await played(sheet, [LegalFake(), LegalFake()], **changes)
    machine = load(record.rules, engine="relational")
    assert (record.game, record.roles) == ("nim", machine.roles)
    state = machine.initial()
    for joint in record.moves:
        legal = machine.legal(state)
        moves = [next(m for m in own if spaced(m) == move) for own, move in zip(legal, joint, strict=True)]
        state = machine.next(state, moves)
    assert machine.goal(state) == record.goals


async def test_a_match_ends_when_its_players_have_put_it_away():
    class Tidying(LegalFake):
        asked, done = asyncio.Event(), asyncio.Event()

        async def answer(self, message):
            if isinstance(message, Stop):
                self.asked.set()
                await self.done.wait()
            return await super().answer(message)

    tidying = Tidying()
    match = asyncio.create_task(played("ticTacToe", [LegalFake(), tidying]))
    await tidying.asked.wait()
    assert not match.done()
    tidying.done.set()
    assert (await match).completed


async def test_a_player_slow_to_stop_is_waited_for_unless_its_match_is_dropped():
    class Seat(LegalFake):
        name, seconds = "seat", dict[type, float]()

        async def ask(self, message, seconds):
            self.seconds[type(message)] = seconds
            return await self.answer(message)

    sheet, seat = find_game("hanoi"), Seat()
    machine = load(sheet.text, engine="relational")
    for steps in (0, 1):  # to the end, and cut off
        setup = MatchSetup("m.1", sheet, machine, (seat,), 10, 10, lambda: 0.0, max_steps=steps)
        await ManagedMatch(setup).play()
    assert seat.seconds[Stop] >= 5 > seat.seconds[Abort]


async def test_messages_are_http_1_0_posts_with_the_headers_of_a_game_manager():
    fake = LegalFake()
    await played("hanoi", [fake], max_steps=1)
    assert set(fake.versions) == {(1, 0)}
    headers = fake.headers[0]
    assert headers["Content-Type"] == "text/acl"
    assert headers["Sender"] == "GAMESERVER"
    assert headers["Receiver"] == "LegalFake"
    assert int(headers["Content-Length"]) == len(fake.heard[0])
    assert "Transfer-Encoding" not in headers
    assert "Accept-Encoding" not in headers


async def test_a_record_has_one_state_more_than_moves_and_one_row_of_errors_more():
    record = await played("nim", [LegalFake(), LegalFake()])
    assert len(record.states) == len(record.state_times) == len(record.moves) + 1
    assert len(record.errors) == len(record.moves) + 1
    assert set(record.errors) == {("", "")}
    assert sorted(record.goals) == [0, 100]


async def test_no_answer_in_time_is_recorded_and_replaced_by_a_legal_move():
    record = await played("lightsOut", [SleepyFake()], play_clock=0.02)
    assert record.completed
    assert record.errors == (("",),) + (("TO",),) * len(record.moves)


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        ("(jump  far )", "IL ( jump far )"),
        ("", "IL"),
        ("noop noop", "IL noop noop"),
        (")", "IL )"),
        ("\x1b[31mred\x07", r"IL \u001b[31mred\u0007"),  # a terminal would obey it
    ],
)
async def test_an_answer_that_is_no_legal_move_is_recorded_with_its_text(answer, error):
    record = await played("lightsOut", [WrongFake(answer)], max_steps=2)
    assert record.errors == (("",), (error,), (error,))


async def test_a_closed_connection_is_recorded_and_the_match_continues():
    record = await played("nim", [DroppingFake(), LegalFake()])
    assert record.completed
    assert record.errors[1:] == (("CE", ""),) * len(record.moves)


async def test_a_player_that_is_gone_at_start_is_recorded_in_the_first_row():
    sheet = find_game("lightsOut")
    async with serving(LegalFake()) as urls:
        pass  # and closed again: nobody listens there now
    async with session() as http:
        seats = (RemotePlayer(http, "gone", urls[0]),)
        machine = load(sheet.text, engine="relational")
        record = await ManagedMatch(MatchSetup("m", sheet, machine, seats, 1, 1, lambda: 0.0)).play()
    assert set(record.errors) == {("CE",)}


async def test_answers_of_other_matches_are_received_while_the_rules_are_evaluated(monkeypatch):
    sheet, loop = find_game("nim"), asyncio.get_running_loop()
    machine, asked = load(sheet.text, engine="relational"), set()

    def slow(name, answer):
        def answered(*given):
            asyncio.run_coroutine_threadsafe(asyncio.sleep(0), loop).result(timeout=60)
            asked.add(name)
            return answer(*given)

        return answered

    names = {"initial", "facts", "terminal", "legal", "next", "goal"}
    for name in names:
        monkeypatch.setattr(machine, name, slow(name, getattr(machine, name)))
    record = await played(sheet, [LegalFake(), LegalFake()], machine=machine)
    assert record.completed
    assert asked == names


async def test_every_player_is_told_the_replaced_move():
    wrong, right = WrongFake(), LegalFake()
    record = await played("nim", [wrong, right])
    assert right.heard[2] == f"( PLAY m.1 ({record.moves[0][0]} noop ) )"


async def test_players_are_asked_at_the_same_moment():
    """Each answers only when the other was asked too."""
    barrier = asyncio.Barrier(2)

    class Meeting(LegalFake):
        async def answer(self, message):
            await barrier.wait()
            return await super().answer(message)

    record = await played("goofspiel", [Meeting(), Meeting()])
    assert set(record.errors) == {("", "")}


async def test_the_manager_plays_chance_by_its_seed():
    async def moves(seed):
        return (await played("diceRace", [LegalFake(), LegalFake(), None], seed=seed)).moves

    once, again, other = await moves(1), await moves(1), await moves(2)
    assert once == again
    assert once != other
    assert {row[2] for row in once} == {"noop", *(f"( cast {n} )" for n in (1, 2, 3, 4))}


async def test_the_step_limit_aborts_the_match_without_goals():
    fakes = [LegalFake(), LegalFake()]
    record = await played("connectFour", fakes, max_steps=3)
    assert (len(record.moves), record.completed, record.aborted, record.goals) == (3, False, True, ())
    assert [fake.heard[-1] for fake in fakes] == ["( ABORT m.1 )"] * 2


async def test_a_cancelled_match_reports_the_players_abort():
    asked = asyncio.Event()

    class Asked(SleepyFake):
        async def answer(self, message):
            asked.set() if self.heard[-1].startswith("( PLAY") else None
            return await super().answer(message)

    fakes = [Asked(), LegalFake()]
    task = asyncio.create_task(played("ticTacToe", fakes))
    await asked.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert [fake.heard[-1] for fake in fakes] == ["( ABORT m.1 )"] * 2


async def test_a_role_without_a_move_aborts_the_match_with_a_reason():
    rules = """(role a) (init start) (<= (legal a go) (true start)) (<= (next end) (true start))
               (goal a 0) (<= terminal (true never))"""
    fake = LegalFake()
    with pytest.raises(DeadEndError, match="role a has no legal move after 1 steps"):
        await played(Rulesheet("dead", rules), [fake])
    assert fake.heard[-1] == "( ABORT m.1 )"


GROWING = f"""(role a) (init (n z)) (legal a go) (goal a 50) (<= terminal (true (n done)))
               (<= (next (n {"(s " * 90}?x{")" * 90})) (true (n ?x)))"""
"""Rules that build a term beyond the limit of depth in the twelfth step."""


async def test_rules_that_exceed_a_limit_abort_the_match_with_its_name_and_the_reason():
    fake = LegalFake()
    with pytest.raises(UnplayableError, match=r"the match m\.1 of growing cannot go on after 11 steps: .*nested more"):
        await played(Rulesheet("growing", GROWING), [fake])
    assert fake.heard[-1] == "( ABORT m.1 )"


@pytest.mark.parametrize("game", ["ticTacToe", "diceRace", "hanoi"])
async def test_a_scrambled_match_is_played_in_other_words_and_recorded_in_its_own(game):
    sheet = find_game(game)
    scrambler = Scrambler.of(sheet.text, 3)
    fakes = {"hanoi": [LegalFake()], "ticTacToe": [LegalFake(), LegalFake()]}.get(
        game, [LegalFake(), LegalFake(), None]
    )
    record = await played(game, fakes, scrambler=scrambler)
    assert record.completed
    assert record.scrambled
    assert {error for row in record.errors for error in row} == {""}
    own_words = set(scrambler.names) - {"random"}
    for body in fakes[0].heard:
        assert own_words.isdisjoint(body.replace("(", " ").replace(")", " ").split()[3:])
    machine = load(sheet.text, engine="relational")
    state = machine.initial()
    for moves in record.moves:
        state = machine.next(state, moves)
    assert machine.goal(state) == record.goals


async def test_a_name_in_the_original_words_is_illegal_in_a_scrambled_match():
    sheet = find_game("lightsOut")
    record = await played(sheet, [WrongFake("(press 1 1)")], max_steps=1, scrambler=Scrambler.of(sheet.text, 1))
    assert record.errors[1] == ("IL ( press 1 1 )",)


async def test_replaced_moves_are_drawn_with_the_seed():
    async def moves(seed):
        return (await played("lightsOut", [WrongFake()], seed=seed)).moves

    assert await moves(1) == await moves(1)
    assert len({await moves(seed) for seed in random.Random(0).sample(range(99), 3)}) == 3


async def test_rules_that_take_long_keep_no_answer_of_another_match_waiting():
    heard = []

    class Slow:
        """Tic-tac-toe whose every question for legal moves takes until the event loop has done something else."""

        def __init__(self):
            self._machine = load(find_game("ticTacToe").text, engine="relational")
            self.roles = self._machine.roles
            self.done = threading.Event()

        def legal(self, state):
            heard.append(self.done.wait(10))
            return self._machine.legal(state)

        def __getattr__(self, name):
            return getattr(self._machine, name)

    slow = Slow()

    async def meanwhile():
        while True:
            await asyncio.sleep(0)
            slow.done.set()

    other = asyncio.create_task(meanwhile())
    await played("ticTacToe", [LegalFake(), LegalFake()], machine=slow, max_steps=1)
    other.cancel()
    assert heard == [True]


async def test_rules_with_sees_are_played_with_own_moves_and_percepts_alone():
    first, second = BlindFake(), BlindFake()
    record = await played(Rulesheet("boxes", BOXES), [first, second, None])
    assert first.heard[1] == "( PLAY m.1 0 NIL ( ) )"
    assert first.heard[2] == "( PLAY m.1 1 wait (( does seeker wait ) ) )"
    assert second.heard[2] == "( PLAY m.1 1 sleep ( ) )"
    assert first.heard[-1].startswith(f"( STOP m.1 {len(record.moves)} ")
    assert record.completed
    assert record.as_json()["percepts"][0] == (("( does seeker wait )",), (), ())
    assert all(error == ("", "", "") for error in record.errors)
