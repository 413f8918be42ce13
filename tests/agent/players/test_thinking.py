"""A report is shown as one story: the same move stands first, is bold, and begins the expected line."""

from agent.players.thinking import thinking_of
from reasoner.language.parse import read_term
from search.report import FactReport, MoveReport, PartReport, Report

A, B, C = (read_term(f"(mark {n})") for n in range(3))


def report(line, **more):
    moves = (MoveReport(B, 9, 40.0, proven=False), MoveReport(A, 3, 60.0, proven=False))
    return Report(12, 12, 1.0, 12, moves, line, solved=False, unevaluated=0, **more)


def test_a_line_that_begins_with_another_move_than_the_one_to_be_played_is_not_told():
    """The searches of subgames may advise another move than that of the whole game, whose line it is."""
    assert thinking_of(report(((B, C),)), A)["line"] == []
    assert thinking_of(report(((A, C),)), A)["line"] == [["(mark 0)", "(mark 2)"]]
    assert [told["move"] for told in thinking_of(report(()), A)["moves"]] == ["(mark 0)", "(mark 1)"]


def test_subgames_are_told_each_with_its_own_ranking_and_with_the_reason():
    part = PartReport((MoveReport(C, 5, 70.0, proven=True),), 0.25, played=True)
    told = thinking_of(report((), parts=(part,), reason="they advise it"), A)
    move = {"move": "(mark 2)", "visits": 5, "value": 70.0, "proven": True}
    assert told["parts"] == [{"moves": [move], "gain": 25.0, "played": True}]
    assert told["reason"] == "they advise it"
    assert "parts" not in thinking_of(report(()), A)


def test_the_facts_of_an_evaluation_are_told_with_their_weights():
    told = thinking_of(report((), evaluation=(FactReport(C, 0.123), FactReport(A, -0.1))), A)
    assert told["evaluation"] == [{"fact": "(mark 2)", "weight": 0.12}, {"fact": "(mark 0)", "weight": -0.1}]
    assert "evaluation" not in thinking_of(report(()), A)
