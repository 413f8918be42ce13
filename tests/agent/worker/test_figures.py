"""Any figures that a player reports become plain JSON."""

import json
import math

import numpy as np
import pytest

from agent.players.thinking import thinking_of
from agent.worker.figures import MAX_CHARACTERS, MAX_ITEMS, figures_of
from agent.worker.worker_messages import Reported, Thought, decode_event, encode
from reasoner.language.parse import read_term
from search.report import MoveReport, PartReport, Report


def cyclic():
    found = {"playouts": 1}
    found["self"] = found
    found["list"] = [found, [found]]
    return found


@pytest.mark.parametrize(
    ("told", "kept"),
    [
        (
            {"a": math.inf, "b": -math.inf, "c": math.nan, "d": 1.5, "e": True, "f": None},
            {"d": 1.5, "e": True, "f": None},
        ),
        ({"a": 10**400, "b": -(10**400), "c": 10**5000, "d": 2**40, "e": 1e300}, {"d": 2**40}),
        ({"a": [1, math.nan, {"b": math.inf}]}, {"a": [1, None, {}]}),
        ({"a": np.float32(0.5), "b": np.int64(3), "c": np.float64("nan")}, {"a": 0.5, "b": 3}),
        ({1: 2, None: 3, ("x",): 4, "event": 5, "engine": "mine"}, {"event": 5, "engine": "mine"}),
        ({"moves": [{"move": "a", "visits": 1, "value": math.nan}]}, {}),
        ({"moves": 5, "line": "abc", "more": "x", "best": 7, "factors": 3, "solvers": {}, "subgames": "x"}, {}),
        ({"parts": [{"moves": [], "gain": "5", "played": True}], "reason": [1]}, {}),
        ({"parts": [{"moves": [{"move": "a"}], "gain": 5, "played": True}]}, {}),
        ({"parts": [{"moves": [], "gain": 5}]}, {}),
        ({"parts": {"moves": []}}, {}),
        ({"evaluation": [{"fact": "(p a)", "weight": 1}]}, {"evaluation": [{"fact": "(p a)", "weight": 1}]}),
        ({"evaluation": [{"fact": "(p a)", "weight": math.inf}]}, {}),
        (None, {}),
    ],
)
def test_only_finite_numbers_and_what_the_page_can_take_apart_are_kept(told, kept):
    assert figures_of(told) == kept


def test_rankings_of_subgames_are_dropped_before_the_moves_if_they_are_too_many():
    """The page then shows the moves of the whole game."""
    move = MoveReport(read_term("(mark 1)"), 9, 50.0, proven=False)
    for subgames, shown in ((30, True), (MAX_ITEMS, False)):
        parts = (PartReport((move,), 0.25, played=True),) * subgames
        report = Report(9, 9, 1.0, 9, (move,), (), solved=False, unevaluated=0, parts=parts, reason="why")
        told = thinking_of(report, move.move)
        kept = figures_of(told)
        assert ("parts" in kept) == shown
        assert kept["moves"] == told["moves"]
        assert not shown or kept == told


def test_what_holds_itself_or_is_very_large_is_cut():
    """So that a report is neither endless nor fills a line, the log or the page."""
    for told in (cyclic(), {"a": ["x" * 10**6] * 10**6}, {str(n): n for n in range(10**5)}, {"a": [[0] * 999] * 999}):
        text = json.dumps(figures_of(told), allow_nan=False)
        assert len(text) < MAX_CHARACTERS + 20 * MAX_ITEMS
    assert figures_of(cyclic())["playouts"] == 1


@pytest.mark.parametrize("told", [[1], "text", 7, 1.5])
def test_what_is_no_mapping_is_an_error_of_the_player(told):
    with pytest.raises(TypeError, match="must be a mapping"):
        figures_of(told)


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999", "1" + 400 * "0"])
@pytest.mark.parametrize("kind", ["Reported", "Thought"])
def test_a_process_that_tells_such_numbers_is_not_believed(number, kind):
    """The process runs a stranger's code, and may write to its socket what it likes."""
    rest = '"engine": "e", "memory": 1' if kind == "Reported" else '"step": 1'
    event = decode_event(f'{{"is": "{kind}", {rest}, "figures": {{"a": {number}, "b": [{number}], "c": 1}}}}'.encode())
    assert event.figures == {"b": [None], "c": 1}
    assert decode_event(encode(event)) == event
    assert isinstance(event, Reported | Thought)
