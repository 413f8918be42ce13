"""A circuit plays in the best lanes of the machine, or in those requested."""

from pathlib import Path

import pytest

from reasoner import load
from reasoner.compilation import BuildLimits
from reasoner.errors import ReasonerError
from reasoner.lanes.emitters import EMITTERS, best, why_not

NIM = Path(__file__).parents[3] / "games" / "nim.kif"


def test_a_circuit_plays_in_the_best_lanes_that_this_machine_has(request):
    """With --emitter there are no better ones, so that the tests of lanes show what a machine without them plays."""
    asked = request.config.getoption("--emitter")
    assert load(NIM, "circuit").emitter == best() == (asked or best())
    better = EMITTERS[: EMITTERS.index(best())]
    assert all(why_not(emitter) for emitter in better)
    assert all(why_not(emitter) == f"the tests run with --emitter {asked}" for emitter in better if asked)


@pytest.mark.parametrize("emitter", EMITTERS)
def test_an_emitter_that_is_asked_for_makes_the_code_or_is_refused_with_the_reason(emitter):
    limits = BuildLimits(emitter=emitter)
    if reason := why_not(emitter):
        with pytest.raises(ReasonerError, match=f"this machine cannot run {emitter} lanes: {reason}"):
            load(NIM, "circuit", limits)
    else:
        assert load(NIM, "circuit", limits).emitter == emitter


@pytest.mark.parametrize("emitter", ["steam", "native"])
def test_an_emitter_that_there_is_not_is_refused_by_its_name(emitter):
    with pytest.raises(ReasonerError, match=f"unknown emitter '{emitter}': choose avx512, avx2, neon, portable"):
        load(NIM, "circuit", BuildLimits(emitter=emitter))
