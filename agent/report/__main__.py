"""The command ``python -m agent.report``: one report for the page (`agent.page.reports`), in a process of its own.

It reads one JSON object from its standard input: ``game``, ``rules``, ``seconds``, ``seed``, ``memory_mib``. It writes
one JSON object a line: ``{"step"}`` for each measurement, and at the end ``{"report", "sections", "html"}`` or
``{"error"}``. SIGINT ends the measurements; the report then has the results so far.
"""

from __future__ import annotations

import json
import os
import signal
import sys

from agent.report.html import as_html
from agent.report.measuring import measure
from agent.report.text import sections
from reasoner.errors import ReasonerError
from reasoner.platform_calls import end_with, limit_data

KINDNESS = 10
"""Niceness: reports run below matches."""
FAILED = 1


def main() -> None:
    """Measure one rulesheet."""
    end_with(os.getppid())
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job would ignore it
    os.nice(KINDNESS)
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # whatever a library prints goes to the log

    def tell(**said: object) -> None:
        out.write(json.dumps(said, allow_nan=False) + "\n")
        out.flush()

    asked = json.loads(sys.stdin.readline())
    limit_data(asked["memory_mib"] << 20, FAILED)
    tell(step="loading")
    try:
        report = measure(
            asked["game"], asked["rules"], asked["seconds"], asked["seed"], lambda step: tell(step=step[:200])
        )
    except (ReasonerError, MemoryError) as error:
        tell(error=str(error)[:2000] or "the rules take too much memory")
        return
    tables = [section._asdict() for section in sections(report)]
    tell(report=report.data(), sections=tables, html=as_html([report]))


if __name__ == "__main__":
    main()
