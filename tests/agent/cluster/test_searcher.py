from dataclasses import asdict

import pytest

from agent.cluster.searcher import Searcher
from agent.cluster.source import own_source
from agent.elsewhere.messages import Committed, SearchedMatch, SearchedPosition, decode, encode
from agent.gamemaster.games import find_game
from agent.settings import load_settings, to_dict
from reasoner import load
from search.options import SearchOptions


@pytest.fixture(scope="module")
def searcher():
    return Searcher(own_source(), to_dict(load_settings()), "node", 0, 1)


def options():
    return asdict(SearchOptions(memory_mib=64))


def found(searcher, match, number):
    while not (line := searcher.found(match)) or decode(line).number != number:
        pass
    return decode(line)


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
    assert searcher.found(game) == ""


def test_a_position_may_come_without_those_before_it(searcher):
    sheet = find_game("ticTacToe")
    machine = load(sheet.text, engine="relational")
    searcher.tell("m", encode(SearchedMatch(sheet.text, 1, options(), 1.0)))
    state = machine.next(machine.initial(), tuple(own[0] for own in machine.legal(machine.initial())))
    searcher.tell("m", encode(SearchedPosition(7, sorted(map(str, machine.facts(state))), None)))
    assert len(found(searcher, "m", 7).root.moves[machine.roles[1]]) == 8
    searcher.forget("m")


def test_rules_in_error_are_left_and_other_matches_go_on(searcher):
    searcher.tell("wrong", encode(SearchedMatch("(role", 0, options(), 1.0)))
    assert searcher.found("wrong") == ""
    test_a_position_may_come_without_those_before_it(searcher)
