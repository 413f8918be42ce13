"""The meaning of each fault code, from faults.toml."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

from reasoner.diagnostics import Severity


@dataclass(frozen=True, slots=True)
class Fault:
    """One entry of faults.toml.

    `section` is the heading of the entry in docs/reference/diagnostics.md. `example` is text that causes the fault if
    it is added to the small game of that page, or a description of such text between asterisks.
    """

    section: str
    severity: Severity
    meaning: str
    example: str
    fix: str


def _read() -> dict[str, Fault]:
    entries = tomllib.loads(Path(__file__).with_name("faults.toml").read_text(encoding="utf-8"))
    return {code: Fault(**entry | {"severity": Severity(entry["severity"])}) for code, entry in entries.items()}


FAULTS = _read()
"""The entries by code."""


def explain(code: str) -> str:
    """Return the meaning, an example and the fix of a fault code as text. Raises KeyError if there is no such code."""
    fault = FAULTS[code]
    return f"{code} ({fault.severity}): {fault.meaning}\n  example: {fault.example.strip('*')}\n  fix: {fault.fix}"
