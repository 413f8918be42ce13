"""Where native lanes cannot be had, play is portable, and whoever insists is told why."""

import numpy as np
import pytest

from reasoner.errors import ReasonerError
from reasoner.lanes import emitters, native
from reasoner.lanes.native import support
from reasoner.lanes.portable.emit import PortableCode
from tests.reasoner.lanes.native.graphs import random_graph

GRAPH = random_graph(np.random.default_rng(3))


@pytest.fixture(autouse=True)
def afresh():
    """Ask the machine anew, before and after."""
    for asked in (emitters.why_portable, support.missing):
        asked.cache_clear()
    yield
    for asked in (emitters.why_portable, support.missing):
        asked.cache_clear()


@pytest.mark.parametrize(
    ("platform", "machine", "features", "reason"),
    [
        ("darwin", "x86_64", {"avx512f": True}, "not Linux"),
        ("linux", "aarch64", {}, "not x86-64"),
        ("linux", "x86_64", {"avx2": True, "avx512f": False}, "no AVX-512"),
        ("linux", "x86_64", {"avx512f": True}, None),
    ],
)
def test_a_machine_is_asked_for_its_system_kind_and_features(monkeypatch, platform, machine, features, reason):
    monkeypatch.setattr(support.sys, "platform", platform)
    monkeypatch.setattr(support.platform, "machine", lambda: machine)
    monkeypatch.setattr(support.binding, "get_host_cpu_features", lambda: features)
    assert support.missing() == reason


def test_without_avx512_the_portable_emitter_is_chosen_and_the_native_one_refused(monkeypatch):
    monkeypatch.setattr(native, "missing", lambda: "no AVX-512")
    assert isinstance(emitters.emit(GRAPH, None), PortableCode)
    with pytest.raises(ReasonerError, match="no AVX-512"):
        emitters.emit(GRAPH, "native")


def test_where_executable_memory_is_refused_the_portable_emitter_is_chosen(monkeypatch):
    def refused(_code):
        raise native.ExecutableMemoryError("memory cannot be made executable (errno 13)")

    monkeypatch.setattr(native, "missing", lambda: None)
    monkeypatch.setattr(native, "Executable", refused)
    assert "cannot be made executable" in emitters.why_portable()
    assert isinstance(emitters.emit(GRAPH, None), PortableCode)
    with pytest.raises(ReasonerError, match="errno 13"):
        emitters.emit(GRAPH, "native")
