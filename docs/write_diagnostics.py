"""`python docs/write_diagnostics.py`: write the tables of docs/reference/diagnostics.md from agent/cli/faults.toml."""

from __future__ import annotations

import re
from pathlib import Path

from agent.cli.faults import FAULTS, Fault

PAGE = Path(__file__).with_name("reference") / "diagnostics.md"
TABLE = re.compile(r"(?<=^## )(.+)\n(?:\| .*\n|\|-.*\n)+", re.MULTILINE)
HEAD = "| code | kind | meaning | example | fix |\n|---|---|---|---|---|\n"


def page() -> str:
    """Return the page with the tables of faults.toml: each under the heading that is its section."""
    return TABLE.sub(lambda heading: f"{heading[1]}\n{HEAD}{_rows(heading[1])}", PAGE.read_text(encoding="utf-8"))


def _rows(section: str) -> str:
    return "".join(_row(code, fault) for code, fault in FAULTS.items() if fault.section == section)


def _row(code: str, fault: Fault) -> str:
    example = fault.example if fault.example.startswith("*") else f"`{fault.example}`"
    cells = (f"`{code}`", fault.severity, fault.meaning, example, fault.fix)
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
