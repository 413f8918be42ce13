"""Symbols of board contents: the piece that a content's words name, in the colour of the owner.

Words and outlines are in pieces.toml. A content without a known word becomes a token: a letter in the owner's colour.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from agent.boards.time_limit import check

FILE = Path(__file__).parent / "pieces.toml"
SETS = ("draughts", "chess", "shogi")
"""Sets of pieces; a board uses one of them."""
LOOSE = ("marks", "things")
REST = ("marks", "things", "chess", "draughts", "shogi")
"""Sets for contents that the board's set does not have; they are searched in this order."""
NEEDS, MADE = "needs", "made"
EVERY = "*"
SEEDS = "seeds"
"""Glyph of a number that is drawn with seeds around it."""
STONE = "things.stone"
TINTS = {
    **{
        name: name for name in ("red", "yellow", "black", "white", "blue", "green", "orange", "purple", "brown", "grey")
    },
    "gray": "grey",
    "teal": "teal",
    "cyan": "teal",
    "magenta": "pink",
    "pink": "pink",
    "violet": "purple",
    "light": "white",
    "dark": "black",
}
"""Colours by word; the page has a style for each."""
INITIALS = {"w": "white", "b": "black", "r": "red", "g": "green", "y": "yellow"}
SEATS = ("blue", "red", "green", "yellow", "purple", "orange", "teal", "pink")
"""Colours of roles without a colour in their name."""
SHORT = 4
"""Maximum characters of a content that is shown in full."""
NUMBER = re.compile(r"[a-z]*?-?([0-9]{1,18})", re.IGNORECASE)
BITS = re.compile(r"[a-z]*?([01]{2,4})", re.IGNORECASE)
KEPT = 1_000
"""Symbols whose JSON is cached; all positions of a game share them."""
MANY_LETTERS = 4
"""Minimum number of single-letter contents that are taken for pieces of a set without further evidence."""
MIN_BITS = 4  # minimum contents made of bits, to draw them as properties
PROMOTED, PLAIN = "promoted", ("unpromoted", "unpromotable")
"""Words for the state of a piece."""
BLOCK = "things.block"
STATED = re.compile(r"([0-9]{1,18})-([a-z]+)|([a-z]+)-([0-9]{1,18})", re.IGNORECASE)
"""A number in a state, such as `5-black`, which is two arguments of a fact."""
MAX_STATES = 3


@dataclass(frozen=True, slots=True)
class Symbol:
    """How one content is drawn."""

    label: str  # short text of a token
    blank: bool = False
    tint: str | int | None = None  # name of a colour; if there is none, a number that selects a colour
    glyph: str | None = None  # name of the piece in pieces.toml
    owner: int | None = None  # the role's number
    said: bool = True  # whether the label is shown
    bits: str = ""  # up to four properties of a piece, each 0 or 1


@cache
def pieces() -> dict[str, dict[str, Any]]:
    """Return every piece of pieces.toml by its full name, such as `chess.king`."""
    table = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return {
        f"{family}.{name}": piece
        for family, found in table.items()
        for name, piece in found.items()
        if name not in (NEEDS, MADE)
    }


@cache
def _needed(family: str) -> str | None:
    """Return the piece that a board must have so that the set `family` is used; None if the set needs none."""
    name = tomllib.loads(FILE.read_text(encoding="utf-8")).get(family, {}).get(NEEDS)
    return name and f"{family}.{name}"


@cache
def _made(family: str) -> frozenset[str]:
    """Return the pieces of this set that appear only by promotion."""
    names = tomllib.loads(FILE.read_text(encoding="utf-8")).get(family, {}).get(MADE, [])
    return frozenset(f"{family}.{name}" for name in names)


def drawings() -> str:
    """Return the outlines as a JavaScript module."""
    drawn = {name: {part: piece[part] for part in piece if part != "words"} for name, piece in pieces().items()}
    for name, piece in pieces().items():
        if "text" in piece:
            drawn[name]["letter"] = min(piece["words"], key=len).upper()  # fallback if no font has the character
    return f"// Made of pieces.toml.\nexport const PIECES = {json.dumps(drawn, ensure_ascii=False)}\n"


@cache
def _words(family: str) -> dict[str, str]:
    """Return the piece for every word of a set; the first definition wins."""
    found: dict[str, str] = {}
    for name, piece in pieces().items():
        if name.startswith(f"{family}."):
            for word in piece["words"]:
                found.setdefault(word, name)
    return found


def role_tints(roles: Sequence[str]) -> list[str]:
    """Return a colour for each role: the colour in its name, else an unused colour."""
    named = [next((tint for word in _split(role) if (tint := _colour(word))), None) for role in roles]
    free = iter([seat for seat in SEATS if seat not in named] * len(roles))
    return [tint or next(free, SEATS[0]) for tint in named]


def _colour(word: str) -> str | None:
    """Return the colour that a word is or starts with, such as `redplayer`."""
    return TINTS.get(word) or next((tint for name, tint in TINTS.items() if word.startswith(name)), None)


def symbols(
    contents: Iterable[str],
    blanks: Collection[str],
    roles: Sequence[str],
    owners: Mapping[str, int],
    given: Mapping[str, str] | None = None,
    first: Collection[str] = (),
) -> dict[str, Symbol]:
    """Return the symbol of each content of a game's boards; `given` are the pieces that the author has chosen.

    `first` are the contents of the first position, which are not promoted pieces.
    """
    every = sorted(contents)
    shown = [content for content in every if content not in blanks]
    kinds = [] if mostly_numbers(shown) else shown
    drawn = _drawn(kinds, roles, first) | _given(shown, given or {})
    owned = _named(shown, roles) | _agreed(shown, owners)
    drawn |= {content: STONE for content in owned if _initial(content, roles[owned[content]], drawn)}
    tints = role_tints(roles)
    bits = _bits(shown)
    made = {content: Symbol("", blank=True) for content in every if content in blanks}
    lettered = _lettered(shown, roles)
    for index, content in enumerate(shown):
        check()
        owner = owned.get(content)
        tint = _tint(content, roles, None if owner is None else tints[owner])
        glyph = None if bits else drawn.get(content, STONE if tint and INITIALS.get(content.lower()) == tint else None)
        short = lettered.get(content) or _short(content, shown)
        said = glyph in (None, SEEDS)
        made[content] = Symbol(short, False, tint or index, glyph, owner, said, bits.get(content, ""))
    return _told_apart(made | _stated(shown, first))


def _stated(contents: Sequence[str], first: Collection[str]) -> dict[str, Symbol]:
    """Return the symbols of numbers in a state, `5-black`; empty unless all contents have this form.

    A number is drawn on a dark block, unless games start in its state.
    """
    found = {content: match for content in contents if (match := STATED.fullmatch(content))}
    states = {content: match[2] or match[3] for content, match in found.items()}
    plain = {states[content] for content in found if content in first}
    if not found or len(found) < len(contents) or len(set(states.values())) > MAX_STATES or len(plain) != 1:
        return {}
    return {
        content: Symbol(match[1] or match[4])
        if states[content] in plain
        else Symbol(match[1] or match[4], False, "black", BLOCK)
        for content, match in found.items()
    }


def _initial(content: str, role: str, drawn: Mapping[str, str]) -> bool:
    """Whether a letter that would be a piece of a set is the initial of its owner instead."""
    alone = len(content) == 1 and role.lower().startswith(content.lower())
    return alone and drawn.get(content, "").split(".")[0] in SETS


def mostly_numbers(contents: Collection[str]) -> bool:
    """Whether most contents are numbers, which have no owner."""
    return 2 * sum(NUMBER.fullmatch(content) is not None for content in contents) > len(contents)


def _given(contents: Sequence[str], given: Mapping[str, str]) -> dict[str, str]:
    """Return the pieces that the author has chosen; the content `*` means every number."""
    every = given.get(EVERY)
    numbers = {content: every for content in contents if every and NUMBER.fullmatch(content)}
    return numbers | {content: piece for content, piece in given.items() if content != EVERY}


def as_json(made: Mapping[str, Symbol]) -> dict[str, dict[str, Any]]:
    """Return symbols as JSON; the dictionaries are shared, so do not change them."""
    return {content: _as_json(symbol) for content, symbol in made.items()}


@lru_cache(KEPT)
def _as_json(symbol: Symbol) -> dict[str, Any]:
    return asdict(symbol)


def family_of(made: Mapping[str, Symbol]) -> str:
    """Return the set of pieces to which most symbols belong; empty if there is none."""
    found = [symbol.glyph.split(".")[0] for symbol in made.values() if symbol.glyph]
    return max(set(found), key=found.count) if found else ""


def _told_apart(made: dict[str, Symbol]) -> dict[str, Symbol]:
    """Add labels to pieces that look the same."""
    seen: dict[tuple[str | None, str | int | None], int] = {}
    for symbol in made.values():
        key = (symbol.glyph, symbol.tint)
        seen[key] = seen.get(key, 0) + 1
    return {
        content: Symbol(**{**asdict(symbol), "said": symbol.said or seen[symbol.glyph, symbol.tint] > 1})
        for content, symbol in made.items()
    }


def _drawn(contents: Sequence[str], roles: Sequence[str], first: Collection[str]) -> dict[str, str]:
    """Return the piece of each content that has a known word."""
    kinds = {content: _kind(content, roles) for content in contents}
    stones = {content: STONE for content, kind in kinds.items() if kind == ""}
    left = {content: kind for content, kind in kinds.items() if kind}
    begins = {kind for content, kind in left.items() if content in first}
    sets = [family for family in SETS if not any(_words(family).get(kind) in _made(family) for kind in begins)]
    found = max((_of_set(family, left) for family in sets), key=lambda one: _worth(one, left))
    for family in REST:
        known = _words(family)
        rest = {content: kind for content, kind in left.items() if content not in found}
        found |= {
            content: known[kind]
            for content, kind in rest.items()
            if kind in known and (len(kind) > 1 or family in LOOSE)
        }
    return stones | found


def _of_set(family: str, kinds: Mapping[str, str]) -> dict[str, str]:
    """Return the pieces of one set; single letters count only if there are many, or all contents have known words."""
    known = _words(family)
    loose = [name for other in LOOSE for name in _words(other)]
    found = {content: known[kind] for content, kind in kinds.items() if kind in known}
    letters = {kind for kind in kinds.values() if len(kind) == 1}
    many = len(letters) >= MANY_LETTERS and letters <= set(known)
    explained = many or all(content in found or kind in loose for content, kind in kinds.items())
    lone = len(found) == 1 and len(next(iter(found))) == 1
    if _needed(family) not in (None, *found.values()):
        return {}
    return {content: piece for content, piece in found.items() if len(kinds[content]) > 1 or (explained and not lone)}


def _worth(found: Mapping[str, str], kinds: Mapping[str, str]) -> tuple[int, int, bool]:
    """Return a sort key: the number of different pieces, then of contents; of equal sets `max` takes the first.

    A single piece belongs to the set that has it by this name: a pawn is a chessman, although draughts has pawns, too.
    """
    pieces_here = set(found.values())
    named = all(piece.endswith(f".{kinds[content]}") for content, piece in found.items())
    return len(pieces_here), len(found), len(pieces_here) == 1 and named


def _kind(content: str, roles: Sequence[str]) -> str:
    """Return a content's name without colours and roles."""
    if content.lower() in _words("things"):
        return content.lower()
    words = [word for word in _split(content) if word not in PLAIN]
    owners = sorted({*TINTS, *(role.lower() for role in roles if len(role) > 1)}, key=len, reverse=True)
    left = [stripped for word in words if (stripped := _stripped(word, owners)) and not stripped.isdigit()]
    left.sort(key=lambda word: word != PROMOTED)
    kind = "".join(left)
    begun = kind[:1] in {*INITIALS, *(role[0].lower() for role in roles)}
    if len(words) == 1 and begun and (len(kind) == 2 or _is_named(kind)):
        return kind[1:]
    if not kind and all(word.isdigit() for word in words):
        return content
    every = _every_word()
    ends = ("".join(left[index:]) for index in range(1, len(left)))
    return kind if kind in every else next((end for end in ends if len(end) > 1 and end in every), kind)


def _is_named(kind: str) -> bool:
    """Whether a word is a letter before the name of a piece: `wpawn`."""
    return len(kind) > 2 and kind not in _every_word() and kind[1:] in _every_word()


@cache
def _every_word() -> frozenset[str]:
    return frozenset(word for family in REST for word in _words(family))


def _stripped(word: str, owners: Sequence[str]) -> str:
    for owner in owners:
        if word.startswith(owner):
            return word[len(owner) :]
        if word.endswith(owner):
            return word[: -len(owner)]
    return word


def _split(name: str) -> list[str]:
    """Split a name into lower-case words at punctuation, numbers and capitals."""
    return [word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+", name)]


def _agreed(contents: Sequence[str], owners: Mapping[str, int]) -> dict[str, int]:
    """Extend the owners to contents that share a prefix with contents of exactly one role: `wk` with `wp` and `wr`."""
    found = {content: owners[content] for content in contents if content in owners}
    for content in contents:
        check()
        first = {owner for other, owner in owners.items() if other in contents and _alike(content, other)}
        if content not in found and len(first) == 1:
            found[content] = first.pop()
    return found


def _named(contents: Sequence[str], roles: Sequence[str]) -> dict[str, int]:
    """Return the owners of contents whose name contains a role's name: `firstPawn`."""
    found: dict[str, int] = {}
    for content in contents:
        words = _split(content)
        own = [index for index, role in enumerate(roles) if len(role) > 1 and role.lower() in words]
        if len(words) > 1 and len(own) == 1:
            found[content] = own[0]
    return found


def _alike(content: str, other: str) -> bool:
    one, two = _split(content), _split(other)
    if len(one) > 1 and len(two) > 1:
        return one[0] == two[0]
    return len(content) == len(other) == 2 and content[0] == other[0]


def _tint(content: str, roles: Sequence[str], owned: str | None) -> str | None:
    """Return the colour in a content's name, else the owner's colour, else the colour of the first letter."""
    words = _split(content)
    named = next((TINTS[word] for word in words if word in TINTS), None)
    named = named or next(
        (TINTS[one] for one in TINTS for word in words if len(one) > 3 and word.startswith(one)), None
    )
    if named or owned:
        return named or owned
    for index, role in enumerate(roles):
        if role.lower() in words or content.lower() in (role.lower(), role[:1].lower()):
            return role_tints(roles)[index]
    return INITIALS.get(content[0].lower()) if len(content) == 2 or _is_named(content.lower()) else None


def _lettered(contents: Sequence[str], roles: Sequence[str]) -> dict[str, str]:
    """Return the initials of names without their colour, if no other kind has this initial: `B` for `redBrush`."""
    kinds = {one: _kind(one, roles) for one in contents if _split(one)[:1] and not NUMBER.fullmatch(one)}
    initials = Counter(kind[0] for kind in set(kinds.values()) if kind)
    return {
        content: kind[0].upper()
        for content, kind in kinds.items()
        if len(kind) > 1 and kind != content.lower() and len(content) > SHORT and initials[kind[0]] == 1
    }


def _short(content: str, contents: Sequence[str]) -> str:
    """Return a short text for a content: its number, the content if short, its initials if unique, or a prefix."""
    if number := NUMBER.fullmatch(content):
        others = [found for other in contents if (found := NUMBER.fullmatch(other))]
        if len(others) > 1 or content.isdigit():
            return str(int(number[1]))
    words = _split(content)
    numbers = [word for word in words if word.isdigit()]
    if len(numbers) == 1 and all(word in TINTS for word in words if word not in numbers):
        return numbers[0]
    if len(content) <= SHORT:
        return content
    initials = "".join(word[0] for word in words).upper()
    alike = [other for other in contents if "".join(word[0] for word in _split(other)).upper() == initials]
    if len(words) > 1 and alike == [content]:
        return initials[:SHORT]
    length = next((n for n in range(1, SHORT) if sum(o.startswith(content[:n]) for o in contents) == 1), SHORT)
    return content[:length]


def _bits(contents: Sequence[str]) -> dict[str, str]:
    """Return the bits of contents such as `p0110`; empty unless all contents have this form."""
    found = {content: match[1] for content in contents if (match := BITS.fullmatch(content))}
    alike = len({len(bits) for bits in found.values()}) == 1
    return found if alike and len(found) == len(contents) >= MIN_BITS else {}
