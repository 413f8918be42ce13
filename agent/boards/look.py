"""Look of one game: its boards, the symbols of its pieces, and the kinds of its other facts.

The look is computed once per game from the facts of its first position, the declared base facts, and random games.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from agent.boards.author import Author
from agent.boards.barriers import barrier
from agent.boards.find_boards import Over, Positions
from agent.boards.layout import BLANKS, Layout, grouped
from agent.boards.move_starts import starts_of
from agent.boards.orientation import forward_up
from agent.boards.owners import INITIAL, Play, entered, owners_of
from agent.boards.pieces import EVERY, NUMBER, SEEDS, STONE, Symbol, family_of, mostly_numbers, symbols
from agent.boards.switches import Values, switches_of
from agent.boards.terms import term_of
from agent.boards.towers import Pile, bases_of
from agent.boards.walls import at_edge

MIN_EMPTY_SHARE = 0.4
"""A content may mean "empty" if at least this share of a board's cells has it in the first position."""
CHECKERED = ("draughts", "chess")
"""Sets of pieces with a checkered board."""
HEXES = {-1: {(1, 1), (-1, -1)}, 1: {(1, -1), (-1, 1)}}
"""Neighbours of a hexagonal cell besides the four of a square, by the direction in which upper rows are shifted."""
SIDES = {(1, 0), (-1, 0), (0, 1), (0, -1)}


@dataclass(frozen=True, slots=True)
class Look:
    """How a game is drawn."""

    layouts: tuple[Layout, ...] = ()
    symbols: Mapping[str, Symbol] | None = None
    roles: tuple[str, ...] = ()
    checkered: bool = False
    skew: int = 0  # shift of each row against the row below: 1 or -1 (half a cell) on hexagons, 0 on squares
    author: Author = field(default_factory=Author)
    over: Over = field(default_factory=Over)
    towers: Mapping[str, Pile] = field(default_factory=dict)  # relations that stack things
    switches: tuple[Values, ...] = ()  # relations that are the values of things
    starts: Mapping[str, int] = field(default_factory=dict)  # first argument that names a cell, by move name


def look_of(
    layouts: tuple[Layout, ...],
    first: Sequence[str],
    roles: tuple[str, ...],
    positions: Positions,
    links: Sequence[Sequence[Sequence[str]]] = (),
    author: Author | None = None,
    over: Over | None = None,
) -> Look:
    """Return the look of a game with the boards `layouts`.

    `first` are the facts of the first position, `positions` later positions, `links` the rows of adjacency relations,
    `author` the author's hints, `over` the overlays of the boards.
    """
    said = author or Author()
    over = over or Over()
    readers = [*layouts, *(overlay.layout for overlay in over.overlays)]
    contents = {content for layout in readers for content in layout.symbols if not at_edge(layout.relation[0], content)}
    owners = {} if mostly_numbers(contents) else owners_of(_plays(positions), readers)
    blanks = {content for content in contents if content in BLANKS and not _begins(content, owners, roles)}
    owners = {content: owner for content, owner in owners.items() if content not in blanks}
    if not blanks:
        blanks = _blanks(first, layouts, owners)
    if not blanks and (free := entered(_plays(positions), layouts, owners)):
        blanks = {free}
    named = tuple(said.colours.get(role, role) for role in roles)
    marks = {layout.relation[0]: STONE for layout in layouts if layout.marked}
    if layouts and layouts[0].spots and mostly_numbers(contents) and not any(map(str.isdigit, contents)):
        marks[EVERY] = SEEDS  # prefixed numbers in a ring are pots
    begins = {content for layout in readers for row in layout.cells(map(term_of, first)) for content in row}
    made = symbols(contents, blanks, named, owners, marks | dict(said.pieces), begins)
    made |= barrier(_plays(positions), readers, made)
    for content, colour in said.colours.items():
        if content in made:
            made[content] = replace(made[content], tint=colour)
    flipped = tuple(_flipped(layout) for layout in layouts) if said.down else layouts
    checkered = said.board == "checkered" or (not said.board and family_of(made) in CHECKERED)
    skew = _skew(flipped[0], links) if flipped and said.board in ("", "hex") else 0
    skew = skew or (said.board == "hex") * -1
    if len(flipped) == 1 and not (skew or said.board or said.down):
        turned, over = forward_up(flipped[0], over, first, made)
        flipped = (turned,)
    states = [grouped(map(term_of, facts)) for facts in (first, *(facts for _, facts in positions))]
    starts = starts_of(_plays(positions), flipped)
    return Look(flipped, made, roles, checkered, skew, said, over, bases_of(states), switches_of(states, roles), starts)


def _begins(content: str, owners: Mapping[str, int], roles: Sequence[str]) -> bool:
    """Whether the content `b`, which may mean "blank", is the initial of the role that owns it."""
    return content == INITIAL and content in owners and roles[owners[content]].lower().startswith(INITIAL)


def _flipped(layout: Layout) -> Layout:
    return replace(layout, rows=tuple(sorted(layout.rows, key=lambda name: (len(name), name))))


def _plays(positions: Positions) -> Iterable[Play]:
    before: Sequence[str] = ()
    for joint, facts in positions:
        if joint:
            yield before, joint, facts
        before = facts


def _blanks(first: Sequence[str], layouts: Sequence[Layout], owners: Mapping[str, int]) -> set[str]:
    """Find contents of empty cells without a known name: the most common, unowned content of a board without gaps."""
    found: set[str] = set()
    for layout in layouts:
        counts = Counter(content for row in layout.cells(map(term_of, first)) for content in row)
        content, many = counts.most_common(1)[0]
        plain = content and content not in owners and not NUMBER.fullmatch(content)
        if plain and "" not in counts and many >= MIN_EMPTY_SHARE * layout.size and len(layout.symbols) > 2:
            found.add(content)
    return found


def _skew(layout: Layout, links: Sequence[Sequence[Sequence[str]]]) -> int:
    """Return the row shift of a hexagonal board, found from its adjacent cells; 0 for a board of squares."""
    places = {
        layout.spelling(column, row): (x, -y)
        for x, column in enumerate(layout.columns)
        for y, row in enumerate(layout.rows)
    }
    for rows in links:
        steps: set[tuple[int, int]] = set()
        for row in rows:
            half = len(row) // 2
            one, other = places.get(tuple(row[:half])), places.get(tuple(row[half:]))
            steps.add((other[0] - one[0], other[1] - one[1]) if one and other else (0, 0))
        for skew, corners in HEXES.items():
            if steps == SIDES | corners:
                return skew
    return 0
