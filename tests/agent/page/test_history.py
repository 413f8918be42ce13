import asyncio
import json

from msgspec.structs import replace

from agent.page import match_views
from agent.page.history import MAX_CHARACTERS, MAX_FACTS, MAX_RATES, MAX_REFUSED, History, MatchLog, Moment, number_of
from agent.page.match_views import Replays, position, record, replay, summary
from agent.page.watching import Gallery
from agent.protocol.messages import Start
from agent.worker.worker_messages import Ready, Seen, Thought


def log(**given):
    return MatchLog("m", "game", 1000.0, 5.0, 2.0, ("a", "b"), 0, ("me", ""), **given)


def moment(text, at=1001.0, joint=()):
    return Moment(joint, tuple(text.split(", ")), at)


def test_a_match_that_goes_back_is_kept_from_there():
    one = log()
    for turn, text in enumerate(["(n 0)", "(n 1)", "(n 2)"]):
        one.reach(turn, moment(text, joint=("x", "y")))
    one.reach(1, moment("(n 9)"))
    assert [m.facts for m in one.moments] == [("(n 0)",), ("(n 9)",)]
    one.reach(7, moment("(n 7)"))
    assert len(one.moments) == 2


def test_the_facts_told_last_are_known_where_no_more_positions_are_kept():
    """The relay reads from them who is in control, however long a match is."""
    one = log()
    facts = ", ".join(f"(n {n})" for n in range(MAX_FACTS + 1))
    one.reach(0, moment(facts))
    one.reach(1, moment("(control b)"))
    assert len(one.moments) == 1
    assert one.last.facts == ("(control b)",)


def test_a_position_that_is_told_again_is_kept_with_what_was_thought_in_it():
    one = log()
    for turn, text in enumerate(["(n 0)", "(n 1)", "(n 2)"]):
        one.reach(turn, moment(text, joint=("x", str(turn))))
        one.think(turn, {"nodes": turn}, 1001.0)
    one.reach(1, moment("(n 1)", 1009.0, ("x", "1")), again=True)
    assert [m.thinking for m in one.moments] == [{"nodes": 0}, {"nodes": 1}, {"nodes": 2}]
    one.reach(1, moment("(n 8)", 1009.0, ("x", "8")), again=True)
    assert [m.facts for m in one.moments] == [("(n 0)",), ("(n 8)",)]


def test_news_of_the_engine_leave_what_was_thought_before():
    """A circuit that becomes ready between searches must not empty the table of moves."""
    one = log()
    one.reach(0, moment("(n 0)"))
    one.think(0, {"moves": [1], "engine": "relational"}, 1001.0)
    one.think(0, {"engine": "circuit", "building": False}, 1002.0)
    assert one.moments[0].thinking == {"moves": [1], "engine": "circuit", "building": False}


def test_what_one_match_takes_is_bounded():
    one = log()
    wide = tuple(f"(f {n})" for n in range(5_000))
    for turn in range(60):
        one.reach(turn, Moment((), wide, 0.0))
    assert MAX_FACTS <= sum(len(m.facts) for m in one.moments) <= MAX_FACTS + len(wide)
    for second in range(3 * MAX_RATES):
        one.think(0, {"playouts": 10 * second, "seconds": second / 10}, 1000.0 + second)
    assert len(one.rates) <= MAX_RATES


def test_what_one_match_takes_is_bounded_in_characters_too():
    """So that whole matches of long facts, moves or thoughts are not hundreds of megabytes to keep and to send."""
    one = log()
    wide = tuple(f"(f {n} {'x' * 3_000})" for n in range(60))
    for turn in range(60):
        one.reach(turn, Moment(("y" * 3_000,), wide, 0.0))
        one.think(turn, {"line": ["z" * 300_000]}, 1000.0)
    kept = json.dumps(replay(one))
    assert MAX_CHARACTERS < len(kept) < 4 * MAX_CHARACTERS
    assert one.last.facts == wide
    one.think(0, {"line": ["z" * 200_000]}, 1000.0)  # in place of what was thought there
    assert len(one.moments[0].thinking["line"][0]) == 200_000


def test_playouts_per_second_are_those_since_the_last_word():
    one = log()
    one.reach(0, moment("(n 0)"))
    one.think(0, {"playouts": 100, "seconds": 1.0}, 1001.0)
    one.think(0, {"playouts": 400, "seconds": 2.0}, 1002.0)
    one.think(1, {"playouts": 50, "seconds": 0.5}, 1003.0)
    assert one.rates == [(1.0, 100), (2.0, 300), (3.0, 100)]


def test_figures_from_which_no_rate_can_be_had_are_left_out():
    """Seconds next to none give a number that JSON has no word for."""
    one = log()
    one.reach(0, moment("(n 0)"))
    for seconds in (5e-324, 1e-300, 0.0, -1.0):
        one.think(0, {"playouts": 1e15, "seconds": seconds}, 1001.0)
    one.think(1, {"playouts": 1e15, "seconds": 1e-6}, 1002.0)
    assert [rate for _, rate in one.rates] == [10**21]


def test_the_record_has_the_form_of_ggp_org():
    one = log(terminal=True, goals=(100, 0), status="finished")
    one.reach(0, moment("(cell 1 1 b), (turn a)"))
    one.reach(1, moment("(cell 1 1 x)", 1002.5, ("(mark 1 1)", "noop")))
    told = record(one)
    assert told["states"] == ("( ( cell 1 1 b ) ( turn a ) )", "( ( cell 1 1 x ) )")
    assert told["moves"] == (("( mark 1 1 )", "noop"),)
    assert len(told["errors"]) == len(told["moves"]) + 1
    assert (told["startTime"], told["stateTimes"]) == (1000_000, (1001_000, 1002_500))
    assert (told["isCompleted"], told["isAborted"], told["goalValues"]) == (True, False, [100, 0])


def test_the_history_keeps_the_last_matches_newest_first():
    history = History(2)
    for _ in range(3):
        one = log()
        one.reach(0, moment("(n 0)"))
        history.add(one)
    history.add(log())
    first = number_of(one.match_id, one.ended)
    assert [one.key for one in history.all()] == [first + 2, first + 1]
    assert history.get(first) is None


def test_the_number_of_a_match_depends_on_no_other_match_with_its_id():
    """After a restart the history has only the last matches, and those that were deleted are missing."""

    def numbers(history, ends):
        for end in ends:
            history.add(log(note=str(end), ended=float(end)))
        return {one.note: one.key for one in history.all()}

    assert numbers(History(3), range(5)) == numbers(History(3), range(2, 5))


def test_refused_matches_push_no_match_out_of_the_history():
    """Anybody may send rules that are refused, and as many as he likes."""
    history = History(10)
    played = log()
    played.reach(0, moment("(n 0)"))
    history.add(played)
    for _ in range(50):
        history.add(log(note="the rules have errors"))
    assert len(history.all()) == MAX_REFUSED + 1
    assert history.get(played.key) is played


def test_a_watched_match_is_live_and_then_history_also_for_the_position_that_comes_after_its_end():
    history = History(5)
    gallery = Gallery(history, "me", wall=lambda: 1000.0)
    first = Seen(0, [], ["(n 0)"], terminal=False, goals=None, roles=["a", "b"], role=1)
    gallery.began(Start("m", "b", "", 5.0, 2.0))
    gallery.asked("m", 5.0)
    gallery.heard("m", first)
    gallery.heard("m", Thought(0, {"moves": []}))
    assert gallery.current().asked == (1000.0, 5.0)
    gallery.heard("m", Ready())
    assert gallery.current().asked is None
    late = gallery.receiver("m")
    gallery.ended("m", "stopped")
    assert gallery.current() is None
    last = replace(first, step=1, joint=["x", "y"], facts=["(n 1)"], terminal=True, goals=[0, 100])
    late(last)
    (kept,) = history.all()
    assert summary(kept)["goals"] == (0, 100)
    assert [step["joint"] for step in replay(kept)["steps"]] == [(), ("x", "y")]
    assert replay(kept)["steps"][0]["thinking"] == {"moves": []}


def test_a_match_that_is_deleted_is_not_there_any_more():
    history = History(3)
    one = log()
    one.reach(0, moment("(n 0)"))
    history.add(one)
    assert history.remove(one.key) is one
    assert history.remove(one.key) is None
    assert history.all() == []


async def test_a_long_match_is_drawn_with_others_answered_in_between_and_is_the_same():
    one = log()
    for turn in range(30):
        one.reach(turn, moment(f"(n {turn})", joint=("x", str(turn)) if turn else ()))
    turns = 0

    async def others():
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    beside = asyncio.create_task(others())
    told = await Replays().text(one)
    beside.cancel()
    assert json.loads(told) == json.loads(json.dumps(replay(one)))
    assert turns >= len(one.moments)


async def test_positions_of_a_match_that_is_over_are_drawn_once_and_again_when_more_is_known(monkeypatch):
    one, drawn, replays = log(), [], Replays()
    one.reach(0, moment("(n 0)"))
    monkeypatch.setattr(match_views, "position", lambda *asked: drawn.append(asked) or position(*asked))
    for status, looks in (("playing", 2), ("finished", 1)):
        drawn.clear()
        one.status = status
        told = [await replays.text(one) for _ in range(2)]
        assert json.loads(told[0]) == json.loads(told[1])
        assert len(drawn) == looks
    one.think(0, {"moves": []}, 0.0)
    assert json.loads(await replays.text(one))["steps"][0]["thinking"] == {"moves": []}
    one.note = "an end"
    assert json.loads(await replays.text(one))["note"] == "an end"


async def test_the_positions_of_a_deleted_match_are_not_shown_for_another_one_with_its_number():
    replays = Replays()
    for fact in ("(n 0)", "(n 1)"):
        one = log(status="finished", key=1)
        one.reach(0, moment(fact))
        assert json.loads(await replays.text(one)) == json.loads(json.dumps(replay(one)))


def test_what_the_agent_thinks_in_a_game_with_secrets_is_not_shown():
    gallery, one = Gallery(History(5), "me"), log()
    one.reach(0, moment("(n 0)"))
    gallery.own("m", one, secret=True)
    gallery.heard("m", Thought(0, {"moves": []}))
    assert one.moments[0].thinking is None
    gallery.own("m", one)
    gallery.heard("m", Thought(0, {"moves": []}))
    assert one.moments[0].thinking == {"moves": []}


def test_a_search_for_boards_that_fails_leaves_the_facts_listed(monkeypatch):
    """A fault in the drawing must not keep a game from starting."""

    def fail(*_):
        raise ValueError("a fault")

    monkeypatch.setattr("agent.page.history.layouts_of", fail)
    one = log()
    one.reach(0, moment("(cell 1 1 x)"))
    assert one.look.roles == ("a", "b")
    assert not one.layouts
