"""What holds for all tests: hypothesis judges what code does, never how long it took on a busy machine.

What whoever runs them has studied is not found. A shell that starts the tests in the background lets them ignore
SIGINT, and so would every process they start.
"""

import gc
import os
import signal
import subprocess
import sys
from collections import deque
from functools import partial
from itertools import compress
from pathlib import Path

import pytest
from hypothesis import settings

from reasoner.platform_calls import usable_processors
from tests.starter import Starter

signal.signal(signal.SIGINT, signal.default_int_handler)

ROOT = Path(__file__).resolve().parents[1]
COMPILE = "import sys; from search.warm import rest_kept, warm_up; rest_kept() or warm_up(*sys.argv[1:])"
COMPILE_STUDY = """
from pathlib import Path
from search.study.selfplay import SelfPlayJob, play_games
from search.warm import rest_kept
rest_kept() or play_games(SelfPlayJob(Path("games/ticTacToe.kif").read_text(), None, games=1, simulations=4))
"""

COMPILED_SECONDS = 240
"""That a test may take where all kernels are compiled; else, or where it is marked, it is what is said there."""

WITHOUT_KERNELS = (
    *(f"agent/{room}/" for room in ("journal", "protocol", "tournament")),
    *(f"reasoner/{room}/" for room in ("ground", "identity", "language", "rewrite", "rules")),
)
"""Folders most of whose tests need no kernels."""
WITH_KERNELS = (
    "language/test_operations.py",
    *(f"rewrite/test_{name}.py" for name in ("determined_columns", "keys", "passes")),
)
"""The others there."""

WITH_ALL_KERNELS = ("agent/cluster/", "agent/study/")
"""Folders whose tests start processes that load all kernels, and have only so much time for that."""

os.environ["XDG_DATA_HOME"] = str(Path(__file__).parent / "nothing studied")

settings.register_profile("unhurried", deadline=None, max_examples=30)
settings.register_profile("few examples", settings.get_profile("unhurried"), max_examples=15)
settings.load_profile("unhurried")

gc.disable()  # until the tests are collected, which makes many objects that stay


def pytest_addoption(parser):
    parser.addoption(
        "--emitter", help="circuits play in these lanes (avx512, avx2, neon, portable), as where none are better"
    )


@pytest.fixture(scope="session")
def loading_starter():
    """Started by the first test that needs it."""
    made = Starter()
    yield made
    made.close()


@pytest.fixture(scope="session")
def starter(loading_starter):
    return loading_starter.loaded()


@pytest.fixture
def forked_commands(starter, monkeypatch):
    """What the test starts by `sys.executable` as `python -m agent` is forked from a process that has loaded it.

    So are local agents, whose command was made when its module was loaded.
    """
    from agent.gamemaster import local

    python = {sys.executable: starter.python}
    tether = local.tethered
    monkeypatch.setattr(local, "tethered", lambda command: tether([python.get(word, word) for word in command]))
    monkeypatch.setattr(sys, "executable", starter.python)
    for name, value in starter.environment.items():
        monkeypatch.setenv(name, value)


@pytest.fixture(autouse=os.environ.get("GGP_AGENT_CHECKED") == "1")
def _no_faults():
    """In checked mode no kernel uses a wrong index, not even one whose exception nobody sees."""
    from reasoner.kernels.checked import faults

    faults.clear()
    yield
    assert not faults


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers():
    """One more than processors: some tests wait for clocks, clusters and browsers, or for what another compiles."""
    return usable_processors() + 1


@pytest.hookimpl(wrapper=True, tryfirst=True)  # before pytest-timeout looks
def pytest_runtest_protocol(item):
    """What hangs holds up the others no longer than it must: nothing waits minutes but for kernels."""
    limited = item.config.getoption("timeout", 0) is None and item.get_closest_marker("timeout") is None
    if limited and _compiled():
        item.add_marker(pytest.mark.timeout(COMPILED_SECONDS))
    return (yield)


def _compiled() -> bool:
    """Whether all kernels are there; a process that has loaded nothing of them runs a few quick tests."""
    warm = sys.modules.get("search.warm")
    return warm is not None and warm.rest_kept()


def pytest_sessionstart(session):
    """Where several processes run tests, two more compile at once what all would wait for, if any is left."""
    config = session.config
    if not getattr(config.option, "numprocesses", None) or hasattr(config, "workerinput"):
        return
    emitter = [config.getoption("--emitter")] if config.getoption("--emitter") else []
    for program in (COMPILE,) if config.option.markexpr == "not long" else (COMPILE, COMPILE_STUDY):
        command = [sys.executable, "-c", program, *emitter]
        compiling = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.DEVNULL, start_new_session=True)
        config.add_cleanup(partial(_end, compiling))


def _end(process):
    """End it with all that it has started, which may be busy compiling."""
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()


@pytest.hookimpl(trylast=True)  # of what is left after `-m`
def pytest_collection_modifyitems(items):
    """While kernels are compiled, each of several processes has something to do that needs none."""
    if (count := int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))) > 1:
        items[:] = begun_without_kernels(later_in_their_room(items, _file), count, _file)


def _file(item):
    return item.nodeid.removeprefix("tests/")


def later_in_their_room(items, file):
    """Those that need all kernels after the others of their package, when more of them are compiled."""
    rooms = {
        file(item).partition("/")[0]: number for number, item in enumerate(items)
    }  # by package the place of its last
    return sorted(
        items, key=lambda item: (rooms[file(item).partition("/")[0]], file(item).startswith(WITH_ALL_KERNELS))
    )


def begun_without_kernels(items, count, file):
    """Each of the `count` runs of `--dist worksteal`, which are equal but for one, begins with its share of those."""
    early = [
        file(item).startswith(WITHOUT_KERNELS) and not any(late in file(item) for late in WITH_KERNELS)
        for item in items
    ]
    free, rest = (
        deque(compress(items, early)),
        deque(item for item, first in zip(items, early, strict=True) if not first),
    )
    ordered = []
    for left in range(count, 0, -1):
        shares = len(free) // left, (len(free) + len(rest)) // left - len(free) // left
        ordered += [queue.popleft() for queue, share in zip((free, rest), shares, strict=True) for _ in range(share)]
    return ordered


def pytest_collection_finish():
    """Where kernels are yet to be compiled, every process of pytest would wait for them before its first test."""
    modules = [module for name, module in sys.modules.items() if name.startswith(("reasoner.", "search."))]
    kernels = [each for module in modules for each in vars(module).values() if getattr(each, "overloads", None)]
    if called := sorted({kernel.py_func.__qualname__ for kernel in kernels}):
        raise pytest.UsageError(f"collecting calls kernels: {', '.join(called)}; call them in tests or fixtures")
    gc.freeze()
    gc.enable()


def pytest_configure(config):
    if config.option.markexpr == "not long":  # `make test`; `make test-all` tries more random examples
        settings.load_profile("few examples")
    if config.getoption("--emitter"):
        _as_where_the_best_is(config.getoption("--emitter"))


def _as_where_the_best_is(emitter):
    """As on a machine that has nothing better: that cannot be had here, and builds make this code unless asked."""
    from reasoner.compilation.limits import BuildLimits
    from reasoner.errors import ReasonerError
    from reasoner.lanes import native
    from reasoner.lanes.emitters import EMITTERS, check_emitter

    try:
        check_emitter(emitter)
    except ReasonerError as error:
        raise pytest.UsageError(f"--emitter: {error}") from None
    better = EMITTERS[: EMITTERS.index(emitter)]
    for target in native.TARGETS:
        if target.name in better:
            object.__setattr__(target, "missing", lambda: f"the tests run with --emitter {emitter}")
    fields = BuildLimits.__dataclass_fields__
    values = {name: field.default for name, field in fields.items()} | {"emitter": emitter}
    BuildLimits.__init__.__defaults__ = tuple(values.values())
