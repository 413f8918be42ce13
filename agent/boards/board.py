"""Picture of a state for the page.

A picture is plain JSON:

- ``grids``: the boards: ``title``, columns from the left, rows from the top, cells (`agent.boards.cells`), and a symbol
  for each content (`agent.boards.pieces.Symbol`);
- ``across``: the number of boards side by side; ``dense``: whether they are parts of a larger board;
- ``pots``: rows of numbers with similar names; ``counters``: other named numbers, and whose turn it is;
- ``trays``: pieces outside the boards; ``towers``: stacked things; ``switches``: things with values;
- ``others``: all other facts by relation, each as the list of its arguments;
- ``starts``: the first argument of a move that names a cell (`agent.boards.move_starts`).

`agent.boards.find_boards` finds the boards.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agent.boards.cells import drawn_cells, rest_of
from agent.boards.find_boards import Over
from agent.boards.layout import BLANKS, Layout
from agent.boards.look import Look
from agent.boards.pictures import Grid, Picture
from agent.boards.pieces import NUMBER, Symbol, as_json, symbols
from agent.boards.switches import switches
from agent.boards.terms import term_of
from agent.boards.towers import towers
from reasoner.language.terms import Compound, Term

MAX_COUNTERS = 40
DIGITS = "-0123456789"
MIN_POTS = 6
"""Minimum numbers of one relation that are drawn as a row of pots."""


def picture(facts: Sequence[str], look: Look, *, terminal: bool = False) -> Picture:
    """Return the picture of a state; the picture of a `terminal` state does not show whose turn it is."""
    left = [term_of(fact) for fact in sorted(facts)]
    grids = []
    for layout in look.layouts:
        grids.append(_grid(left, layout, look, look.over))
        left = rest_of(left, layout, look.over)
    others = _by_relation(left, look)
    if terminal:
        others = {name: rows for name, rows in others.items() if not _turn(rows, look.roles)}
    dense = bool(look.layouts) and len(look.layouts[0].board) == 2
    return {  # in this order: each part takes its facts from `others`
        "grids": grids,
        "across": _across(look.layouts),
        "dense": dense,
        "switches": _switches(others, look),
        "trays": _trays(others, look),
        "pots": _pots(others),
        "towers": _towers(others, look),
        "counters": _counters(others, look),
        "others": others,
        "starts": look.starts,
    }


def _grid(terms: Sequence[Term], layout: Layout, look: Look, over: Over) -> Grid:
    made = look.symbols or {}
    own = [layout, *(overlay.layout for overlay in over.overlays)]
    shown = {content for one in own for content in one.symbols if content in made}
    return {
        "title": look.author.names.get(layout.title, layout.title),
        "columns": layout.columns,
        "rows": layout.rows,
        **drawn_cells(terms, layout, over, made),
        "symbols": as_json({content: made[content] for content in sorted(shown)}),
        "checkered": look.checkered,
        "skew": look.skew,
        "sides": look.author.sides,
        "spots": layout.spots,
        "ways": layout.ways,
        "points": over.points,
        "spelling": _spelling(layout),
    }


def _spelling(layout: Layout) -> str:
    """Return how moves name a cell; see `agent.boards.pictures.Grid`."""
    if layout.joined:
        return "joined"
    if layout.board or abs(layout.across - layout.up) != 1:
        return "other"
    return "columns" if layout.across < layout.up else "rows"


def _across(layouts: Sequence[Layout]) -> int:
    """Return the number of boards in a row: the number of values of the second board argument, else at most 3."""
    many = len(layouts)
    if layouts and len(layouts[0].board) == 2:
        return len({layout.board[1][1] for layout in layouts if layout.board})
    return 2 if many == 4 else min(many, 3)


def _by_relation(terms: Sequence[Term], look: Look) -> dict[str, list[list[str]]]:
    others: dict[str, list[list[str]]] = {}
    for term in terms:
        name = term.functor if isinstance(term, Compound) else str(term)
        if name not in look.author.hidden:
            arguments = list(map(str, term.arguments)) if isinstance(term, Compound) else []
            others.setdefault(look.author.names.get(name, name), []).append(arguments)
    return others


def _turn(rows: Sequence[Sequence[str]], roles: Sequence[str]) -> bool:
    """Whether facts say whose turn it is: a single fact whose only argument is a role."""
    return len(rows) == 1 and len(rows[0]) == 1 and rows[0][0] in roles


def _trays(others: dict[str, list[list[str]]], look: Look) -> list[dict[str, Any]]:
    """Remove pieces outside the boards from `others` and return them: facts whose only argument is a content."""
    made = look.symbols or {}
    pieces = {content: symbol for content, symbol in made.items() if not symbol.blank and content not in look.roles}
    trays = []
    for name, rows in list(others.items()):
        if all(len(row) == 1 and row[0] in pieces for row in rows):
            del others[name]
            words = [row[0] for row in rows]
            trays.append({"title": name, "pieces": words, "symbols": as_json({word: pieces[word] for word in words})})
    return trays


def _pots(others: dict[str, list[list[str]]]) -> list[dict[str, Any]]:
    """Remove relations that give a number to each of at least `MIN_POTS` names from `others`; return them, sorted."""
    pots = []
    for name, rows in list(others.items()):
        if len(rows) >= MIN_POTS and all(len(row) == 2 for row in rows) and _numbered(rows):
            del others[name]
            rows.sort(key=lambda row: (not row[0][-1].isdigit(), len(row[0]), row[0]))
            pots.append({"title": name, "names": [row[0] for row in rows], "values": [_number(row[1]) for row in rows]})
    return pots


def _towers(others: dict[str, list[list[str]]], look: Look) -> list[dict[str, Any]]:
    """Remove the relations that stack things from `others` and return them."""
    piles = [(name, pile) for name, pile in look.towers.items() if name in others]
    return [{"title": name, "towers": towers(others.pop(name), pile)} for name, pile in piles]


def _switches(others: dict[str, list[list[str]]], look: Look) -> list[dict[str, Any]]:
    """Remove things with values from `others` and return them."""
    found = switches(others, look.switches)
    return [one | {"symbols": as_json(_values(set(one["values"]), look.roles))} for one in found]


def _values(names: set[str], roles: Sequence[str]) -> dict[str, Symbol]:
    return symbols(names, names & BLANKS, roles, {})


def _numbered(rows: Sequence[Sequence[str]]) -> bool:
    """Whether the rows map each name to one number."""
    words = {row[-1].rstrip(DIGITS) for row in rows if row}
    if len(words) > 1 or any(len(word) > 1 for word in words):
        return False  # the values are names with digits, not numbers
    names = {" ".join(row[:-1]) for row in rows}
    return len(names) == len(rows) <= MAX_COUNTERS and all(row and NUMBER.fullmatch(row[-1]) for row in rows)


def _number(word: str) -> int:
    found = NUMBER.fullmatch(word)
    return int(found[1]) if found else 0


def _counters(others: dict[str, list[list[str]]], look: Look) -> list[list[str]]:
    """Remove named numbers, and the fact that says whose turn it is, from `others` and return them."""
    counters: list[list[str]] = []
    names = look.author.names
    for name, rows in list(others.items()):
        if _turn(rows, look.roles):
            del others[name]
            counters.append([name, names.get(rows[0][0], rows[0][0])])
        elif _numbered(rows) and max(map(len, rows)) <= 2:
            del others[name]
            keys = [names.get(row[0], row[0]) if len(row) == 2 else "" for row in rows]
            counters += [[f"{name} {key}".strip(), str(_number(row[-1]))] for key, row in zip(keys, rows, strict=True)]
    return counters
