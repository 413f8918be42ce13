"""Each machine gets the best code that it runs, else portable code; a request for other code gets the reason."""

import ctypes
from types import SimpleNamespace

import numpy as np
import pytest

from reasoner.errors import ReasonerError
from reasoner.lanes import emitters, native
from reasoner.lanes.emitters import EMITTERS
from reasoner.lanes.native.targets import NEON, NEON_SHA3, TARGETS, processor
from reasoner.lanes.portable.emit import PortableCode
from tests.reasoner.lanes.native.graphs import random_graph

GRAPH = random_graph(np.random.default_rng(3))
ALL = {"avx2": True, "avx512f": True}


@pytest.fixture(autouse=True)
def afresh():
    """Ask the machine anew, before and after."""
    emitters.found.cache_clear()
    yield
    emitters.found.cache_clear()


@pytest.fixture
def machine(monkeypatch, request):
    """A function that makes this machine another, whose memory executes any code."""
    if request.config.getoption("--emitter") is not None:
        pytest.skip("--emitter says what this machine lacks")

    def become(system, kind, features=(), sha3=False):
        monkeypatch.setattr(processor.sys, "platform", system)
        monkeypatch.setattr(processor.platform, "machine", lambda: kind)
        monkeypatch.setattr(processor.binding, "get_host_cpu_features", lambda: dict(features))
        monkeypatch.setattr(processor, "has_sha3", lambda: sha3)
        monkeypatch.setattr(native, "Executable", lambda _code: None)

    return become


@pytest.mark.parametrize(
    ("system", "kind", "features", "best"),
    [
        ("linux", "x86_64", ALL, "avx512"),
        ("linux", "x86_64", {"avx2": True, "avx512f": False}, "avx2"),
        ("darwin", "x86_64", {"avx2": True}, "avx2"),
        ("linux", "x86_64", {}, "portable"),
        ("linux", "aarch64", {}, "neon"),
        ("darwin", "arm64", {}, "neon"),
        ("win32", "AMD64", ALL, "portable"),
        ("linux", "riscv64", {}, "portable"),
    ],
)
def test_a_machine_is_asked_for_its_system_kind_and_features(machine, system, kind, features, best):
    machine(system, kind, features)
    assert emitters.best() == best
    assert (emitters.why_portable() is not None) == (best == "portable")


def test_sha3_is_used_where_the_processor_has_it(machine):
    machine("linux", "aarch64")
    assert emitters.found("neon") is NEON
    emitters.found.cache_clear()
    machine("linux", "aarch64", sha3=True)
    assert emitters.found("neon") is NEON_SHA3


def test_what_keeps_a_machine_from_each_emitter_is_told_by_name(machine):
    machine("linux", "x86_64", {"avx2": True})
    assert {emitter: emitters.why_not(emitter) for emitter in EMITTERS} == {
        "avx512": "no AVX-512",
        "avx2": None,
        "neon": "not AArch64",
        "portable": None,
    }
    with pytest.raises(ReasonerError, match="this machine cannot run avx512 lanes: no AVX-512; choose None or avx2"):
        emitters.emit(GRAPH, "avx512")


def test_a_machine_without_native_lanes_is_told_what_each_lacks(machine):
    machine("linux", "riscv64")
    assert emitters.why_portable() == "avx512: not x86-64; avx2: not x86-64; neon: not AArch64"
    assert isinstance(emitters.emit(GRAPH, None), PortableCode)


def test_where_executable_memory_is_refused_the_portable_emitter_is_chosen(machine, monkeypatch):
    def refused(_code):
        raise native.ExecutableMemoryError("memory cannot be made executable (errno 13)")

    machine("linux", "x86_64", ALL)
    monkeypatch.setattr(native, "Executable", refused)
    assert "cannot be made executable" in emitters.why_portable()
    assert isinstance(emitters.emit(GRAPH, None), PortableCode)
    with pytest.raises(ReasonerError, match=r"errno 13.*choose None or portable"):
        emitters.emit(GRAPH, "avx2")


@pytest.mark.parametrize(("hwcap", "has"), [(processor.HWCAP_SHA3 | 3, True), (3, False)])
def test_linux_says_by_a_bit_whether_there_is_sha3(monkeypatch, hwcap, has):
    def getauxval(asked):
        return hwcap if asked == processor.HWCAP else 0

    monkeypatch.setattr(processor.sys, "platform", "linux")
    monkeypatch.setattr(processor.ctypes, "CDLL", lambda _: SimpleNamespace(getauxval=getauxval))
    assert processor.has_sha3() is has


@pytest.mark.parametrize("known", [*processor.SHA3_NAMES, b""])
def test_macos_says_it_by_either_name(monkeypatch, known):
    def sysctlbyname(name, value, _size, _new, _length):
        if name != known:
            return -1
        ctypes.cast(value, ctypes.POINTER(ctypes.c_int))[0] = 1
        return 0

    monkeypatch.setattr(processor.sys, "platform", "darwin")
    monkeypatch.setattr(processor.ctypes, "CDLL", lambda _: SimpleNamespace(sysctlbyname=sysctlbyname))
    assert processor.has_sha3() is (known != b"")


def test_every_target_fits_rows():
    assert all(target.parts * target.width == 64 for target in TARGETS)
    assert [(target.name, target.parts) for target in TARGETS] == [("avx512", 1), ("avx2", 2), ("neon", 4), ("neon", 4)]
