"""Relations that every game needs."""

from __future__ import annotations

from reasoner.language.keywords import ARITIES, keyword
from reasoner.language.report import FaultReport
from reasoner.rules.checks.usage import nearest
from reasoner.rules.sheet import Sheet, word_of

_NEEDED = {
    "role": "nobody plays",
    "legal": "nobody can move",
    "terminal": "the game can never end",
    "goal": "nobody can win",
}

_ADD = {name: f"Add a `{name}` fact or rule." for name in _NEEDED} | {"role": "Add a (role NAME) fact for each player."}


def check_presence(sheet: Sheet, report: FaultReport) -> None:
    """At least one `role`, `legal`, `terminal` and `goal`."""
    present = {name for name, _ in sheet.heads}
    for name, consequence in _NEEDED.items():
        if name not in present:
            meant = _misspelled(name, sheet)
            report.error(
                f"missing-{name}",
                f"no `{name}` is stated or derived: {consequence}",
                f"Did you mean `{name}` by `{meant}`?" if meant else _ADD[name],
                word_of(sheet.heads[meant, ARITIES[name]][0].head) if meant else None,
            )


def _misspelled(name: str, sheet: Sheet) -> str | None:
    """A relation whose name is very likely a misspelling of `name`; None if there is none."""
    asked = {use.relation for use in sheet.uses}
    known = [(other, ARITIES[name]) for other, count in sheet.heads if count == ARITIES[name] and not keyword(other)]
    return nearest(name, [r[0] for r in known if r not in asked], 0.75) or nearest(name, [r[0] for r in known], 0.85)
