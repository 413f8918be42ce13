"""How rules without a name are called: as their file, by the first words of their comment, or as pasted."""

from __future__ import annotations

from agent.gamemaster.games import described

PASTED = "pasted rules"
"""What rules are called that say nothing of themselves."""
LONGEST = 60
"""Characters of a title."""
READ = 2_000
"""Characters that are looked at for one."""
ENDINGS = (".kif", ".gdl", ".txt")
DECORATION = "=-*#;%_~+ "
"""What comments are framed with."""


def title_of(rules: str, name: str = "") -> str:
    """A title of one line for rules that were pasted; `name` is what their file is called, or they were before."""
    for ending in ENDINGS:
        name = name.removesuffix(ending)
    return _line(name[:READ]) or _line(described(rules.lstrip()[:READ] + "\n")) or PASTED


def _line(text: str) -> str:
    """The text as one short line of characters that can be seen."""
    words = " ".join("".join(letter if letter.isprintable() else " " for letter in text).split()).strip(DECORATION)
    return words if len(words) <= LONGEST else words[: LONGEST - 1].rstrip() + "…"
