"""Whose the contents of a board are, by which role's moves bring them to cells.

The rules say it by what happens: positions of games, played or drawn at random, are compared with those before. What
only one role's moves ever add is that role's; what both add, as an arrow or an empty cell, is nobody's. Names
do not count here.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from agent.gamemaster.layout import BLANKS, Layout
from agent.page.terms import term_of
from reasoner.language.terms import Compound

Play = tuple[Sequence[str], Sequence[str], Sequence[str]]
"""The facts before, a joint move, the facts after."""
Owners = dict[str, int]
"""For each content its role's number."""
INITIAL = "b"
"""A name of empty cells, and of pieces of roles that begin so: `blue`."""
SURELY = BLANKS - {INITIAL}
SHARE = 0.7
"""The part of what is known of a content that must speak for one role."""


def owners_of(plays: Iterable[Play], layouts: Sequence[Layout]) -> Owners:
    """The owners of the contents of the boards, where `plays` tell them.

    A move that changes one cell says more than one that changes many: a stone put down says whose it is, stones turned
    with a part of the board say little.
    """
    weights: dict[str, dict[int, float]] = defaultdict(lambda: defaultdict(float))
    for before, joint, after in plays:
        movers = [role for role, move in enumerate(joint) if move.startswith("(")]
        if len(joint) < 2 or not movers:
            continue
        brought = list(_brought(before, joint, after, layouts, movers))
        for role, content in brought:
            many = sum(other == role for other, _ in brought)
            weights[content][role] += 1 / many**2
    said = {content: _only(found) for content, found in weights.items()}
    return {content: role for content, role in said.items() if role is not None}


def entered(plays: Iterable[Play], layouts: Sequence[Layout], owners: Owners) -> str | None:
    """The content of empty cells, whatever its name: what is nobody's, and most often gives way to somebody's."""
    counts: Counter[str] = Counter()
    for before, _, after in plays:
        for layout in layouts:
            cells = zip(_contents(before, layout), _contents(after, layout), strict=True)
            counts.update(old for old, new in cells if new in owners and old and old not in owners)
    return next((content for content, many in counts.most_common(1) if 2 * many > counts.total()), None)


def _contents(facts: Sequence[str], layout: Layout) -> list[str]:
    return [content for row in layout.cells(map(term_of, facts)) for content in row]


def _brought(
    before: Sequence[str], joint: Sequence[str], after: Sequence[str], layouts: Sequence[Layout], movers: Sequence[int]
) -> Iterable[tuple[int, str]]:
    """What a joint move brings to cells, with the role whose move that was, where that is plain."""
    for text in sorted(set(after) - set(before)):
        fact = term_of(text)
        layout = next((one for one in layouts if one.holds(fact)), None)
        if layout is None or not isinstance(fact, Compound) or (content := layout.content(fact)) in SURELY:
            continue
        own = movers
        if len(movers) > 1:
            cell = " ".join(layout.spelling(*layout.place(fact)))
            own = [role for role in movers if f" {cell} " in f" {joint[role].strip('()')} "]
        if len(own) == 1:
            yield own[0], content


def _only(found: Mapping[int, float]) -> int | None:
    role = max(found, key=lambda one: found[one])
    return role if found[role] >= SHARE * sum(found.values()) else None
