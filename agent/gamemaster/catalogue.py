"""What a rulesheet tells of itself without being read: its first comment and its roles."""

from __future__ import annotations

import re

from agent.protocol.elements import tokens
from reasoner.language.notation import is_infix


def described(text: str) -> str:
    """The first sentence of the comment that a rulesheet begins with."""
    lines = re.match(r"(?:[;%][^\r\n]*[\r\n]+)*", text)
    comment = " ".join(line.lstrip(";% ") for line in lines[0].splitlines()) if lines else ""
    return re.split(r"(?<=[.:;])\s", comment)[0].rstrip(".:;")


def role_names(text: str) -> list[str]:
    """The roles in rulesheet order: the names in facts `(role x)` or `role(x)`."""
    if is_infix(text):
        return re.findall(r"\brole\(([a-z0-9]\w*)\)", re.sub(r"%.*", "", text))
    words = list(tokens(text))
    triples = zip(words, words[1:], words[2:], strict=False)
    return [name for bracket, word, name in triples if (bracket, word) == ("(", "role") and name[0] not in "(?"]
