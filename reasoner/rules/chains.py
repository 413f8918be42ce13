"""Successor relations of a game, whose words are often the coordinates of its boards."""

from __future__ import annotations

from collections.abc import Iterator

from reasoner.rules.program import Program


def chains(program: Program, most: int) -> Iterator[list[str]]:
    """Yield the words of each binary relation of facts that forms one chain of at most `most` words, in order."""
    for relation, rules in program.by_head().items():
        if relation[1] != 2 or any(rule.body for rule in rules) or len(rules) >= most:
            continue
        after = {str(rule.head.arguments[0]): str(rule.head.arguments[1]) for rule in rules}
        first = set(after) - set(after.values())
        if len(first) == 1 and len(after) == len(rules) == len(set(after.values())):
            chain = [first.pop()]
            while chain[-1] in after:
                chain.append(after[chain[-1]])
            if len(chain) == len(rules) + 1:
                yield chain
