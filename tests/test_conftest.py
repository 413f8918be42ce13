"""How the tests are run: in which order, and how long one may take."""

import pytest

from tests import conftest


@pytest.mark.parametrize(("compiled", "seconds"), [(True, conftest.COMPILED_SECONDS), (False, None)])
def test_a_test_may_take_less_time_once_all_kernels_are_compiled(compiled, seconds, request, monkeypatch):
    monkeypatch.setattr(conftest, "_compiled", lambda: compiled)
    item = pytest.Function.from_parent(request.node.parent, name="other", callobj=lambda: None)
    next(conftest.pytest_runtest_protocol(item))
    mark = item.get_closest_marker("timeout")
    assert (mark.args[0] if mark else None) == seconds


@pytest.mark.parametrize("count", [2, 3, 4])
@pytest.mark.parametrize(("early", "late"), [(0, 7), (3, 1), (5, 20), (7, 0)])
def test_every_process_begins_with_tests_that_need_no_kernels(count, early, late):
    names = [f"search/test_{i}.py" for i in range(late)] + [f"reasoner/rules/test_{i}.py" for i in range(early)]
    ordered = conftest.begun_without_kernels(names, count, str)
    assert sorted(ordered) == sorted(names)
    runs = []  # as xdist's scheduler hands them out
    for left in range(count, 0, -1):
        size = len(ordered) // left
        runs.append(ordered[:size])
        ordered = ordered[size:]
    for run in runs:
        assert sorted(run, key=lambda name: name.startswith("search")) == run
        assert early // count <= sum(name.startswith("reasoner") for name in run) <= early // count + 1


def test_those_that_need_all_kernels_come_last_in_their_package():
    names = ["agent/cli/a", "agent/cluster/b", "agent/page/c", "agent/study/d", "agent/worker/e", "bench/f", "top.py"]
    found = conftest.later_in_their_room(names, str)
    assert found == [names[i] for i in (0, 2, 4, 1, 3, 5, 6)]


def test_the_folders_whose_tests_come_first_or_later_are_there():
    room = conftest.ROOT / "tests"
    assert all((room / folder).is_dir() for folder in conftest.WITH_ALL_KERNELS)
    assert all((room / folder).is_dir() for folder in conftest.WITHOUT_KERNELS)
    assert all((room / "reasoner" / file).is_file() for file in conftest.WITH_KERNELS)
