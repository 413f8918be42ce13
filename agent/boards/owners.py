"""Owners of board contents: the role whose moves bring a content to cells.

Each position of real and random games is compared with the previous one. If the moves of only one role add a content,
the role owns the content. A content that several roles add, such as an arrow or an empty cell, has no owner. Names are
not used.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from agent.boards.layout import BLANKS, Layout
from agent.boards.terms import term_of
from reasoner.language.terms import Compound

Play = tuple[Sequence[str], Sequence[str], Sequence[str]]
"""Facts before, joint move, facts after."""
Owners = dict[str, int]
"""Role number by content."""
INITIAL = "b"
"""Content that may mean "blank", an empty cell, or a piece of a role with this initial, such as `blue`."""
SURELY = BLANKS - {INITIAL}
SHARE = 0.7
"""Minimum share of the evidence for one role."""


def owners_of(plays: Iterable[Play], layouts: Sequence[Layout]) -> Owners:
    """Infer the owners of the contents of the boards from `plays`.

    A move that changes one cell has more weight than a move that changes many cells: a placed stone shows its owner,
    but the stones on a rotated part of the board do not.
    """
    weights: dict[str, dict[int, float]] = defaultdict(lambda: defaultdict(float))
    for before, joint, after in plays:
        movers = [role for role, move in enumerate(joint) if move.startswith("(")]
        if len(joint) < 2 or not movers:
            continue
        brought = list(_brought(before, joint, after, layouts, movers))
        many = Counter(role for role, _ in brought)
        for role, content in brought:
            weights[content][role] += 1 / many[role] ** 2
    said = {content: _only(found) for content, found in weights.items()}
    return {content: role for content, role in said.items() if role is not None}


def entered(plays: Iterable[Play], layouts: Sequence[Layout], owners: Owners) -> str | None:
    """Return the content that marks empty cells, or None if it is unclear.

    In `plays`, owned contents replace contents without an owner; more than half of those replaced are this content.
    """
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
    """Yield the contents that a joint move brings to cells, each with the role that moved it, if unambiguous."""
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
