"""The emitter is the best this machine has, or the one that is asked for."""

import pytest

from reasoner import load
from reasoner.compilation import BuildLimits
from reasoner.errors import ReasonerError
from reasoner.lanes import emitters, native
from reasoner.lanes.lane_graph import lane_graph

GAME = """(role r) (legal r go) (legal r stop)
(<= (next p) (does r go)) (<= terminal (true p)) (<= (goal r 100) (true p))"""


@pytest.fixture
def refusing(monkeypatch):
    """A machine that does not let its processes execute what they wrote."""

    def refuse(_code):
        raise native.ExecutableMemoryError("memory cannot be made executable (errno 13)")

    monkeypatch.setattr(native, "Executable", refuse)
    monkeypatch.setattr(native, "missing", lambda: None)
    emitters.why_portable.cache_clear()
    yield
    emitters.why_portable.cache_clear()


def test_the_best_emitter_is_native_unless_something_is_missing():
    machine = load(GAME, "circuit")
    assert machine.emitter == ("portable" if emitters.why_portable() else "native")


def test_portable_lanes_can_be_asked_for():
    assert load(GAME, "circuit", BuildLimits(emitter="portable")).emitter == "portable"


@pytest.mark.usefixtures("refusing")
def test_where_executable_memory_is_refused_lanes_are_portable():
    graph = lane_graph(load(GAME, "circuit").circuit)
    assert emitters.emit(graph, None).load().emitter == "portable"


@pytest.mark.usefixtures("refusing")
def test_native_lanes_that_cannot_be_had_are_refused_in_one_sentence():
    with pytest.raises(ReasonerError, match="no native lanes here: memory cannot be made executable"):
        load(GAME, limits=BuildLimits(emitter="native"))


def test_an_unknown_emitter_is_refused():
    with pytest.raises(ReasonerError, match="no emitter 'steam'; there are native, portable"):
        load(GAME, limits=BuildLimits(emitter="steam"))
