import asyncio
import itertools
import json
import sys
from dataclasses import replace

import pytest

from agent.errors import SpecError
from agent.gamemaster import series as module
from agent.gamemaster.errors import DeadEndError, PlayerError, RecordError, SeatError
from agent.gamemaster.games import find_game
from agent.gamemaster.rulesheet import Rulesheet
from agent.gamemaster.series import Series, SeriesObserver, SeriesPlan, player_names, seat_specs, seating
from agent.protocol.messages import Info, Start
from reasoner import load
from tests.agent.gamemaster.fakes import BusyFake, LegalFake, WrongFake, serving

STUB = (sys.executable, "-m", "tests.agent.gamemaster.stub_agent")


def series(game, specs, observer=None, **plan):
    sheet = game if isinstance(game, Rulesheet) else find_game(game)
    ticks = itertools.count(1)
    plan = {"start_clock": 10, "play_clock": 10, "wall": lambda: next(ticks)} | plan
    machine = load(sheet.text, engine="relational")
    return Series(SeriesPlan(sheet, tuple(specs), serve=STUB, **plan), machine, observer or SeriesObserver())


@pytest.mark.parametrize("players", [1, 2, 3, 4])
@pytest.mark.parametrize("chance", ["random", "RANDOM"])
def test_every_player_has_every_role_once_in_a_round_of_matches(players, chance):
    roles = ["a", chance, "b", "c", "d"][: players + 1]
    rounds = [seating(roles, players, match) for match in range(players)]
    for role, seats in zip(roles, zip(*rounds, strict=True), strict=True):
        assert set(seats) == ({None} if role == chance else set(range(players)))
    assert all(sorted(filter(lambda s: s is not None, r)) == list(range(players)) for r in rounds)


def test_a_wrong_number_of_players_names_the_roles():
    for chance in ("random", "Random"):
        with pytest.raises(SeatError, match=r"1 players for 2 roles \(red, blue\)"):
            seat_specs(["legal"], ["red", chance, "blue"])


def test_an_unknown_player_is_refused_before_anything_starts():
    with pytest.raises(SpecError, match="wizard"):
        seat_specs(["wizard", "legal"], ["a", "b"])


def test_without_players_mcts_plays_every_role():
    assert seat_specs([], ["red", "random", "blue"]) == ("mcts", "mcts")


def test_players_of_one_kind_are_numbered():
    assert player_names(["mcts", "random", "mcts"]) == ("mcts #1", "random", "mcts #2")


async def test_scores_are_shares_of_the_highest_goal_that_the_rules_may_give():
    """A record has the goal itself, and the table 0..100 of the whole."""
    rules = """(role me) (role you) (init begin) (legal me go) (legal you go) (high 170)
        (<= (next (score me 85)) (true begin)) (<= (next (score you ?n)) (true begin) (high ?n))
        (<= terminal (true (score me 85))) (<= (goal ?r ?n) (true (score ?r ?n)))"""
    sheet = Rulesheet("high", rules)
    async with serving(LegalFake(), LegalFake()) as urls:
        session = Series(SeriesPlan(sheet, tuple(urls)), load(rules, engine="relational"), SeriesObserver())
        await session.run()
    assert session.results[0].record.goals == (85, 170)
    assert [standing.score.mean for standing in session.standings()] == [50, 100]
    assert session.difference().mean == -50


async def test_roles_rotate_and_the_table_counts_for_players():
    """The first to move wins this nim when both take the first legal move or both a random one: seats must change."""
    async with serving(LegalFake(), WrongFake()) as urls:
        session = series("nim", urls, matches=4, seed=3)
        await session.run()
    assert [result.record.player_names for result in session.results] == [tuple(urls), tuple(urls[::-1])] * 2
    legal, wrong = session.standings()
    assert legal.score.count == wrong.score.count == 4
    assert legal.score.mean + wrong.score.mean == 100
    steps = sum(len(result.record.moves) for result in session.results)
    assert (legal.errors, wrong.errors) == ({"TO": 0, "IL": 0, "CE": 0}, {"TO": 0, "IL": steps, "CE": 0})


@pytest.mark.long  # agents in processes of their own
async def test_local_agents_play_all_matches_and_their_records_are_kept(tmp_path):
    session = series("nim", ["legal", "random"], matches=2, folder=tmp_path)
    await session.run()
    written = {json.loads(path.read_text())["matchId"]: path for path in tmp_path.iterdir()}
    assert {result.record.match_id: result.path for result in session.results} == written
    assert all(agent.died for agent in session.agents.running)


async def test_playouts_per_second_are_added_up_from_what_players_tell():
    class Slowing(LegalFake):
        """Tells 100 playouts in 1 s, 2 s, ... of thinking."""

        async def answer(self, message):
            if isinstance(message, Info):
                moves = sum(body.startswith("( PLAY") for body in self.heard)
                return f"((name s) (status available) (playouts 100) (seconds {moves}))"
            return await super().answer(message)

    class Secretive(LegalFake):
        async def answer(self, message):
            return "available" if isinstance(message, Info) else await super().answer(message)

    async with serving(Slowing(), Secretive()) as urls:
        session = series("goofspiel", urls)
        await session.run()
    assert session.results[0].playouts_per_s == (round(500 / (1 + 2 + 3 + 4 + 5), 1), None)


@pytest.mark.parametrize("figures", [("inf", "1"), ("nan", "1"), ("-5", "1"), ("1", "nan"), ("1", "inf")])
async def test_figures_that_are_no_finite_numbers_give_no_rate(figures):
    """JSON has no infinite numbers: the results of the match could not be read."""

    class Boastful(LegalFake):
        async def answer(self, message):
            if isinstance(message, Info):
                return "((status available) (playouts {}) (seconds {}))".format(*figures)
            return await super().answer(message)

    async with serving(Boastful()) as urls:
        session = series("hanoi", urls)
        await session.run()
    assert session.results[0].playouts_per_s == (None,)


async def test_a_player_that_does_not_answer_info_in_a_match_is_asked_once(monkeypatch):
    monkeypatch.setattr("agent.gamemaster.player.FIGURES_SECONDS", 0.02)

    class Silent(LegalFake):
        async def answer(self, message):
            if isinstance(message, Info) and self.kinds().count("INFO") > 1:
                await asyncio.Event().wait()
            return await super().answer(message)

    silent = Silent()
    async with serving(silent) as urls:
        session = series("hanoi", urls)
        await session.run()
    assert session.results[0].playouts_per_s == (None,)
    assert silent.kinds().count("INFO") == 2


async def test_the_observer_hears_of_every_step():
    class Listener(SeriesObserver):
        def __init__(self):
            self.heard = []

        def begin(self, _):
            self.heard.append("begin")

        def step(self, _, step):
            self.heard.append(step.number)

        def end(self, _):
            self.heard.append("end")

    listener = Listener()
    async with serving(LegalFake()) as urls:
        await series("lightsOut", urls, listener).run()
    assert listener.heard == ["begin", *range(1, 10), "end"]


async def test_a_player_that_is_not_there_is_one_clear_message():
    async with serving(LegalFake()) as urls:
        pass  # closed again
    with pytest.raises(PlayerError, match=f"player {urls[0]} does not answer"):
        await series("hanoi", urls).run()


async def test_a_player_in_another_match_is_one_clear_message():
    async with serving(BusyFake()) as urls:
        with pytest.raises(PlayerError, match="is busy, perhaps with another match"):
            await series("hanoi", urls).run()


async def test_a_player_that_refuses_start_ends_the_series_after_the_matches_before_it():
    """The manager played random moves in its place, and counted them as its result."""

    class Once(LegalFake):
        async def answer(self, message):
            refused = isinstance(message, Start) and self.machine is not None
            return "busy" if refused else await super().answer(message)

    async with serving(fake := Once()) as urls:
        playing = series("lightsOut", urls, matches=2)
        with pytest.raises(PlayerError, match=f"^{urls[0]} refused START of match .* with busy or an error"):
            await playing.run()
    assert [result.record.completed for result in playing.results] == [True, False]
    assert playing.results[1].record.moves == ()
    assert fake.kinds()[-1] == "ABORT"


async def test_a_server_that_is_no_player_is_one_clear_message():
    class Website(LegalFake):
        async def answer(self, _):
            return "<html>)</html>"

    async with serving(Website()) as urls:
        with pytest.raises(PlayerError, match="does not speak the match protocol"):
            await series("hanoi", urls).run()


async def test_a_match_that_breaks_off_is_recorded_as_far_as_it_went(tmp_path):
    rules = """(role a) (init start) (<= (legal a go) (true start)) (<= (next end) (true start))
               (goal a 0) (<= terminal (true never))"""
    async with serving(LegalFake()) as urls:
        session = series(Rulesheet("dead end", rules), urls, folder=tmp_path)
        with pytest.raises(DeadEndError):
            await session.run()
    (path,) = tmp_path.iterdir()
    record = json.loads(path.read_text())
    assert path.name == "dead_end.1000.1.json"
    assert (record["isAborted"], record["moves"], len(record["states"])) == (True, [["go"]], 2)


async def test_a_game_in_a_file_with_a_long_name_is_recorded(tmp_path):
    """A rulesheet's name may be as long as that of a file; the record's name has a time and a number in addition."""
    sheet = replace(find_game("lightsOut"), name="a" * 250)
    async with serving(LegalFake()) as urls:
        await series(sheet, urls, folder=tmp_path).run()
    (written,) = tmp_path.iterdir()
    assert json.loads(written.read_text())["gameName"] == sheet.name


async def test_the_result_of_a_match_whose_record_cannot_be_written_is_told_and_kept(tmp_path, monkeypatch):
    ended = []

    class Told(SeriesObserver):
        def end(self, result):
            ended.append(result.record.goals)

    def full(*_):
        raise RecordError("the disk is full")

    monkeypatch.setattr(module, "write_record", full)
    async with serving(LegalFake(), LegalFake()) as urls:
        session = series("nim", urls, Told(), folder=tmp_path)
        with pytest.raises(RecordError):
            await session.run()
    (result,) = session.results
    assert (result.record.completed, result.path, ended) == (True, None, [result.record.goals])


async def test_people_are_told_once_that_the_players_take_long_to_start(monkeypatch):
    told = []

    class Impatient(SeriesObserver):
        def waiting(self):
            told.append("waiting")

        def begin(self, match):
            told.append(f"begin {match.rulesheet.name}")

    monkeypatch.setattr(module, "SLOW", 0.0)
    await series("hanoi", ["legal"], Impatient(), max_steps=1).run()
    assert told == ["waiting", "begin hanoi"]
