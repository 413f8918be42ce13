"""Compiled kernels are kept, and never used for a source they were not compiled from."""

import ast
import os
import subprocess
import sys

import pytest

from reasoner.kernels import device_function, kernel
from reasoner.kernels.cache import NATIVE, ROOT, digest, sources
from reasoner.platform_calls import LINUX, SYSTEM

pytestmark = [pytest.mark.timeout(300), pytest.mark.long]  # what it starts compiles

FILES = [path for path in (ROOT / "reasoner").rglob("*.py") if NATIVE.search(path.read_text())]


def test_a_change_in_any_source_names_another_cache(tmp_path):
    files = [tmp_path / name for name in ("a.py", "b.py")]
    for file in files:
        file.write_text("x = 1\n")
    before = digest(files)
    assert digest(reversed(files)) == before
    files[1].write_text("x = 2\n")
    assert digest(files) != before


def test_a_moved_file_names_another_cache(tmp_path):
    """Compiled code imports the module that it came from, which is gone after a move."""
    file = tmp_path / "a.py"
    file.write_text("x = 1\n")
    before = digest([file])
    assert digest([file.rename(tmp_path / "b.py")]) != before


def test_the_sources_of_a_kernel_hold_itself_and_the_kernels_it_calls():
    room = ROOT / "reasoner"
    play = room / "lanes" / "play.py"
    assert {play, room / "lanes" / "rows.py", room / "kernels" / "compiled.py"} <= sources(play)
    for file in FILES:
        assert file in sources(file)
        assert all(sources(other) <= sources(file) for other in sources(file) if other.parent.name != "kernels")


@device_function
def _doubled(number):
    return 2 * number


@kernel
def _quadrupled(number):
    return _doubled(_doubled(number))


def test_a_device_function_says_so_where_python_calls_it():
    for _ in range(2):  # before and after it was compiled
        with pytest.raises(TypeError, match="_doubled is a device function, but Python calls it"):
            _doubled(1)
        assert _quadrupled(3) == 12


PROCESSOR = """
import sys
from pathlib import Path
from reasoner.kernels.cache import ROOT, all_kept, note_all_kept

file = ROOT / "search" / "warm.py"
print(all_kept(file))
note_all_kept(file)
print(all_kept(file))
"""


def test_that_all_is_compiled_is_noted_for_each_processor(tmp_path):
    """An image is built on one machine and runs on another."""

    def noted(**given):
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "NUMBA_CACHE_DIR": str(tmp_path), **given}
        command = [sys.executable, "-c", PROCESSOR]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.split()

    assert noted() == ["False", "True"]
    assert noted(NUMBA_CPU_NAME="generic") == ["False", "True"]
    assert noted(NUMBA_CPU_NAME="generic") == ["True", "True"]
    assert noted() == ["True", "True"]


SAVED = """
import sys
from reasoner.kernels import kernel

@kernel
def one_more(number):
    return number + 1

for number in (1, 1.5, True, 1j) if sys.argv[1] == "forth" else (1j, True, 1.5, 1):
    assert one_more(number) == number + 1
"""


def test_two_processes_that_compile_one_kernel_for_many_types_at_once_both_leave_it_whole(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(SAVED)
    environment = {"NUMBA_CACHE_DIR": str(tmp_path), "PYTHONPATH": str(ROOT)}
    for _ in range(2):  # compiled, then loaded
        both = [subprocess.Popen([sys.executable, script, way], env=environment) for way in ("forth", "back")]
        assert [process.wait(timeout=240) for process in both] == [0, 0]
    assert len(list(tmp_path.rglob("*.nbc"))) == 4


def test_a_damaged_cache_is_rebuilt(tmp_path):
    """After a power cut a file may be empty or cut short; the agent must still start, and from then on fast."""
    script = tmp_path / "script.py"
    script.write_text(SAVED)
    environment = {"NUMBA_CACHE_DIR": str(tmp_path), "PYTHONPATH": str(ROOT)}

    def run():
        subprocess.run([sys.executable, script, "forth"], env=environment, check=True)
        return {path: path.stat().st_size for path in tmp_path.rglob("*.nb[ic]")}

    whole = run()
    for damaged, left in (("*.nbi", 0), ("*.nbc", 20)):
        for path in tmp_path.rglob(damaged):
            os.truncate(path, left)
        assert run() == whole


@pytest.mark.parametrize("damaged", ["*.nbi", "*.nbc"])
def test_code_with_a_wrong_bit_is_compiled_again(tmp_path, damaged):
    """It ended each fork server of an agent, one after the other."""
    script = tmp_path / "script.py"
    script.write_text(SAVED)
    environment = {"NUMBA_CACHE_DIR": str(tmp_path), "PYTHONPATH": str(ROOT)}

    def run():
        subprocess.run([sys.executable, script, "forth"], env=environment, check=True)
        return {path: path.read_bytes() for path in tmp_path.rglob(damaged)}

    run()
    for path, content in run().items():
        place = len(content) // 3
        path.write_bytes(content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])
    hurt = {path: path.read_bytes() for path in tmp_path.rglob(damaged)}
    mended = run()
    assert mended.keys() == hurt.keys()
    assert not set(mended.items()) & set(hurt.items())


@pytest.mark.skipif(SYSTEM != LINUX, reason="not every system limits the size of files")
def test_a_full_disk_costs_only_the_cache(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(f"import resource\nresource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))\n{SAVED}")
    environment = {"NUMBA_CACHE_DIR": str(tmp_path), "PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, script, "forth"], env=environment, check=True)
    assert not list(tmp_path.rglob("*.nb[ic]"))


ONCE = """
from numba.core import event
from reasoner.kernels import device_function, kernel

@device_function
def one_more(number):
    return number + 1

@kernel
def two_more(number):
    return one_more(one_more(number))

with event.install_recorder("numba:compile") as recorder:
    assert two_more(1) == 3
print(sum(each.is_start for _, each in recorder.buffer))
"""


def test_what_two_processes_need_at_once_is_compiled_by_one_of_them(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(ONCE)
    start = {"args": [sys.executable, script], "env": {"NUMBA_CACHE_DIR": str(tmp_path), "PYTHONPATH": str(ROOT)}}
    both = [subprocess.Popen(**start, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    assert sorted(process.communicate(timeout=240)[0] for process in both) == ["0\n", "2\n"]


def test_what_one_copy_has_compiled_another_copy_at_another_place_and_time_does_not_compile_again(tmp_path):
    environment = {"NUMBA_CACHE_DIR": str(tmp_path / "kept"), "PYTHONPATH": str(ROOT)}
    compiled = []
    for copy in ("one", "other"):
        script = tmp_path / copy / "script.py"
        script.parent.mkdir()
        script.write_text(ONCE)
        os.utime(script, (0, len(compiled)))
        done = subprocess.run([sys.executable, script], env=environment, capture_output=True, text=True, check=True)
        compiled.append(done.stdout)
    assert compiled == ["2\n", "0\n"]


CALLED = """
import ctypes
import numba
from reasoner.kernels import callback, device_function

@device_function
def one_more(number):
    return number + 1

def two_more(number):
    return one_more(one_more(number))

address = callback(numba.int64(numba.int64), two_more)
print(ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(address)(1))
"""


def test_c_calls_a_callback_that_was_compiled_and_one_that_was_kept(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(CALLED)
    environment = {"NUMBA_CACHE_DIR": str(tmp_path), "PYTHONPATH": str(ROOT)}
    for _ in range(2):
        done = subprocess.run([sys.executable, script], env=environment, capture_output=True, text=True, check=True)
        assert done.stdout == "3\n"


LINEAR = """
import sys
import numba
import numpy as np
import reasoner.kernels
from numba.core.registry import cpu_target

cpu_target.target_context.refresh()
before = "scipy.linalg" in sys.modules
print(before, numba.njit(lambda one: np.dot(one, one))(np.ones(2)), "scipy.linalg" in sys.modules)
"""


def test_scipy_is_loaded_by_who_compiles_linear_algebra_and_by_nobody_else():
    pytest.importorskip("scipy")
    command = [sys.executable, "-c", LINEAR]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == "False 2.0 True\n"


def _is_compiled(node):
    named = [one.id for one in getattr(node, "decorator_list", []) if isinstance(one, ast.Name)]
    return "kernel" in named, "device_function" in named


def _named_in_python(tree):
    """The names that a file reads, other than within what is compiled."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Name | ast.Attribute):
            yield node.id if isinstance(node, ast.Name) else node.attr
        if not any(_is_compiled(node)):
            waiting += ast.iter_child_nodes(node)


def test_a_function_that_only_kernels_call_is_a_device_function():
    folders = [ROOT / name for name in ("agent", "bench", "reasoner", "search", "tests")]
    trees = [ast.parse(path.read_text()) for folder in folders for path in folder.rglob("*.py")]
    named = {name for tree in trees for name in _named_in_python(tree)}
    kernels = {node.name for tree in trees for node in tree.body if _is_compiled(node)[0]}
    assert kernels - named == set()
