"""What no game can be without."""

from __future__ import annotations

from reasoner.language.report import Report
from reasoner.rules.sheet import Sheet

_NEEDED = {
    "role": "nobody plays",
    "legal": "nobody can move",
    "terminal": "the game can never end",
    "goal": "nobody can win",
}


def check_presence(sheet: Sheet, report: Report) -> None:
    """At least one `role`, `legal`, `terminal` and `goal`."""
    present = {name for name, _ in sheet.heads}
    for name, consequence in _NEEDED.items():
        if name not in present:
            report.error(
                f"missing-{name}",
                f"no `{name}` is stated or derived: {consequence}",
                f"Add a `{name}` fact or rule." if name != "role" else "Add a (role NAME) fact for each player.",
            )
