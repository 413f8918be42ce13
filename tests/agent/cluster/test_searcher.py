from dataclasses import asdict, replace
from threading import Event

import pytest

from agent.cluster import searcher as module
from agent.cluster.searcher import Searcher
from agent.cluster.source import own_source
from agent.gamemaster.games import find_game
from agent.message_lines import encode
from agent.remote.search_messages import Committed, SearchedMatch, SearchedPosition, decode, stored
from agent.settings import load_settings, to_dict
from reasoner import load
from reasoner.lanes.emitters import EMITTERS, why_not
from search.network.storage import Model
from search.options import SearchOptions
from tests.search.network.nets import network_for
from tests.waiting import wait_until

pytestmark = pytest.mark.long  # nodes of a real cluster


@pytest.fixture(scope="module")
def searcher():
    return Searcher(own_source(), to_dict(load_settings()), "node", 0, 1)


def options():
    return asdict(SearchOptions(memory_mib=64))


def found(searcher, match, number):
    wait_until(lambda: (line := searcher.found(match)) and decode(line).number == number)
    return decode(searcher.found(match))


@pytest.mark.parametrize("game", ["ticTacToe", "goofspiel", "lightsOut", "trio", "diceRace"])
def test_each_position_of_a_match_is_searched_in_turn(searcher, game):
    sheet = find_game(game)
    machine = load(sheet.text, engine="relational")
    searcher.tell(game, encode(SearchedMatch(sheet.text, 0, options(), 1.0)))
    state, joint = machine.initial(), None
    for number in (1, 2, 3):
        facts = sorted(map(str, machine.facts(state)))
        searcher.tell(game, encode(SearchedPosition(number, facts, joint)))
        root = found(searcher, game, number).root
        legal = dict(zip(machine.roles, machine.legal(state), strict=True))
        assert root.visits > 0 or root.proof
        for role, moves in root.moves.items():
            assert set(moves) <= set(map(str, legal[role]))
        terms = tuple(moves[0] for moves in legal.values())
        searcher.tell(game, encode(Committed(number, str(terms[0]))))
        state, joint = machine.next(state, terms), list(map(str, terms))
    searcher.forget(game)
    wait_until(lambda: searcher.found(game) == "")


def test_a_position_may_come_without_those_before_it(searcher):
    sheet = find_game("ticTacToe")
    machine = load(sheet.text, engine="relational")
    searcher.tell("m", encode(SearchedMatch(sheet.text, 1, options(), 1.0)))
    state = machine.next(machine.initial(), tuple(own[0] for own in machine.legal(machine.initial())))
    searcher.tell("m", encode(SearchedPosition(7, sorted(map(str, machine.facts(state))), None)))
    found_there = found(searcher, "m", 7).root.moves
    assert set(found_there[machine.roles[1]]) <= set(map(str, machine.legal(state)[1]))
    searcher.forget("m")


def test_rules_in_error_are_left_and_other_matches_continue(searcher):
    searcher.tell("wrong", encode(SearchedMatch("(role", 0, options(), 1.0)))
    assert searcher.found("wrong") == ""
    test_a_position_may_come_without_those_before_it(searcher)


def test_what_was_studied_is_searched_with_and_of_another_game_it_is_left(searcher):
    sheet, machine = find_game("ticTacToe"), load(find_game("ticTacToe").text, engine="circuit")
    facts = sorted(map(str, machine.facts(machine.initial())))
    other = load(find_game("nim").text, engine="circuit")
    for match, known in (("own", machine), ("other", other)):
        studied = Model(network_for(known.circuit, [8], 1), 0.5, 1.0)
        told = SearchedMatch(sheet.text, 0, options(), 1.0, stored(studied))
        searcher.tell(match, encode(told))
        searcher.tell(match, encode(SearchedPosition(1, facts, None)))
        searcher._told.join()
        searched = searcher._matches[match]
        wait_until(lambda searched=searched: searched._engines.machine.engine == "circuit")
        searcher.tell(match, encode(SearchedPosition(2, facts, None)))
        assert found(searcher, match, 2).root.visits > 0
        assert bool(searched._search.report().network) == (match == "own")
        searcher.forget(match)


def test_what_is_no_stored_network_is_reported_and_left(searcher):
    searcher.tell("m", encode(SearchedMatch(find_game("nim").text, 0, options(), 1.0, "bm90aGluZw==")))
    searcher._told.join()
    assert "m" not in searcher._matches


def test_rules_that_fail_in_an_unforeseen_way_stop_no_later_message(searcher, monkeypatch):
    making = module._Searched

    def deep(*_):
        monkeypatch.setattr(module, "_Searched", making)
        raise RecursionError

    monkeypatch.setattr(module, "_Searched", deep)
    sheet = find_game("nim")
    for match in ("deep", "good"):
        searcher.tell(match, encode(SearchedMatch(sheet.text, 0, options(), 1.0)))
    searcher._told.join()
    assert [*searcher._matches] == ["good"]
    searcher.forget("good")


@pytest.mark.parametrize("error", [MemoryError(), RecursionError("deep")])
def test_a_position_that_fails_in_an_unforeseen_way_stops_no_search_of_others(searcher, monkeypatch, error):
    """The node searches the next position of the match; the position that failed has no result."""
    think = module._Searched.think

    def failing(searched, who):
        if searched.position is not None and searched.position.number == 1:
            raise error
        return think(searched, who)

    monkeypatch.setattr(module._Searched, "think", failing)
    sheet = find_game("nim")
    machine = load(sheet.text, engine="relational")
    facts = sorted(map(str, machine.facts(machine.initial())))
    searcher.tell("m", encode(SearchedMatch(sheet.text, 0, options(), 1.0)))
    searcher.tell("m", encode(SearchedPosition(1, facts, None)))
    searcher._told.join()
    wait_until(lambda: searcher._matches["m"].position is None)
    searcher.tell("m", encode(SearchedPosition(2, facts, None)))
    assert found(searcher, "m", 2).root.visits > 0
    searcher.forget("m")


def test_a_node_that_cannot_run_the_code_of_the_agent_searches_with_its_own():
    """The agent has another processor and a setting for it."""
    missing = next(name for name in EMITTERS if why_not(name))
    settings = load_settings()
    given = to_dict(replace(settings, build=replace(settings.build, emitter=missing)))
    alone = Searcher(own_source(), given, "node", 0, 1)
    sheet = find_game("nim")
    machine = load(sheet.text, engine="relational")
    facts = sorted(map(str, machine.facts(machine.initial())))
    alone.tell("m", encode(SearchedMatch(sheet.text, 0, options(), 1.0)))
    alone.tell("m", encode(SearchedPosition(1, facts, None)))
    assert found(alone, "m", 1).root.visits > 0
    searched = alone._matches["m"]
    wait_until(lambda: searched._engines.machine.engine == "circuit")
    alone.forget("m")


def test_messages_that_come_while_a_match_is_read_are_handled_after_it(searcher, monkeypatch):
    """Its first position comes at once, and perhaps its end."""
    making, told = module._Searched, Event()

    def slow(*given):
        assert told.wait(60)
        return making(*given)

    monkeypatch.setattr(module, "_Searched", slow)
    sheet = find_game("nim")
    machine = load(sheet.text, engine="relational")
    for match in ("kept", "over"):
        searcher.tell(match, encode(SearchedMatch(sheet.text, 0, options(), 1.0)))
        searcher.tell(match, encode(SearchedPosition(1, sorted(map(str, machine.facts(machine.initial()))), None)))
    searcher.forget("over")
    told.set()
    assert found(searcher, "kept", 1).root.moves
    searcher._told.join()
    assert "over" not in searcher._matches
    searcher.forget("kept")
