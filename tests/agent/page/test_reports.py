"""Reports of the page: one at a time, bounded in number, stopped by a visitor or when nobody asks for them."""

import asyncio
from types import SimpleNamespace

import pytest

from agent.page import reports
from agent.page.errors import PageError
from agent.page.reports import Reports
from agent.page.sources import Source
from tests.clocks import FakeClock


@pytest.fixture
def host(monkeypatch):
    monkeypatch.setattr(reports, "MODULE", "tests.agent.page.stub_report")
    settings = SimpleNamespace(page=SimpleNamespace(analyses=1), worker=SimpleNamespace(memory_mib=4096))
    return SimpleNamespace(clock=FakeClock(), settings=settings)


def source(title):
    return Source(title, "(role me)")


async def until(all_reports, report, phase, step=""):
    async with asyncio.timeout(60):
        while (report.phase, step or report.step) != (phase, report.step):
            all_reports.view(report)
            await asyncio.sleep(0.01)


@pytest.mark.asyncio
async def test_a_stopped_report_has_what_is_known_and_the_next_one_begins(host):
    every = Reports(host)
    first, second = (every.begin(source(name), 1) for name in ("first", "quick"))
    await until(every, first, "running", "random play")
    assert second.phase == "waiting"
    assert every.view(second)["ahead"] == 1
    every.stop(first)
    await until(every, first, "done")
    assert first.found["report"]["seconds"] == 60
    await until(every, second, "done")
    every.close()


@pytest.mark.asyncio
async def test_a_waiting_report_is_stopped_at_once_and_counts_no_more(host):
    every = Reports(host)
    first, second = (every.begin(source("first"), 1) for _ in range(2))
    await until(every, first, "running", "random play")
    every.stop(second)
    view = every.view(second)
    assert (view["phase"], view["error"], view["ahead"]) == ("failed", "stopped before it began", 0)
    third = every.begin(source("quick"), 1)
    every.stop(first)
    await until(every, third, "done")
    assert (second.phase, second.began) == ("failed", None)
    every.close()


@pytest.mark.asyncio
async def test_a_report_that_nobody_asks_for_is_stopped(host):
    every = Reports(host)
    report = every.begin(source("first"), 1)
    await until(every, report, "running", "random play")
    host.clock.time += reports.ABANDONED + 1
    await until(every, report, "done")
    every.close()


@pytest.mark.asyncio
async def test_a_process_that_dies_is_a_report_that_failed_with_its_reason(host):
    every = Reports(host)
    report = every.begin(source("dies"), 1)
    await until(every, report, "failed")
    assert "without a report" in every.view(report)["error"]
    every.close()


@pytest.mark.asyncio
async def test_the_number_of_reports_is_bounded_and_they_can_be_disabled(host):
    every = Reports(host)
    for _ in range(reports.FOR_ONE):
        every.begin(source("first"), 1)
    with pytest.raises(PageError, match="too many reports"):
        every.begin(source("first"), 1)
    with pytest.raises(PageError, match="no longer kept"):
        every.get("unknown")
    every.close()
    host.settings.page.analyses = 0
    with pytest.raises(PageError, match="disabled"):
        every.begin(source("first"), 1)
