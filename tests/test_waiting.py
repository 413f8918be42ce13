"""A wait for what never comes about fails; one for what does returns; a test that hangs is ended."""

import pytest

from tests import conftest, waiting
from tests.waiting import until, wait_until


async def test_a_wait_for_what_never_comes_about_fails_in_bounded_time(monkeypatch):
    monkeypatch.setattr(waiting, "MOST", 0.01)
    with pytest.raises(AssertionError, match="in vain"):
        await until(lambda: False)
    with pytest.raises(AssertionError, match="in vain"):
        wait_until(lambda: False)


async def test_a_wait_ends_as_soon_as_it_has_come_about():
    looks = iter((False, False, True))
    await until(lambda: next(looks))
    assert list(looks) == []


@pytest.mark.parametrize(("compiled", "seconds"), [(True, conftest.COMPILED_SECONDS), (False, None)])
def test_a_test_may_take_less_time_once_all_kernels_are_compiled(compiled, seconds, request, monkeypatch):
    monkeypatch.setattr(conftest, "_compiled", lambda: compiled)
    item = pytest.Function.from_parent(request.node.parent, name="other", callobj=lambda: None)
    next(conftest.pytest_runtest_protocol(item))
    mark = item.get_closest_marker("timeout")
    assert (mark.args[0] if mark else None) == seconds
