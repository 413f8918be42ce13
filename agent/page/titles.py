"""Titles of pasted rules: their file name, the start of their first comment, or "pasted rules"."""

from __future__ import annotations

from agent.gamemaster.games import described

PASTED = "pasted rules"
"""Title of rules without a file name or comment."""
LONGEST = 60
"""Maximum characters of a title."""
READ = 2_000
"""Characters that are searched for a title."""
ENDINGS = (".kif", ".gdl", ".txt")
DECORATION = "=-*#;%_~+ "
"""Characters that decorate comments."""


def title_of(rules: str, name: str = "") -> str:
    """Return a one-line title for pasted rules; `name` is their file name or earlier title."""
    for ending in ENDINGS:
        name = name.removesuffix(ending)
    return _line(name[:READ]) or _line(described(rules.lstrip()[:READ] + "\n")) or PASTED


def _line(text: str) -> str:
    """Return the text as one short line of printable characters."""
    words = " ".join("".join(letter if letter.isprintable() else " " for letter in text).split()).strip(DECORATION)
    return words if len(words) <= LONGEST else words[: LONGEST - 1].rstrip() + "…"
