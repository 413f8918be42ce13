"""Walls and trails without a known name: the content that never leaves a cell in random games."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from agent.boards.layout import Layout
from agent.boards.owners import Play
from agent.boards.pieces import BLOCK, NUMBER, Symbol
from agent.boards.terms import term_of
from reasoner.language.terms import Compound

MIN_CELLS = 3
"""Minimum cells that have the content at the same time."""


def barrier(plays: Iterable[Play], layouts: Sequence[Layout], made: Mapping[str, Symbol]) -> dict[str, Symbol]:
    """Map the content that is probably a wall to the symbol of a block; return an empty mapping if there is none.

    The wall is the most common content among those that never leave a cell and have no owner and no known name.
    """
    unknown = {content for content, symbol in made.items() if _unknown(content, symbol)}
    most = dict.fromkeys(unknown, 0)
    for before, _, after in plays:
        kept, here = set(after), dict.fromkeys(unknown, 0)
        for fact in before:
            content = _content(fact, layouts)
            if content in unknown and fact not in kept:
                unknown.discard(content)
            elif content in here:
                here[content] += 1
        most = {content: max(many, here[content]) for content, many in most.items() if content in here}
    many, found = max(((most.get(content, 0), content) for content in sorted(unknown)), default=(0, ""))
    alone = all(2 * most.get(content, 0) <= many for content in unknown if content != found)
    return {found: Symbol("", tint="grey", glyph=BLOCK, said=False)} if many >= MIN_CELLS and alone else {}


def _unknown(content: str, symbol: Symbol) -> bool:
    plain = not (symbol.blank or symbol.glyph or symbol.bits) and symbol.owner is None
    return plain and not isinstance(symbol.tint, str) and not NUMBER.fullmatch(content) and content.isalpha()


def _content(text: str, layouts: Sequence[Layout]) -> str:
    fact = term_of(text)
    layout = next((one for one in layouts if one.holds(fact)), None)
    return layout.content(fact) if layout and isinstance(fact, Compound) else ""
