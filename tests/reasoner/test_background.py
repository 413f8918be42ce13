from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from reasoner.background import in_background


def test_the_body_goes_on_while_the_work_is_done_and_gets_what_comes_of_it():
    with in_background(lambda: 7) as result:
        assert result() == 7


def test_what_the_work_raises_the_end_of_the_body_raises():
    with pytest.raises(KeyError), in_background(lambda: {}["missing"]):
        pass


def test_where_no_thread_is_granted_the_work_is_done_before_the_body(monkeypatch):
    def none(*_):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(ThreadPoolExecutor, "submit", none)
    done = []
    with in_background(lambda: done.append(1) or 5) as result:
        assert done == [1]
        assert result() == 5
