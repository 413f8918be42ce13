"""Optional rewritings: materialization, as proposed for reasoners that evaluate top-down.

All are off by default, because they gain nothing here (docs/explanation/materialization.md). The relational engine
evaluates each view at most once per state, and static relations once per game. In a circuit, the readers of a view
share its gates, and useless facts have no gates.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from difflib import get_close_matches

from reasoner.rewrite.drop_useless import drop_useless, explain_useless
from reasoner.rewrite.keep_views import explain_kept, keep_views
from reasoner.rewrite.passes import PASSES, Pass
from reasoner.rewrite.store_statics import explain_stored, store_statics
from reasoner.rewrite.unfold import explain_unfolded, unfold, unfold_kept

OPTIONAL: tuple[Pass, ...] = (
    Pass("store_statics", "views that are the same in all states are stored as facts", store_statics, explain_stored),
    Pass("keep_views", "a view that is evaluated repeatedly becomes a base relation", keep_views, explain_kept),
    Pass(
        "unfold",
        "a base relation that bodies read only by `next` is replaced by the body of its rule",
        unfold,
        explain_unfolded,
    ),
    Pass("drop_useless", "base relations that no move, goal or end depends on", drop_useless, explain_useless),
)
"""The optional rewritings in the order of application, before the other passes."""

IN_PLAY: tuple[Pass, ...] = tuple(
    replace(one, apply=unfold_kept) if one.name == "unfold" else one for one in OPTIONAL if one.name != "drop_useless"
)
"""The optional rewritings for machines: the machine still reports exactly the facts of the rulesheet."""

NOT_IN_PLAY = (
    "drop_useless is only for `ggp-agent show`: a machine must report every fact; circuits compute no useless facts"
)
"""The reason why `drop_useless` is not in `IN_PLAY`."""

ALL: tuple[Pass, ...] = (*OPTIONAL, *PASSES)


def chosen(on: Sequence[str] = (), off: Sequence[str] = ()) -> tuple[Pass, ...]:
    """Return the standard passes plus `on`, minus `off`. Raises ValueError on an unknown name."""
    names = [one.name for one in ALL]
    for name in (*on, *off):
        _check(name, names, "pass")
    wanted = {*(one.name for one in PASSES), *on} - set(off)
    return tuple(one for one in ALL if one.name in wanted)


def in_play(names: Iterable[str]) -> tuple[Pass, ...]:
    """Return the rewritings with these names that a machine may use, in order.

    Raises ValueError on other names, and TypeError on a text, whose letters would be taken for names.
    """
    if isinstance(names, str):
        raise TypeError(f"rewritings={names!r:.60} is one text; give a list of names, such as [{names!r:.60}]")
    names = tuple(names)
    for name in names:
        if name == "drop_useless":
            raise ValueError(NOT_IN_PLAY)
        _check(name, [one.name for one in IN_PLAY], "rewriting")
    return tuple(one for one in IN_PLAY if one.name in names)


def _check(name: str, names: Sequence[str], kind: str) -> None:
    if name not in names:
        near = get_close_matches(name, names, 1)
        hint = f" Did you mean {near[0]}?" if near else ""
        raise ValueError(f"unknown {kind} {name!r:.60}; choose from {', '.join(names)}.{hint}")
