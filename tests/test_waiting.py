"""A wait for what never comes about fails; one for what does returns."""

import pytest

from tests import waiting
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
