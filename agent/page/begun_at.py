"""Rules with another initial position: its facts replace every `init`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.errors import ProtocolError
from agent.page.errors import PageError
from agent.protocol.elements import cut
from reasoner.language.notation import is_infix

_GAP = r"(?:\s|;[^\r\n]*+)*+"
_HEAD = re.compile(rf"\({_GAP}(?:<={_GAP}\({_GAP})?init(?![^\s();])", re.IGNORECASE)
"""The beginning of a fact or a rule of `init`."""


def begun_at(rules: str, facts: Sequence[str]) -> str:
    """Return KIF rules with `facts` as their initial position. Raises PageError, also for rules in other notations."""
    if is_infix(rules):
        raise PageError("a game can begin at a placed position only if its rules are in KIF")
    try:
        outer, inner = cut(rules)
    except ProtocolError as error:
        raise PageError(f"the rules cannot be read: {error}") from None
    parts = inner if len(outer) == 1 and inner and inner[0].is_list else outer
    statements = (rules[part.start : part.end] for part in parts)
    kept = [statement for statement in statements if not _HEAD.match(statement)]
    return "\n".join([*kept, *(f"(init {fact})" for fact in facts)])
