"""A picture of a state (`agent.boards.board`) as one SVG image without script or style sheet, for notebooks and files.

The image looks as in the browser (page/static/board.js, cell.js, glyph.js), in the light colours of its board.css.
Facts outside the boards follow as lines of text.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

from agent.boards.pieces import pieces

STATIC = Path(__file__).parents[1] / "page" / "static"
CELL, MARGIN, LINE = 40.0, 18.0, 18.0
"""Pixels of a cell, of the margin with the names of rows and columns, and of a line of text."""
MAX_WIDTH = 640.0
"""Maximum width in pixels; wider pictures are scaled down."""
LINE_CHARACTERS, MAX_LINES = 70, 12
PITCH = 0.84
"""Diameter of a cell outside a grid, as a share of the minimum distance."""
HEX_SIDE, HEX_ROW = 0.57735, 0.86603
"""Side of a hexagon of width 1, and the distance of rows."""
LABEL_SIZES = (46, 46, 36, 27, 21)
"""Font size of a token's label by its length, for a token of 100 units."""
INNER_SEEDS, MAX_SEEDS = 8, 22
SHORT_NAME = 3
"""Maximum characters of the names of cells outside a grid; longer names are not shown."""
SHOGI = {"fill": "#f1d9a4", "edge": "#6b4f1d", "text": "#2b1d05"}
"""Colours of shogi pieces, whose direction shows the owner."""

Drawing = Mapping[str, Any]
Marks = Mapping[tuple[int, int], str]
"""The colour of marked cells, by column and row."""


class Block(NamedTuple):
    """A part of the image with its size in pixels."""

    width: float
    height: float
    body: str


@cache
def colours() -> dict[str, str]:
    """Return the light colours of the page by the names of their CSS variables."""
    text = "".join(
        (STATIC / name).read_text(encoding="utf-8").partition("@media")[0] for name in ("style.css", "board.css")
    )
    return dict(re.findall(r"--(\w+): (#\w+)", text))


@cache
def tints() -> dict[str, dict[str, str]]:
    """Return the colours of each tint: `fill`, `edge`, `text`, and for some `detail`."""
    text = (STATIC / "board.css").read_text(encoding="utf-8")
    found: dict[str, dict[str, str]] = {}
    for name, body in re.findall(r"\.tint-(\w+) \{([^}]*--fill[^}]*)\}", text):
        found.setdefault(name, dict(re.findall(r"--(\w+): (#\w+)", body)))
    return found


def as_svg(picture: Drawing, caption: str = "") -> str:
    """Return the picture as the text of an SVG image, with a caption below it."""
    across = max(1, picture["across"])
    boards = [
        _board(grid, len(picture["grids"]) > 1, _marked(picture, number))
        for number, grid in enumerate(picture["grids"])
    ]
    rows = [_beside(boards[first : first + across]) for first in range(0, len(boards), across)]
    lines = [*_lines(picture), *([caption] if caption else [])]
    blocks = [*rows, *([_text(lines)] if lines else [])]
    width, height = max((block.width for block in blocks), default=1.0), sum(block.height for block in blocks)
    shown = min(width, MAX_WIDTH)
    body, top = "", 0.0
    for block in blocks:
        body += f'<g transform="translate(0 {top:g})">{block.body}</g>'
        top += block.height
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{shown:g}" '
        f'height="{height * shown / width:g}" font-family="sans-serif" role="img">'
        f'<rect width="{width:g}" height="{height:g}" fill="{colours()["card"]}"/>{body}</svg>'
    )


def _marked(picture: Drawing, number: int) -> Marks:
    """Return the colour of each cell of a board that the last joint move names, or that decided the game."""
    moved = [tuple(place) for move in picture.get("moved", ()) if move["last"] for place in move["cells"]]
    decided = [tuple(place) for place in picture.get("cause", ())]
    coloured = [(place, "changed") for place in moved] + [(place, "glow") for place in decided]
    return {(x, y): colours()[name] for (board, x, y), name in coloured if board == number}


def _beside(blocks: Sequence[Block]) -> Block:
    body, left = "", 0.0
    for block in blocks:
        body += f'<g transform="translate({left:g} 0)">{block.body}</g>'
        left += block.width
    return Block(left, max(block.height for block in blocks), body)


def _board(grid: Drawing, named: bool, marks: Marks) -> Block:
    if grid["spots"]:
        return _net(grid, marks)
    columns, rows = grid["columns"], grid["rows"]
    ends = [_middle(grid, x, y) for x in (0, len(columns) - 1) for y in (0, len(rows) - 1)]
    least, most = min(x for x, _ in ends) - 0.5, max(x for x, _ in ends) + 0.5
    high = max(y for _, y in ends) + (HEX_SIDE if grid["skew"] else 0.5)
    head = LINE if named else 0.0
    title = _label(grid["title"], (most - least) * CELL / 2 + MARGIN, 13, 12) if named else ""
    cells = "".join(_cell(grid, x, y, marks.get((x, y))) for y in range(len(rows)) for x in range(len(columns)))
    things = "".join(_contents(grid, x, y) for y in range(len(rows)) for x in range(len(columns)))
    names = [_label(_short(name), *_scaled(x, high, 0, 13), 11) for name, x in _columns(grid)]
    names += [
        _label(_short(name), -MARGIN / 2 + least * CELL, _middle(grid, 0, y)[1] * CELL + 4, 11)
        for y, name in enumerate(rows)
    ]
    at = f"translate({MARGIN - least * CELL:g} {head + 2:g})"
    body = f'{title}<g transform="{at}">{cells}{_joins(grid)}{things}{"".join(names)}</g>'
    return Block((most - least) * CELL + MARGIN + 6, high * CELL + head + MARGIN + 4, body)


def _columns(grid: Drawing) -> list[tuple[str, float]]:
    """Return the names of the columns, each with the centre of its lowest cell."""
    last = len(grid["rows"]) - 1
    return [(name, _middle(grid, x, last)[0]) for x, name in enumerate(grid["columns"])]


def _middle(grid: Drawing, x: int, y: int) -> tuple[float, float]:
    """Return the centre of a cell in cell widths."""
    skew = grid["skew"]
    return (x + 0.5 - skew * y / 2, HEX_SIDE + HEX_ROW * y) if skew else (x + 0.5, y + 0.5)


def _scaled(x: float, y: float, dx: float = 0.0, dy: float = 0.0) -> tuple[float, float]:
    return x * CELL + dx, y * CELL + dy


def _cell(grid: Drawing, x: int, y: int, mark: str | None) -> str:
    """Draw the background of a cell, in the colour `mark` if it is marked."""
    odd = (x + len(grid["rows"]) - 1 - y) % 2 == 0
    names = ("dark", "light") if grid["checkered"] else ("even", "even")
    fill, line = mark or colours()[names[not odd]], colours()["grid"]
    (cx, cy), key = _scaled(*_middle(grid, x, y)), f"{x} {y}"
    if grid["points"]:
        ring = f'<circle cx="{cx:g}" cy="{cy:g}" r="{CELL * 0.46:g}" fill="{mark}"/>' if mark else ""
        return f'{ring}<circle cx="{cx:g}" cy="{cy:g}" r="3.5" fill="{colours()["ink"]}"/>'
    if grid["skew"]:
        corners = [(cx + CELL / 2 * a, cy + CELL * HEX_SIDE * b) for a, b in _HEXAGON]
        points = " ".join(f"{a:.2f},{b:.2f}" for a, b in corners)
        return f'<polygon points="{points}" fill="{mark or colours()["even"]}" stroke="{line}"/>'
    half = CELL / 2
    drawn = (
        f'<rect x="{cx - half:g}" y="{cy - half:g}" width="{CELL:g}" height="{CELL:g}" fill="{fill}" stroke="{line}"/>'
    )
    for side in grid["edges"].get(key, ()):
        (x1, y1), (x2, y2) = ((cx + half * a, cy + half * b) for a, b in _SIDES[side])
        drawn += _stroke(x1, y1, x2, y2, colours()["ink"], 3)
    return drawn


_HEXAGON = ((0, -1), (1, -0.5), (1, 0.5), (0, 1), (-1, 0.5), (-1, -0.5))
_SIDES = {
    "top": ((-1, -1), (1, -1)),
    "bottom": ((-1, 1), (1, 1)),
    "left": ((-1, -1), (-1, 1)),
    "right": ((1, -1), (1, 1)),
}


def _contents(grid: Drawing, x: int, y: int) -> str:
    """Draw the things in a cell, up to four of them smaller, and the thing above and to the right of a point."""
    symbols, key, (cx, cy) = grid["symbols"], f"{x} {y}", _scaled(*_middle(grid, x, y))
    things = grid["more"].get(key) or [grid["cells"][y][x]]
    size = CELL if len(things) < 2 else CELL / 2
    body = ""
    for place, thing in enumerate(things[:4]):
        left, top = (cx - CELL / 2 + size * (place % 2), cy - CELL / 2 + size * (place // 2))
        body += _glyph(thing, symbols.get(thing), left, top, size)
    for side, kind in grid["signs"].get(key, ()):
        (a, b), upright = _SIDE_MIDDLES[side], side in ("left", "right")
        opens = (kind == "greater") == (side in ("right", "bottom"))
        sign = (">" if opens else "<") if upright else ("\u2228" if opens else "\u2227")
        body += _label(sign, cx + a * CELL / 2, cy + b * CELL / 2 + 4, 11)
    if pile := grid["piles"].get(key):
        body += _label(f"\u00d7{len(pile)}", cx + CELL * 0.32, cy + CELL * 0.45, 11)
    amid = grid["between"].get(key)
    return body + (_glyph(amid, symbols.get(amid), cx + CELL * 0.1, cy - CELL * 0.9, CELL * 0.8) if amid else "")


_SIDE_MIDDLES = {side: tuple(sum(part) / 2 for part in zip(*ends, strict=True)) for side, ends in _SIDES.items()}


def _joins(grid: Drawing) -> str:
    """Draw lines between cells, or walls across them."""
    body = ""
    for ax, ay, bx, by in grid["lines"]:
        (x1, y1), (x2, y2) = _middle(grid, ax, ay), _middle(grid, bx, by)
        if grid["walled"]:
            scale = HEX_SIDE if grid["skew"] else 1.0
            x, y = (x2 - x1) * scale, (y2 - y1) * scale
            x1, y1, x2, y2 = (x1 + x2 - y) / 2, (y1 + y2 + x) / 2, (x1 + x2 + y) / 2, (y1 + y2 - x) / 2
        colour = colours()["ink" if grid["walled"] else "act"]
        body += _stroke(x1 * CELL, y1 * CELL, x2 * CELL, y2 * CELL, colour, 0.09 * CELL)
    return body


def _net(grid: Drawing, marks: Marks) -> Block:
    """Draw cells outside a grid as circles, with lines between neighbours."""
    spots, unit = grid["spots"], 1.6 * CELL
    near = min((math.dist(spots[one], spots[other]) for one, other in grid["ways"]), default=1.0)
    size = PITCH * min(1.0, near) * unit
    places = [((x + 0.5) * unit, (y + 0.5) * unit) for x, y in spots]
    told = max(map(len, grid["columns"])) <= SHORT_NAME
    lines = ((*places[one], *places[other]) for one, other in grid["ways"])
    body = "".join(_stroke(x1, y1, x2, y2, colours()["edge"], 2) for x1, y1, x2, y2 in lines)
    for x, (name, (cx, cy)) in enumerate(zip(grid["columns"], places, strict=True)):
        content = grid["cells"][0][x]
        paint = f'fill="{marks.get((x, 0), colours()["even"])}" stroke="{colours()["edge"]}"'
        body += f'<circle cx="{cx:g}" cy="{cy:g}" r="{size / 2:g}" {paint}/>'
        body += _glyph(content, grid["symbols"].get(content), cx - size * 0.4, cy - size * 0.4, size * 0.8)
        body += _label(name, cx, cy + size / 2 + 10, 10) if told else ""
    width, height = (max(spot[axis] for spot in spots) + 1 for axis in (0, 1))
    return Block(width * unit, height * unit + 8, body)


def _glyph(content: str, symbol: Drawing | None, left: float, top: float, size: float) -> str:
    """Draw one content in a square: a piece, a token with a letter, seeds, or its text."""
    if not content or (symbol and symbol["blank"]):
        return ""
    label = symbol["label"] if symbol else content
    tint = symbol["tint"] if symbol else 7
    tone = colours()[f"h{(tint or 0) % 8}"] if not isinstance(tint, str) else ""
    look = (
        tints().get(tint, {})
        if isinstance(tint, str)
        else {"fill": tone, "edge": colours()["ink"], "text": colours()["card"]}
    )
    drawn = _drawn(symbol, label, look) if symbol else ""
    if not drawn:
        scale = LABEL_SIZES[min(len(label), 4)] / 100
        return _label(
            label, left + size / 2, top + size * (0.5 + 0.36 * scale), size * scale, tone or look.get("fill", "")
        )
    inset = 0.08 * size
    unit = (size - 2 * inset) / 100
    return f'<g transform="translate({left + inset:g} {top + inset:g}) scale({unit:g})">{drawn}</g>'


def _drawn(symbol: Drawing, label: str, look: Mapping[str, str]) -> str:
    """Draw a symbol in a square of 100 units; empty if it is only text."""
    if symbol["glyph"] == "seeds":
        return _seeds(int(label) if label.isascii() and label.isdigit() and len(label) < 9 else 0)
    if symbol["bits"]:
        return _properties(symbol["bits"])
    family = (symbol["glyph"] or "").partition(".")[0]
    if family == "shogi":
        look = SHOGI
    elif family == "marks" and symbol["tint"] == "white":
        look = {**look, "fill": colours()["ink"]}
    fill, edge = look["fill"], look["edge"]
    piece = pieces().get(symbol["glyph"] or "")
    if piece is None:
        if symbol["owner"] is None and not isinstance(symbol["tint"], str):
            return ""
        return f'<circle cx="50" cy="50" r="44" fill="{fill}" stroke="{edge}" stroke-width="4"/>' + _letters(
            label, look
        )
    rounded = 'stroke-linecap="round" stroke-linejoin="round"'
    body = (
        f'<path d="{piece["body"]}" fill="{fill}" stroke="{edge}" stroke-width="4" {rounded}/>'
        if "body" in piece
        else ""
    )
    if "lines" in piece:
        colour, width = (look.get("detail", edge), 4) if body else (fill, 11)
        body += f'<path d="{piece["lines"]}" fill="none" stroke="{colour}" stroke-width="{width}" {rounded}/>'
    if "text" in piece:
        body += _label(piece["text"], 50, 78, 50, look["text"])
    body += _letters(label, look) if symbol["said"] and label and "text" not in piece else ""
    return f'<g transform="rotate(180 50 50)">{body}</g>' if look is SHOGI and symbol["owner"] == 1 else body


def _letters(label: str, look: Mapping[str, str]) -> str:
    size = LABEL_SIZES[min(len(label), 4)]
    return _label(label[:4], 50, 50 + size * 0.36, size, look["text"])


def _seeds(count: int) -> str:
    """Draw a number with seeds around it."""
    body = ""
    for seed in range(min(count, MAX_SEEDS)):
        inner = seed < INNER_SEEDS
        place, ring = (
            (seed, min(count, INNER_SEEDS)) if inner else (seed - INNER_SEEDS, min(count, MAX_SEEDS) - INNER_SEEDS)
        )
        turn = 2 * math.pi * place / ring - math.pi / 2
        x, y = (50 + (27 if inner else 43) * way(turn) for way in (math.cos, math.sin))
        body += f'<circle cx="{x:.1f}" cy="{y:.1f}" r="6.5" fill="#8a5a35" stroke="#4a2d17"/>'
    return body + _label(str(count), 50, 58, 24)


def _properties(bits: str) -> str:
    """Draw up to four properties: dark or light, square or round, tall or low, hollow or not."""
    dark, square, tall, hollow = (bit == "1" for bit in bits.ljust(4, "0"))

    def shape(size: float, paint: str) -> str:
        if square:
            start = 50 - size / 2
            return f'<rect x="{start:g}" y="{start:g}" width="{size:g}" height="{size:g}" rx="4" {paint}/>'
        return f'<circle cx="50" cy="50" r="{size / 2:g}" {paint}/>'

    side = 84.0 if tall else 52.0
    fill = 'fill="#4b5563" stroke="#14181d"' if dark else 'fill="#f0d9a8" stroke="#6b4f1d"'
    hole = shape(side * 0.42, f'fill="{colours()["even"]}" stroke="{colours()["ink"]}"') if hollow else ""
    return shape(side, f'{fill} stroke-width="4"') + hole


def _lines(picture: Drawing) -> list[str]:
    """Return the facts outside the boards as lines of text."""
    parts = [f"{name}: {value}" for name, value in picture["counters"]]
    for pots in picture["pots"]:
        parts += [f"{name}: {value}" for name, value in zip(pots["names"], pots["values"], strict=True)]
    for switch in picture["switches"]:
        parts += [f"{name}: {value}" for name, value in zip(switch["names"], switch["values"], strict=True)]
    parts += [f"{tray['title']}: {' '.join(tray['pieces'])}" for tray in picture["trays"]]
    for pile in picture["towers"]:
        parts += [f"{tower['base']}: {' '.join(tower['things'])}" for tower in pile["towers"]]
    parts += [" ".join([name, *row]) for name, rows in picture["others"].items() for row in rows]
    return _wrapped(parts)


def _wrapped(parts: Iterable[str]) -> list[str]:
    """Join parts to lines of limited length; drop the lines beyond the maximum."""
    lines = [""]
    for part in parts:
        if lines[-1] and len(lines[-1]) + len(part) > LINE_CHARACTERS:
            lines.append("")
        lines[-1] += f" · {part}" if lines[-1] else part
    lines = [*lines[:MAX_LINES], "…"] if len(lines) > MAX_LINES else lines
    return [line[: 2 * LINE_CHARACTERS] for line in lines if line]


def _text(lines: Sequence[str]) -> Block:
    ink = colours()["ink"]
    rows = (
        f'<text x="{MARGIN:g}" y="{LINE * (row + 0.8):g}" font-size="12" fill="{ink}">{escape(line)}</text>'
        for row, line in enumerate(lines)
    )
    return Block(MARGIN + max(map(len, lines)) * 6.6, LINE * (len(lines) + 0.4), "".join(rows))


def _label(text: str, x: float, y: float, size: float, fill: str = "") -> str:
    place = f'x="{x:.4g}" y="{y:.4g}" font-size="{size:.3g}" text-anchor="middle"'
    return f'<text {place} font-weight="600" fill="{fill or colours()["ink"]}">{escape(text)}</text>'


def _stroke(x1: float, y1: float, x2: float, y2: float, colour: str, width: float) -> str:
    ends = f'x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}"'
    return f'<line {ends} stroke="{colour}" stroke-width="{width:g}" stroke-linecap="round"/>'


def _short(name: str) -> str:
    """Shorten the name of a row or column: a number without its prefix, or the first two letters."""
    number = re.sub(r"(?i)^[a-z]+-?0*(?=\d)", "", name)
    return number if any(map(str.isdigit, number)) else number[:2]
