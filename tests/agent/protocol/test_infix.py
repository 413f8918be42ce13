"""Messages in infix, read and answered."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.errors import ProtocolError
from agent.protocol.infix import is_call, spoken
from agent.protocol.messages import Abort, Info, Play, Start, Stop
from agent.protocol.read import read_message
from tests.agent.rules import STONES
from tests.agent.server.client import agent

HEAP = """role(first), role(second), init(heap(3)), init(control(first)), less(3,2), less(2,1), less(1,0), % a, comment
legal(take(N)) :- heap(A) & less(A,N), (take(N) :: heap(A) ==> ~heap(A) & heap(N)),
take(N) :: control(first) ==> ~control(first) & control(second)
take(N) :: control(second) ==> ~control(second) & control(first)
goal(R,100) :- heap(0) & control(S) & R # S & role(R), terminal :- heap(0)"""


HIDDEN = """role(a), role(random), succ(1,2), succ(2,3), init(step(1)), legal(a,m(N)) :- true(step(N)),
legal(random,wait),
next(step(M)) :- true(step(N)) & succ(N,M), sees(a,done) :- true(step(2)) & does(a,m(2)),
goal(a,100) :- role(a), goal(random,0) :- role(a), terminal :- true(step(3))"""


def test_messages_in_infix_mean_the_same_as_in_kif():
    assert read_message("info()") == read_message(" ping( )") == Info()
    assert read_message("play(m.1, nil)") == read_message("play(m.1)") == Play("m.1", None)
    assert read_message("play(m.1,[])") == Play("m.1", ())
    assert read_message("PLAY(m, [mark( 1 , f(x)), noop])") == Play("m", ("(mark 1 (f x))", "noop"))
    assert read_message("play(m, (mark(1,2), noop))") == Play("m", ("(mark 1 2)", "noop"))
    assert read_message("play(m, mark(1,2))") == read_message("play(m, (mark 1 2))") == Play("m", ("(mark 1 2)",))
    assert read_message("stop(m, [a, b]).") == Stop("m", ("a", "b"))
    assert read_message("abort(m)") == Abort("m")


@pytest.mark.parametrize("rules", ["[role(w),\n p(a,b) :- q]", "rules(role(w),\n p(a,b) :- q)", "((role w)\n (p a b))"])
def test_the_rules_are_cut_out_as_text_with_their_place(rules):
    start = read_message(f"start(m,\n w, {rules}, 10, 2.5, more)")
    assert isinstance(start, Start)
    assert (start.match_id, start.role, start.start_clock, start.play_clock) == ("m", "w", 10.0, 2.5)
    assert rules.endswith(f"{start.rules}{rules[-1]}")
    assert (start.rules_line, start.rules_column) == (2, 6 + len(rules) - len(start.rules) - 2)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("play(m", "never closed"),
        ("play(m]", "does not match"),
        ("play(m) and more", "after the end"),
        ("dance(m)", "unknown message"),
        ("start(m, w, rules, 1, 1)", "must be a list"),
        ("start(m, w, [a], soon, 1)", "number of seconds"),
        ("play(m, [mark(1])", "does not match"),
        (
            "play(m, [1 2])",
            "line 1, column 10: this is not one term without variables; write",
        ),  # the message is not quoted
        ("start(m, f(x) :- y, [a], 1, 1)", "line 1, column 10: this is not one term without variables; write"),
        ("play(" + "(" * 20_000, "nested deeper"),
    ],
)
def test_what_is_wrong_is_said(text, said):
    with pytest.raises(ProtocolError, match=said):
        read_message(text)


@given(st.lists(st.sampled_from(["play", "start", "m", "(", ")", "[", "]", ",", "%", "\n", "nil", "1"])).map("".join))
def test_any_call_is_a_message_or_a_protocol_error(text):
    with contextlib.suppress(ProtocolError):
        read_message(text)


def test_a_move_is_answered_in_infix():
    assert spoken("(mark 1 (f x))") == "mark(1,f(x))"
    assert spoken("noop") == "noop"
    assert is_call(" play (m)")
    assert not is_call("(play m)")


@pytest.mark.parametrize(
    "move", ["(Mark 1 2)", "(mark White)", "no-op", "NOOP", "(+ 1 (f-x B))", "x's", "(mark 1 (f x))"]
)
def test_a_move_of_rules_in_kif_is_read_as_it_is_answered(move):
    """KIF has names that are variables or no names in infix."""
    assert read_message(f"play(m, [{spoken(move)}, noop])") == Play("m", (move, "noop"))


def test_a_long_word_that_is_not_a_term_is_refused_at_once():
    """A search for the heads of terms from each of its characters would take hours."""
    with pytest.raises(ProtocolError, match="not one term"):
        read_message(f"play(m, [{'a-' * 300_000}])")


async def test_a_match_with_rules_in_kif_is_played_in_infix():
    rules = STONES.replace("noop", "No-Op")
    async with agent() as one:
        assert await one.ask(f"start(m, second, ({rules}), 2, 2)") == "ready"
        assert await one.ask("play(m, nil)") == "No-Op"
        assert (await one.ask("play(m, [take(1), No-Op])")).startswith("take(")


async def test_an_empty_list_of_percepts_is_a_turn_in_infix_as_in_kif():
    """It was taken for `nil`, so the match began again, and the move of the first state was answered."""
    async with agent() as one:
        assert await one.ask(f"start(m, a, [{HIDDEN}], 2, 2)") == "ready"
        assert await one.ask("play(m, nil)") == "m(1)"
        assert await one.ask("play(m, [])") == "m(2)"
        assert await one.ask("stop(m, [done])") == "done"


async def test_messages_with_turns_get_moves_in_infix():
    async with agent() as one:
        assert await one.ask(f"start(m, a, [{HIDDEN}], 2, 2)") == "ready"
        assert await one.ask("play(m, 0, nil, [])") == "m(1)"
        assert await one.ask("play(m, 1, m(1), [])") == "m(2)"
        assert await one.ask("stop(m, 2, m(2), [done])") == "done"


async def test_a_match_is_played_in_infix():
    async with agent() as one:
        assert await one.ask(f"start(m, second, [{HEAP}], 2, 2)") == "ready"
        assert await one.ask("play(m, nil)") == "noop"
        assert await one.ask("play(m, [take(2), noop])") == "take(1)"
        assert await one.ask("play(m, [noop, take(1)])") == "noop"
        assert await one.ask("stop(m, [take(0), noop])") == "done"
