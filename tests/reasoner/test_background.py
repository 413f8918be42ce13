from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from reasoner.background import in_background


def test_the_body_runs_beside_the_work_and_gets_its_result():
    with in_background(lambda: 7) as result:
        assert result() == 7


def test_an_exception_of_the_work_is_raised_at_the_end_of_the_body():
    with pytest.raises(KeyError), in_background(lambda: {}["missing"]):
        pass


def test_without_a_thread_the_work_runs_before_the_body(monkeypatch):
    def none(*_):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(ThreadPoolExecutor, "submit", none)
    done = []
    with in_background(lambda: done.append(1) or 5) as result:
        assert done == [1]
        assert result() == 5
