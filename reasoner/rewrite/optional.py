"""Rewritings that are switched on singly: materialization as it was proposed for reasoners that evaluate top-down.

None of them is on by itself. The relational engine works out each view at most once a state and what is static once a
game; in a circuit a view is shared gates, and what is useless is no gate at all (docs/materialization.md: figures).
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from reasoner.rewrite.drop_useless import drop_useless, explain_useless
from reasoner.rewrite.keep_views import explain_kept, keep_views
from reasoner.rewrite.passes import PASSES, Pass
from reasoner.rewrite.store_statics import explain_stored, store_statics
from reasoner.rewrite.unfold import explain_unfolded, unfold

OPTIONAL: tuple[Pass, ...] = (
    Pass("store_statics", "views that are the same in all states are stored", store_statics, explain_stored),
    Pass("keep_views", "a view that is asked for again and again is a base relation", keep_views, explain_kept),
    Pass("unfold", "a base relation read through one rule only is that rule's body", unfold, explain_unfolded),
    Pass("drop_useless", "base relations that no key property depends on", drop_useless, explain_useless),
)
"""In the order in which they are applied, before the others."""

ALL: tuple[Pass, ...] = (*OPTIONAL, *PASSES)


def chosen(on: Sequence[str] = (), off: Sequence[str] = ()) -> tuple[Pass, ...]:
    """The standard passes and those that are switched on, without those switched off. Raises ValueError."""
    names = [one.name for one in ALL]
    for name in (*on, *off):
        if name not in names:
            near = get_close_matches(name, names, 1)
            hint = f" Did you mean {near[0]}?" if near else ""
            raise ValueError(f"there is no pass {name!r}; there are {', '.join(names)}.{hint}")
    wanted = {*(one.name for one in PASSES), *on} - set(off)
    return tuple(one for one in ALL if one.name in wanted)
