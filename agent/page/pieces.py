"""How the contents of boards are drawn: the piece that their words name, and the colour of whom they belong to.

Words and outlines are in pieces.toml. What no word explains becomes a neat token: its owner's colour and a letter.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from agent.gamemaster.patience import check

FILE = Path(__file__).parent / "pieces.toml"
SETS = ("draughts", "chess", "shogi")
"""Of which a board's pieces are one."""
LOOSE = ("marks", "things")
REST = ("marks", "things", "chess", "draughts", "shogi")
"""Where pieces are looked for that are not of the board's set."""
NEEDS, MADE = "needs", "made"
EVERY = "*"
SEEDS = "seeds"
"""Numbers drawn as so many seeds, with the number."""
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
"""Colours that words name; the page knows how to draw them."""
INITIALS = {"w": "white", "b": "black", "r": "red", "g": "green", "y": "yellow"}
SEATS = ("blue", "red", "green", "yellow", "purple", "orange", "teal", "pink")
"""Colours of roles whose names say none."""
SHORT = 4
"""Letters of a content that are shown in full."""
NUMBER = re.compile(r"[a-z]*?-?(\d+)", re.IGNORECASE)
BITS = re.compile(r"[a-z]*?([01]{2,4})", re.IGNORECASE)
KEPT = 1_000
"""Symbols whose JSON is kept: all positions of a game have the same."""
MANY_LETTERS = 4
"""Letters of one set that are its pieces whatever other words there are."""
MIN_BITS = 4  # contents spelled by bits before those are drawn


@dataclass(frozen=True, slots=True)
class Symbol:
    """How one content is drawn."""

    label: str  # short text: a token's letter, or all of it where it is no piece
    blank: bool = False
    tint: str | int | None = None  # a colour, or a number of one for what nobody owns
    glyph: str | None = None  # its name in pieces.toml
    owner: int | None = None  # the role's number
    said: bool = True  # whether the label is needed
    bits: str = ""  # up to four properties of a piece, each 0 or 1


@cache
def pieces() -> dict[str, dict[str, Any]]:
    """Every piece of pieces.toml by its full name, as `chess.king`."""
    table = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return {
        f"{family}.{name}": piece
        for family, found in table.items()
        for name, piece in found.items()
        if name not in (NEEDS, MADE)
    }


@cache
def _needed(family: str) -> str | None:
    """The piece without which no board is of this set."""
    name = tomllib.loads(FILE.read_text(encoding="utf-8")).get(family, {}).get(NEEDS)
    return name and f"{family}.{name}"


@cache
def _made(family: str) -> frozenset[str]:
    """The pieces of this set that moves make of others, and that no game begins with."""
    names = tomllib.loads(FILE.read_text(encoding="utf-8")).get(family, {}).get(MADE, [])
    return frozenset(f"{family}.{name}" for name in names)


def drawings() -> str:
    """The outlines as a module for the browser."""
    drawn = {name: {part: piece[part] for part in piece if part != "words"} for name, piece in pieces().items()}
    for name, piece in pieces().items():
        if "text" in piece:
            drawn[name]["letter"] = min(piece["words"], key=len).upper()  # where no font has the sign
    return f"// Made of pieces.toml.\nexport const PIECES = {json.dumps(drawn, ensure_ascii=False)}\n"


@cache
def _words(family: str) -> dict[str, str]:
    """Every word of a set, with the piece it names; the first one counts."""
    found: dict[str, str] = {}
    for name, piece in pieces().items():
        if name.startswith(f"{family}."):
            for word in piece["words"]:
                found.setdefault(word, name)
    return found


def role_tints(roles: Sequence[str]) -> list[str]:
    """A colour for each role: the one that it is named after, else one that no other has."""
    named = [next((tint for word in _split(role) if (tint := _colour(word))), None) for role in roles]
    free = iter([seat for seat in SEATS if seat not in named] * len(roles))
    return [tint or next(free, SEATS[0]) for tint in named]


def _colour(word: str) -> str | None:
    """The colour that a word is, or begins with, as `redplayer`."""
    return TINTS.get(word) or next((tint for name, tint in TINTS.items() if word.startswith(name)), None)


def symbols(
    contents: Iterable[str],
    blanks: Collection[str],
    roles: Sequence[str],
    owners: Mapping[str, int],
    given: Mapping[str, str] | None = None,
    first: Collection[str] = (),
) -> dict[str, Symbol]:
    """How each content of a game's boards is drawn; `given` names pieces that an author has chosen.

    `first` are the contents of the first position: what stands there is no piece that is made by moving.
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
    for index, content in enumerate(shown):
        owner = owned.get(content)
        tint = _tint(content, roles, None if owner is None else tints[owner])
        glyph = None if bits else drawn.get(content, STONE if tint and INITIALS.get(content.lower()) == tint else None)
        short = _lettered(content, shown, roles) or _short(content, shown)
        said = glyph in (None, SEEDS)
        made[content] = Symbol(short, False, tint or index, glyph, owner, said, bits.get(content, ""))
    return _told_apart(made)


def _initial(content: str, role: str, drawn: Mapping[str, str]) -> bool:
    """Whether a letter is that of its owner's name rather than of a piece of a set."""
    alone = len(content) == 1 and role.lower().startswith(content.lower())
    return alone and drawn.get(content, "").split(".")[0] in SETS


def mostly_numbers(contents: Collection[str]) -> bool:
    """Whether contents are numbers, which are nobody's whoever changed them."""
    return 2 * sum(NUMBER.fullmatch(content) is not None for content in contents) > len(contents)


def _given(contents: Sequence[str], given: Mapping[str, str]) -> dict[str, str]:
    """The pieces that an author has chosen; `*` stands for every number."""
    every = given.get(EVERY)
    numbers = {content: every for content in contents if every and NUMBER.fullmatch(content)}
    return numbers | {content: piece for content, piece in given.items() if content != EVERY}


def as_json(made: Mapping[str, Symbol]) -> dict[str, dict[str, Any]]:
    """Symbols as the page reads them; not to be changed."""
    return {content: _as_json(symbol) for content, symbol in made.items()}


@lru_cache(KEPT)
def _as_json(symbol: Symbol) -> dict[str, Any]:
    return asdict(symbol)


def family_of(made: Mapping[str, Symbol]) -> str:
    """The set that most of the pieces are of."""
    found = [symbol.glyph.split(".")[0] for symbol in made.values() if symbol.glyph]
    return max(set(found), key=found.count) if found else ""


def _told_apart(made: dict[str, Symbol]) -> dict[str, Symbol]:
    """Labels on pieces that look alike."""
    seen: dict[tuple[str | None, str | int | None], int] = {}
    for symbol in made.values():
        key = (symbol.glyph, symbol.tint)
        seen[key] = seen.get(key, 0) + 1
    return {
        content: Symbol(**{**asdict(symbol), "said": symbol.said or seen[symbol.glyph, symbol.tint] > 1})
        for content, symbol in made.items()
    }


def _drawn(contents: Sequence[str], roles: Sequence[str], first: Collection[str]) -> dict[str, str]:
    """The piece of each content that words explain."""
    kinds = {content: _kind(content, roles) for content in contents}
    stones = {content: STONE for content, kind in kinds.items() if kind == ""}
    left = {content: kind for content, kind in kinds.items() if kind}
    begins = {kind for content, kind in left.items() if content in first}
    sets = [family for family in SETS if not any(_words(family).get(kind) in _made(family) for kind in begins)]
    found = max((_of_set(family, left) for family in sets), key=_worth)
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
    """The pieces of one set; names of one letter only where none is left out, and few words are or they are many."""
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


def _worth(found: Mapping[str, str]) -> tuple[int, int]:
    """More different pieces are better, then more contents; among equals `max` takes the first, smallest set."""
    return len(set(found.values())), len(found)


def _kind(content: str, roles: Sequence[str]) -> str:
    """A content's name without colours and roles; empty where it is nothing else."""
    if content.lower() in _words("things"):
        return content.lower()
    words = _split(content)
    owners = sorted({*TINTS, *(role.lower() for role in roles if len(role) > 1)}, key=len, reverse=True)
    left = [stripped for word in words if (stripped := _stripped(word, owners)) and not stripped.isdigit()]
    kind = "".join(left)
    if len(words) == 1 and len(kind) == 2 and kind[0] in {*INITIALS, *(role[0].lower() for role in roles)}:
        return kind[1]
    if not kind and all(word.isdigit() for word in words):
        return content
    every = _every_word()
    ends = ("".join(left[index:]) for index in range(1, len(left)))
    return kind if kind in every else next((end for end in ends if len(end) > 1 and end in every), kind)


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
    """The words of a name, in small letters: at signs, numbers and capitals."""
    return [word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+", name)]


def _agreed(contents: Sequence[str], owners: Mapping[str, int]) -> dict[str, int]:
    """Owners, also of contents that were not seen to move but begin as one role's alone do: `wk` as `wp` and `wr`."""
    found = {content: owners[content] for content in contents if content in owners}
    for content in contents:
        check()
        first = {owner for other, owner in owners.items() if other in contents and _alike(content, other)}
        if content not in found and len(first) == 1:
            found[content] = first.pop()
    return found


def _named(contents: Sequence[str], roles: Sequence[str]) -> dict[str, int]:
    """Owners by the only role that a name of several words has among them: `firstPawn`."""
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
    """The colour that a content names, else its owner's, else one that its first letter stands for."""
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
    return INITIALS.get(content[0].lower()) if len(content) == 2 else None


def _lettered(content: str, contents: Sequence[str], roles: Sequence[str]) -> str:
    """The first letter of a name besides its colour, where no other piece of the colour begins so: `redBrush`."""
    check()
    kinds = {other: _kind(other, roles) for other in contents if _split(other)[:1] and not NUMBER.fullmatch(other)}
    kind = kinds.get(content, "")
    if len(kind) < 2 or kind == content.lower() or len(content) <= SHORT:
        return ""
    return kind[0].upper() if all(not other or other == kind or other[0] != kind[0] for other in kinds.values()) else ""


def _short(content: str, contents: Sequence[str]) -> str:
    """A number without its word, a short content as it is, else its first letters that tell it from the others."""
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
    """The properties of pieces that differ in bits, as `p0110`; nothing where they are not all spelled so."""
    found = {content: match[1] for content in contents if (match := BITS.fullmatch(content))}
    alike = len({len(bits) for bits in found.values()}) == 1
    return found if alike and len(found) == len(contents) >= MIN_BITS else {}
