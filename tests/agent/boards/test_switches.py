"""Things that are always one of two."""

import pytest

from agent.boards.board import picture
from agent.boards.look import look_of
from agent.boards.time_limit import TimeLimitError, within

FIRST = ["(off p)", "(off q)", "(step 1)"]
NEXT = ["(on p)", "(off q)", "(step 2)"]


def test_two_relations_that_share_out_the_same_words_are_switches():
    look = look_of((), FIRST, ("me",), [((), FIRST), (["a"], NEXT)])
    shown = picture(NEXT, look)
    (drawn,) = shown["switches"]
    assert (drawn["names"], drawn["values"]) == (["p", "q"], ["on", "off"])
    assert drawn["symbols"]["on"]["glyph"] == "things.light"
    assert shown["others"] == {}


def test_words_that_are_of_both_or_of_neither_are_none():
    for after in (["(on p)", "(off p)", "(off q)"], ["(on p)"], ["(off p)", "(off q)"]):
        assert look_of((), FIRST, ("me",), [((), FIRST), (["a"], after)]).switches == ()


def test_words_that_never_switch_and_roles_whose_turn_it_is_are_none():
    for first, after in (
        (["(x 1)", "(heading north)"], ["(x 1)", "(heading north)"]),
        (["(odd red)", "(even blue)"], ["(odd blue)", "(even red)"]),
    ):
        assert look_of((), first, ("red", "blue"), [((), first), (["a"], after)]).switches == ()


def test_three_relations_that_share_out_the_same_words_are_values_of_things():
    first = ["(blank a)", "(blank b)", "(blank c)", "(control x)"]
    states = [first, ["(ecks a)", "(blank b)", "(blank c)"], ["(ecks a)", "(oh b)", "(blank c)"]]
    look = look_of((), first, ("x", "o"), [((), facts) for facts in states])
    (drawn,) = picture(states[-1], look)["switches"]
    assert (drawn["names"], drawn["values"]) == (["a", "b", "c"], ["ecks", "oh", "blank"])


def test_of_relations_that_share_words_only_the_pair_that_divides_them_is_drawn():
    first, after = ["(off p)", "(off q)", "(seen p)"], ["(on p)", "(off q)", "(seen p)"]
    assert look_of((), first, ("me",), [((), first), (["a"], after)]).switches == (("off", "on"),)


def test_the_search_among_thousands_of_relations_obeys_the_time_limit():
    """All pairs of relations that share words are tried: those of a stranger's rules would take hours."""
    facts = [f"(p{number} {word})" for number in range(9) for word in ("a", "b")]
    for search in (lambda: look_of((), facts, ("me",), []), lambda: look_of((), facts[::3], ("me",), [])):
        with within(-1.0), pytest.raises(TimeLimitError):
            search()
