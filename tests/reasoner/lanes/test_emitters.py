"""Which lanes a circuit plays in where nobody asks for any."""

from pathlib import Path

import pytest

from reasoner import load
from reasoner.compilation import BuildLimits
from reasoner.errors import ReasonerError
from reasoner.lanes.emitters import why_portable

NIM = Path(__file__).parents[3] / "games" / "nim.kif"


def test_a_circuit_plays_in_native_lanes_where_there_are_any_else_in_portable_ones(request):
    """With --portable there are none, so that the tests of lanes show what a machine without them plays."""
    if request.config.getoption("--portable"):
        assert why_portable() == "the tests run with --portable"
    assert load(NIM, "circuit").emitter == ("portable" if why_portable() else "native")


def test_an_emitter_that_cannot_be_had_is_refused_by_its_name():
    with pytest.raises(ReasonerError, match=r"no emitter 'steam'; there are native, portable"):
        load(NIM, "circuit", BuildLimits(emitter="steam"))
