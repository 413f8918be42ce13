"""In checked mode a kernel that reads or writes one place too far raises IndexError, and names itself and the index."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from reasoner.kernels.checked import kernel_name
from reasoner.lanes.lane_graph import NEXT
from reasoner.lanes.lane_graph_builder import lane_graph
from reasoner.lanes.tiny_circuit import _circuit as tiny_circuit

ROOT = Path(__file__).parents[3]

PLANTED = """
import numpy as np
from reasoner.batch.bits import spread
from reasoner.kernels import kernel, kernel_norefcount
from reasoner.kernels.memory import address, put_int
from reasoner.kernels.scalars import uint64
from reasoner.lanes.rows import aligned, row_xor
from search.native.layout import NODE, node_at

@kernel_norefcount
def visits_of_all(nodes, count):
    total = 0
    for node in range(count):
        total += node_at(nodes, node).visits
    return total

@kernel
def sum_all_rows(values, rows):
    for row in range(1, rows):
        row_xor(values, 0, 0, row)

@kernel
def spread_all(out, words):
    for word in range(words):
        spread(out, 64 * word, uint64(1))

@kernel
def fill(array, count):
    for index in range(count):
        array[index] = 1

@kernel
def fill_at(place, count):
    for index in range(count):
        put_int(place, index, 1)

nodes, rows, out = np.zeros(3, NODE), aligned(3), np.zeros(192, np.uint8)
array, ints = np.zeros(3), np.zeros(3, np.int32)
freed = address(np.zeros(100))
calls = [(visits_of_all, address(nodes)), (sum_all_rows, rows), (spread_all, out)]
calls += [(fill, array), (fill_at, address(ints))]
for kernel, memory in calls:
    kernel(memory, 3)
for kernel, memory in (*calls, (fill_at, freed)):
    try:
        kernel(memory, 4)
        print("found nothing")
    except IndexError as error:
        print(error)
"""


@pytest.fixture(scope="module")
def planted(tmp_path_factory):
    """The output of kernels with an error, in checked mode."""
    folder = tmp_path_factory.mktemp("planted")
    script = folder / "planted.py"
    script.write_text(PLANTED)
    environment = {
        **os.environ, "GGP_AGENT_CHECKED": "1", "NUMBA_CACHE_DIR": str(folder), "PYTHONPATH": str(ROOT)
    }  # fmt: skip
    return subprocess.run([sys.executable, script], env=environment, capture_output=True, text=True, check=True)


@pytest.mark.timeout(300)
def test_an_index_that_is_one_too_great_is_found_in_each_kind_of_kernel(planted):
    """Tree, rows, batch, array, numbers at an address, and memory that was freed."""
    names = ("visits_of_all", "sum_all_rows", "spread_all", "fill", "fill_at", "fill_at")
    assert planted.stdout.splitlines() == [f"index is out of bounds in __main__.{name}" for name in names]


@pytest.mark.timeout(300)
def test_the_index_and_the_limit_are_in_the_message(planted):
    assert planted.stderr.splitlines() == [
        "checked kernel __main__.visits_of_all: index 3 of 3",
        "checked kernel __main__.sum_all_rows: index 3 of 3",
        "checked kernel __main__.spread_all: index 255 of 192",
        "checked kernel __main__.fill: index 3 of 3",
        "checked kernel __main__.fill_at: index 3 of 3",
        "checked kernel __main__.fill_at: an address that is in no array that it was given",
    ]


FOLDER = (
    "import sys; from pathlib import Path; from reasoner.kernels.cache import _name; print(_name(Path(sys.argv[1])))"
)


def test_code_with_checks_has_another_folder():
    """Each set of options that changes the code is part of the folder's name."""

    def folder(**given):
        kept = {name: value for name, value in os.environ.items() if name != "GGP_AGENT_CHECKED"}
        command = [sys.executable, "-c", FOLDER, str(ROOT / "reasoner/lanes/play.py")]
        environment = {**kept, "PYTHONPATH": str(ROOT), **given}
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.strip()

    plain = folder()
    assert folder(GGP_AGENT_CHECKED="1") == f"{plain}-checked"
    assert folder(NUMBA_BOUNDSCHECK="1") == f"{plain}-bounds"


def test_a_kernel_is_named_as_in_python():
    assert kernel_name("_ZN8reasoner5lanes4play4stepB2v1B8c8tJTIExx") == "reasoner.lanes.play.step"


def changed(array, index, value):
    copy = array.copy()
    copy[index] = value
    return copy


def test_a_broken_circuit_says_what_is_wrong():
    circuit = tiny_circuit()
    circuit.check()
    end = 2 * (1 + len(circuit.bases) + len(circuit.legal) + len(circuit.left))
    for name, wrong, said in (
        ("legal", changed(circuit.legal, 0, end), "legal: literal .* is not of the .* nodes"),
        ("left", changed(circuit.left, 0, end), "gates .* read later literals"),
        ("initial", circuit.initial[1:], "a value for each base"),
    ):
        with pytest.raises(AssertionError, match=said):
            replace(circuit, **{name: wrong}).check()


def test_a_broken_lane_graph_says_what_is_wrong():
    graph = lane_graph(tiny_circuit(), decisive=True)
    graph.check()
    sections = graph.sections
    gate = sections[NEXT][-1]
    for name, wrong, said in (
        ("sections", (*sections[:NEXT], sections[NEXT][:-1], *sections[NEXT + 1 :]), f"nodes .*{gate}.* are not known"),
        ("sections", (*sections[:-1], np.append(sections[-1], gate)), "gates of an earlier section"),
        ("sections", (np.array([gate, gate]), *sections[1:]), "evaluates a gate twice"),
        ("stop", 2 * graph.hold, "legal: literal"),
    ):
        with pytest.raises(AssertionError, match=said):
            replace(graph, **{name: wrong}).check()
